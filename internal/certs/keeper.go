// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"context"
	"crypto/x509"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Secrets of the operator's namespace.
const (
	// CASecret keeps the authorities with their keys.
	CASecret = "memorytrust-ca"
	// WebhookSecret keeps the certificate of the webhook server.
	WebhookSecret = "memorytrust-webhook-tls"
	// ClientSecret keeps the certificate the manager shows to screeners.
	ClientSecret = "memorytrust-manager-client-tls"
	// MemoryAPISecret keeps the certificate of the aggregated API, whether that is installed or not.
	MemoryAPISecret = "memorytrust-memory-api-tls"
)

// MemoryAPIService is the name of the Service in front of the aggregated API.
const MemoryAPIService = "memorytrust-memory-api"

// fieldOwner is the field manager of everything the operator writes, except the caBundle fields.
const fieldOwner = client.FieldOwner("memorytrust")

// +kubebuilder:rbac:groups="",namespace=memorytrust-system,resources=secrets,verbs=get;list;watch;create;update;patch

// Keeper keeps the operator's certificates in order. It runs on the leader, reacts to every change of its Secrets and
// of the webhook configurations, and writes only what differs.
type Keeper struct {
	// Client reads from a cache and writes to the API server.
	Client client.Client
	// Namespace the operator runs in.
	Namespace string
	// WebhookService is the name of the Service in front of the webhook server.
	WebhookService string
	// ClientName is the DNS name in the manager's client certificate.
	ClientName string
	// Webhooks names the configurations whose caBundle the keeper fills in.
	Webhooks WebhookConfigurations
	Options  Options
	Clock    clock.PassiveClock
	Recorder events.EventRecorder
}

// Reconcile brings authorities, webhook configurations and leaf certificates up to date, in this order: whoever
// verifies learns of an authority before it is used.
func (k *Keeper) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	now := k.Clock.Now()
	state, due, err := k.ensureAuthority(ctx, now)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := k.Webhooks.publish(ctx, k.Client, state.BundlePEM()); err != nil {
		return ctrl.Result{}, err
	}
	for name, request := range k.leafs() {
		renewAt, err := k.ensureLeaf(ctx, state, name, request, now)
		if err != nil {
			return ctrl.Result{}, err
		}
		due = earliest(due, renewAt)
	}
	return ctrl.Result{RequeueAfter: max(due.Sub(now), time.Second)}, nil
}

func (k *Keeper) leafs() map[string]LeafRequest {
	host := func(service string) []string { return []string{service + "." + k.Namespace + ".svc"} }
	return map[string]LeafRequest{
		WebhookSecret:   {DNSNames: host(k.WebhookService), Usage: x509.ExtKeyUsageServerAuth},
		ClientSecret:    {DNSNames: []string{k.ClientName}, Usage: x509.ExtKeyUsageClientAuth},
		MemoryAPISecret: {DNSNames: host(MemoryAPIService), Usage: x509.ExtKeyUsageServerAuth},
	}
}

// ensureAuthority plans the authorities and writes their Secret if the plan changed something. It creates or updates
// with the resourceVersion it has read: two leaders at once must not overwrite each other's keys.
func (k *Keeper) ensureAuthority(ctx context.Context, now time.Time) (State, time.Time, error) {
	var secret corev1.Secret
	err := k.Client.Get(ctx, types.NamespacedName{Namespace: k.Namespace, Name: CASecret}, &secret)
	if client.IgnoreNotFound(err) != nil {
		return State{}, time.Time{}, fmt.Errorf("reading Secret %s: %w", CASecret, err)
	}
	absent := apierrors.IsNotFound(err)

	state, err := Decode(secret.Data)
	if err != nil {
		logf.FromContext(ctx).Error(err, "Certificate authority is damaged, making up for it", "secret", CASecret)
	}
	state, steps, due, err := Plan(state, now, k.Options)
	if err != nil || len(steps) == 0 {
		return state, due, err
	}
	if secret.Data, err = state.Encode(); err != nil {
		return state, due, err
	}
	if absent {
		secret.ObjectMeta = metav1.ObjectMeta{
			Namespace: k.Namespace, Name: CASecret,
			Labels: secretLabels(),
		}
		secret.Type = corev1.SecretTypeTLS
		err = k.Client.Create(ctx, &secret, fieldOwner)
	} else {
		err = k.Client.Update(ctx, &secret, fieldOwner)
	}
	if err != nil {
		return state, due, fmt.Errorf("writing Secret %s: %w", CASecret, err)
	}
	logf.FromContext(ctx).Info("Certificate authority changed", "steps", steps, "bundle", len(state.Bundle))
	for _, step := range steps {
		k.Recorder.Eventf(&secret, nil, corev1.EventTypeNormal, "Authority"+string(step), "Rotate",
			"Certificate authority: %s, %d in the bundle", step, len(state.Bundle))
	}
	return state, due, nil
}

// ensureLeaf writes a TLS Secret if its certificate is due or its bundle is old, and tells when it is due next.
func (k *Keeper) ensureLeaf(ctx context.Context, state State, name string, request LeafRequest, now time.Time) (time.Time, error) {
	var live corev1.Secret
	err := k.Client.Get(ctx, types.NamespacedName{Namespace: k.Namespace, Name: name}, &live)
	if client.IgnoreNotFound(err) != nil {
		return time.Time{}, fmt.Errorf("reading Secret %s: %w", name, err)
	}
	data, renewAt, err := state.Leaf(live.Data, request, now, k.Options)
	if err != nil {
		return time.Time{}, fmt.Errorf("certificate for Secret %s: %w", name, err)
	}
	if maps.EqualFunc(data, live.Data, slices.Equal) {
		return renewAt, nil
	}
	desired := corev1apply.Secret(name, k.Namespace).
		WithLabels(secretLabels()).
		WithType(corev1.SecretTypeTLS).
		WithData(data)
	if err := k.Client.Apply(ctx, desired, fieldOwner, client.ForceOwnership); err != nil {
		return time.Time{}, fmt.Errorf("writing Secret %s: %w", name, err)
	}
	logf.FromContext(ctx).Info("Certificate written", "secret", name, "renewAt", renewAt)
	return renewAt, nil
}

// Leaf returns the entries a TLS Secret should have, given those it has: the same certificate while it is good, a new
// one when it is due, and the bundle of this moment. It also tells when the certificate must be renewed.
func (s State) Leaf(live map[string][]byte, request LeafRequest, now time.Time, o Options) (map[string][]byte, time.Time, error) {
	pair := Pair{CertPEM: live[corev1.TLSCertKey], KeyPEM: live[corev1.TLSPrivateKeyKey]}
	renewAt := s.RenewAt(pair, request, now)
	if !renewAt.After(now) {
		var err error
		if pair, err = s.Issue(request, now, o); err != nil {
			return nil, time.Time{}, err
		}
		renewAt = s.RenewAt(pair, request, now)
	}
	return map[string][]byte{
		corev1.TLSCertKey:       pair.CertPEM,
		corev1.TLSPrivateKeyKey: pair.KeyPEM,
		EntryBundle:             s.BundlePEM(),
	}, renewAt, nil
}

// secretLabels puts a Secret into the operator's label-scoped cache.
func secretLabels() map[string]string {
	return map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourceGenerated}
}
