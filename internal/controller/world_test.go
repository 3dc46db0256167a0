// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	gtypes "github.com/onsi/gomega/types"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

// screenerMode is how a pod's screener behaves.
type screenerMode int

const (
	loads  screenerMode = iota // reports what its objects hold now
	frozen                     // goes on reporting what it did when it froze
	down                       // does not answer
)

// fakeScreeners answer for the pods of the tests, as screeners would that load files the moment they are written.
type fakeScreeners struct {
	client client.Client

	mu     sync.Mutex
	modes  map[string]screenerMode
	last   map[string]admin.Status
	counts map[string]map[string]int64
	signed map[string]map[string]int64
	losses map[string]map[string]int64
}

func (f *fakeScreeners) set(pod string, mode screenerMode) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.modes[pod] = mode
}

func (f *fakeScreeners) setZones(pod string, zones map[string]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[string]map[string]int64{}
	}
	f.counts[pod] = zones
}

// setSigned sets how many live records the store of a pod has by key id.
func (f *fakeScreeners) setSigned(pod string, records map[string]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.signed == nil {
		f.signed = map[string]map[string]int64{}
	}
	f.signed[pod] = records
}

// setLosses sets what the screener of a pod says mode Signed would not trust.
func (f *fakeScreeners) setLosses(pod string, losses map[string]int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.losses == nil {
		f.losses = map[string]map[string]int64{}
	}
	f.losses[pod] = losses
}

// Status implements StatusSource.
func (f *fakeScreeners) Status(ctx context.Context, t Target) (admin.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := t.Agent.Namespace + "/" + t.Pod
	switch f.modes[t.Pod] {
	case down:
		return admin.Status{}, errors.New("connection refused")
	case frozen:
		if s, ok := f.last[key]; ok {
			return s, nil
		}
	}
	names := inject.NamesFor(t.Agent.Name)
	var secret corev1.Secret
	var inForce corev1.ConfigMap
	if err := errors.Join(
		f.client.Get(ctx, types.NamespacedName{Namespace: t.Agent.Namespace, Name: names.KeySecret}, &secret),
		f.client.Get(ctx, types.NamespacedName{Namespace: t.Agent.Namespace, Name: names.PolicyConfigMap}, &inForce),
	); err != nil {
		return admin.Status{}, err
	}
	ring := readKeyring(&secret)
	s := admin.Status{
		Version: "v0.1.0", Namespace: t.Agent.Namespace, Agent: t.Agent.Name, AgentID: ring.agentID,
		PolicyRevision: inForce.Annotations[v1alpha1.AnnotationRevision],
		PrimaryKeyID:   ring.primary, KeyIDs: ring.ids(),
		Zones: f.counts[t.Pod], RecordsByKeyID: f.signed[t.Pod], TrustLoss: f.losses[t.Pod], AuditSize: 7, AuditRoot: "cm9vdA==",
	}
	if runtime, err := policy.Decode([]byte(inForce.Data[policy.FilePolicy])); err == nil {
		for _, u := range runtime.Upstreams {
			s.Upstreams = append(s.Upstreams, admin.UpstreamStatus{Name: u.Name, Kind: string(u.Kind), Connected: true})
		}
	}
	if f.last == nil {
		f.last = map[string]admin.Status{}
	}
	f.last[key] = s
	return s, nil
}

// newNamespace makes a namespace of its own for a spec.
func newNamespace() string {
	GinkgoHelper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "agents-"}}
	Expect(k8s.Create(ctx, ns)).To(Succeed())
	// Without pods the operator asks no screeners of it any more.
	DeferCleanup(func() {
		Expect(k8s.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(ns.Name), client.GracePeriodSeconds(0))).To(Succeed())
	})
	return ns.Name
}

func newPolicy(namespace, name string, change ...func(*v1alpha1.MemoryTrustPolicy)) *v1alpha1.MemoryTrustPolicy {
	GinkgoHelper()
	p := &v1alpha1.MemoryTrustPolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       v1alpha1.MemoryTrustPolicySpec{Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}},
	}
	for _, c := range change {
		c(p)
	}
	Expect(k8s.Create(ctx, p)).To(Succeed())
	return p
}

// runPod makes a pod of the agent as it is after admission, running.
func runPod(namespace, name, agent string, change ...func(*corev1.Pod)) *corev1.Pod {
	GinkgoHelper()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{v1alpha1.LabelAgent: agent}},
		Spec: corev1.PodSpec{
			ServiceAccountName: "concierge-sa",
			InitContainers:     []corev1.Container{{Name: inject.ContainerName, Image: screenerImage}},
			Containers:         []corev1.Container{{Name: "agent", Image: "agent:v1"}},
		},
	}
	for _, c := range change {
		c(pod)
	}
	Expect(k8s.Create(ctx, pod)).To(Succeed())
	created := pod.DeepCopy()
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}},
	}
	for _, c := range pod.Spec.InitContainers {
		pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
		})
	}
	Expect(k8s.Status().Patch(ctx, pod, client.MergeFrom(created))).To(Succeed()) // as the kubelet does
	return pod
}

// changePolicy updates a policy however often the operator writes its status meanwhile.
func changePolicy(p *v1alpha1.MemoryTrustPolicy, change func(*v1alpha1.MemoryTrustPolicySpec)) {
	GinkgoHelper()
	Eventually(func(g Gomega) {
		get(g, p, p.Namespace, p.Name)
		change(&p.Spec)
		g.Expect(k8s.Update(ctx, p)).To(Succeed())
	}).Should(Succeed())
}

func deletePod(pod *corev1.Pod) {
	GinkgoHelper()
	Expect(k8s.Delete(ctx, pod, client.GracePeriodSeconds(0))).To(Succeed())
}

// get reads an object, or fails the surrounding Eventually.
func get[T client.Object](g Gomega, obj T, namespace, name string) T {
	g.Expect(k8s.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, obj)).To(Succeed())
	return obj
}

// eventuallyCondition waits for a condition, with such a message if that is given, and returns its message.
func eventuallyCondition(
	obj client.Object, namespace, name, kind string, status metav1.ConditionStatus, reason string, such ...gtypes.GomegaMatcher,
) string {
	GinkgoHelper()
	var message string
	Eventually(func(g Gomega) {
		c := meta.FindStatusCondition(conditionsOf(get(g, obj, namespace, name)), kind)
		g.Expect(c).NotTo(BeNil(), "condition %s", kind)
		g.Expect(fmt.Sprintf("%s %s", c.Status, c.Reason)).To(Equal(fmt.Sprintf("%s %s", status, reason)), c.Message)
		g.Expect(c.Message).To(And(such...))
		message = c.Message
	}).Should(Succeed())
	return message
}

func conditionsOf(obj client.Object) []metav1.Condition {
	switch o := obj.(type) {
	case *v1alpha1.AgentMemory:
		return o.Status.Conditions
	case *v1alpha1.MemoryTrustPolicy:
		return o.Status.Conditions
	case *v1alpha1.ProvenanceKey:
		return o.Status.Conditions
	case *v1alpha1.MemoryBenchmark:
		return o.Status.Conditions
	}
	return nil
}

func eventuallySynced(namespace, agent string) *v1alpha1.AgentMemory {
	GinkgoHelper()
	memory := &v1alpha1.AgentMemory{}
	eventuallyCondition(memory, namespace, agent, v1alpha1.ConditionSynced, metav1.ConditionTrue, ReasonAllInSync)
	return memory
}

// ownedByAgent matches an object that the garbage collector removes with the AgentMemory.
func ownedByAgent(memory *v1alpha1.AgentMemory) gtypes.GomegaMatcher {
	return WithTransform(func(o client.Object) types.UID {
		owner := metav1.GetControllerOf(o)
		if owner == nil || len(o.GetOwnerReferences()) != 1 {
			return ""
		}
		return owner.UID
	}, Equal(memory.UID))
}

// versions returns the resourceVersion of everything the operator writes for a namespace, and of its own Secrets.
func versions(namespace string) map[string]string {
	GinkgoHelper()
	out := map[string]string{}
	for _, ns := range []string{namespace, operatorNamespace} {
		for _, list := range []client.ObjectList{
			&corev1.SecretList{}, &corev1.ConfigMapList{}, &corev1.PodList{}, &corev1.PersistentVolumeClaimList{},
			&v1alpha1.AgentMemoryList{}, &v1alpha1.ProvenanceKeyList{}, &v1alpha1.MemoryTrustPolicyList{},
		} {
			Expect(k8s.List(ctx, list, client.InNamespace(ns))).To(Succeed())
			items, err := meta.ExtractList(list)
			Expect(err).NotTo(HaveOccurred())
			for _, item := range items {
				o, ok := item.(client.Object)
				Expect(ok).To(BeTrue())
				out[fmt.Sprintf("%T %s/%s", o, o.GetNamespace(), o.GetName())] = o.GetResourceVersion()
			}
		}
	}
	return out
}

// settle waits until nothing has been written for a while.
func settle(namespace string) {
	GinkgoHelper()
	last, since := versions(namespace), time.Now()
	Eventually(func(g Gomega) {
		if now := versions(namespace); !equalMaps(now, last) {
			last, since = now, time.Now()
		}
		g.Expect(time.Since(since)).To(BeNumerically(">", 2*time.Second), "still being written to")
	}).Should(Succeed())
}

func equalMaps(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

func keyIDs(secret *corev1.Secret) []string {
	ids := readKeyring(secret).ids()
	slices.Sort(ids)
	return ids
}
