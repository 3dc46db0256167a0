// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// PolicyRef names the policy of a run.
type PolicyRef struct {
	Name string `json:"name"`
	// Revision is a hash of everything the policy says and of whom it is for.
	Revision string `json:"revision"`
}

// Policy is a policy that a benchmark runs under: what a screener would run on.
type Policy struct {
	Runtime *policy.Runtime
	// Limits are those of spec.benchmark.limits of a manifest, and DefaultLimits where it says nothing.
	Limits Limits
}

// benchNamespace and benchAgent are whom a manifest is compiled for. Nobody else has them: an agent's name is a label value.
const (
	benchNamespace = "mempoisonbench"
	benchAgent     = "benchmark"
)

// benchAgentID is fixed, so that a manifest has the same revision in each run. Records are bound to it, and their key is thrown
// away.
var benchAgentID = uuid.NewSHA1(uuid.NameSpaceDNS, []byte("mempoisonbench.memorytrust.dev")).String()

// DefaultPolicy returns the policy of a run that names none: all defaults.
func DefaultPolicy() (*Policy, error) {
	p := &v1alpha1.MemoryTrustPolicy{}
	p.Name = "default"
	p.Spec.Store.Type = v1alpha1.StoreTypeEphemeral
	r, err := policy.Compile(p, benchNamespace, benchAgent, benchAgentID)
	return &Policy{Runtime: r, Limits: DefaultLimits}, err
}

// ReadPolicy reads a policy file: a MemoryTrustPolicy, YAML or JSON, as kubectl applies it, or the runtime policy of an agent,
// as the operator compiles it, which keeps its revision. Lexicons are files or directories by the name of the ConfigMap they
// stand for.
func ReadPolicy(file string, lexicons map[string]string) (*Policy, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := &Policy{Limits: DefaultLimits}
	if isRuntime(data) {
		p.Runtime, err = policy.Decode(data)
	} else {
		err = p.compile(data, lexicons)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// isRuntime tells a runtime policy from a manifest, which says its kind.
func isRuntime(data []byte) bool {
	var head struct {
		SchemaVersion any    `json:"schemaVersion"`
		Kind          string `json:"kind"`
	}
	return json.Unmarshal(data, &head) == nil && head.SchemaVersion != nil && head.Kind == ""
}

// compile compiles a manifest.
func (p *Policy) compile(data []byte, lexicons map[string]string) error {
	m, err := policy.ParseManifest(data)
	if err != nil {
		return err
	}
	p.Limits = limitsOf(m.Spec.Benchmark.Limits)
	if len(m.Spec.Screening.LexiconRefs) == 0 && len(lexicons) == 0 {
		p.Runtime, err = policy.Compile(m, benchNamespace, benchAgent, benchAgentID)
		return err
	}
	return p.load(m, lexicons)
}

// load loads a manifest that adds lexicons the way a screener without a cluster does it, with keys that are thrown away. Channels are
// replaced anyway, and would want tokens here.
func (p *Policy) load(m *v1alpha1.MemoryTrustPolicy, lexicons map[string]string) (err error) {
	dir, err := os.MkdirTemp("", "mempoisonbench-keys-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for i := range m.Spec.Trust.Channels {
		c := &m.Spec.Trust.Channels[i]
		c.ServiceAccountRef, c.TokenSecretRef = nil, &v1alpha1.SecretKeyRef{Name: c.Name}
	}
	manifest, err := yaml.Marshal(m)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "policy.yaml")
	if err := os.WriteFile(file, manifest, 0o600); err != nil { // #nosec G703 -- below a directory that was just made
		return err
	}
	alone := policy.Standalone{PolicyFile: file, KeyDir: filepath.Join(dir, "keys"), Lexicons: lexicons}
	if err := alone.Init(); err != nil {
		return err
	}
	state, err := alone.Load()
	if err != nil {
		return err
	}
	p.Runtime = state.Runtime
	return nil
}

// limitsOf returns what a manifest asks for, and the defaults of this program for the rest.
func limitsOf(l v1alpha1.BenchmarkLimits) Limits {
	out := DefaultLimits
	for _, set := range []struct {
		from *int32
		to   *int
	}{
		{l.AttackSuccessPerMille, &out.AttackSuccess}, {l.FalsePositivesPerMille, &out.FalsePositives}, {l.PairsPerMille, &out.Pairs},
	} {
		if set.from != nil {
			*set.to = int(*set.from)
		}
	}
	return out
}

// Ref names the policy.
func (p *Policy) Ref() *PolicyRef {
	return &PolicyRef{Name: p.Runtime.PolicyName, Revision: p.Runtime.Revision}
}

// Trust returns which sources the policy trusts in a mode.
func (p *Policy) Trust(mode v1alpha1.TrustMode) Trust {
	t := Trust{Mode: mode}
	for _, f := range p.Runtime.Formats {
		t.Formats = append(t.Formats, provenance.TrustedFormat{Prefix: f.Prefix, Class: f.Class})
	}
	return t
}

// Screener returns the engine as the policy sets it up.
func (p *Policy) Screener() (Screener, error) {
	state, err := policy.NewState(p.Runtime, nil, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	return state.Screener, nil
}
