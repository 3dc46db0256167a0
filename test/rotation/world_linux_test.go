// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

const (
	// slowDelay is how long slow pods wait for a refresh of what they mount; others wait for up to two seconds.
	slowDelay = 8 * time.Second
	// mostWait bounds each wait for something that has to happen.
	mostWait = 5 * time.Minute
)

// world is the cluster with its agents.
type world struct {
	*cluster
	kubelet *kubelet
	names   []string
	agents  map[string]*agent
	pods    map[string]*corev1.Pod // newest of each agent
	policy  *v1alpha1.MemoryTrustPolicy
	begin   time.Time
}

// newWorld starts everything but pods. Those that are slow are the agents that slow names.
func newWorld(t *testing.T, agents int, slow func(i int) bool) *world {
	t.Helper()
	w := &world{agents: map[string]*agent{}, pods: map[string]*corev1.Pod{}, begin: time.Now()}
	delayed := map[string]bool{}
	for i := range agents {
		name := fmt.Sprintf("agent-%03d", i)
		w.names = append(w.names, name)
		w.agents[name] = newAgent(name)
		delayed[name] = slow(i)
	}
	programs := t.TempDir()
	built := make(chan error, 1)
	go func() { built <- buildPrograms(t.Context(), programs) }()
	w.cluster = newCluster(t)
	must(t, <-built)
	w.binary = filepath.Join(programs, "manager")
	w.kubelet = newKubelet(w.cluster, filepath.Join(programs, "screener"), w.agents, func(agent string) time.Duration {
		if delayed[agent] {
			return slowDelay
		}
		return 200*time.Millisecond + rand.N(1800*time.Millisecond)
	})
	w.policy = &v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "standard"},
		Spec:       v1alpha1.MemoryTrustPolicySpec{Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePersistent}},
	}
	must(t, w.k8s.Create(t.Context(), w.policy))
	w.startManager()
	return w
}

// say logs with the time since the start.
func (w *world) say(format string, args ...any) {
	w.t.Helper()
	w.t.Logf("[%4.0fs] "+format, append([]any{time.Since(w.begin).Seconds()}, args...)...)
}

// deploy makes a pod of an agent as admission does.
func (w *world) deploy(name string) {
	w.t.Helper()
	pod, err := inject.Pod(&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, GenerateName: name + "-", Labels: map[string]string{v1alpha1.LabelAgent: name},
		},
		Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: "agent", Image: "agent:v1"}}},
	}, inject.Request{
		Agent: name, Namespace: namespace, PolicyName: w.policy.Name, Image: screenerImage, Version: "test",
		Store: w.policy.Spec.Store, Sidecar: w.policy.Spec.Sidecar,
	})
	must(w.t, err)
	must(w.t, w.k8s.Create(w.t.Context(), pod))
	w.pods[name] = pod
}

// startAll runs a pod of every agent and waits until all are in sync and have written something.
func (w *world) startAll() {
	w.t.Helper()
	for _, name := range w.names {
		w.deploy(name)
	}
	w.until("all screeners are in sync", func() string {
		return w.lacking(w.names, func(k *v1alpha1.ProvenanceKey) bool {
			return k.Status.PrimaryKeyID != "" && k.Status.Screeners == v1alpha1.ScreenerCounts{Running: 1, Loaded: 1}
		})
	})
	w.until("all agents have written", func() string {
		var idle []string
		for name, a := range w.agents {
			if len(a.since(time.Time{})) < 2 {
				idle = append(idle, name)
			}
		}
		return strings.Join(idle, " ")
	})
}

// until waits until still returns nothing; what it returns is what is still missing.
func (w *world) until(what string, still func() string) {
	w.t.Helper()
	begin := time.Now()
	for {
		missing := still()
		if missing == "" {
			w.say("%s, after %v", what, time.Since(begin).Round(100*time.Millisecond))
			return
		}
		if time.Since(begin) > mostWait {
			w.report()
			w.t.Fatalf("%s: not after %v: %s", what, mostWait, missing)
		}
		if !pause(w.t.Context(), 500*time.Millisecond) {
			w.t.FailNow()
		}
	}
}

// report fails for everything that agents or programs complain of, and returns what the agents did.
func (w *world) report() tally {
	w.t.Helper()
	var done tally
	for _, a := range w.agents {
		done.add(a.total())
	}
	for _, failure := range done.failures[:min(len(done.failures), 20)] {
		w.t.Error(failure)
	}
	for _, p := range append(w.kubelet.screeners(), w.manager) {
		for _, line := range p.complaints(w.t) {
			w.t.Errorf("%s: %s", filepath.Base(p.cmd.Path), line)
		}
	}
	return done
}

// lacking names the agents whose ProvenanceKey is not there, or not as it should be.
func (w *world) lacking(agents []string, good func(*v1alpha1.ProvenanceKey) bool) string {
	w.t.Helper()
	keys := w.keys(w.t.Context())
	var out []string
	for _, name := range agents {
		if k := keys[name]; k == nil || !good(k) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// withPods names the agents that have pods.
func (w *world) withPods(agents []string) string {
	w.t.Helper()
	var list corev1.PodList
	must(w.t, w.cache.List(w.t.Context(), &list))
	var out []string
	for i := range list.Items {
		if name := list.Items[i].Labels[v1alpha1.LabelAgent]; slices.Contains(agents, name) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// request asks for a rotation of all keys at once.
func (w *world) request(at time.Time) {
	w.t.Helper()
	patch := fmt.Appendf(nil, `{"spec":{"rotation":{"requestedAt":%q}}}`, at.UTC().Format(time.RFC3339))
	var group errgroup.Group
	group.SetLimit(10)
	for _, k := range w.keys(w.t.Context()) {
		group.Go(func() error { return w.k8s.Patch(w.t.Context(), k, client.RawPatch(types.MergePatchType, patch)) })
	}
	must(w.t, group.Wait())
}

// failPod says of a pod that it ended, as the control plane does of pods on a node that is gone.
func (w *world) failPod(pod *corev1.Pod) {
	w.t.Helper()
	must(w.t, w.k8s.Status().Patch(w.t.Context(), pod, client.RawPatch(types.MergePatchType, []byte(`{"status":{"phase":"Failed"}}`))))
}

// blocked returns the message of a rotation that waits for too long; empty while nothing does.
func blocked(k *v1alpha1.ProvenanceKey) string {
	c := meta.FindStatusCondition(k.Status.Conditions, v1alpha1.ConditionRotationBlocked)
	if c == nil || c.Status != metav1.ConditionTrue {
		return ""
	}
	return c.Message
}

// rotatedTwice reports whether three keys have signed one after the other, the last one on request of that time, and all
// screeners that run have them.
func rotatedTwice(k *v1alpha1.ProvenanceKey, requested time.Time) bool {
	s := k.Status
	if len(s.Keys) != 3 || s.PrimaryKeyID != s.Keys[0].ID || s.Keys[0].State != v1alpha1.KeyStatePrimary {
		return false
	}
	for i, key := range s.Keys {
		if key.PrimaryAt == nil || i > 0 && key.State != v1alpha1.KeyStateVerifyOnly {
			return false
		}
	}
	return s.LastRotationAt != nil && s.LastRotationAt.Unix() == requested.Unix() && s.Screeners.Loaded == s.Screeners.Running &&
		meta.IsStatusConditionFalse(s.Conditions, v1alpha1.ConditionRotating)
}

// resigned reports whether a screener runs and its store has all live records under the primary key.
func resigned(k *v1alpha1.ProvenanceKey) bool {
	for _, key := range k.Status.Keys {
		if key.RecordsSigned == nil || (*key.RecordsSigned > 0) != (key.ID == k.Status.PrimaryKeyID) {
			return false
		}
	}
	return k.Status.Screeners.Running == 1
}
