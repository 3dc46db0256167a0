// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// world answers reads from what it holds.
type world struct {
	policies []v1alpha1.MemoryTrustPolicy
	memories []v1alpha1.AgentMemory
	pods     []corev1.Pod
	err      error
}

func (w *world) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	if w.err != nil {
		return w.err
	}
	for i := range w.memories {
		if w.memories[i].Name == key.Name && w.memories[i].Namespace == key.Namespace {
			w.memories[i].DeepCopyInto(obj.(*v1alpha1.AgentMemory))
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: "agentmemories"}, key.Name)
}

func (w *world) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	if w.err != nil {
		return w.err
	}
	switch l := list.(type) {
	case *v1alpha1.MemoryTrustPolicyList:
		l.Items = w.policies
	case *corev1.PodList:
		l.Items = w.pods
	}
	return nil
}

func newMutator(cached, live client.Reader) *mutator {
	s := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(s); err != nil {
		panic(err)
	}
	return &mutator{
		decider: decider{cached: cached, live: live, opts: Options{Image: screenerImage, Version: screenerVersion}},
		decoder: admission.NewDecoder(s),
	}
}

func createRequest(raw []byte) admission.Request {
	return admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
		UID: "1", Operation: admissionv1.Create, Namespace: "shop", Object: runtime.RawExtension{Raw: raw},
	}}
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func allAgents() *world {
	return &world{policies: []v1alpha1.MemoryTrustPolicy{*trustPolicy("shop", "agents", metav1.LabelSelector{})}}
}

// inStore is a world in which an agent with a kind of store has a pod already.
func inStore(store v1alpha1.StoreSpec) *world {
	w := allAgents()
	w.policies[0].Spec.Store = store
	first := agentPod("shop", "support")
	first.Name = "support-1"
	gone := first.DeepCopy()
	gone.Name, gone.Status.Phase = "support-0", corev1.PodSucceeded
	w.pods = []corev1.Pod{*gone, *first}
	return w
}

func TestMutatorDecides(t *testing.T) {
	bad := trustPolicy("shop", "broken", metav1.LabelSelector{
		MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}},
	})
	cases := map[string]struct {
		cached, live *world
		change       func(*admission.Request)
		code         int32
		allowed      bool
		message      string
		warning      string
		unwarned     bool
	}{
		"policy only live yet": {cached: &world{}, live: allAgents(), allowed: true, code: http.StatusOK},
		"no policy":            {cached: &world{}, live: &world{}, code: http.StatusForbidden, message: "(there is none)"},
		"cache fails": {
			cached: &world{err: errors.New("stopped")}, live: allAgents(),
			code: http.StatusInternalServerError, message: "stopped",
		},
		"api server fails": {
			cached: &world{}, live: &world{err: errors.New("timed out")},
			code: http.StatusInternalServerError, message: "timed out",
		},
		"only a broken selector": {
			cached: &world{policies: []v1alpha1.MemoryTrustPolicy{*bad}}, live: &world{policies: []v1alpha1.MemoryTrustPolicy{*bad}},
			code: http.StatusForbidden, message: "fix its spec.selector: policy broken",
		},
		"a broken selector beside": {
			cached: &world{policies: append(allAgents().policies, *bad)}, live: &world{},
			allowed: true, code: http.StatusOK, warning: "until its spec.selector is fixed",
		},
		"overlap": {
			cached: &world{policies: append(allAgents().policies, *trustPolicy("shop", "b", metav1.LabelSelector{}))}, live: &world{},
			allowed: true, code: http.StatusOK, warning: "also selected by: b",
		},
		"a second pod, each with a memory": {
			cached: inStore(v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}), live: &world{},
			allowed: true, code: http.StatusOK, warning: "a pod already, support-1, and with spec.store.type Ephemeral",
		},
		"a second pod, one volume": {
			cached: inStore(v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePersistent}), live: &world{},
			allowed: true, code: http.StatusOK, warning: "waits until that one is gone",
		},
		"a second pod, one database": {
			cached: inStore(v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePostgres, Postgres: &v1alpha1.PostgresStore{}}), live: &world{},
			allowed: true, code: http.StatusOK, unwarned: true,
		},
		"agent of another account, known live only": {
			cached: allAgents(), live: &world{memories: []v1alpha1.AgentMemory{*agentMemory("shop", "support", "other")}},
			code: http.StatusForbidden, message: "belongs to ServiceAccount other",
		},
		"agent moved, cache late": {
			cached: &world{policies: allAgents().policies, memories: []v1alpha1.AgentMemory{*agentMemory("shop", "support", "other")}},
			live:   &world{memories: []v1alpha1.AgentMemory{*agentMemory("shop", "support", "default")}}, allowed: true, code: http.StatusOK,
		},
		"no JSON": {
			cached: allAgents(), live: allAgents(), code: http.StatusBadRequest, message: "couldn't get version",
			change: func(r *admission.Request) { r.Object.Raw = []byte("{") },
		},
		"no object": {
			cached: allAgents(), live: allAgents(), code: http.StatusBadRequest, message: "no content",
			change: func(r *admission.Request) { r.Object.Raw = nil },
		},
		"not a creation": {
			cached: &world{}, live: &world{}, allowed: true, code: http.StatusOK,
			change: func(r *admission.Request) { r.Operation = admissionv1.Update },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			req := createRequest(mustJSON(t, agentPod("", "support")))
			if tc.change != nil {
				tc.change(&req)
			}
			got := newMutator(tc.cached, tc.live).Handle(t.Context(), req)
			if got.Allowed != tc.allowed || got.Result.Code != tc.code || !strings.Contains(got.Result.Message, tc.message) {
				t.Errorf("got %t %d %q, want %t %d with %q", got.Allowed, got.Result.Code, got.Result.Message, tc.allowed, tc.code, tc.message)
			}
			if tc.unwarned && len(got.Warnings) > 0 {
				t.Errorf("warnings %q, want none", got.Warnings)
			}
			if !strings.Contains(strings.Join(got.Warnings, "\n"), tc.warning) {
				t.Errorf("warnings %q, want %q", got.Warnings, tc.warning)
			}
		})
	}
}

// TestPatchKeepsUnknownFields has fields of a newer API server in all places a patch goes near.
func TestPatchKeepsUnknownFields(t *testing.T) {
	raw := []byte(`{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": {"name": "p", "labels": {"memorytrust.dev/agent": "support"}, "annotations": {"a/b~c": "1"}, "newMeta": 1},
		"spec": {
			"newSpec": 1,
			"securityContext": {"newContext": 1},
			"volumes": [{"name": "v", "emptyDir": {"newVolume": 1}}],
			"initContainers": [{"name": "i", "newInit": 1, "env": [{"name": "A", "value": "1", "newEnv": 1}]}],
			"containers": [{"name": "c", "newContainer": 1, "env": [{"name": "B", "value": "1", "newEnv": 2}, {"name": "MEMORY_URL", "value": "x"}]}]
		}}`)
	response := newMutator(allAgents(), &world{}).Handle(t.Context(), createRequest(raw))
	if !response.Allowed {
		t.Fatal(response.Result.Message)
	}
	out := string(apply(t, raw, response.Patch))
	for _, kept := range []string{
		`"newMeta":1`, `"newSpec":1`, `"newContext":1`, `"newVolume":1`, `"newInit":1`, `"newEnv":1`, `"newContainer":1`, `"newEnv":2`,
	} {
		if strings.Count(out, kept) != 1 {
			t.Errorf("%s is not kept in:\n%s", kept, out)
		}
	}
	var pod struct {
		Spec struct {
			InitContainers []struct {
				Name    string
				NewInit int
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &pod); err != nil {
		t.Fatal(err)
	}
	if c := pod.Spec.InitContainers; c[0].Name != inject.ContainerName || c[0].NewInit != 0 || c[1].NewInit != 1 {
		t.Errorf("the field went to another container: %+v", c)
	}
}

// FuzzAdmission hands arbitrary bytes to both webhooks. Whatever comes, they answer, and what the patch makes of a pod is
// what injection makes of it, passes the second webhook, and is not changed again.
func FuzzAdmission(f *testing.F) {
	busy := agentPod("", "support")
	busy.Annotations = map[string]string{"cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes": "a"}
	busy.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MEMORY_URL", Value: "a"}, {Name: "X"}, {Name: "MEMORY_URL", Value: "b"}}
	busy.Spec.Volumes = []corev1.Volume{{Name: "a"}}
	busy.Spec.SecurityContext = &corev1.PodSecurityContext{}
	for _, pod := range []*corev1.Pod{agentPod("", "support"), busy, plainPod("")} {
		f.Add(mustJSON(f, pod))
	}
	ask := inject.Request{
		Agent: "support", PolicyName: "agents", Image: screenerImage, Version: screenerVersion, Store: allAgents().policies[0].Spec.Store,
	}
	done, err := inject.Pod(busy, ask)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(mustJSON(f, done))
	f.Add([]byte(`{"metadata":{"labels":{"memorytrust.dev/agent":""}}}`))
	f.Add([]byte(`[]`))
	mutate := newMutator(allAgents(), allAgents())
	validate := &validator{decider: mutate.decider, decoder: mutate.decoder}
	f.Fuzz(func(t *testing.T, raw []byte) {
		validate.Handle(t.Context(), createRequest(raw))
		response := mutate.Handle(t.Context(), createRequest(raw))
		if len(response.Patch) == 0 {
			return
		}
		var before corev1.Pod
		if err := mutate.decoder.DecodeRaw(runtime.RawExtension{Raw: raw}, &before); err != nil {
			t.Fatal(err)
		}
		want, err := inject.Pod(&before, inject.Request{
			Agent: before.Labels[v1alpha1.LabelAgent], PolicyName: "agents", Image: screenerImage, Version: screenerVersion, Store: ask.Store,
		})
		if err != nil {
			t.Fatal(err)
		}
		out := apply(t, mustJSON(t, &before), response.Patch)
		var got corev1.Pod
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(mustJSON(t, want)), string(mustJSON(t, &got))); diff != "" {
			t.Fatalf("the patch does not make the injected pod:\n%s", diff)
		}
		if again := mutate.Handle(t.Context(), createRequest(out)); !again.Allowed || len(again.Patch) > 0 {
			t.Fatalf("second invocation: %v %s", again.Result, again.Patch)
		}
		if verified := validate.Handle(t.Context(), createRequest(out)); !verified.Allowed {
			t.Fatalf("refused as not injected: %s", verified.Result.Message)
		}
	})
}

func BenchmarkAdmission(b *testing.B) {
	m := newMutator(allAgents(), &world{})
	req := createRequest(mustJSON(b, agentPod("", "support")))
	b.ReportAllocs()
	for b.Loop() {
		if got := m.Handle(b.Context(), req); !got.Allowed {
			b.Fatal(got.Result.Message)
		}
	}
}

// apply applies a JSON patch of adds, replacements and removals to a document.
func apply(t testing.TB, document, patch []byte) []byte {
	t.Helper()
	var root any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if err := decoder.Decode(&root); err != nil {
		t.Fatal(err)
	}
	var ops []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if err := json.Unmarshal(patch, &ops); err != nil {
		t.Fatal(err)
	}
	for _, op := range ops {
		var value any
		if op.Op != "remove" {
			if err := json.Unmarshal(op.Value, &value); err != nil {
				t.Fatalf("%s %s: %v", op.Op, op.Path, err)
			}
		}
		changed, err := change(root, strings.Split(op.Path, "/")[1:], op.Op, value)
		if err != nil {
			t.Fatalf("%s %s: %v", op.Op, op.Path, err)
		}
		root = changed
	}
	return mustJSON(t, root)
}

// change returns node with the operation applied at path below it.
func change(node any, path []string, op string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	key := strings.NewReplacer("~1", "/", "~0", "~").Replace(path[0])
	switch n := node.(type) {
	case map[string]any:
		child, present := n[key]
		if !present && (op != "add" || len(path) > 1) {
			return nil, fmt.Errorf("no member %q", key)
		}
		if op == "remove" && len(path) == 1 {
			delete(n, key)
			return n, nil
		}
		changed, err := change(child, path[1:], op, value)
		n[key] = changed
		return n, err
	case []any:
		if key == "-" {
			return append(n, value), nil
		}
		i, err := strconv.Atoi(key)
		if err != nil || i > len(n) || i == len(n) && (op != "add" || len(path) > 1) {
			return nil, fmt.Errorf("no element %q of %d", key, len(n))
		}
		switch {
		case len(path) > 1:
			n[i], err = change(n[i], path[1:], op, value)
			return n, err
		case op == "add":
			return append(n[:i], append([]any{value}, n[i:]...)...), nil
		case op == "remove":
			return append(n[:i], n[i+1:]...), nil
		}
		n[i] = value
		return n, nil
	}
	return nil, fmt.Errorf("nothing below %q", key)
}
