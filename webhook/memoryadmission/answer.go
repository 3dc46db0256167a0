// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

// notConsidered is what takes a store, and this gate has none.
const notConsidered = "correlation,lineage,session"

// answer puts a decision into the words of the review. It quotes nothing of the memory.
func answer(ctx context.Context, s *policy.State, r memoryadmission.Request, d gate.AdmissionDecision) memoryadmission.Response {
	if d.Err != nil {
		return memoryadmission.Response{Status: statusOfError(ctx, d.Err)}
	}
	out := memoryadmission.Response{
		Allowed: d.Allowed, Zone: memoryadmission.Zone(d.Zone), State: string(d.State), Class: string(d.Class),
		Authority: memoryadmission.Authority(d.Authority), Boundary: memoryadmission.Boundary(d.Boundary), SignedSource: d.Signed,
		AuditAnnotations: map[string]string{
			memoryadmission.AnnotationPolicy: s.Runtime.PolicyName, memoryadmission.AnnotationRevision: s.Runtime.Revision,
			memoryadmission.AnnotationNotConsidered: notConsidered,
		},
	}
	if !d.Expiry.IsZero() {
		out.Expiry = &d.Expiry
	}
	if len(d.Families) > 0 {
		out.AuditAnnotations[memoryadmission.AnnotationFindings] = strings.Join(d.Families, ",")
	}
	if len(d.CappedBy) > 0 {
		out.AuditAnnotations[memoryadmission.AnnotationCappedBy] = strings.Join(d.CappedBy, ",")
	}
	switch {
	case !d.Allowed:
		out.Status = &memoryadmission.Status{Code: codeOf(d.Reason), Reason: string(d.Reason), Message: refusal(r.Operation, d)}
	case d.Would():
		out.AuditAnnotations[memoryadmission.AnnotationWould] = string(d.Reason)
		out.Warnings = append(out.Warnings, "the policy is in DryRun; under Enforce this would not be allowed: "+refusal(r.Operation, d))
	default:
		out.Warnings = warnings(r, d)
	}
	return out
}

// codeOf is the HTTP status that says most of a reason.
func codeOf(reason gate.Reason) int {
	switch reason {
	case gate.ReasonNotPossible:
		return http.StatusConflict
	case gate.ReasonTampered, gate.ReasonUnverified, gate.ReasonUnreadable:
		return http.StatusUnprocessableEntity
	}
	return http.StatusForbidden
}

// refusal says what happened and what to do about it.
func refusal(operation memoryadmission.Operation, d gate.AdmissionDecision) string {
	recalled := operation == memoryadmission.Recall
	switch d.Reason {
	case gate.ReasonDirective:
		if recalled {
			return "it gives a standing instruction, and its origin is not trusted to give one: keep it from the model"
		}
		return "it gives a standing instruction, and its origin is not trusted to give one: do not store it where recalls find it. " +
			"If it is the operator's or user's, hand it in through a channel of the policy; if only the fact matters, store the fact alone"
	case gate.ReasonQuarantined:
		return "it waits for a person: have it promoted, or leave it out"
	case gate.ReasonExpired:
		return "its time is over: delete it"
	case gate.ReasonTampered:
		return "its signed source was not made for this text and agent: somebody changed one of them, and nothing about it can be relied on"
	case gate.ReasonKeyUnavailable:
		return "the key that signed it is gone or disabled: restoring the key, see the agent's ProvenanceKey, heals it"
	case gate.ReasonUnverified:
		return "its signed source does not prove where it came from, so that nobody can vouch for it"
	case gate.ReasonNotPossible:
		return "not possible as it stands; " + strings.Join(d.Rules, "; ")
	}
	return "it could not be screened"
}

// warnings are what to heed though it is allowed.
func warnings(r memoryadmission.Request, d gate.AdmissionDecision) []string {
	var out []string
	if r.Operation == memoryadmission.Recall && r.SignedSource == "" {
		out = append(out, "the memory has no signed source: its origin counts as Unknown")
	}
	if d.Boundary == memory.RequiresReview {
		w := "nobody has vouched for it: deliver it marked"
		if !d.Expiry.IsZero() {
			w += ", until " + d.Expiry.Format(time.RFC3339)
		}
		out = append(out, w+"; it justifies no action")
	}
	return out
}

// statusOfError is what callers are told about a request that could not be decided.
func statusOfError(ctx context.Context, err error) *memoryadmission.Status {
	var large *gate.TooLargeError
	var field *memory.FieldError
	switch {
	case errors.As(err, &large):
		return &memoryadmission.Status{Code: http.StatusRequestEntityTooLarge, Reason: memoryadmission.ReasonTooLarge, Message: large.Error()}
	case errors.As(err, &field):
		return invalid("%s", fieldMessage(field))
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return timedOut()
	}
	return &memoryadmission.Status{Code: http.StatusInternalServerError, Reason: memoryadmission.ReasonUnreadable,
		Message: "not allowed: the request could not be processed"}
}

// fieldsOfMemory are those that a review has under memory.
var fieldsOfMemory = map[string]bool{"content": true, "kind": true, "subject": true, "tags": true, "metadata": true}

// fieldMessage names a field as the review does.
func fieldMessage(e *memory.FieldError) string {
	if fieldsOfMemory[e.Field] {
		return fmt.Sprintf("memory.%s: %s", e.Field, e.Fix)
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Fix)
}
