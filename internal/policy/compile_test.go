// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

const testAgentID = "0b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c11"

func manifest(t *testing.T, name string) *v1alpha1.MemoryTrustPolicy {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compiled(t *testing.T, name string) *Runtime {
	t.Helper()
	r, err := Compile(manifest(t, name), "agents", "helper", testAgentID)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompileAppliesDefaults(t *testing.T) {
	r := compiled(t, "prefix.yaml")
	formats := make([]Format, 0, len(r.Formats))
	formats = append(formats, r.Formats...)
	want := &Runtime{
		SchemaVersion: SchemaVersion, Revision: r.Revision,
		Namespace: "agents", Agent: "helper", AgentID: testAgentID, PolicyName: "assistants",
		Enforcement: v1alpha1.EnforcementEnforce, TrustMode: v1alpha1.TrustModePrefix, Formats: formats,
		Channels: []Channel{}, Review: v1alpha1.ReviewModeMark,
		PendingExpirySeconds: 14 * 24 * 3600, MaxContentBytes: 65536, MaxRecallResults: 20,
		MaxPending: 1000, WritesPerMinute: 6000, Corroboration: 2, ScanIntervalSeconds: 24 * 3600,
		Actions:   Actions{TurnLifetimeSeconds: 3600, ApprovalLifetimeSeconds: 300},
		Screening: Screening{Correlation: Correlation{Mode: v1alpha1.CorrelationEnabled, WindowSeconds: 30 * 24 * 3600}},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("runtime differs (-want +got):\n%s", diff)
	}
	if len(r.Formats) != len(provenance.DefaultFormats) {
		t.Errorf("%d formats, want the built-in %d", len(r.Formats), len(provenance.DefaultFormats))
	}
}

func TestCompileTakesWhatThePolicySays(t *testing.T) {
	r := compiled(t, "signed.yaml")
	want := &Runtime{
		SchemaVersion: SchemaVersion, Revision: r.Revision,
		Namespace: "agents", Agent: "helper", AgentID: testAgentID, PolicyName: "signed",
		Enforcement: v1alpha1.EnforcementDryRun, TrustMode: v1alpha1.TrustModeSigned,
		Formats: []Format{{"cli", provenance.UserInput}, {"operator", provenance.Manual}},
		Channels: []Channel{
			{Name: "console", Class: provenance.Manual, Principal: "alice@example.com"},
			{Name: "tools", Class: provenance.ToolOutput, Principal: "tool-runner"},
		},
		Review: v1alpha1.ReviewModeWithhold, PendingExpirySeconds: 3600, MaxContentBytes: 4096, MaxRecallResults: 5,
		MaxPending: 100, WritesPerMinute: 60, Corroboration: 3, ScanIntervalSeconds: 600,
		Actions: Actions{
			TurnLifetimeSeconds: 600, ApprovalLifetimeSeconds: 120,
			Rules: []action.Rule{
				{
					Name: "small-payments", Tools: []string{"payments_*", "bank/transfer"}, When: "has(args.amount) && args.amount <= 50",
					Authority: memory.Act, Sensitive: []string{"to", "items[*].iban"}, Otherwise: action.RequireApproval,
				},
				{Name: "deletions", Tools: []string{"*_delete"}, Authority: memory.Act, Otherwise: action.Deny},
				{Name: "reads", Tools: []string{"*_get", "*_list"}, Authority: memory.Inform, Otherwise: action.RequireApproval},
			},
		},
		Screening: Screening{Correlation: Correlation{Mode: v1alpha1.CorrelationEnabled, WindowSeconds: 30 * 24 * 3600}},
		Classes: []ClassRules{
			{Class: provenance.AgentInferred, StaleAfterSeconds: 86400},
			{Class: provenance.WebContent, ExpirySeconds: 7200, StaleAfterSeconds: 3600, DecayPerDayPerMille: 900, MaxPending: 50},
		},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("runtime differs (-want +got):\n%s", diff)
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := map[string]struct {
		change func(*v1alpha1.MemoryTrustPolicySpec)
		field  string
		says   string
	}{
		"bad selector": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}
		}, "spec.selector", "Near"},
		"no store":      {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Type = "" }, "spec.store.type", "required"},
		"unknown store": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Type = "Tape" }, "spec.store.type", "Persistent"},
		"volume for a store without one": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypeEphemeral, Persistent: &v1alpha1.PersistentStore{}}
		}, "spec.store.persistent", "Persistent"},
		"volume for a database": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePostgres, Persistent: &v1alpha1.PersistentStore{}}
		}, "spec.store.persistent", "Persistent"},
		"no database": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePostgres}
		}, "spec.store.postgres", "needs it"},
		"prepared database without a Secret": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Store.Postgres = &v1alpha1.PostgresStore{} }, "spec.store.postgres.ownerSecretRef.name", "mt-*"},
		"database of the operator": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Store = v1alpha1.StoreSpec{Type: v1alpha1.StoreTypePostgres, Postgres: &v1alpha1.PostgresStore{OwnerSecretRef: v1alpha1.SecretKeyRef{Name: "mt-x"}}}
		}, "spec.store.postgres.ownerSecretRef.name", "mt-*"},
		"enforcement": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Enforcement = "Maybe" }, "spec.enforcement", "DryRun"},
		"review":      {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Review = "Skip" }, "spec.review", "Withhold"},
		"mode":        {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Mode = "Blind" }, "spec.trust.mode", "Signed"},
		"signed without channel": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels = nil },
			"spec.trust.channels", "at least one"},
		"expiry too short": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.PendingExpirySeconds = 59 },
			"spec.zones.pendingExpirySeconds", "60"},
		"negative expiry": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.PendingExpirySeconds = -1 },
			"spec.zones.pendingExpirySeconds", "60"},
		"content limit": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxContentBytes = 2 << 20 },
			"spec.limits.maxContentBytes", "1048576"},
		"recall limit": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxRecallResults = 201 },
			"spec.limits.maxRecallResults", "200"},
		"pending limit": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxPending = 10001 }, "spec.limits.maxPending", "10000"},
		"negative pending limit": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.MaxPending = -1 },
			"spec.limits.maxPending", "use 1"},
		"writes": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 1000001 },
			"spec.limits.writesPerMinute", "1000000"},
		"too little corroboration": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Corroboration = 1 },
			"spec.zones.corroboration", "use 2 to 10"},
		"too much corroboration": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Corroboration = 11 },
			"spec.zones.corroboration", "use 2 to 10"},
		"scans too often": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Contradictions.ScanIntervalSeconds = 59 },
			"spec.contradictions.scanIntervalSeconds", "60"},
		"scans too seldom": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Contradictions.ScanIntervalSeconds = 2592001 },
			"spec.contradictions.scanIntervalSeconds", "2592000"},
		"turns that last too long": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.TurnLifetimeSeconds = 86401 },
			"spec.actions.turnLifetimeSeconds", "use 60 to 86400"},
		"turns that last too short": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.TurnLifetimeSeconds = 59 },
			"spec.actions.turnLifetimeSeconds", "use 60 to 86400"},
		"approvals that last too long": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.ApprovalLifetimeSeconds = 3601 },
			"spec.actions.approvalLifetimeSeconds", "use 30 to 3600"},
		"approvals that last too short": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.ApprovalLifetimeSeconds = -1 },
			"spec.actions.approvalLifetimeSeconds", "use 30 to 3600"},
		"rule without a name": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].Name = "" },
			"spec.actions.rules[0].name", "lower-case"},
		"repeated rule": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[2].Name = "deletions" },
			"spec.actions.rules[2].name", "twice"},
		"rule without tools": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[1].Tools = nil },
			"spec.actions.rules[1].tools", "1 to 16"},
		"tool that is no pattern": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[1].Tools = []string{"a b"} },
			"spec.actions.rules[1].tools[0]", "payments_*"},
		"condition that is no CEL": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].When = "args.amount <" },
			"spec.actions.rules[0].when", "line 1"},
		"condition on something unknown": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].When = "session == 'x'" },
			"spec.actions.rules[0].when", "session"},
		"condition that is neither true nor false": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].When = "args.amount" },
			"spec.actions.rules[0].when", "true or false"},
		"long condition": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Actions.Rules[0].When = "tool == '" + strings.Repeat("x", 1024) + "'"
		}, "spec.actions.rules[0].when", "1024"},
		"authority of a rule": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].Authority = "None" },
			"spec.actions.rules[0].authority", "Inform"},
		"path that is none": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].Sensitive[1] = "items[0].iban" },
			"spec.actions.rules[0].sensitive[1]", "items[*].iban"},
		"otherwise": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Actions.Rules[0].Otherwise = "Allow" },
			"spec.actions.rules[0].otherwise", "Deny"},
		"too many rules": {func(s *v1alpha1.MemoryTrustPolicySpec) {
			s.Actions.Rules = make([]v1alpha1.ActionRule, 65)
		}, "spec.actions.rules", "at most 64"},
		"unknown class": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].Class = "Gossip" },
			"spec.zones.classes", "Gossip"},
		"repeated class": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[1].Class = "WebContent" },
			"spec.zones.classes[WebContent]", "twice"},
		"class expires too soon": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].ExpirySeconds = 59 },
			"spec.zones.classes[WebContent].expirySeconds", "60"},
		"class expires too late": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].ExpirySeconds = 315360001 },
			"spec.zones.classes[WebContent].expirySeconds", "315360000"},
		"class stale too soon": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].StaleAfterSeconds = -1 },
			"spec.zones.classes[WebContent].staleAfterSeconds", "60"},
		"class stale when gone": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].StaleAfterSeconds = 7200 },
			"spec.zones.classes[WebContent].staleAfterSeconds", "expirySeconds"},
		"decay too fast": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].DecayPerDayPerMille = 499 },
			"spec.zones.classes[WebContent].decayPerDayPerMille", "500"},
		"decay out of range": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[1].DecayPerDayPerMille = 1001 },
			"spec.zones.classes[AgentInferred].decayPerDayPerMille", "1000"},
		"decay slower than built in": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].DecayPerDayPerMille = 991 },
			"spec.zones.classes[WebContent].decayPerDayPerMille", "990"},
		"class pending limit": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Zones.Classes[0].MaxPending = 10001 },
			"spec.zones.classes[WebContent].maxPending", "10000"},
		"upper-case prefix": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "Operator" },
			"spec.trust.formats", "lower-case"},
		"prefix nobody could have": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "voice:public" },
			"spec.trust.formats[voice:public]", "always untrusted"},
		"prefix of a low class": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Class = "WebContent" },
			"spec.trust.formats[operator]", "UserInput"},
		"repeated prefix": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Formats[0].Prefix = "cli" },
			"spec.trust.formats[cli]", "twice"},
		"channel name": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].Name = "a_b" },
			"spec.trust.channels", "lower-case"},
		"channel of the agent's class": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].Class = "AgentInferred" },
			"spec.trust.channels[tools]", "ToolOutput"},
		"channel without principal": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].Principal = "" },
			"spec.trust.channels[tools]", "principal"},
		"repeated channel": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].Name = "console" },
			"spec.trust.channels[console]", "twice"},
		"operator's Secret as token": {func(s *v1alpha1.MemoryTrustPolicySpec) { s.Trust.Channels[0].TokenSecretRef.Name = "mt-x" },
			"spec.trust.channels[0].tokenSecretRef.name", "your own"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := manifest(t, "signed.yaml")
			tt.change(&p.Spec)
			_, err := Compile(p, "agents", "helper", testAgentID)
			var field *FieldError
			if !errors.As(err, &field) {
				t.Fatalf("error %v, want a *FieldError", err)
			}
			if field.Field != tt.field || !strings.Contains(field.Problem, tt.says) {
				t.Errorf("error %q, want field %s and a text with %q", err, tt.field, tt.says)
			}
		})
	}
}

func TestRevision(t *testing.T) {
	base := compiled(t, "signed.yaml")
	p := manifest(t, "signed.yaml")
	p.Spec.Trust.Channels[0], p.Spec.Trust.Channels[1] = p.Spec.Trust.Channels[1], p.Spec.Trust.Channels[0]
	p.Spec.Trust.Formats[0], p.Spec.Trust.Formats[1] = p.Spec.Trust.Formats[1], p.Spec.Trust.Formats[0]
	p.Spec.Zones.Classes[0], p.Spec.Zones.Classes[1] = p.Spec.Zones.Classes[1], p.Spec.Zones.Classes[0]
	p.Labels = map[string]string{"team": "x"}
	reordered, err := Compile(p, "agents", "helper", testAgentID)
	if err != nil {
		t.Fatal(err)
	}
	if reordered.Revision != base.Revision {
		t.Error("order of list items or metadata changed the revision")
	}
	changed := map[string]func(*v1alpha1.MemoryTrustPolicy){
		"enforcement": func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Enforcement = v1alpha1.EnforcementEnforce },
		"mode":        func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Trust.Mode = v1alpha1.TrustModePrefix },
		"principal":   func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Trust.Channels[0].Principal = "mallory" },
		"limit":       func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Limits.MaxRecallResults = 6 },
		"class":       func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Zones.Classes[0].StaleAfterSeconds = 60 },
		"scan":        func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Contradictions.ScanIntervalSeconds = 60 },
		"name":        func(p *v1alpha1.MemoryTrustPolicy) { p.Name = "other" },
		"rule":        func(p *v1alpha1.MemoryTrustPolicy) { p.Spec.Actions.Rules[1].Otherwise = "" },
		"order of rules": func(p *v1alpha1.MemoryTrustPolicy) {
			rules := p.Spec.Actions.Rules
			rules[0], rules[1] = rules[1], rules[0]
		},
	}
	for name, change := range changed {
		p := manifest(t, "signed.yaml")
		change(p)
		r, err := Compile(p, "agents", "helper", testAgentID)
		if err != nil {
			t.Fatal(err)
		}
		if r.Revision == base.Revision || len(r.Revision) != revisionLength {
			t.Errorf("%s: revision %s, want another of %d characters", name, r.Revision, revisionLength)
		}
	}
}

// The bounds repeated in Go must be those the API server applies.
func TestBoundsMatchTheAPI(t *testing.T) {
	src, err := os.ReadFile("../../api/v1alpha1/memorytrustpolicy_types.go")
	if err != nil {
		t.Fatal(err)
	}
	for field, markers := range map[string][]string{
		"PendingExpirySeconds int64": bounds(minPendingExpirySeconds, maxPendingExpirySeconds, defaultPendingExpirySeconds),
		"Corroboration int32":        bounds(minCorroboration, maxCorroboration, defaultCorroboration),
		"ScanIntervalSeconds int64":  bounds(minScanIntervalSeconds, maxScanIntervalSeconds, defaultScanIntervalSeconds),
		"MaxContentBytes int32":      bounds(minContentBytes, maxContentBytes, defaultMaxContentBytes),
		"MaxRecallResults int32":     bounds(1, maxRecallResults, defaultMaxRecallResults),
		"WritesPerMinute int32":      bounds(1, maxWritesPerMinute, defaultWritesPerMinute),
		"\tExpirySeconds int64":      bounds(minClassSeconds, maxClassSeconds, 0),
		"StaleAfterSeconds int64":    bounds(minClassSeconds, maxClassSeconds, 0),
		"DecayPerDayPerMille int32":  bounds(minDecayPerDayPerMille, maxDecayPerDayPerMille, 0),
		"Classes []ClassRules":       {fmt.Sprintf("MaxItems=%d", len(provenance.Classes))},
		"Formats []TrustedFormat":    {"MaxItems=64"},
		"Channels []Channel":         {"MaxItems=16"},
		"Enforcement Enforcement":    {"default=Enforce"},
		"Review ReviewMode":          {"default=Mark"},
		"Mode TrustMode":             {"default=Prefix"},
	} {
		checkMarkers(t, string(src), field, markers)
	}
	actions, err := os.ReadFile("../../api/v1alpha1/actions_types.go")
	if err != nil {
		t.Fatal(err)
	}
	for field, markers := range map[string][]string{
		"TurnLifetimeSeconds int64":     bounds(minTurnLifetimeSeconds, maxTurnLifetimeSeconds, defaultTurnLifetimeSeconds),
		"ApprovalLifetimeSeconds int64": bounds(minApprovalLifetimeSeconds, maxApprovalLifetimeSeconds, defaultApprovalLifetimeSeconds),
		"Rules []ActionRule":            {fmt.Sprintf("MaxItems=%d", action.MaxRules), "listType=atomic"},
		"Tools []string":                {fmt.Sprintf("MaxItems=%d", action.MaxTools), fmt.Sprintf("MaxLength=%d", action.MaxPatternBytes)},
		"When string":                   {fmt.Sprintf("MaxLength=%d", action.MaxWhenRunes)},
		"Sensitive []string":            {fmt.Sprintf("MaxItems=%d", action.MaxSensitive), fmt.Sprintf("MaxLength=%d", action.MaxPathRunes)},
	} {
		checkMarkers(t, string(actions), field, markers)
	}
	// The limit of waiting memories is there twice, for all classes and for one.
	class, limits, _ := strings.Cut(string(src), "type ContradictionsSpec struct")
	checkMarkers(t, class, "MaxPending int32", bounds(1, maxMaxPending, 0))
	checkMarkers(t, limits, "MaxPending int32", bounds(1, maxMaxPending, defaultMaxPending))
	// A rule of the API has the decay of each class built in.
	for _, class := range provenance.Classes {
		if n := builtInDecay(class); n != maxDecayPerDayPerMille && !strings.Contains(string(src), fmt.Sprintf("? %d :", n)) {
			t.Errorf("the rule about decayPerDayPerMille does not know %d, of %s", n, class)
		}
	}
}

// bounds are the markers of a range, and of a default unless it is 0.
func bounds(lowest, highest, otherwise int64) []string {
	out := []string{fmt.Sprintf("Minimum=%d", lowest), fmt.Sprintf("Maximum=%d", highest)}
	if otherwise != 0 {
		out = append(out, fmt.Sprintf("default=%d", otherwise))
	}
	return out
}

// checkMarkers looks at the comment before the first field of that name.
func checkMarkers(t *testing.T, src, field string, markers []string) {
	t.Helper()
	before, _, found := strings.Cut(src, field)
	if !found {
		t.Errorf("the API has no field %q", field)
		return
	}
	block := before[strings.LastIndex(before, "\n\n"):]
	for _, m := range markers {
		if !strings.Contains(block, m+"\n") {
			t.Errorf("field %q has no marker %s", field, m)
		}
	}
}

func TestClassRules(t *testing.T) {
	r := compiled(t, "signed.yaml")
	if got := r.ClassRules(provenance.WebContent); got.ExpirySeconds != 7200 {
		t.Errorf("rules of WebContent: %+v", got)
	}
	if got, want := r.ClassRules(provenance.Manual), (ClassRules{Class: provenance.Manual}); got != want {
		t.Errorf("rules of a class that is not listed: %+v", got)
	}
	for class, want := range map[provenance.Class]int{provenance.WebContent: 50, provenance.AgentInferred: 100, provenance.Unknown: 100} {
		if got := r.PendingLimit(class); got != want {
			t.Errorf("%s may have %d waiting, want %d", class, got, want)
		}
	}
	if got := r.ScanInterval(); got != 10*time.Minute {
		t.Errorf("scans every %v", got)
	}
}
