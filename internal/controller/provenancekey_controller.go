// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/time/rate"
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
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// +kubebuilder:rbac:groups=memorytrust.dev,resources=provenancekeys,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=memorytrust.dev,resources=provenancekeys/status,verbs=get;patch

const (
	// startsPerSecond bounds how many rotations start per second because keys reached their age. Each makes all pods of an
	// agent refresh their mounts twice.
	startsPerSecond = 2
	// mostJitter spreads the looks at keys that reach their age at the same time.
	mostJitter = 5 * time.Minute
	// heldBack is about how soon a rotation is tried again that had to let others start.
	heldBack = 10 * time.Second
)

// ProvenanceKeyReconciler is the only writer of the agents' key Secrets.
type ProvenanceKeyReconciler struct {
	client     client.Client
	live       client.Reader // uncached
	namespaces *Namespaces
	poller     *Poller
	recorder   events.EventRecorder
	clock      clock.PassiveClock
	image      string
	starts     *rate.Limiter
	counts     *countsWriter
}

// keyScope is what one reconcile works on.
type keyScope struct {
	key    *v1alpha1.ProvenanceKey
	memory *v1alpha1.AgentMemory
	secret *corev1.Secret // nil when there is none
	status keyStatusInput
	// again is when to look again without an event; zero for never.
	again time.Time
}

// soonest moves the next look to at, if that is earlier.
func (s *keyScope) soonest(at time.Time) {
	if !at.IsZero() && (s.again.IsZero() || at.Before(s.again)) {
		s.again = at
	}
}

// Reconcile brings the key Secret and the status of one ProvenanceKey up to date.
func (r *ProvenanceKeyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if !r.namespaces.Known(req.Namespace) {
		return ctrl.Result{RequeueAfter: waitForNamespace}, nil
	}
	var key v1alpha1.ProvenanceKey
	if err := r.client.Get(ctx, req.NamespacedName, &key); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !key.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	s := &keyScope{key: &key, status: keyStatusInput{
		now: r.clock.Now().Truncate(time.Second), generation: key.Generation, agent: key.Spec.AgentRef.Name,
		period:      time.Duration(key.Spec.Rotation.PeriodSeconds) * time.Second,
		window:      time.Duration(key.Spec.Rotation.VerifyWindowSeconds) * time.Second,
		compromised: key.Spec.CompromisedKeyIDs,
	}}
	err := r.reconcileKeys(ctx, s)
	if err == nil {
		err = r.writeStatus(ctx, s)
	}
	if apierrors.IsConflict(err) { // Secret or status changed since it was cached; the event of that is on the way
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err != nil || s.again.IsZero() {
		return ctrl.Result{}, leaveToDeletion(ctx, err)
	}
	return ctrl.Result{RequeueAfter: max(s.again.Sub(r.clock.Now()), 100*time.Millisecond)}, nil
}

// reconcileKeys decides and writes.
func (r *ProvenanceKeyReconciler) reconcileKeys(ctx context.Context, s *keyScope) error {
	reader, err := r.observe(ctx, s)
	if err != nil {
		return err
	}
	if s.status.obstacle != nil {
		if s.status.obstacle.Reason == ReasonNamespaceNotManaged {
			s.soonest(s.status.now.Add(r.namespaces.retry))
		}
		return nil
	}
	if s.secret, err = r.readSecret(ctx, reader, s); err != nil {
		return err
	}
	if s.status.source, err = readKeySource(ctx, reader, s.key); err != nil {
		return err
	}
	observed := r.keyObserved(s)
	decision, err := decideKeys(observed, provenance.NewKey)
	if err != nil {
		return err
	}
	s.status.decision = decision
	if decision.broken != nil {
		return nil
	}
	if err := r.writeSecret(ctx, s, decision); err != nil {
		return err
	}
	r.recordDecision(s, decision)
	s.schedule(observed, decision)
	return nil
}

// schedule sets when to look again although nothing happens: when a wait gets too long, a window ends, or the primary key
// reaches its age. Jitter is in here and not in the decision, so that whoever comes by later finds it due.
func (s *keyScope) schedule(o keyObserved, d keyDecision) {
	for _, since := range s.waits(d) {
		if at := since.Add(blockedAfter); at.After(o.now) {
			s.soonest(at.Add(time.Second))
		}
	}
	if d.held {
		s.soonest(o.now.Add(jittered(heldBack)))
	}
	if due := o.due(d.ring.primary); due.After(o.now) {
		s.soonest(due.Add(rand.N(min(o.period/10, mostJitter)))) //nolint:gosec // spreads load, protects nothing
	}
	for id, k := range o.known {
		if d.ring.has(id) && k.verifyUntil.After(o.now) {
			s.soonest(k.verifyUntil)
		}
	}
}

// waits returns since when screeners are waited for, by the times in the status and not by this look, one of many: for a new
// key to be reported, and for a compromised one to be dropped.
func (s *keyScope) waits(d keyDecision) []time.Time {
	var out []time.Time
	if len(d.waiting) > 0 {
		since, known := waitingSince(d, s.key.Status.Keys)
		if !known {
			since = s.status.now
		}
		out = append(out, since)
	}
	if len(d.holding) > 0 {
		since := revokedAt(s.key.Status.Keys)
		if since.IsZero() {
			since = s.status.now
		}
		out = append(out, since)
	}
	return out
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
		out = append(out, screenerKeysOf(pod.Name, reports[pod.UID]))
	}
	return out, nil
}

// screenerKeysOf reads a report; the zero report is that of a screener that has not answered yet.
func screenerKeysOf(pod string, r report) screenerKeys {
	k := screenerKeys{
		pod: pod, primary: r.status.PrimaryKeyID, ids: r.status.KeyIDs,
		fresh: r.reachable == metav1.ConditionTrue, records: r.status.RecordsByKeyID,
		asked: r.reachable == metav1.ConditionTrue || r.reachable == metav1.ConditionFalse,
	}
	live := int64(0)
	for _, n := range r.status.Zones {
		live += n
	}
	if k.fresh && k.records == nil && live == 0 { // no counts, because there is nothing to count
		k.records = map[string]int64{}
	}
	return k
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
		now:          s.status.now,
		exists:       s.secret != nil,
		ring:         readKeyring(s.secret),
		agentID:      s.memory.Spec.AgentID,
		known:        map[string]knownKey{},
		knownPrimary: s.key.Status.PrimaryKeyID,
		requestedAt:  timeOf(s.key.Spec.Rotation.RequestedAt),
		rotatedAt:    timeOf(s.key.Status.LastRotationAt),
		period:       s.status.period,
		mayStart:     r.starts.Allow,
		source:       s.status.source,
		compromised:  s.status.compromised,
		running:      s.status.running,
	}
	for _, k := range s.key.Status.Keys {
		o.known[k.ID] = knownKey{state: k.State, primaryAt: timeOf(k.PrimaryAt), verifyUntil: timeOf(k.VerifyUntil)}
	}
	return o
}

// timeOf returns an optional time; zero when unset.
func timeOf(t *metav1.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.Time
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
	return r.prune(ctx, desired, d.ring)
}

// prune removes what an apply left of keys that are to go: an entry that somebody restored from a backup is theirs as
// well, and an apply removes only what is nobody else's. applied is what the API server answered.
func (r *ProvenanceKeyReconciler) prune(ctx context.Context, applied *corev1apply.SecretApplyConfiguration, ring keyring) error {
	wanted, gone := ring.data(), map[string]any{}
	for name := range applied.Data {
		_, isKey := entryID(name, policy.KeyPrefix)
		_, isDisabled := entryID(name, disabledPrefix)
		if _, keep := wanted[name]; !keep && (isKey || isDisabled) {
			gone[name] = nil
		}
	}
	if len(gone) == 0 {
		return nil
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": applied.UID, "resourceVersion": applied.ResourceVersion}, "data": gone,
	})
	if err != nil {
		return fmt.Errorf("encoding a patch: %w", err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: *applied.Namespace, Name: *applied.Name}}
	if err := r.client.Patch(ctx, secret, client.RawPatch(types.MergePatchType, patch), fieldOwner); err != nil {
		return fmt.Errorf("removing keys from Secret %s/%s: %w", secret.Namespace, secret.Name, err)
	}
	return nil
}

// recordDecision sends an event for every step.
func (r *ProvenanceKeyReconciler) recordDecision(s *keyScope, d keyDecision) {
	say := func(kind, reason, action, format string, args ...any) {
		r.recorder.Eventf(s.key, nil, kind, reason, action, format, args...)
	}
	switch {
	case d.generated:
		say(corev1.EventTypeNormal, "KeyGenerated", "Generate", "Key %s signs", d.ring.primary)
	case d.adopted:
		say(corev1.EventTypeNormal, "KeyAdopted", "Adopt", "Key %s of %s signs", d.ring.primary, s.status.source.name)
	case d.regenerated:
		say(corev1.EventTypeWarning, ReasonKeyRegenerated, "Generate",
			"Key %s was lost, key %s signs now; records signed by the lost key are withheld until its Secret is restored",
			listed(d.ring.lost), d.ring.primary)
	}
	if len(d.revoked) > 0 {
		say(corev1.EventTypeWarning, "KeyCompromised", "Revoke",
			"Compromised key %s was removed, and what it signed is withheld; key %s signs", listed(d.revoked), d.ring.primary)
	}
	if d.started {
		next := d.ring.next
		if d.switched {
			next = d.ring.primary
		}
		say(corev1.EventTypeNormal, "RotationStarted", "Rotate", "Key %s was added for verification, because %s", next, d.cause)
	}
	if d.switched {
		say(corev1.EventTypeNormal, "RotationCompleted", "Rotate", "Key %s signs now", d.ring.primary)
	}
	if len(d.disabled) > 0 {
		say(corev1.EventTypeNormal, "KeyDisabled", "Disable",
			"Key %s verifies no longer: its window is over and no store has records under it", listed(d.disabled))
	}
	if len(d.removed) > 0 {
		say(corev1.EventTypeNormal, "KeyRemoved", "Remove", "Disabled key %s was removed", listed(d.removed))
	}
}

// writeStatus writes the status if it changed. Where only counts changed it waits for their turn. The status remembers
// since when keys signed, so that one computed from an old one is refused with a conflict: two steps may follow each other
// faster than the cache.
func (r *ProvenanceKeyReconciler) writeStatus(ctx context.Context, s *keyScope) error {
	prev := s.key.Status
	next := provenanceKeyStatus(prev, s.status)
	if equality.Semantic.DeepEqual(next, prev) {
		return nil
	}
	name, now := client.ObjectKeyFromObject(s.key), r.clock.Now()
	if wait := r.counts.wait(name, now); wait > 0 && keyCountsOnly(prev, next) {
		s.soonest(now.Add(wait))
		return nil
	}
	if err := applyNextStatus(ctx, r.client, s.key, "ProvenanceKey", &next); err != nil {
		return err
	}
	r.counts.written(name, now)
	recordTransitions(r.recorder, s.key, prev.Conditions, next.Conditions)
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
