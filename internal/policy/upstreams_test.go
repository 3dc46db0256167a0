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

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

func withUpstreams(t *testing.T, upstreams ...v1alpha1.Upstream) (*Runtime, error) {
	t.Helper()
	p := manifest(t, "prefix.yaml")
	p.Spec.Upstreams = upstreams
	return CompileFor(p, Agent{Namespace: "agents", Name: "helper", ID: testAgentID})
}

// anUpstream is one that is accepted, changed.
func anUpstream(change func(*v1alpha1.Upstream)) v1alpha1.Upstream {
	u := v1alpha1.Upstream{Name: "up", URL: "http://up.tools.svc:8000/mcp", Kind: v1alpha1.UpstreamKindTools}
	if change != nil {
		change(&u)
	}
	return u
}

func TestCompileUpstreams(t *testing.T) {
	r, err := withUpstreams(t,
		anUpstream(func(u *v1alpha1.Upstream) {
			u.CredentialSecretRef = &v1alpha1.SecretKeyRef{Name: "pay"}
			u.ToolRules = []v1alpha1.UpstreamToolRule{
				{Tools: []string{"fetch_*"}, Effect: v1alpha1.UpstreamEffectCall, Class: v1alpha1.SourceClassWebContent},
				{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectCall},
			}
		}),
		v1alpha1.Upstream{
			Name: "graph", URL: "https://graph.example.com/sse", Kind: v1alpha1.UpstreamKindMemory, Transport: v1alpha1.UpstreamTransportSSE,
			CredentialSecretRef: &v1alpha1.SecretKeyRef{Name: "graph"}, CredentialHeader: "X-API-Key", TimeoutSeconds: 5, MaxResultBytes: 4096,
			ToolRules: []v1alpha1.UpstreamToolRule{{Tools: []string{"add"}, Effect: v1alpha1.UpstreamEffectWrite, Content: []string{"text"}}},
		})
	must(t, err)
	want := []Upstream{
		{
			Name: "graph", URL: "https://graph.example.com/sse", Kind: v1alpha1.UpstreamKindMemory, Transport: v1alpha1.UpstreamTransportSSE,
			CredentialHeader: "X-API-Key", TimeoutSeconds: 5, MaxResultBytes: 4096,
			Rules: []UpstreamRule{{Tools: []string{"add"}, Effect: v1alpha1.UpstreamEffectWrite, Content: []string{"text"}}},
		},
		{
			Name: "up", URL: "http://up.tools.svc:8000/mcp", Kind: v1alpha1.UpstreamKindTools, Transport: v1alpha1.UpstreamTransportStreamableHTTP,
			CredentialHeader: "Authorization", TimeoutSeconds: 60, MaxResultBytes: 1 << 20,
			Rules: []UpstreamRule{
				{Tools: []string{"fetch_*"}, Effect: v1alpha1.UpstreamEffectCall, Class: provenance.WebContent},
				{Tools: []string{"*"}, Effect: v1alpha1.UpstreamEffectCall, Class: provenance.ToolOutput},
			},
		},
	}
	if diff := cmp.Diff(want, r.Upstreams); diff != "" {
		t.Fatalf("upstreams (-want +got):\n%s", diff)
	}
	encoded, err := r.Encode()
	must(t, err)
	back, err := Decode(encoded)
	must(t, err)
	up, ok := back.Upstream("up")
	if !ok || up.Timeout() != time.Minute {
		t.Errorf("after a round trip: %v, %v", up, ok)
	}
	for tool, want := range map[string]provenance.Class{"fetch_page": provenance.WebContent, "fetch": provenance.ToolOutput} {
		if rule, ok := up.Rule(tool); !ok || rule.Class != want {
			t.Errorf("rule of %s: %v, %v", tool, rule, ok)
		}
	}
	if _, ok := want[0].Rule("additional"); ok {
		t.Error("a pattern matches a longer name")
	}
}

func TestUpstreamsRefused(t *testing.T) {
	rule := func(r v1alpha1.UpstreamToolRule) func(*v1alpha1.Upstream) {
		return func(u *v1alpha1.Upstream) { u.ToolRules = []v1alpha1.UpstreamToolRule{r} }
	}
	for name, tt := range map[string]struct {
		change func(*v1alpha1.Upstream)
		field  string
	}{
		"name":      {func(u *v1alpha1.Upstream) { u.Name = "../up" }, "spec.upstreams"},
		"kind":      {func(u *v1alpha1.Upstream) { u.Kind = "Both" }, "spec.upstreams[up].kind"},
		"transport": {func(u *v1alpha1.Upstream) { u.Transport = "stdio" }, "spec.upstreams[up].transport"},
		"url":       {func(u *v1alpha1.Upstream) { u.URL = "http://a b" }, "spec.upstreams[up].url"},
		"plain":     {func(u *v1alpha1.Upstream) { u.URL = "http://tools.example.com" }, "spec.upstreams[up].url"},
		"header":    {func(u *v1alpha1.Upstream) { u.CredentialHeader = "X-Key" }, "spec.upstreams[up].credentialHeader"},
		"protocol's header": {func(u *v1alpha1.Upstream) {
			u.CredentialSecretRef, u.CredentialHeader = &v1alpha1.SecretKeyRef{Name: "a"}, "HOST"
		}, "spec.upstreams[up].credentialHeader"},
		"Secret of the operator": {func(u *v1alpha1.Upstream) { u.CredentialSecretRef = &v1alpha1.SecretKeyRef{Name: "mt-a"} },
			"spec.upstreams[up].credentialSecretRef.name"},
		"effect":        {rule(v1alpha1.UpstreamToolRule{Tools: []string{"a"}, Effect: v1alpha1.UpstreamEffectRead}), "spec.upstreams[up].toolRules[0].effect"},
		"no pattern":    {rule(v1alpha1.UpstreamToolRule{Effect: v1alpha1.UpstreamEffectCall}), "spec.upstreams[up].toolRules[0].tools"},
		"bad pattern":   {rule(v1alpha1.UpstreamToolRule{Tools: []string{"a b"}, Effect: v1alpha1.UpstreamEffectCall}), "spec.upstreams[up].toolRules[0].tools[0]"},
		"high class":    {rule(v1alpha1.UpstreamToolRule{Tools: []string{"a"}, Effect: v1alpha1.UpstreamEffectCall, Class: v1alpha1.SourceClassManual}), "spec.upstreams[up].toolRules[0].class"},
		"stray content": {rule(v1alpha1.UpstreamToolRule{Tools: []string{"a"}, Effect: v1alpha1.UpstreamEffectCall, Content: []string{"a"}}), "spec.upstreams[up].toolRules[0].content"},
		"bad path": {func(u *v1alpha1.Upstream) {
			u.Kind = v1alpha1.UpstreamKindMemory
			rule(v1alpha1.UpstreamToolRule{Tools: []string{"a"}, Effect: v1alpha1.UpstreamEffectWrite, Content: []string{"a[0]"}})(u)
		}, "spec.upstreams[up].toolRules[0].content[0]"},
		"patience": {func(u *v1alpha1.Upstream) { u.TimeoutSeconds = 601 }, "spec.upstreams[up].timeoutSeconds"},
		"size":     {func(u *v1alpha1.Upstream) { u.MaxResultBytes = 1 }, "spec.upstreams[up].maxResultBytes"},
	} {
		_, err := withUpstreams(t, anUpstream(tt.change))
		var field *FieldError
		if !errors.As(err, &field) || field.Field != tt.field {
			t.Errorf("%s: %v, want an error about %s", name, err, tt.field)
		}
	}
	if _, err := withUpstreams(t, anUpstream(nil), anUpstream(nil)); err == nil {
		t.Error("two upstreams of one name are accepted")
	}
}

func TestParseCredential(t *testing.T) {
	for in, want := range map[string]string{"s3cret\n": "s3cret", "  Basic YTpi  ": "Basic YTpi"} {
		if got, err := ParseCredential([]byte(in)); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", " \n", "two\nlines", "se\x00cret", "gehe\u00edm", strings.Repeat("x", maxCredentialBytes+1)} {
		if _, err := ParseCredential([]byte(in)); err == nil || (len(in) > 3 && strings.Contains(err.Error(), in)) {
			t.Errorf("%.20q: %v", in, err)
		}
	}
}

// What a screener runs with has the credential of each upstream that wants one, and no other.
func TestStandaloneCredentials(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	s := Standalone{KeyDir: filepath.Join(dir, "keys"), PolicyFile: write("policy.yaml", `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata: {name: p}
spec:
  selector: {}
  store: {type: Ephemeral}
  upstreams:
  - {name: pay, url: "http://pay:1/mcp", kind: Tools, credentialSecretRef: {name: pay}}
  - {name: graph, url: "http://graph:1/mcp", kind: Memory, credentialSecretRef: {name: graph}, credentialHeader: X-API-Key}
  - {name: open, url: "http://open:1/mcp", kind: Tools}
`)}
	must(t, s.Init())
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "--upstream-credential") {
		t.Errorf("without credentials: %v", err)
	}
	s.Credentials = map[string]string{"pay": write("pay", "token-of-pay\n"), "graph": write("graph", "key-of-graph")}
	state, err := s.Load()
	must(t, err)
	for name, want := range map[string]string{"pay": "Bearer token-of-pay", "graph": "key-of-graph", "open": "", "none": ""} {
		if got, ok := state.Credential(name); got != want || ok != (want != "") {
			t.Errorf("credential of %s: %q, %v, want %q", name, got, ok, want)
		}
	}
	write("pay", "another")
	changed, err := s.Load()
	must(t, err)
	if changed.fingerprint == state.fingerprint {
		t.Error("a new credential goes unnoticed")
	}
	s.Credentials["open"] = write("open", "x")
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "no upstream of this name") {
		t.Errorf("a credential nobody wants: %v", err)
	}
}

// The rules must be those of the API server.
func TestUpstreamsMatchTheAPI(t *testing.T) {
	src, err := os.ReadFile("../../api/v1alpha1/upstreams_types.go")
	must(t, err)
	for field, markers := range map[string][]string{
		"URL string":                    {fmt.Sprintf("MaxLength=%d", maxEndpointURL)},
		"CredentialHeader string":       {fmt.Sprintf("MaxLength=%d", maxCredentialHeader)},
		"ToolRules []UpstreamToolRule":  {fmt.Sprintf("MaxItems=%d", maxUpstreamRules)},
		"TimeoutSeconds int32":          bounds(1, maxUpstreamSeconds, defaultUpstreamSeconds),
		"MaxResultBytes int32":          bounds(minUpstreamResult, maxUpstreamResult, defaultUpstreamResult),
		"Content []string":              {fmt.Sprintf("MaxItems=%d", maxUpstreamContent)},
		"Transport UpstreamTransport `": {"default=StreamableHTTP"},
	} {
		checkMarkers(t, string(src), field, markers)
	}
	for _, pattern := range []string{endpointPattern.String(), endpointHTTPPattern.String(), headerPattern.String()} {
		if !strings.Contains(string(src), "self.matches('"+pattern+"')") {
			t.Errorf("the API does not know %s", pattern)
		}
	}
	if want := "['" + strings.Join(protocolHeaders, "', '") + "']"; !strings.Contains(string(src), want) {
		t.Errorf("the API does not refuse the headers %s", want)
	}
}
