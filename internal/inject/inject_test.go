// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
)

var update = flag.Bool("update", false, "write the golden files anew")

// load reads a YAML file of testdata strictly.
func load(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// twice injects, injects again, and fails unless the second run changes nothing and the input stayed as it was.
func twice(t testing.TB, pod *corev1.Pod, req Request) (*corev1.Pod, error) {
	t.Helper()
	before := pod.DeepCopy()
	once, err := Pod(pod, req)
	if !reflect.DeepEqual(before, pod) {
		t.Fatalf("the input was changed:\n%s", cmp.Diff(before, pod))
	}
	if err != nil {
		return nil, err
	}
	again, err := Pod(once, req)
	if err != nil {
		t.Fatalf("second run: %v", err)
	}
	if !reflect.DeepEqual(once, again) {
		t.Fatalf("the second run changed the pod:\n%s", cmp.Diff(once, again))
	}
	if err := Verify(once, req); err != nil {
		t.Fatalf("an injected pod does not verify: %v", err)
	}
	return once, nil
}

func TestPodGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*/pod.yaml")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var pod corev1.Pod
			var req Request
			load(t, file, &pod)
			load(t, filepath.Join(dir, "request.yaml"), &req)
			out, err := twice(t, &pod, req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := yaml.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join(dir, "injected.yaml")
			if *update {
				if err := os.WriteFile(golden, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (run with -update if that is meant):\n%s", golden, diff)
			}
		})
	}
}

// agentPod is a pod that can be injected; tests change one thing about it.
func agentPod() *corev1.Pod {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: "prepare", Image: "registry.example/prepare:1"}},
		Containers:     []corev1.Container{{Name: "agent", Image: "registry.example/agent:1"}},
	}}
	pod.Labels = map[string]string{v1alpha1.LabelAgent: "support"}
	return pod
}

func agentRequest() Request {
	return Request{
		Agent: "support", Namespace: "shop", PolicyName: "agents", Image: "registry.example/screener:v1", Version: "v1",
		Store: v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral},
	}
}

func secretVariable(secret string) corev1.EnvVar {
	return corev1.EnvVar{Name: "K", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
		LocalObjectReference: corev1.LocalObjectReference{Name: secret}, Key: "primary",
	}}}
}

func withVolume(source corev1.VolumeSource) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: source}} }
}

func TestPodRefuses(t *testing.T) {
	names := NamesFor("victim")
	secretRef := &corev1.LocalObjectReference{Name: names.KeySecret}
	cases := map[string]struct {
		change func(*corev1.Pod)
		agent  string
		reason Reason
		fix    string // in the message
	}{
		"label with upper case": {agent: "Support", reason: ReasonAgentNameInvalid, fix: "lower-case"},
		"label with dots":       {agent: "a.b", reason: ReasonAgentNameInvalid, fix: "lower-case"},
		"windows by os": {
			change: func(p *corev1.Pod) { p.Spec.OS = &corev1.PodOS{Name: corev1.Windows} },
			reason: ReasonWindowsPod, fix: "Linux nodes",
		},
		"windows by node selector": {
			change: func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"kubernetes.io/os": "windows"} },
			reason: ReasonWindowsPod, fix: "Linux nodes",
		},
		"host network": {
			change: func(p *corev1.Pod) { p.Spec.HostNetwork = true },
			reason: ReasonHostNetwork, fix: "remove spec.hostNetwork",
		},
		"host pid": {
			change: func(p *corev1.Pod) { p.Spec.HostPID = true },
			reason: ReasonHostPID, fix: "remove spec.hostPID",
		},
		"shared processes": {
			change: func(p *corev1.Pod) { p.Spec.ShareProcessNamespace = ptr.To(true) },
			reason: ReasonSharedProcesses, fix: "remove spec.shareProcessNamespace",
		},
		"container named as the screener": {
			change: func(p *corev1.Pod) { p.Spec.Containers[0].Name = ContainerName },
			reason: ReasonContainerNameTaken, fix: "rename the container",
		},
		"init container named as the screener": {
			change: func(p *corev1.Pod) { p.Spec.InitContainers[0].Name = ContainerName },
			reason: ReasonContainerNameTaken, fix: "rename the init container",
		},
		"sidecar named as the screener with another image": {
			change: func(p *corev1.Pod) {
				p.Spec.InitContainers[0].Name = ContainerName
				p.Spec.InitContainers[0].RestartPolicy = ptr.To(corev1.ContainerRestartPolicyAlways)
			},
			reason: ReasonContainerNameTaken, fix: "remove it from the manifest",
		},
		"volume named as the store": {
			change: func(p *corev1.Pod) { p.Spec.Volumes = []corev1.Volume{{Name: StoreVolume}} },
			reason: ReasonVolumeNameTaken, fix: "rename the volume " + StoreVolume,
		},
		"store mounted by the agent": {
			change: func(p *corev1.Pod) {
				p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: StoreVolume, MountPath: "/m"}}
			},
			reason: ReasonVolumeShared, fix: "container agent uses the volume " + StoreVolume,
		},
		"store as a block device of an init container": {
			change: func(p *corev1.Pod) {
				p.Spec.InitContainers[0].VolumeDevices = []corev1.VolumeDevice{{Name: StoreVolume, DevicePath: "/dev/m"}}
			},
			reason: ReasonVolumeShared, fix: "container prepare uses the volume",
		},
		"keys as a file of variables": {
			change: func(p *corev1.Pod) {
				p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "K", ValueFrom: &corev1.EnvVarSource{
					FileKeyRef: &corev1.FileKeySelector{VolumeName: ConfigVolume, Path: "primary", Key: "k"},
				}}}
			},
			reason: ReasonVolumeShared, fix: "container agent uses the volume " + ConfigVolume,
		},
		"key in a secret volume": {
			change: withVolume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: names.KeySecret}}),
			reason: ReasonReservedReference, fix: "volume data refers to " + names.KeySecret,
		},
		"key in a projected volume": {
			change: withVolume(corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{Secret: &corev1.SecretProjection{LocalObjectReference: *secretRef}},
			}}}),
			reason: ReasonReservedReference, fix: "remove the reference",
		},
		"store by its claim": {
			change: withVolume(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: names.StoreClaim}}),
			reason: ReasonReservedReference, fix: names.StoreClaim,
		},
		"store cloned": {
			change: withVolume(corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{
				VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: corev1.PersistentVolumeClaimSpec{
					DataSource: &corev1.TypedLocalObjectReference{Kind: "PersistentVolumeClaim", Name: names.StoreClaim},
				}},
			}}),
			reason: ReasonReservedReference, fix: names.StoreClaim,
		},
		"key handed to a driver": {
			change: withVolume(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "d", NodePublishSecretRef: secretRef}}),
			reason: ReasonReservedReference, fix: names.KeySecret,
		},
		"key in a variable": {
			change: func(p *corev1.Pod) { p.Spec.Containers[0].Env = []corev1.EnvVar{secretVariable(names.KeySecret)} },
			reason: ReasonReservedReference, fix: "container agent refers to " + names.KeySecret,
		},
		"key as variables of an init container": {
			change: func(p *corev1.Pod) {
				p.Spec.InitContainers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: *secretRef}}}
			},
			reason: ReasonReservedReference, fix: "container prepare refers to " + names.KeySecret,
		},
		"key as a pull secret": {
			change: func(p *corev1.Pod) { p.Spec.ImagePullSecrets = []corev1.LocalObjectReference{*secretRef} },
			reason: ReasonReservedReference, fix: "spec.imagePullSecrets",
		},
		"screener's user for the pod": {
			change: func(p *corev1.Pod) { p.Spec.SecurityContext = &corev1.PodSecurityContext{RunAsUser: ptr.To(UserID)} },
			reason: ReasonUserIDShared, fix: "choose another spec.securityContext.runAsUser",
		},
		"screener's user for a container": {
			change: func(p *corev1.Pod) {
				p.Spec.Containers[0].SecurityContext = &corev1.SecurityContext{RunAsUser: ptr.To(UserID)}
			},
			reason: ReasonUserIDShared, fix: "runAsUser for container agent",
		},
		"port of the screener": {
			change: func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: HealthPort}} },
			reason: ReasonPortTaken, fix: "listen on another port than 9090",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pod, req := agentPod(), agentRequest()
			if tc.change != nil {
				tc.change(pod)
			}
			if tc.agent != "" {
				req.Agent = tc.agent
			}
			_, err := twice(t, pod, req)
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("got error %v, want a refusal", err)
			}
			if refusal.Reason != tc.reason || !strings.Contains(refusal.Message, tc.fix) {
				t.Errorf("got %s: %s\nwant %s with %q", refusal.Reason, refusal.Message, tc.reason, tc.fix)
			}
		})
	}
}

func TestPodLeavesUnrelatedNamesAlone(t *testing.T) {
	pod := agentPod()
	withVolume(corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "mt-mysql"}})(pod)
	pod.Spec.Containers[0].Env = []corev1.EnvVar{secretVariable("mt-mysql-key")}
	if _, err := twice(t, pod, agentRequest()); err != nil {
		t.Errorf("a Secret that only begins like ours: %v", err)
	}
}

// TestPodPutsRightWhatOthersChanged runs the second invocation of a webhook: others came after the first.
func TestPodPutsRightWhatOthersChanged(t *testing.T) {
	req := agentRequest()
	want, err := twice(t, agentPod(), req)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*corev1.Pod){
		"variable in the screener": func(p *corev1.Pod) {
			p.Spec.InitContainers[0].Env = []corev1.EnvVar{{Name: "GODEBUG", Value: "x"}}
		},
		"command of the screener": func(p *corev1.Pod) { p.Spec.InitContainers[0].Command = []string{"/bin/sh"} },
		"user of the screener": func(p *corev1.Pod) {
			p.Spec.InitContainers[0].SecurityContext.RunAsUser = ptr.To[int64](0)
		},
		"mount in the screener": func(p *corev1.Pod) {
			p.Spec.InitContainers[0].VolumeMounts = append(p.Spec.InitContainers[0].VolumeMounts, corev1.VolumeMount{Name: "x", MountPath: "/x"})
		},
		"probe removed": func(p *corev1.Pod) { p.Spec.InitContainers[0].StartupProbe = nil },
		"moved behind": func(p *corev1.Pod) {
			init := p.Spec.InitContainers
			init[0], init[1] = init[1], init[0]
		},
		"keys of another agent": func(p *corev1.Pod) {
			p.Spec.Volumes[0] = configVolume(NamesFor("victim"))
		},
		"store of another agent": func(p *corev1.Pod) {
			p.Spec.Volumes[1] = storeVolume(NamesFor("victim"), v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePersistent})
		},
		"address": func(p *corev1.Pod) { p.Spec.Containers[0].Env[0].Value = "http://127.0.0.1:1" },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			pod := want.DeepCopy()
			change(pod)
			var refusal *Refusal
			if err := Verify(pod, req); !errors.As(err, &refusal) || refusal.Reason != ReasonNotAsInjected {
				t.Errorf("Verify: got %v, want %s", err, ReasonNotAsInjected)
			}
			got, err := twice(t, pod, req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("not put right:\n%s", diff)
			}
		})
	}
}

func TestVerifyAcceptsOtherResources(t *testing.T) {
	req := agentRequest()
	pod, err := twice(t, agentPod(), req)
	if err != nil {
		t.Fatal(err)
	}
	pod.Spec.InitContainers[0].Resources.Limits[corev1.ResourceCPU] = resource.MustParse("1")
	pod.Spec.InitContainers[0].Resources.Requests[corev1.ResourceMemory] = resource.MustParse("48Mi")
	if err := Verify(pod, req); err != nil {
		t.Errorf("an autoscaler's resources: %v", err)
	}
}

func TestPodNeedsACompleteRequest(t *testing.T) {
	for name, change := range map[string]func(*Request){
		"no image":  func(r *Request) { r.Image = "" },
		"no policy": func(r *Request) { r.PolicyName = "" },
		"no agent":  func(r *Request) { r.Agent = "" },
		"no store":  func(r *Request) { r.Store.Type = "" },
	} {
		t.Run(name, func(t *testing.T) {
			req := agentRequest()
			change(&req)
			if _, err := Pod(agentPod(), req); !errors.Is(err, errIncomplete) {
				t.Errorf("got %v, want %v", err, errIncomplete)
			}
		})
	}
}

func TestResourcesNeverContradict(t *testing.T) {
	q := resource.MustParse
	cases := map[string]struct{ asked, want corev1.ResourceRequirements }{
		"nothing asked": {want: defaultResources()},
		"small limit": {
			asked: corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": q("16Mi")}},
			want: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": q("10m"), "memory": q("16Mi")},
				Limits:   corev1.ResourceList{"memory": q("16Mi")},
			},
		},
		"large request": {
			asked: corev1.ResourceRequirements{Requests: corev1.ResourceList{"memory": q("1Gi")}},
			want: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": q("10m"), "memory": q("1Gi")},
				Limits:   corev1.ResourceList{"memory": q("1Gi")},
			},
		},
		"another resource": {
			asked: corev1.ResourceRequirements{Limits: corev1.ResourceList{"ephemeral-storage": q("1Gi")}},
			want: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": q("10m"), "memory": q("64Mi"), "ephemeral-storage": q("1Gi")},
				Limits:   corev1.ResourceList{"memory": q("256Mi"), "ephemeral-storage": q("1Gi")},
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, resources(tc.asked)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOwned(t *testing.T) {
	n := NamesFor("support")
	for _, name := range []string{n.KeySecret, n.TLSSecret, n.ChannelsSecret, n.PolicyConfigMap, n.StoreClaim} {
		if !Owned(name) {
			t.Errorf("%s is ours", name)
		}
	}
	for _, name := range []string{"mt-mysql", "mt-0123456789abcdef", "x-" + n.KeySecret, "MT-0123456789abcdef-key", ""} {
		if Owned(name) {
			t.Errorf("%q is not ours", name)
		}
	}
	if NamesFor("a") == NamesFor("b") {
		t.Error("two agents share names")
	}
}

// FuzzPod decodes arbitrary JSON as a pod: injection never panics, never changes its input, and is idempotent.
func FuzzPod(f *testing.F) {
	for _, name := range []string{"plain", "persistent", "restricted-job"} {
		for _, file := range []string{"pod.yaml", "injected.yaml"} {
			data, err := os.ReadFile(filepath.Join("testdata", name, file))
			if err != nil {
				f.Fatal(err)
			}
			js, err := yaml.YAMLToJSON(data)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(js, "support", name == "persistent")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, agent string, persistent bool) {
		var pod corev1.Pod
		if json.Unmarshal(data, &pod) != nil {
			return
		}
		req := agentRequest()
		req.Agent = agent
		if persistent {
			req.Store.Type = v1alpha1.StoreTypePersistent
		}
		out, err := twice(t, &pod, req)
		if err != nil {
			return
		}
		if out.Spec.InitContainers[0].Name != ContainerName {
			t.Error("the screener is not first")
		}
		for _, c := range otherContainers(out) {
			if c.Name == ContainerName || ownVolumeUse(c) != "" || slices.ContainsFunc(environmentReferences(c), Owned) {
				t.Errorf("container %q reaches what is the screener's", c.Name)
			}
		}
	})
}

// upstreamRequest has two upstreams, one of them with a credential.
func upstreamRequest() Request {
	req := agentRequest()
	req.Sidecar.URLEnv = []string{"AGENT_MEMORY"}
	req.Upstreams = []v1alpha1.Upstream{
		{Name: "pay", URLEnv: []string{"PAY_URL", "AGENT_MEMORY"}, CredentialSecretRef: &v1alpha1.SecretKeyRef{Name: "pay-token"}},
		{Name: "graph", URLEnv: []string{"GRAPHITI_URL", "PAY_URL"}},
	}
	return req
}

// Agents find the upstreams where they look for them; a variable that is named twice has one value.
func TestUpstreamURLs(t *testing.T) {
	pod := agentPod()
	pod.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "PAY_URL", Value: "http://payments.example/mcp"}, {Name: "LANG", Value: "C"}}
	out, err := twice(t, pod, upstreamRequest())
	if err != nil {
		t.Fatal(err)
	}
	want := []corev1.EnvVar{
		{Name: "MEMORY_URL", Value: "http://127.0.0.1:8787"},
		{Name: "MEMORY_MCP_URL", Value: "http://127.0.0.1:8787/mcp"},
		{Name: "AGENT_MEMORY", Value: "http://127.0.0.1:8787"},
		{Name: "GRAPHITI_URL", Value: "http://127.0.0.1:8787/upstreams/graph/mcp"},
		{Name: "PAY_URL", Value: "http://127.0.0.1:8787/upstreams/pay/mcp"},
		{Name: "LANG", Value: "C"},
	}
	if diff := cmp.Diff(want, out.Spec.Containers[0].Env); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}

// Whoever holds the credential of an upstream needs no screener.
func TestUpstreamCredentialsAreTheScreeners(t *testing.T) {
	for name, change := range map[string]func(*corev1.PodSpec){
		"variable": func(s *corev1.PodSpec) { s.Containers[0].Env = []corev1.EnvVar{secretVariable("pay-token")} },
		"variables": func(s *corev1.PodSpec) {
			s.Containers[0].EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "pay-token"}}}}
		},
		"init": func(s *corev1.PodSpec) { s.InitContainers[0].Env = []corev1.EnvVar{secretVariable("pay-token")} },
		"volume": func(s *corev1.PodSpec) {
			s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "pay-token"}}}}
		},
		"projection": func(s *corev1.PodSpec) {
			s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{Secret: &corev1.SecretProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "pay-token"}}},
			}}}}}
		},
		"driver": func(s *corev1.PodSpec) {
			s.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: "d", NodePublishSecretRef: &corev1.LocalObjectReference{Name: "pay-token"}}}}}
		},
	} {
		pod := agentPod()
		change(&pod.Spec)
		var refused *Refusal
		if _, err := Pod(pod, upstreamRequest()); !errors.As(err, &refused) || refused.Reason != ReasonUpstreamCredential ||
			!strings.Contains(refused.Message, "http://127.0.0.1:8787/upstreams/pay/mcp") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Pod(pod, agentRequest()); err != nil {
			t.Errorf("%s: refused without the upstream: %v", name, err)
		}
	}
}

func BenchmarkInject(b *testing.B) {
	var pod corev1.Pod
	var req Request
	load(b, "testdata/persistent/pod.yaml", &pod)
	load(b, "testdata/persistent/request.yaml", &req)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Pod(&pod, req); err != nil {
			b.Fatal(err)
		}
	}
}
