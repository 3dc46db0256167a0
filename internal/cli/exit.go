// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// errRefused ends the preview of a decision that the rules stand against.
var errRefused = errors.New("refused: the decision does not meet the rules; nothing was changed")

// partialError ends a command over several things of which not all were done. What went wrong was told for each of them.
type partialError struct {
	first error
	total int
	bad   int
}

// Error implements error.
func (e *partialError) Error() string {
	return fmt.Sprintf("%d of %d were not done; see above", e.bad, e.total)
}

// Unwrap returns the first error, whose code is that of the whole.
func (e *partialError) Unwrap() error { return e.first }

// ExitCode returns what the program ends with after an error: a code of package terminal.
func ExitCode(err error) int {
	var usage *terminal.UsageError
	var status apierrors.APIStatus
	switch {
	case err == nil:
		return terminal.ExitDone
	case errors.As(err, &usage):
		return terminal.ExitUsage
	case errors.Is(err, errRefused):
		return terminal.ExitRefused
	case errors.Is(err, errChanged):
		return terminal.ExitChanged
	case errors.As(err, &status):
		return codeOf(status.Status())
	case unreached(err):
		return terminal.ExitUnavailable
	}
	return terminal.ExitFailed
}

func codeOf(s metav1.Status) int {
	switch {
	case notServed(s):
		return terminal.ExitUnavailable
	case s.Reason == metav1.StatusReasonNotFound:
		return terminal.ExitNotFound
	case s.Reason == metav1.StatusReasonForbidden, s.Reason == metav1.StatusReasonUnauthorized, s.Code == 403, s.Code == 401:
		return terminal.ExitRefused
	case s.Reason == metav1.StatusReasonInvalid:
		if wrongField(s) {
			return terminal.ExitUsage
		}
		return terminal.ExitRefused
	case s.Reason == metav1.StatusReasonConflict:
		return terminal.ExitChanged
	case s.Reason == metav1.StatusReasonBadRequest:
		return terminal.ExitUsage
	case s.Code == 429, s.Code == 502, s.Code == 503, s.Code == 504, s.Reason == metav1.StatusReasonTimeout, s.Reason == metav1.StatusReasonServerTimeout:
		return terminal.ExitUnavailable
	}
	return terminal.ExitFailed
}

// notServed reports whether the API server does not know the resource at all, which it says like that something is not found.
func notServed(s metav1.Status) bool {
	return s.Reason == metav1.StatusReasonNotFound && s.Details != nil &&
		slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return c.Type == metav1.CauseTypeUnexpectedServerResponse })
}

// wrongField reports whether it is the request that is wrong, and not a rule that stands against it.
func wrongField(s metav1.Status) bool {
	return s.Details != nil && slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return strings.HasPrefix(c.Field, "spec.") })
}

// unreached reports whether nobody answered, in time or at all. A server that answers and is not trusted is none of that.
func unreached(err error) bool {
	var slow net.Error
	return errors.As(err, new(*net.OpError)) || errors.As(err, &slow) && slow.Timeout() || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// flagOf are the flags by the fields of a body.
var flagOf = map[string]string{
	"spec.commit": "--commit", "spec.reason": "--reason", "spec.zone": "--zone", "spec.anchor": "--evidence-source", "spec.anchor.sourceID": "--evidence-source",
	"spec.anchor.evidenceSHA256": "--evidence-sha256", "spec.corroborators": "--corroborator", "spec.content": "--content", "spec.verdict": "VERDICT",
}

// explain says what went wrong and what to do about it.
func explain(err error) string {
	var status apierrors.APIStatus
	switch {
	case !errors.As(err, &status):
		if unreached(err) {
			return "the API server cannot be reached: " + err.Error()
		}
		return err.Error()
	case errors.As(err, new(*partialError)):
		return err.Error()
	}
	s := status.Status()
	switch codeOf(s) {
	case terminal.ExitUsage:
		return fields(s)
	case terminal.ExitRefused:
		return s.Message + refusedFix(s)
	case terminal.ExitUnavailable:
		if notServed(s) {
			return "the cluster does not serve " + memoryv1alpha1.GroupName + ": the memory API is not installed " +
				"(kubectl apply --server-side -k config/memory-api), or is down " +
				"(kubectl get apiservice " + memoryv1alpha1.GroupVersion.Version + "." + memoryv1alpha1.GroupName + ")"
		}
	}
	return s.Message
}

// fields names the flags that are wrong.
func fields(s metav1.Status) string {
	if s.Details == nil || len(s.Details.Causes) == 0 {
		return s.Message
	}
	var parts []string
	for _, c := range s.Details.Causes {
		name := flagOf[c.Field]
		if name == "" {
			name = c.Field
		}
		parts = append(parts, name+": "+c.Message)
	}
	return strings.Join(parts, "; ")
}

func refusedFix(s metav1.Status) string {
	switch s.Reason {
	case metav1.StatusReasonUnauthorized:
		return "; log in to the cluster again"
	case metav1.StatusReasonForbidden:
		if strings.Contains(s.Message, " cannot ") { // as the API server words what RBAC does not allow
			binding := "rolebinding NAME -n NAMESPACE"
			if strings.Contains(s.Message, "at the cluster scope") {
				binding = "clusterrolebinding NAME"
			}
			return "\nWhoever may give rights does so with: kubectl create " + binding + " --clusterrole=ROLE --user=USER\n" +
				"ROLE is memorytrust-viewer (sees), memorytrust-reviewer (also reads and decides) or memorytrust-admin (also forgets and purges)."
		}
	}
	return ""
}
