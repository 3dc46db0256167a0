// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"bytes"
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	admissionv1apply "k8s.io/client-go/applyconfigurations/admissionregistration/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
)

// bundleOwner is the field manager of the caBundle fields and of nothing else, so that whoever installs the webhook
// configurations keeps owning the rest and sees no difference.
const bundleOwner = client.FieldOwner("memorytrust-ca-bundle")

// +kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=mutatingwebhookconfigurations,resourceNames=memorytrust-pod-injector,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=validatingwebhookconfigurations,resourceNames=memorytrust-pod-validator,verbs=get;list;watch;patch

// WebhookConfigurations names the configurations that get the bundle. Those that do not exist are left alone: the
// install brings them.
type WebhookConfigurations struct {
	Mutating   string
	Validating string
}

// publish writes the bundle into every webhook whose caBundle differs.
func (w WebhookConfigurations) publish(ctx context.Context, c client.Client, bundle []byte) error {
	if err := w.publishMutating(ctx, c, bundle); err != nil {
		return fmt.Errorf("writing caBundle of MutatingWebhookConfiguration %s: %w", w.Mutating, err)
	}
	if err := w.publishValidating(ctx, c, bundle); err != nil {
		return fmt.Errorf("writing caBundle of ValidatingWebhookConfiguration %s: %w", w.Validating, err)
	}
	return nil
}

func (w WebhookConfigurations) publishMutating(ctx context.Context, c client.Client, bundle []byte) error {
	var live admissionv1.MutatingWebhookConfiguration
	if err := c.Get(ctx, types.NamespacedName{Name: w.Mutating}, &live); err != nil {
		return client.IgnoreNotFound(err)
	}
	desired := admissionv1apply.MutatingWebhookConfiguration(w.Mutating).WithUID(live.UID)
	stale := false
	for _, hook := range live.Webhooks {
		stale = stale || !bytes.Equal(hook.ClientConfig.CABundle, bundle)
		desired.WithWebhooks(admissionv1apply.MutatingWebhook().WithName(hook.Name).
			WithClientConfig(admissionv1apply.WebhookClientConfig().WithCABundle(bundle...)))
	}
	if !stale {
		return nil
	}
	return ignoreRecreated(ctx, c.Apply(ctx, desired, bundleOwner, client.ForceOwnership))
}

func (w WebhookConfigurations) publishValidating(ctx context.Context, c client.Client, bundle []byte) error {
	var live admissionv1.ValidatingWebhookConfiguration
	if err := c.Get(ctx, types.NamespacedName{Name: w.Validating}, &live); err != nil {
		return client.IgnoreNotFound(err)
	}
	desired := admissionv1apply.ValidatingWebhookConfiguration(w.Validating).WithUID(live.UID)
	stale := false
	for _, hook := range live.Webhooks {
		stale = stale || !bytes.Equal(hook.ClientConfig.CABundle, bundle)
		desired.WithWebhooks(admissionv1apply.ValidatingWebhook().WithName(hook.Name).
			WithClientConfig(admissionv1apply.WebhookClientConfig().WithCABundle(bundle...)))
	}
	if !stale {
		return nil
	}
	return ignoreRecreated(ctx, c.Apply(ctx, desired, bundleOwner, client.ForceOwnership))
}

// ignoreRecreated drops the error of a configuration that went, or was replaced, since it was read. The uid in the
// applied object keeps the operator from making one of its own; the watch brings the new one.
func ignoreRecreated(ctx context.Context, err error) error {
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		logf.FromContext(ctx).V(1).Info("Webhook configuration changed under way", "reason", apierrors.ReasonForError(err))
		return nil
	}
	return err
}
