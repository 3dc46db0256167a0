// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// retrySeconds is when clients try again what is not available at the moment. They do so ten times by themselves, so that the restart of a
// pod goes unnoticed, and nobody waits long for what is gone.
const retrySeconds = 1

// causeRule is the type of a cause that is a rule which is not met; its field is the name of the rule.
const causeRule metav1.CauseType = "RuleNotMet"

// subject is what an error is about.
type subject struct {
	resource schema.GroupResource
	kind     string // of the body, for what is wrong with it
	name     string
}

func (s subject) notFound() error { return apierrors.NewNotFound(s.resource, s.name) }

func isStatus(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status)
}

func isNotFound(err error) bool { return err != nil && apierrors.IsNotFound(err) }

// failed returns what the API answers for an error of a screener, or of reaching one. What the caller cannot help is logged and not told
// in detail.
func (s subject) failed(ctx context.Context, agent Agent, err error) error {
	var failure *admin.Failure
	var silent *silentError
	switch {
	case isStatus(err):
		return err
	case errors.As(err, &failure):
		return s.answered(ctx, agent, failure)
	case errors.Is(err, errNoScreener):
		return unavailable("agent " + agent.Name + ": " + noScreener)
	case errors.As(err, &silent):
		klog.FromContext(ctx).Error(silent.err, "Screener did not answer", "agent", agent.NamespacedName)
		return unavailable("agent " + agent.Name + ": its screener does not answer; see whether its pods are ready")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return apierrors.NewTimeoutError("the request was given up before it was done", 0)
	}
	klog.FromContext(ctx).Error(err, "Request failed", "agent", agent.NamespacedName)
	return apierrors.NewInternalError(errors.New("the log of memory-api says what is wrong"))
}

// noScreener says why an agent cannot be asked.
const noScreener = "no pod of it runs; embedded stores can be read only while a pod of the agent runs, those in PostgreSQL once the operator " +
	"has made a role that reads them"

// whySilent says why an agent is left out.
func whySilent(err error) string {
	var failure *admin.Failure
	var silent *silentError
	switch {
	case errors.As(err, &failure):
		return failure.Detail
	case errors.As(err, &silent):
		return "its screener does not answer"
	}
	return noScreener
}

// undecided returns what the API answers for a decision that did not come through.
func (s subject) undecided(ctx context.Context, agent Agent, err error) error {
	var silent *silentError
	switch {
	case errors.Is(err, errNoScreener), errors.As(err, &silent) && !silent.reached:
		if silent != nil {
			klog.FromContext(ctx).Error(silent.err, "Screener not reached", "agent", agent.NamespacedName)
		}
		return unavailable("a decision needs a running screener of agent " + agent.Name + ", which signs it; nothing was decided")
	case errors.As(err, &silent):
		// No Retry-After here: clients would decide again by themselves.
		klog.FromContext(ctx).Error(silent.err, "Screener did not answer a decision", "agent", agent.NamespacedName)
		out := unavailable("the screener of agent " + agent.Name + " was asked and did not answer; whether it was decided stands in the log")
		out.ErrStatus.Details.RetryAfterSeconds = 0
		return out
	}
	return s.failed(ctx, agent, err)
}

func unavailable(message string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable, Message: message,
		Details: &metav1.StatusDetails{RetryAfterSeconds: retrySeconds},
	}}
}

// answered turns a problem of the admin port into a status.
func (s subject) answered(ctx context.Context, agent Agent, f *admin.Failure) error {
	switch {
	case f.Status == http.StatusNotFound:
		return s.notFound()
	case f.Changed():
		return s.changed()
	case f.Status == http.StatusConflict:
		return s.refused(f)
	case f.Status == http.StatusUnprocessableEntity, f.Status == http.StatusBadRequest, f.Status == http.StatusRequestEntityTooLarge:
		return s.invalid(f.Error(), causesOf(f))
	case f.Status == http.StatusForbidden:
		return apierrors.NewForbidden(s.resource, s.name, errors.New(f.Detail))
	case f.Status == http.StatusTooManyRequests:
		return apierrors.NewTooManyRequests(f.Detail, seconds(f.RetryAfter))
	case f.Status == http.StatusServiceUnavailable:
		out := unavailable("agent " + agent.Name + ": " + f.Detail)
		out.ErrStatus.Details.RetryAfterSeconds = int32(seconds(f.RetryAfter)) //nolint:gosec // at most minutes
		return out
	}
	klog.FromContext(ctx).Error(f, "Screener failed", "agent", agent.NamespacedName, "status", f.Status)
	return apierrors.NewInternalError(fmt.Errorf("the log of the screener of agent %s says what is wrong", agent.Name))
}

func seconds(d time.Duration) int { return max(retrySeconds, int(math.Ceil(d.Seconds()))) }

// changed says that the decision is about a version that is not the newest any more.
func (s subject) changed() error {
	err := apierrors.NewConflict(s.resource, s.name, errors.New("it changed since you looked; nothing was decided. Look again, and decide about the commit it has now"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeFieldValueInvalid, Field: "spec.commit", Message: "is not the newest version",
	}}
	return err
}

// refused says which rules stand against a decision, or that it is not possible as the memory stands.
func (s subject) refused(f *admin.Failure) error {
	var causes []metav1.StatusCause
	message := f.Detail
	if f.Decided != nil {
		var unmet []string
		for _, r := range memory.Unmet(f.Decided.Rules) {
			causes = append(causes, metav1.StatusCause{Type: causeRule, Field: r.Name, Message: r.Explain})
			unmet = append(unmet, r.Name+": "+r.Explain)
		}
		message = "it does not meet the rules, and nothing was decided: " + strings.Join(unmet, "; ")
	}
	return s.invalid(message, causes)
}

func (s subject) invalid(message string, causes []metav1.StatusCause) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Details: &metav1.StatusDetails{Group: v1alpha1.GroupName, Kind: s.kind, Name: s.name, Causes: causes},
		Message: fmt.Sprintf("%s %q: %s", s.resource.Resource, s.name, message),
	}}
}

// causesOf names the fields of a body as this API calls them.
func causesOf(f *admin.Failure) []metav1.StatusCause {
	out := make([]metav1.StatusCause, 0, len(f.Fields))
	for _, field := range f.Fields {
		name := field.Location
		switch location, rest, _ := strings.Cut(field.Location, "."); location {
		case "body":
			name = "spec." + rest
		case "query":
			name = rest
		case "header":
			if rest == "If-Match" {
				name = "spec.commit"
			}
		}
		out = append(out, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: name, Message: field.Message})
	}
	return out
}
