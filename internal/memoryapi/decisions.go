// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog/v2"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// Verbs are the subresources that decide about a memory. Each is a verb of admin.Verbs.
var Verbs = []string{"approve", "reject", "promote", "attest", "quarantine", "reopen", "forget", "purge"}

// ApprovalVerbs are the subresources that decide about a tool call that waits: reopen takes a rejection back, forget an approval.
var ApprovalVerbs = []string{"approve", "reject", "reopen", "forget"}

// verbPromote is the verb that takes more than a reason.
const verbPromote = "promote"

// commitBytes is the length of a commit's hash.
const commitBytes = 32

// decision is a subresource that decides about a record.
type decision struct {
	of   records
	verb string
}

var _ rest.NamedCreater = decision{}

// New implements rest.Storage.
func (decision) New() runtime.Object { return &api.MemoryDecision{} }

// Destroy implements rest.Storage.
func (decision) Destroy() {}

// Create decides.
func (d decision) Create(
	ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, o *metav1.CreateOptions,
) (runtime.Object, error) {
	in, ok := obj.(*api.MemoryDecision)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the body is a %T and no MemoryDecision", obj))
	}
	about := d.of.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return nil, err
	}
	if err := mayDecide(ctx, d.of.Authorizer, c, about.resource); err != nil {
		return nil, err
	}
	if errs := d.check(in.Spec); len(errs) > 0 {
		return nil, apierrors.NewInvalid(api.GroupVersion.WithKind(about.kind).GroupKind(), name, errs)
	}
	if validate != nil {
		if err := validate(ctx, obj); err != nil {
			return nil, err
		}
	}
	_, at, err := d.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	request := d.request(in.Spec)
	request.DryRun = request.DryRun || o != nil && len(o.DryRun) > 0
	var decided gate.Decided
	err = d.of.Screeners.decide(ctx, at.agent, c.principal(), func(ctx context.Context, s Decider) (err error) {
		decided, err = s.Decide(ctx, name, d.verb, in.Spec.Commit, request)
		return err
	})
	if err != nil {
		return nil, about.undecided(ctx, at.agent, err)
	}
	klog.FromContext(ctx).Info("Decided", "verb", d.verb, "person", c.principal(), "agent", at.agent.NamespacedName, "memory", name,
		"dryRun", decided.DryRun, "done", decided.Done)
	return &api.MemoryDecision{
		ObjectMeta: objectMeta(at.agent, name, at.value.CreatedAt), Spec: in.Spec, Status: decisionStatus(decided),
	}, nil
}

// check says what is wrong with a decision that no screener needs to be asked about.
func (d decision) check(s api.MemoryDecisionSpec) field.ErrorList {
	spec := field.NewPath("spec")
	errs := checkReason(spec, s.Reason)
	switch raw, err := hex.DecodeString(s.Commit); {
	case s.Commit == "":
		errs = append(errs, field.Required(spec.Child("commit"), "status.commit of the version you saw; a decision is about no other"))
	case err != nil || len(raw) != commitBytes || strings.ToLower(s.Commit) != s.Commit:
		errs = append(errs, field.Invalid(spec.Child("commit"), field.OmitValueType{}, "give status.commit as it was received"))
	}
	if d.verb != verbPromote {
		for name, given := range map[string]bool{"zone": s.Zone != "", "anchor": s.Anchor != nil, "corroborators": len(s.Corroborators) > 0} {
			if given {
				errs = append(errs, field.Forbidden(spec.Child(name), "only promote takes it"))
			}
		}
	}
	return errs
}

func checkReason(spec *field.Path, reason string) field.ErrorList {
	switch {
	case strings.TrimSpace(reason) == "":
		return field.ErrorList{field.Required(spec.Child("reason"), "say why; it stands in the history")}
	case len(reason) > memory.MaxReasonBytes:
		return field.ErrorList{field.TooLong(spec.Child("reason"), "", memory.MaxReasonBytes)}
	}
	return nil
}

func (d decision) request(s api.MemoryDecisionSpec) admin.DecisionRequest {
	out := admin.DecisionRequest{Reason: s.Reason, Zone: s.Zone, Corroborators: s.Corroborators, DryRun: s.DryRun}
	if s.Anchor != nil {
		out.Anchor = &admin.Anchor{SourceID: s.Anchor.SourceID, EvidenceSHA256: s.Anchor.EvidenceSHA256}
	}
	return out
}

// resolve is the subresource of contradictions that decides.
type resolve struct{ of contradictions }

var _ rest.NamedCreater = resolve{}

// New implements rest.Storage.
func (resolve) New() runtime.Object { return &api.ContradictionResolution{} }

// Destroy implements rest.Storage.
func (resolve) Destroy() {}

// Create decides.
func (r resolve) Create(
	ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, o *metav1.CreateOptions,
) (runtime.Object, error) {
	in, ok := obj.(*api.ContradictionResolution)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the body is a %T and no ContradictionResolution", obj))
	}
	about := r.of.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return nil, err
	}
	if err := mayDecide(ctx, r.of.Authorizer, c, about.resource); err != nil {
		return nil, err
	}
	if errs := checkResolution(in.Spec); len(errs) > 0 {
		return nil, apierrors.NewInvalid(api.GroupVersion.WithKind(about.kind).GroupKind(), name, errs)
	}
	if validate != nil {
		if err := validate(ctx, obj); err != nil {
			return nil, err
		}
	}
	at, err := r.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	dryRun := in.Spec.DryRun || o != nil && len(o.DryRun) > 0
	var decided gate.Decided
	err = r.of.Screeners.decide(ctx, at.agent, c.principal(), func(ctx context.Context, s Decider) (err error) {
		decided, err = s.Resolve(ctx, name, memory.ContradictionVerdict(in.Spec.Verdict), in.Spec.Reason, in.Spec.Content, dryRun)
		return err
	})
	if err != nil {
		return nil, about.undecided(ctx, at.agent, err)
	}
	klog.FromContext(ctx).Info("Decided", "verb", "resolve", "person", c.principal(), "agent", at.agent.NamespacedName, "contradiction", name,
		"verdict", in.Spec.Verdict, "dryRun", decided.DryRun, "done", decided.Done)
	return &api.ContradictionResolution{
		ObjectMeta: objectMeta(at.agent, name, at.value.FoundAt), Spec: in.Spec, Status: decisionStatus(decided),
	}, nil
}

// verdicts are what can be decided about a contradiction.
var verdicts = []string{"KeepA", "KeepB", "Merge", "BothValid", "NeedsMoreContext"}

func checkResolution(s api.ContradictionResolutionSpec) field.ErrorList {
	spec := field.NewPath("spec")
	errs := checkReason(spec, s.Reason)
	if !slices.Contains(verdicts, s.Verdict) {
		errs = append(errs, field.NotSupported(spec.Child("verdict"), s.Verdict, verdicts))
	}
	if merge := s.Verdict == "Merge"; merge != (s.Content != "") {
		errs = append(errs, field.Invalid(spec.Child("content"), field.OmitValueType{}, "Merge, and nothing else, takes what replaces both"))
	}
	return errs
}
