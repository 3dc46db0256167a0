// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/inject"
)

// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=memorytrust.dev,resources=agentmemories,verbs=get;list;watch;create
// +kubebuilder:rbac:groups=memorytrust.dev,resources=agentmemories/status,verbs=get;patch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups=authorization.k8s.io,resources=selfsubjectaccessreviews,verbs=create

// touchesPerSecond bounds how many pods are told per second to refresh what they mount.
const touchesPerSecond = 20

// waitForAuthority is how soon to look again while the operator's certificates are still being made.
const waitForAuthority = 2 * time.Second

// AgentReconciler makes and keeps what belongs to one agent: its identity, certificate, channel digests, runtime
// policy and volume claim, and tells the agent's pods when something of it changed.
type AgentReconciler struct {
	client     client.Client
	namespaces *Namespaces
	poller     *Poller
	isolation  *isolationChecks
	issuer     *issuerKeys
	recorder   events.EventRecorder
	clock      clock.PassiveClock
	certs      certs.Options
	touches    *rate.Limiter
	roles      *provisioned
	readers    *provisioned

	operatorNamespace string
	image, version    string
	counts            *countsWriter
}

// agentScope is what one reconcile works on.
type agentScope struct {
	key    types.NamespacedName
	names  inject.Names
	now    time.Time
	memory *v1alpha1.AgentMemory
	// objects reads the agent's Secrets, ConfigMap and claim; nil when the namespace is not managed.
	objects client.Reader
	live    observedObjects
	status  agentObserved
	// again is when to look again without an event; zero for never.
	again time.Time
}

// soonest moves the next look to at, if that is earlier.
func (s *agentScope) soonest(at time.Time) {
	if !at.IsZero() && (s.again.IsZero() || at.Before(s.again)) {
		s.again = at
	}
}

// Reconcile brings everything of one agent up to date.
func (r *AgentReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.namespaces.Known(req.Namespace) {
		return ctrl.Result{RequeueAfter: waitForNamespace}, nil
	}
	s, err := r.observe(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.ensureIdentity(ctx, s); err != nil {
		return ctrl.Result{}, leaveToDeletion(ctx, err)
	}
	if s.memory == nil || !s.memory.DeletionTimestamp.IsZero() {
		r.poller.Track(s.key, nil, want{})
		return ctrl.Result{}, r.dropReader(ctx, s.key)
	}
	if s.objects != nil {
		if err := r.ensureObjects(ctx, s); err != nil {
			return ctrl.Result{}, leaveToDeletion(ctx, err)
		}
		if err := r.propagate(ctx, s); err != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.writeStatus(ctx, s); err != nil {
		return ctrl.Result{}, err
	}
	if s.again.IsZero() {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{RequeueAfter: max(s.again.Sub(s.now), 100*time.Millisecond)}, nil
}

// observe reads the world as far as it concerns the agent.
func (r *AgentReconciler) observe(ctx context.Context, key types.NamespacedName) (*agentScope, error) {
	s := &agentScope{key: key, names: inject.NamesFor(key.Name), now: r.clock.Now()}
	var memory v1alpha1.AgentMemory
	err := r.client.Get(ctx, key, &memory)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading AgentMemory %s: %w", key, err)
	}
	if err == nil {
		s.memory = &memory
	}
	pods, err := podsOf(ctx, r.client, key)
	if err != nil {
		return nil, err
	}
	s.status.fleet = lookAt(pods, r.image)

	reader, refused := r.namespaces.Reader(key.Namespace)
	if reader == nil {
		s.status.obstacle = &refused
		s.soonest(s.now.Add(r.namespaces.retry))
	} else {
		s.objects = reader
		if err := s.readObjects(ctx); err != nil {
			return nil, err
		}
	}
	var policies v1alpha1.MemoryTrustPolicyList
	if err := r.client.List(ctx, &policies, client.InNamespace(key.Namespace)); err != nil {
		return nil, fmt.Errorf("listing policies: %w", err)
	}
	s.status.resolution = resolve(policies.Items, s.status.fleet.live, s.live.lastPolicy())
	s.status.policyName = s.live.lastPolicy()
	if p := s.status.resolution.policy; p != nil {
		s.status.policyName, s.status.trust = p.Name, p.Spec.Trust.Mode
	}
	s.status.version = r.version
	return s, nil
}

// ensureIdentity makes the AgentMemory when the agent's first pod with a policy appears, and its ProvenanceKey unless
// somebody made one.
func (r *AgentReconciler) ensureIdentity(ctx context.Context, s *agentScope) error {
	if s.memory == nil {
		if len(s.status.fleet.live) == 0 || s.status.resolution.policy == nil {
			return nil
		}
		memory := &v1alpha1.AgentMemory{
			ObjectMeta: metav1.ObjectMeta{Namespace: s.key.Namespace, Name: s.key.Name},
			Spec: v1alpha1.AgentMemorySpec{
				AgentID:            uuid.NewString(),
				ServiceAccountName: serviceAccountOf(s.status.fleet.live[0]),
			},
		}
		// Created and not applied: a late cache must not exchange the identity of an agent that has one.
		if err := r.client.Create(ctx, memory, fieldOwner); err != nil {
			return fmt.Errorf("creating AgentMemory %s: %w", s.key, err)
		}
		logf.FromContext(ctx).Info("Agent got its memory", "serviceAccount", memory.Spec.ServiceAccountName)
		s.memory = memory
	}
	if !s.memory.DeletionTimestamp.IsZero() {
		return nil
	}
	return r.ensureProvenanceKey(ctx, s)
}

func (r *AgentReconciler) ensureProvenanceKey(ctx context.Context, s *agentScope) error {
	var keys v1alpha1.ProvenanceKeyList
	if err := r.client.List(ctx, &keys, client.InNamespace(s.key.Namespace)); err != nil {
		return fmt.Errorf("listing ProvenanceKeys: %w", err)
	}
	name := s.key.Name
	for i := range keys.Items {
		k := &keys.Items[i]
		if k.Spec.AgentRef.Name == s.key.Name && k.DeletionTimestamp.IsZero() {
			return nil
		}
		if k.Name == name { // taken for another agent
			name = s.names.KeySecret
		}
	}
	key := &v1alpha1.ProvenanceKey{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.key.Namespace, Name: name,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "AgentMemory",
				Name: s.memory.Name, UID: s.memory.UID, Controller: ptr.To(true),
			}},
		},
		Spec: v1alpha1.ProvenanceKeySpec{AgentRef: v1alpha1.AgentRef{Name: s.key.Name}},
	}
	if err := r.client.Create(ctx, key, fieldOwner); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating ProvenanceKey %s/%s: %w", key.Namespace, name, err)
	}
	return nil
}

// ensureObjects applies what differs. Nothing can be made before the operator has an authority to sign with.
func (r *AgentReconciler) ensureObjects(ctx context.Context, s *agentScope) error {
	var secret corev1.Secret
	err := r.client.Get(ctx, types.NamespacedName{Namespace: r.operatorNamespace, Name: certs.CASecret}, &secret)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading Secret %s: %w", certs.CASecret, err)
	}
	authority, damaged := certs.Decode(secret.Data)
	if authority.Current == nil {
		logf.FromContext(ctx).V(1).Info("Waiting for the certificate authority", "damage", damaged)
		f := unknown(ReasonProgressing, "Waiting for the operator's certificate authority")
		s.status.obstacle = &f
		s.soonest(s.now.Add(waitForAuthority))
		return nil
	}
	due, err := r.ensureTLS(ctx, s, authority)
	if err != nil {
		return err
	}
	s.soonest(due)
	if err := r.ensurePolicy(ctx, s, authority.BundlePEM()); err != nil {
		return err
	}
	if s.status.resolution.policy == nil {
		return r.keepChannels(ctx, s)
	}
	if err := r.ensureChannels(ctx, s); err != nil {
		return err
	}
	return r.ensureClaim(ctx, s)
}

// propagate tells pods and poller what should run now.
func (r *AgentReconciler) propagate(ctx context.Context, s *agentScope) error {
	waiting, err := r.touchPods(ctx, s)
	if err != nil {
		return err
	}
	if waiting {
		s.soonest(s.now.Add(time.Second))
	}
	s.status.want = s.live.wantOf()
	if s.status.revision == "" {
		s.status.revision = s.live.revision()
	}
	targets := make([]Target, 0, len(s.status.fleet.running))
	for _, pod := range s.status.fleet.running {
		targets = append(targets, Target{Agent: s.key, Pod: pod.Name, UID: pod.UID, IP: pod.Status.PodIP})
	}
	r.poller.Track(s.key, targets, s.status.want)
	s.status.reports = r.poller.Reports(s.key)
	s.status.key, s.status.claimed, s.status.storeType = s.key, s.live.claim != nil, s.storeType()
	return nil
}

// writeStatus computes the status and writes it if it changed. Where only counts changed it waits for their turn.
func (r *AgentReconciler) writeStatus(ctx context.Context, s *agentScope) error {
	s.status.generation = s.memory.Generation
	checked := r.isolation.check(ctx, types.NamespacedName{Namespace: s.key.Namespace, Name: s.memory.Spec.ServiceAccountName})
	s.status.isolation = &checked
	s.soonest(checked.at.Add(r.isolation.ttl))

	prev := s.memory.Status
	next := agentStatus(prev, s.status)
	if equality.Semantic.DeepEqual(prev, next) {
		return nil
	}
	if countsOnly(prev, next) {
		if wait := r.counts.wait(s.key, s.now); wait > 0 {
			s.soonest(s.now.Add(wait))
			return nil
		}
	}
	if err := applyStatus(ctx, r.client, s.memory, "AgentMemory", &next); err != nil {
		return err
	}
	r.counts.written(s.key, s.now)
	recordTransitions(r.recorder, s.memory, prev.Conditions, next.Conditions)
	return nil
}
