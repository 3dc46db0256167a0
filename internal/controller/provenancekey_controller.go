// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/provenance"
)

// +kubebuilder:rbac:groups=memorytrust.dev,resources=provenancekeys,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=memorytrust.dev,resources=provenancekeys/status,verbs=get;patch

// ProvenanceKeyReconciler is the only writer of the agents' key Secrets.
type ProvenanceKeyReconciler struct {
	client     client.Client
	live       client.Reader // uncached
	namespaces *Namespaces
	poller     *Poller
	recorder   events.EventRecorder
	clock      clock.PassiveClock
	image      string
}

// keyScope is what one reconcile works on.
type keyScope struct {
	key    *v1alpha1.ProvenanceKey
	memory *v1alpha1.AgentMemory
	secret *corev1.Secret // nil when there is none
	status keyStatusInput
}

// Reconcile brings the key Secret and the status of one ProvenanceKey up to date.
func (r *ProvenanceKeyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var key v1alpha1.ProvenanceKey
	if err := r.client.Get(ctx, req.NamespacedName, &key); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !key.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	s := &keyScope{key: &key, status: keyStatusInput{
		now: r.clock.Now(), generation: key.Generation, agent: key.Spec.AgentRef.Name,
	}}
	retry, err := r.reconcileKeys(ctx, s)
	if apierrors.IsConflict(err) { // the Secret changed since it was cached; its event is on the way
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err != nil {
		return ctrl.Result{}, leaveToDeletion(ctx, err)
	}
	return ctrl.Result{RequeueAfter: retry}, r.writeStatus(ctx, s)
}

// reconcileKeys decides and writes. It returns when to look again, zero for only on events.
func (r *ProvenanceKeyReconciler) reconcileKeys(ctx context.Context, s *keyScope) (time.Duration, error) {
	reader, err := r.observe(ctx, s)
	if err != nil {
		return 0, err
	}
	if s.status.obstacle != nil {
		if s.status.obstacle.Reason == ReasonNamespaceNotManaged {
			return r.namespaces.retry, nil
		}
		return 0, nil
	}
	if s.secret, err = r.readSecret(ctx, reader, s); err != nil {
		return 0, err
	}
	decision, err := decideKeys(r.keyObserved(s), provenance.NewKey)
	if err != nil {
		return 0, err
	}
	s.status.decision = decision
	if decision.broken != nil {
		return 0, nil
	}
	if err := r.writeSecret(ctx, s, decision); err != nil {
		return 0, err
	}
	r.recordDecision(s, decision)
	if len(decision.waiting) > 0 {
		return blockedAfter + time.Second, nil
	}
	return 0, nil
}

// observe finds the agent and what stands in the way of having keys for it.
func (r *ProvenanceKeyReconciler) observe(ctx context.Context, s *keyScope) (client.Reader, error) {
	agent := types.NamespacedName{Namespace: s.key.Namespace, Name: s.key.Spec.AgentRef.Name}
	var memory v1alpha1.AgentMemory
	err := r.client.Get(ctx, agent, &memory)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading AgentMemory %s: %w", agent, err)
	}
	if err != nil || !memory.DeletionTimestamp.IsZero() {
		s.obstruct(unknown(ReasonNoAgent, "Agent %s has no memory yet: it gets one when its first pod appears", agent.Name))
		return nil, nil
	}
	s.memory = &memory
	older, err := r.inForce(ctx, s.key)
	if err != nil {
		return nil, err
	}
	if older != s.key.Name {
		s.obstruct(no(ReasonDuplicate, "ProvenanceKey %s refers to agent %s too and is older: delete one of the two", older, agent.Name))
		return nil, nil
	}
	reader, refused := r.namespaces.Reader(agent.Namespace)
	if reader == nil {
		s.obstruct(refused)
		return nil, nil
	}
	if s.status.running, err = r.runningScreeners(ctx, agent); err != nil {
		return nil, err
	}
	return reader, nil
}

func (s *keyScope) obstruct(f finding) { s.status.obstacle = &f }

// inForce names the ProvenanceKey that counts for the agent of key: the oldest, then the first by name.
func (r *ProvenanceKeyReconciler) inForce(ctx context.Context, key *v1alpha1.ProvenanceKey) (string, error) {
	var all v1alpha1.ProvenanceKeyList
	if err := r.client.List(ctx, &all, client.InNamespace(key.Namespace)); err != nil {
		return "", fmt.Errorf("listing ProvenanceKeys: %w", err)
	}
	first := key
	for i := range all.Items {
		k := &all.Items[i]
		if k.Spec.AgentRef.Name != key.Spec.AgentRef.Name || !k.DeletionTimestamp.IsZero() {
			continue
		}
		if c := k.CreationTimestamp.Compare(first.CreationTimestamp.Time); c < 0 || c == 0 && k.Name < first.Name {
			first = k
		}
	}
	return first.Name, nil
}

// runningScreeners returns what the running screeners of the agent reported about their keys.
func (r *ProvenanceKeyReconciler) runningScreeners(ctx context.Context, agent types.NamespacedName) ([]screenerKeys, error) {
	pods, err := podsOf(ctx, r.client, agent)
	if err != nil {
		return nil, err
	}
	reports := r.poller.Reports(agent)
	var out []screenerKeys
	for _, pod := range lookAt(pods, r.image).running {
		k := screenerKeys{pod: pod.Name}
		if report, ok := reports[pod.UID]; ok && report.reachable == metav1.ConditionTrue {
			k.primary, k.ids = report.status.PrimaryKeyID, report.status.KeyIDs
		}
		out = append(out, k)
	}
	return out, nil
}

// readSecret returns the key Secret, nil when there is none. Before it believes that there is none it asks the API
// server: a key made on the word of a late cache would push the real one aside. A Secret without the label, as a
// backup may be, gets it, and is then seen by the cache.
func (r *ProvenanceKeyReconciler) readSecret(ctx context.Context, reader client.Reader, s *keyScope) (*corev1.Secret, error) {
	name := types.NamespacedName{Namespace: s.key.Namespace, Name: inject.NamesFor(s.memory.Name).KeySecret}
	var secret corev1.Secret
	err := reader.Get(ctx, name, &secret)
	if apierrors.IsNotFound(err) {
		err = r.live.Get(ctx, name, &secret)
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading Secret %s: %w", name, err)
	}
	return &secret, nil
}

func (r *ProvenanceKeyReconciler) keyObserved(s *keyScope) keyObserved {
	o := keyObserved{
		exists:       s.secret != nil,
		ring:         readKeyring(s.secret),
		agentID:      s.memory.Spec.AgentID,
		knownPrimary: s.key.Status.PrimaryKeyID,
		running:      s.status.running,
	}
	for _, k := range s.key.Status.Keys {
		o.knownIDs = append(o.knownIDs, k.ID)
	}
	if at := s.key.Spec.Rotation.RequestedAt; at != nil {
		o.requestedAt = at.Time
	}
	if at := s.key.Status.LastRotationAt; at != nil {
		o.rotatedAt = at.Time
	}
	return o
}

// writeSecret applies the keyring if it, the labels or the owner differ. The resourceVersion makes the write fail
// when somebody else, for example an admin who restores a backup, was there first.
func (r *ProvenanceKeyReconciler) writeSecret(ctx context.Context, s *keyScope, d keyDecision) error {
	names := inject.NamesFor(s.memory.Name)
	if s.secret != nil && !d.write && includes(s.secret.Labels, secretLabels(s.memory.Name)) && hasOwner(s.secret, s.memory) {
		return nil
	}
	desired := corev1apply.Secret(names.KeySecret, s.memory.Namespace).
		WithLabels(secretLabels(s.memory.Name)).
		WithAnnotations(d.ring.annotations()).
		WithOwnerReferences(ownedBy(s.memory)).
		WithType(corev1.SecretTypeOpaque).
		WithData(d.ring.data())
	if s.secret != nil {
		desired.WithUID(s.secret.UID).WithResourceVersion(s.secret.ResourceVersion)
		if s.secret.Type != "" {
			desired.WithType(s.secret.Type)
		}
	}
	if err := r.client.Apply(ctx, desired, fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing Secret %s/%s: %w", s.memory.Namespace, names.KeySecret, err)
	}
	return nil
}

func (r *ProvenanceKeyReconciler) recordDecision(s *keyScope, d keyDecision) {
	switch {
	case d.generated:
		r.recorder.Eventf(s.key, nil, corev1.EventTypeNormal, "KeyGenerated", "Generate", "Key %s signs", d.ring.primary)
	case d.regenerated:
		r.recorder.Eventf(s.key, nil, corev1.EventTypeWarning, ReasonKeyRegenerated, "Generate",
			"Key %s was lost, key %s signs now; records signed by the lost key are withheld until its Secret is restored",
			listed(d.ring.lost), d.ring.primary)
	}
	if d.started {
		r.recorder.Eventf(s.key, nil, corev1.EventTypeNormal, "RotationStarted", "Rotate", "A new key was added for verification")
	}
	if d.switched {
		r.recorder.Eventf(s.key, nil, corev1.EventTypeNormal, "RotationCompleted", "Rotate", "Key %s signs now", d.ring.primary)
	}
}

func (r *ProvenanceKeyReconciler) writeStatus(ctx context.Context, s *keyScope) error {
	next := provenanceKeyStatus(s.key.Status, s.status)
	if equality.Semantic.DeepEqual(next, s.key.Status) {
		return nil
	}
	if err := applyStatus(ctx, r.client, s.key, "ProvenanceKey", &next); err != nil {
		return err
	}
	recordTransitions(r.recorder, s.key, s.key.Status.Conditions, next.Conditions)
	return nil
}

// podsOf lists the pods of one agent from the cache.
func podsOf(ctx context.Context, c client.Reader, agent types.NamespacedName) ([]*corev1.Pod, error) {
	var list corev1.PodList
	err := c.List(ctx, &list, client.InNamespace(agent.Namespace), client.MatchingLabels{v1alpha1.LabelAgent: agent.Name})
	if err != nil {
		return nil, fmt.Errorf("listing pods of agent %s: %w", agent, err)
	}
	pods := make([]*corev1.Pod, len(list.Items))
	for i := range list.Items {
		pods[i] = &list.Items[i]
	}
	return pods, nil
}
