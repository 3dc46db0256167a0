// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

func TestSynced(t *testing.T) {
	good := admin.Status{PolicyRevision: "r", PrimaryKeyID: "1", KeyIDs: []string{"2", "1"}, Version: "v1"}
	observe := func(change func(*agentObserved, *admin.Status)) agentObserved {
		status := good
		o := agentObserved{
			revision: "r", want: want{revision: "r", primary: "1", keyIDs: []string{"1", "2"}},
			fleet: lookAt([]*corev1.Pod{testPod("a", nil)}, "now"),
		}
		o.reports = map[types.UID]report{"a": {reachable: metav1.ConditionTrue}}
		if change != nil {
			change(&o, &status)
		}
		if r, ok := o.reports["a"]; ok && r.reachable != metav1.ConditionUnknown {
			r.status = status
			o.reports["a"] = r
		}
		return o
	}
	refused := no(ReasonNamespaceNotManaged, "why")
	tests := map[string]struct {
		change func(*agentObserved, *admin.Status)
		want   string
	}{
		"in sync":             {nil, "True AllInSync"},
		"not managed":         {func(o *agentObserved, _ *admin.Status) { o.obstacle = &refused }, "False NamespaceNotManaged"},
		"older policy":        {func(_ *agentObserved, s *admin.Status) { s.PolicyRevision = "q" }, "False Outdated"},
		"older primary":       {func(_ *agentObserved, s *admin.Status) { s.PrimaryKeyID = "2" }, "False Outdated"},
		"lacks a key":         {func(_ *agentObserved, s *admin.Status) { s.KeyIDs = []string{"1"} }, "False Outdated"},
		"refuses the newest":  {func(_ *agentObserved, s *admin.Status) { s.PolicyRejected = "policy.json: damaged" }, "False PolicyRejected"},
		"does not answer":     {func(o *agentObserved, _ *admin.Status) { o.reports["a"] = report{reachable: metav1.ConditionFalse} }, "Unknown ScreenerUnreachable"},
		"not asked yet":       {func(o *agentObserved, _ *admin.Status) { o.reports = nil }, "Unknown Progressing"},
		"never answered yet":  {func(o *agentObserved, _ *admin.Status) { o.reports["a"] = report{reachable: metav1.ConditionUnknown} }, "Unknown Progressing"},
		"no pods":             {func(o *agentObserved, _ *admin.Status) { o.fleet = fleet{} }, "True NoPods"},
		"pods without":        {func(o *agentObserved, _ *admin.Status) { o.fleet.missing = []string{"b"} }, "False ScreenerMissing"},
		"another release":     {func(o *agentObserved, _ *admin.Status) { o.fleet.skewed = []string{"a"} }, "True VersionSkew"},
		"screener not up yet": {func(o *agentObserved, _ *admin.Status) { o.fleet.running = nil }, "Unknown Progressing"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			o := observe(tc.change)
			pods, _ := podStatuses(nil, o)
			f := synced(o, pods)
			if got := fmt.Sprintf("%s %s", f.Status, f.Reason); got != tc.want {
				t.Errorf("Synced = %s (%s), want %s", got, f.Message, tc.want)
			}
		})
	}
}

func TestOriginAuthenticated(t *testing.T) {
	p := testPolicy("p", 0, nil)
	inForce := resolution{policy: &p}
	works := policy.ChannelDigests{"console": "x"}
	refused := no(ReasonNamespaceNotManaged, "why")
	tests := map[string]struct {
		in   agentObserved
		want string
	}{
		"no policy":       {agentObserved{}, "Unknown NoPolicy"},
		"prefix":          {agentObserved{resolution: inForce, trust: v1alpha1.TrustModePrefix}, "False PrefixTrust"},
		"not read yet":    {agentObserved{resolution: inForce, trust: v1alpha1.TrustModeSigned}, "Unknown Progressing"},
		"not managed":     {agentObserved{resolution: inForce, trust: v1alpha1.TrustModeSigned, obstacle: &refused}, "Unknown NamespaceNotManaged"},
		"no channel":      {agentObserved{resolution: inForce, trust: v1alpha1.TrustModeSigned, channels: &channelTokens{problems: []string{"x"}}}, "False ChannelTokenMissing"},
		"some channels":   {agentObserved{resolution: inForce, trust: v1alpha1.TrustModeSigned, channels: &channelTokens{digests: works, problems: []string{"x"}}}, "True ChannelTokenMissing"},
		"all channels":    {agentObserved{resolution: inForce, trust: v1alpha1.TrustModeSigned, channels: &channelTokens{digests: works}}, "True ChannelsWorking"},
		"channels unused": {agentObserved{resolution: inForce, trust: v1alpha1.TrustModePrefix, channels: &channelTokens{digests: works}}, "False PrefixTrust"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			f := originAuthenticated(tc.in)
			if got := fmt.Sprintf("%s %s", f.Status, f.Reason); got != tc.want {
				t.Errorf("OriginAuthenticated = %s, want %s", got, tc.want)
			}
		})
	}
}

func TestProtected(t *testing.T) {
	memory := &v1alpha1.AgentMemory{}
	for _, kind := range []string{
		v1alpha1.ConditionSynced, v1alpha1.ConditionOriginAuthenticated, v1alpha1.ConditionActionsEnforced, v1alpha1.ConditionAgentIsolated,
	} {
		yes(ReasonAvailable, "").set(&memory.Status.Conditions, kind, 1)
	}
	shared := memory.DeepCopy()
	no(ReasonExcessRights, "").set(&shared.Status.Conditions, v1alpha1.ConditionAgentIsolated, 1)
	spec := &v1alpha1.MemoryTrustPolicySpec{Enforcement: v1alpha1.EnforcementEnforce, Trust: v1alpha1.TrustSpec{Mode: v1alpha1.TrustModeSigned}}
	tests := map[string]struct {
		spec   *v1alpha1.MemoryTrustPolicySpec
		agents []policyAgent
		want   string // of the message when False; empty for True
	}{
		"all there":      {spec, []policyAgent{{name: "a", memory: memory}}, ""},
		"dry run":        {&v1alpha1.MemoryTrustPolicySpec{Enforcement: v1alpha1.EnforcementDryRun, Trust: spec.Trust}, []policyAgent{{name: "a", memory: memory}}, "Missing: spec.enforcement Enforce"},
		"no agent":       {spec, nil, "Missing: an agent"},
		"one agent not":  {spec, []policyAgent{{name: "a", memory: memory}, {name: "b", memory: shared}}, "Missing: AgentIsolated of agent b"},
		"no memory made": {spec, []policyAgent{{name: "a"}}, "Missing: Synced of agent a; OriginAuthenticated of agent a; ActionsEnforced of agent a; AgentIsolated of agent a"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			f := protected(policyObserved{spec: tc.spec, agents: tc.agents})
			if tc.want == "" != (f.Status == metav1.ConditionTrue) || tc.want != "" && f.Message != tc.want {
				t.Errorf("Protected = %s: %s, want %q", f.Status, f.Message, tc.want)
			}
		})
	}
}

func TestTransitionsAreTheOnlyEvents(t *testing.T) {
	conditions := func(findings map[string]finding) []metav1.Condition {
		var out []metav1.Condition
		for kind, f := range findings {
			f.set(&out, kind, 1)
		}
		return out
	}
	tests := map[string]struct {
		before, after map[string]finding
		want          []string
	}{
		"good from the start":   {nil, map[string]finding{"Ready": yes("A", "m")}, nil},
		"bad from the start":    {nil, map[string]finding{"Ready": no("B", "m")}, []string{"Warning B"}},
		"another message only":  {map[string]finding{"Ready": no("B", "m")}, map[string]finding{"Ready": no("B", "n")}, nil},
		"another reason":        {map[string]finding{"Ready": no("B", "m")}, map[string]finding{"Ready": no("C", "m")}, []string{"Warning C"}},
		"recovered":             {map[string]finding{"Ready": no("B", "m")}, map[string]finding{"Ready": yes("A", "m")}, []string{"Normal A"}},
		"at work":               {map[string]finding{"Ready": yes("A", "m")}, map[string]finding{"Ready": no(ReasonProgressing, "m")}, []string{"Normal Progressing"}},
		"False is the good one": {nil, map[string]finding{v1alpha1.ConditionRotationBlocked: no(ReasonIdle, "m")}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			recorder := events.NewFakeRecorder(10)
			recordTransitions(recorder, &v1alpha1.AgentMemory{}, conditions(tc.before), conditions(tc.after))
			close(recorder.Events)
			var got []string
			for e := range recorder.Events {
				got = append(got, strings.Join(strings.Fields(e)[:2], " "))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	var conditions []metav1.Condition
	no("B", "%s", strings.Repeat("ü", maxMessage)).set(&conditions, "Ready", 1)
	if m := conditions[0].Message; len(m) > maxMessage || !strings.HasSuffix(m, "...") || strings.ContainsRune(m, '\uFFFD') {
		t.Errorf("message of %d bytes, ends in %q", len(m), m[len(m)-8:])
	}
}

func TestLeaveToDeletion(t *testing.T) {
	gone := apierrors.NewForbidden(corev1.Resource("secrets"), "s", errors.New("unable to create new content"))
	gone.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	other := apierrors.NewForbidden(corev1.Resource("secrets"), "s", errors.New("no right"))
	if err := leaveToDeletion(t.Context(), fmt.Errorf("writing: %w", gone)); err != nil {
		t.Errorf("a namespace on its way out is no error, got %v", err)
	}
	if err := leaveToDeletion(t.Context(), other); err == nil {
		t.Error("a missing right is an error")
	}
	if err := leaveToDeletion(t.Context(), nil); err != nil {
		t.Error(err)
	}
}
