// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Who takes part. Of the agents, by number, some are scaled to zero meanwhile, some lose their node, and some are slow to
// get new keys.
const (
	agentCount = 100
	stopCount  = 5
	deadCount  = 2
	slowCount  = 10
)

// quiet is for how long the manager is to write nothing once all is done.
const quiet = 5 * time.Second

// TestRotation rotates the keys of all agents twice in a row while they write and recall, and kills the manager in the
// middle. No agent may notice.
func TestRotation(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this test needs kube-apiserver and etcd")
	}
	w := newWorld(t, agentCount, func(i int) bool { return i >= agentCount-slowCount })
	stopped, dead, others := w.names[:stopCount], w.names[stopCount:stopCount+deadCount], w.names[stopCount+deadCount:]
	alive := append(slices.Clone(stopped), others...)
	w.startAll()

	for _, name := range stopped {
		must(t, w.k8s.Delete(t.Context(), w.pods[name]))
	}
	w.kubelet.loseNode(w.pods[dead[0]].UID, syscall.SIGSTOP) // takes connections and says nothing
	w.kubelet.loseNode(w.pods[dead[1]].UID, syscall.SIGKILL) // refuses them
	w.until("the stopped agents have no pods", func() string { return w.withPods(stopped) })

	first := time.Now()
	w.request(first)
	w.until("all have begun the first rotation", func() string {
		return w.lacking(w.names, func(k *v1alpha1.ProvenanceKey) bool { return len(k.Status.Keys) == 2 })
	})
	w.say("up to here the manager took %v of processor time", w.manager.used())
	w.killManager()
	unfinished := w.lacking(w.names, func(k *v1alpha1.ProvenanceKey) bool { return k.Status.PrimaryKeyID == k.Status.Keys[0].ID })
	w.say("manager killed, with the first rotation of %d agents to finish", len(strings.Fields(unfinished)))
	if len(strings.Fields(unfinished)) <= deadCount {
		t.Error("that was too late to be in the middle")
	}
	second := first.Add(2 * time.Second)
	w.request(second)
	w.startManager()

	rotated := func(k *v1alpha1.ProvenanceKey) bool { return rotatedTwice(k, second) }
	w.until("agents without pods have rotated twice", func() string { return w.lacking(stopped, rotated) })
	for _, name := range stopped {
		w.deploy(name)
	}
	w.until("all but those with a dead pod have rotated twice", func() string {
		w.expectUnblocked(alive)
		return w.lacking(alive, rotated)
	})
	w.say("two rotations with a killed manager between them took %v, the new manager took %v of processor time; API writes %v",
		time.Since(first).Round(time.Second), w.manager.used(), w.written(first, time.Now()))
	w.until("those with a dead pod say why they wait", func() string {
		w.expectUnblocked(alive)
		return w.lacking(dead, func(k *v1alpha1.ProvenanceKey) bool {
			return strings.Contains(blocked(k), w.pods[k.Spec.AgentRef.Name].Name)
		})
	})

	must(t, w.k8s.Delete(t.Context(), w.pods[dead[0]], client.GracePeriodSeconds(0)))
	w.failPod(w.pods[dead[1]])
	w.until("without the dead pods they have rotated twice", func() string { return w.lacking(dead, rotated) })
	for _, name := range dead {
		w.deploy(name)
	}
	w.until("all memories are signed with the newest keys", func() string {
		return w.lacking(w.names, func(k *v1alpha1.ProvenanceKey) bool { return rotated(k) && resigned(k) })
	})
	w.until("the manager writes nothing any more, though the agents go on", func() string {
		if written := w.written(time.Now().Add(-quiet), time.Now()); len(written) > 0 {
			return fmt.Sprint(written)
		}
		return ""
	})
	w.expectUnnoticed(alive)
}

// expectUnblocked asserts that no rotation of these agents says that it is held up.
func (w *world) expectUnblocked(agents []string) {
	w.t.Helper()
	keys := w.keys(w.t.Context())
	for _, name := range agents {
		if message := blocked(keys[name]); message != "" {
			w.t.Errorf("the rotation of %s is blocked: %s", name, message)
		}
	}
}

// expectUnnoticed asserts that the agents noticed nothing: nothing failed, nothing is missing, and they were at work in
// every phase.
func (w *world) expectUnnoticed(alive []string) {
	w.t.Helper()
	keys := w.keys(w.t.Context())
	phases := [3]int{}
	for name, a := range w.agents {
		a.sweep(w.t.Context())
		k := keys[name].Status.Keys
		before, between := len(a.since(time.Time{}))-len(a.since(k[1].PrimaryAt.Time)), len(a.since(k[1].PrimaryAt.Time))-len(a.since(k[0].PrimaryAt.Time))
		after := len(a.since(k[0].PrimaryAt.Time))
		if before == 0 || after == 0 {
			w.t.Errorf("%s has %d memories from before the rotations and %d from after them", name, before, after)
		}
		if slices.Contains(alive, name) {
			phases[0], phases[1], phases[2] = phases[0]+before, phases[1]+between, phases[2]+after
		}
	}
	if phases[1] == 0 {
		w.t.Error("nothing was written between the rotations")
	}
	done := w.report()
	w.say("rotations %d, operations %d (writes %d, edits %d, recalls %d, reads %d), failures %d; memories from before, between, after: %v",
		2*len(w.names), done.writes+done.edits+done.recalls+done.reads, done.writes, done.edits, done.recalls, done.reads, len(done.failures), phases)
}
