// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package certs

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// SetupWithManager runs the keeper on the leader.
func (k *Keeper) SetupWithManager(mgr ctrl.Manager) error {
	one := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if ns := o.GetNamespace(); ns != "" && ns != k.Namespace {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: k.Namespace, Name: CASecret}}}
	})
	return ctrl.NewControllerManagedBy(mgr).
		Named("certificates").
		Watches(&corev1.Secret{}, one).
		Watches(&admissionv1.MutatingWebhookConfiguration{}, one).
		Watches(&admissionv1.ValidatingWebhookConfiguration{}, one).
		WatchesRawSource(initialRequest{types.NamespacedName{Namespace: k.Namespace, Name: CASecret}}).
		Complete(k)
}

// initialRequest is a source of one request: the first start, when there is nothing yet that could send an event.
type initialRequest struct{ types.NamespacedName }

// Start implements source.Source.
func (i initialRequest) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	queue.Add(reconcile.Request{NamespacedName: i.NamespacedName})
	return nil
}

// Loader keeps Credentials equal to their Secrets. It runs on every replica, so that each of them serves the webhook
// whether it leads or not.
type Loader struct {
	// Client reads from a cache.
	Client client.Reader
	// Namespace the operator runs in.
	Namespace string
	// Credentials by name of their Secret.
	Credentials map[string]*Credentials
}

// Reconcile loads one Secret. A Secret that went or is damaged leaves the last good credentials in place.
func (l *Loader) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	credentials := l.Credentials[request.Name]
	if credentials == nil || request.Namespace != l.Namespace {
		return ctrl.Result{}, nil
	}
	var secret corev1.Secret
	if err := l.Client.Get(ctx, request.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := credentials.Load(secret.Data); err != nil {
		return ctrl.Result{}, reconcile.TerminalError(fmt.Errorf("secret %s: %w", request.Name, err))
	}
	logf.FromContext(ctx).V(1).Info("Certificate loaded", "secret", request.Name)
	return ctrl.Result{}, nil
}

// SetupWithManager runs the loader on every replica.
func (l *Loader) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("certificate-loader").
		WithOptions(controller.Options{NeedLeaderElection: ptr.To(false)}).
		For(&corev1.Secret{}).
		Complete(l)
}
