// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// Outcomes of pods that are let through.
const (
	outcomeInjected  inject.Reason = "Injected"
	outcomeUnchanged inject.Reason = "Unchanged"
	outcomeVerified  inject.Reason = "Verified"
	outcomeNotAsked  inject.Reason = "NotAsked"
	outcomeUndecided inject.Reason = "Undecided"
)

// mutator adds the screener to pods that opted in.
type mutator struct {
	decider
	decoder admission.Decoder
}

// Handle implements admission.Handler.
func (m *mutator) Handle(ctx context.Context, req admission.Request) admission.Response {
	return handle(ctx, req, m.decoder, "mutate", m.inject)
}

func (m *mutator) inject(ctx context.Context, namespace string, pod *corev1.Pod) (admission.Response, inject.Reason, error) {
	ask, warnings, err := m.request(ctx, namespace, pod)
	if err != nil {
		return admission.Response{}, "", err
	}
	out, err := inject.Pod(pod, ask)
	if err != nil {
		return admission.Response{}, "", err
	}
	response := admission.Allowed("").WithWarnings(warnings...)
	ops := patch(pod, out)
	if len(ops) == 0 {
		return response, outcomeUnchanged, nil
	}
	if response.Patch, err = json.Marshal(ops); err != nil {
		return admission.Response{}, "", fmt.Errorf("encoding the patch: %w", err)
	}
	response.PatchType = ptr.To(admissionv1.PatchTypeJSONPatch)
	return response, outcomeInjected, nil
}

// validator refuses pods that opted in and are not as injected: because another webhook came later, or because the
// mutating webhook was not asked. What admission policies in CEL cannot know, it does: names made by hashing,
// the policy's wishes, the agent's ServiceAccount.
type validator struct {
	decider
	decoder admission.Decoder
}

// Handle implements admission.Handler.
func (v *validator) Handle(ctx context.Context, req admission.Request) admission.Response {
	return handle(ctx, req, v.decoder, "validate", v.verify)
}

func (v *validator) verify(ctx context.Context, namespace string, pod *corev1.Pod) (admission.Response, inject.Reason, error) {
	ask, _, err := v.request(ctx, namespace, pod)
	if err != nil {
		return admission.Response{}, "", err
	}
	if err := inject.Verify(pod, ask); err != nil {
		return admission.Response{}, "", err
	}
	return admission.Allowed(""), outcomeVerified, nil
}

// work decides about one pod. Its error is an *inject.Refusal if the pod is at fault.
type work func(ctx context.Context, namespace string, pod *corev1.Pod) (admission.Response, inject.Reason, error)

// handle does what both webhooks have in common: it reads the pod, and turns the outcome into a response, a count and,
// for refusals, a log line.
func handle(ctx context.Context, req admission.Request, decoder admission.Decoder, webhook string, do work) admission.Response {
	begin := time.Now()
	response, outcome := decided(ctx, req, decoder, do)
	observe(webhook, response, outcome, time.Since(begin))
	return response
}

func decided(ctx context.Context, req admission.Request, decoder admission.Decoder, do work) (admission.Response, inject.Reason) {
	if req.Operation != admissionv1.Create || req.SubResource != "" {
		return admission.Allowed(""), outcomeNotAsked
	}
	var pod corev1.Pod
	if err := decoder.Decode(req, &pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err), outcomeUndecided
	}
	agent, ok := pod.Labels[v1alpha1.LabelAgent]
	if !ok {
		return admission.Allowed(""), outcomeNotAsked
	}
	log := logf.FromContext(ctx).WithValues("namespace", req.Namespace, "agent", agent)
	response, outcome, err := do(ctx, req.Namespace, &pod)
	if err == nil {
		return response, outcome
	}
	if reason, refused := reasonOf(err); refused {
		log.Info("Refused pod", "reason", reason)
		return admission.Denied(err.Error()), reason
	}
	log.Error(err, "Deciding about pod failed")
	return admission.Errored(http.StatusInternalServerError, err), outcomeUndecided
}
