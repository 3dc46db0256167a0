// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

// What a benchmark's pod looks like. The admission policy memorytrust-required lets exactly such pods into namespaces where every
// other pod names its agent.
const (
	benchmarkContainer = "benchmark"
	benchmarkCommand   = "/mempoisonbench"

	benchmarkConfigVolume = "policy"
	benchmarkConfigMount  = "/etc/memorytrust"
	benchmarkWorkVolume   = "work"
	benchmarkWorkMount    = "/tmp"
	benchmarkPolicyFile   = "policy.yaml"
	benchmarkLexiconDir   = "lexicons"

	// benchmarkWorkLimit bounds the stores that a run makes and removes again.
	benchmarkWorkLimit = "2Gi"
)

// Defaults of the API for objects that came without them.
const (
	defaultBenchmarkTimeoutSeconds = 1800
	defaultBenchmarkTTLSeconds     = 86400
	defaultBenchmarkHistory        = 10
)

// benchmarkInput is what a run is given: the policy as a screener outside of a cluster reads it, and its lexicons.
type benchmarkInput struct {
	files    map[string]string // entries of the ConfigMap
	lexicons int
	// revision is a hash of the files, which hold all that matters for the result, limits included.
	revision string
	mode     v1alpha1.TrustMode
	limits   v1alpha1.BenchmarkLimits
}

// renderBenchmark makes the input of a run out of a policy and its lexicons, in the order of their references. It leaves out what
// does not matter for the result: whom the policy selects, how screeners and stores are sized; and the judge and the upstreams, since
// neither credentials nor a way to other servers are given to a benchmark.
func renderBenchmark(p *v1alpha1.MemoryTrustPolicy, lexicons []policy.Lexicon) (benchmarkInput, error) {
	rendered := &v1alpha1.MemoryTrustPolicy{Spec: *p.Spec.DeepCopy()}
	rendered.APIVersion, rendered.Kind, rendered.Name = v1alpha1.GroupVersion.String(), "MemoryTrustPolicy", p.Name
	rendered.Spec.Selector = metav1.LabelSelector{}
	rendered.Spec.Sidecar = v1alpha1.SidecarSpec{}
	rendered.Spec.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral}
	rendered.Spec.Screening.Judge = nil
	rendered.Spec.Upstreams = nil
	rendered.Spec.Screening.LexiconRefs = nil
	in := benchmarkInput{
		files: map[string]string{}, lexicons: len(lexicons),
		mode: cmp.Or(p.Spec.Trust.Mode, v1alpha1.TrustModePrefix), limits: benchmarkLimits(p.Spec.Benchmark.Limits),
	}
	rendered.Spec.Benchmark.Limits = in.limits
	if len(lexicons) > 0 { // one directory that stands for all ConfigMaps
		rendered.Spec.Screening.LexiconRefs = []v1alpha1.LexiconRef{{Name: benchmarkLexiconDir}}
	}
	for i, l := range lexicons {
		in.files[lexiconEntry(i)] = l.Text
	}
	if _, err := policy.CompileWith(rendered, policy.Agent{Namespace: p.Namespace, Name: anyAgent, ID: anyAgent}, lexicons); err != nil {
		return in, err
	}
	manifest, err := yaml.Marshal(rendered)
	if err != nil {
		return in, fmt.Errorf("encoding the policy: %w", err)
	}
	in.files[benchmarkPolicyFile] = string(manifest)
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(in.files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(in.files[name]), in.files[name])
	}
	in.revision = hex.EncodeToString(h.Sum(nil)[:8])
	return in, nil
}

// lexiconEntry names the entry of a lexicon. Screeners read the files of a directory in the order of their names.
func lexiconEntry(i int) string { return fmt.Sprintf("lexicon-%02d.lex", i) }

// benchmarkLimits applies the defaults of the API.
func benchmarkLimits(l v1alpha1.BenchmarkLimits) v1alpha1.BenchmarkLimits {
	return v1alpha1.BenchmarkLimits{
		AttackSuccessPerMille:  ptr.To(ptr.Deref(l.AttackSuccessPerMille, v1alpha1.DefaultAttackSuccessPerMille)),
		FalsePositivesPerMille: ptr.To(ptr.Deref(l.FalsePositivesPerMille, v1alpha1.DefaultFalsePositivesPerMille)),
		PairsPerMille:          ptr.To(ptr.Deref(l.PairsPerMille, v1alpha1.DefaultPairsPerMille)),
	}
}

// benchmarkSubject is what a run of the benchmark would measure now.
func benchmarkSubject(b *v1alpha1.MemoryBenchmark, p *v1alpha1.MemoryTrustPolicy, in benchmarkInput, image string) v1alpha1.BenchmarkSubject {
	suites := slices.Clone(b.Spec.Suites)
	slices.Sort(suites)
	return v1alpha1.BenchmarkSubject{PolicyGeneration: p.Generation, PolicyRevision: in.revision, Image: image, Suites: suites}
}

// benchmarkConfigName names the ConfigMap with the policy that a benchmark runs under. Admission lets nobody but the operator write
// objects of such names.
func benchmarkConfigName(benchmark string) string {
	sum := sha256.Sum256([]byte("benchmark/" + benchmark))
	return inject.NamePrefix + hex.EncodeToString(sum[:8]) + "-benchmark"
}

func benchmarkLabels(b *v1alpha1.MemoryBenchmark) map[string]string {
	return map[string]string{labelManagedBy: managedBy, v1alpha1.LabelBenchmark: b.Name}
}

// benchmarkJob makes the Job of a planned run. Its pod holds no key and no token, reaches nothing and keeps nothing; it does not carry
// the label of agents, so that no screener is put into it. A run is tried once; only where its node went away it is tried again.
func benchmarkJob(b *v1alpha1.MemoryBenchmark, run *v1alpha1.BenchmarkRun, in benchmarkInput) *batchv1.Job {
	labels := benchmarkLabels(b)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: b.Namespace, Name: run.JobName, Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "MemoryBenchmark", Name: b.Name, UID: b.UID, Controller: ptr.To(true),
			}},
		},
		Spec: batchv1.JobSpec{
			BackoffLimit:            ptr.To[int32](0),
			ActiveDeadlineSeconds:   ptr.To(int64(cmp.Or(b.Spec.TimeoutSeconds, defaultBenchmarkTimeoutSeconds))),
			TTLSecondsAfterFinished: ptr.To(cmp.Or(b.Spec.TTLSeconds, defaultBenchmarkTTLSeconds)),
			PodReplacementPolicy:    ptr.To(batchv1.Failed),
			PodFailurePolicy: &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
				Action: batchv1.PodFailurePolicyActionIgnore,
				OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{{
					Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue,
				}},
			}}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       benchmarkPod(b, run, in),
			},
		},
	}
}

func benchmarkPod(b *v1alpha1.MemoryBenchmark, run *v1alpha1.BenchmarkRun, in benchmarkInput) corev1.PodSpec {
	return corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyNever,
		AutomountServiceAccountToken:  ptr.To(false),
		EnableServiceLinks:            ptr.To(false),
		TerminationGracePeriodSeconds: ptr.To[int64](5),
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: ptr.To(true), RunAsUser: ptr.To(inject.UserID), RunAsGroup: ptr.To(inject.GroupID), FSGroup: ptr.To(inject.GroupID),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{{
			Name:                     benchmarkContainer,
			Image:                    run.Subject.Image,
			ImagePullPolicy:          corev1.PullIfNotPresent,
			Command:                  []string{benchmarkCommand},
			Args:                     benchmarkArgs(run.Subject.Suites, in),
			Resources:                benchmarkResources(b.Spec.Resources),
			TerminationMessagePath:   corev1.TerminationMessagePathDefault,
			TerminationMessagePolicy: corev1.TerminationMessageReadFile,
			VolumeMounts: []corev1.VolumeMount{
				{Name: benchmarkConfigVolume, MountPath: benchmarkConfigMount, ReadOnly: true},
				{Name: benchmarkWorkVolume, MountPath: benchmarkWorkMount},
			},
			SecurityContext: &corev1.SecurityContext{
				RunAsNonRoot:             ptr.To(true),
				AllowPrivilegeEscalation: ptr.To(false),
				ReadOnlyRootFilesystem:   ptr.To(true),
				Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
				SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
		}},
		Volumes: []corev1.Volume{
			{Name: benchmarkConfigVolume, VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: benchmarkConfigName(b.Name)},
				Items:                benchmarkItems(in),
			}}},
			{Name: benchmarkWorkVolume, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
				SizeLimit: ptr.To(resource.MustParse(benchmarkWorkLimit)),
			}}},
		},
	}
}

// benchmarkItems lays the files out as the program takes them: lexicons are in a directory of their own.
func benchmarkItems(in benchmarkInput) []corev1.KeyToPath {
	items := []corev1.KeyToPath{{Key: benchmarkPolicyFile, Path: benchmarkPolicyFile}}
	for i := range in.lexicons {
		items = append(items, corev1.KeyToPath{Key: lexiconEntry(i), Path: benchmarkLexiconDir + "/" + lexiconEntry(i)})
	}
	return items
}

// benchmarkArgs measures in the trust mode of the policy, against its limits.
func benchmarkArgs(suites []v1alpha1.BenchmarkSuite, in benchmarkInput) []string {
	perMille := func(flag string, n *int32) string { return flag + "=" + strconv.Itoa(int(ptr.Deref(n, 0))) }
	args := []string{
		"run",
		"--policy=" + benchmarkConfigMount + "/" + benchmarkPolicyFile,
		"--mode=" + strings.ToLower(string(in.mode)),
		"--termination-message=" + corev1.TerminationMessagePathDefault,
		"--temp-dir=" + benchmarkWorkMount,
		perMille("--max-attack-success-per-mille", in.limits.AttackSuccessPerMille),
		perMille("--max-false-positives-per-mille", in.limits.FalsePositivesPerMille),
		perMille("--min-pairs-per-mille", in.limits.PairsPerMille),
	}
	if in.lexicons > 0 {
		args = append(args, "--lexicon="+benchmarkLexiconDir+"="+benchmarkConfigMount+"/"+benchmarkLexiconDir)
	}
	for _, s := range suites {
		args = append(args, "--suite="+strings.ToLower(string(s)))
	}
	return args
}

// benchmarkResources fills in what the benchmark does not say.
func benchmarkResources(r corev1.ResourceRequirements) corev1.ResourceRequirements {
	out := *r.DeepCopy()
	fill := func(list *corev1.ResourceList, name corev1.ResourceName, value string) {
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		if _, ok := (*list)[name]; !ok {
			(*list)[name] = resource.MustParse(value)
		}
	}
	fill(&out.Limits, corev1.ResourceMemory, "1Gi")
	for name, value := range map[corev1.ResourceName]string{corev1.ResourceCPU: "100m", corev1.ResourceMemory: "128Mi"} {
		fill(&out.Requests, name, value)
		// A limit below the default request is meant.
		if limit, ok := out.Limits[name]; ok && limit.Cmp(out.Requests[name]) < 0 {
			out.Requests[name] = limit
		}
	}
	return out
}
