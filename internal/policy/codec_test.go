// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
)

func TestEncodeDecode(t *testing.T) {
	for _, name := range []string{"prefix.yaml", "signed.yaml"} {
		want := compiled(t, name)
		data, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(withoutNil(want), withoutNil(got)); diff != "" {
			t.Errorf("%s changed on the way (-want +got):\n%s", name, diff)
		}
	}
}

func withoutNil(r *Runtime) *Runtime {
	c := *r
	c.Channels = append([]Channel{}, r.Channels...)
	return &c
}

func TestDecodeRefuses(t *testing.T) {
	data, err := compiled(t, "signed.yaml").Encode()
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	tests := map[string]struct{ data, says string }{
		"empty":              {"", "EOF"},
		"no object":          {"[]", "array"},
		"unknown field":      {strings.Replace(good, "{", `{"extra": 1,`, 1), "extra"},
		"unknown version":    {strings.Replace(good, "runtime/v1", "runtime/v9", 1), "runtime/v9"},
		"revision mismatch":  {strings.Replace(good, `"maxRecallResults": 5`, `"maxRecallResults": 6`, 1), "does not match"},
		"value out of range": {strings.Replace(good, `"maxRecallResults": 5`, `"maxRecallResults": 0`, 1), "maxRecallResults"},
		"rule that is none":  {strings.Replace(good, `"authority": "Inform"`, `"authority": "Any"`, 1), "spec.actions.rules[2].authority"},
		"condition that is none": {strings.Replace(good, `args.amount \u003c= 50`, `args.amount \u003c=`, 1),
			"spec.actions.rules[0].when"},
		"something behind": {good + "{}", "after the end"},
		"cut off":          {good[:len(good)/2], "unexpected EOF"},
		"too long":         {good + strings.Repeat(" ", maxRuntimeBytes), "at most"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := Decode([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
		})
	}
}

// The longest rules that can be written, with every character escaped in JSON, can be delivered.
func TestLargestActionsFit(t *testing.T) {
	p := manifest(t, "signed.yaml")
	p.Spec.Actions.Rules = nil
	long := strings.Repeat("x", 128)
	for i := range action.MaxRules {
		p.Spec.Actions.Rules = append(p.Spec.Actions.Rules, v1alpha1.ActionRule{
			Name: fmt.Sprintf("%d", i), Tools: slices.Repeat([]string{long}, action.MaxTools), Authority: v1alpha1.ActionAuthorityAct,
			When: "tool == '" + strings.Repeat("<", action.MaxWhenRunes-10) + "'", Sensitive: slices.Repeat([]string{long}, action.MaxSensitive),
		})
	}
	r, err := Compile(p, "agents", "helper", testAgentID)
	if err != nil {
		t.Fatal(err)
	}
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data); err != nil {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

func FuzzDecode(f *testing.F) {
	p, err := ParseManifest([]byte("apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\nmetadata: {name: x}\n" +
		"spec: {selector: {}, store: {type: Ephemeral}}"))
	if err != nil {
		f.Fatal(err)
	}
	r, err := Compile(p, "a", "b", testAgentID)
	if err != nil {
		f.Fatal(err)
	}
	data, err := r.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schemaVersion":"memorytrust.dev/runtime/v1","revision":"0123456789abcdef"}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		// What is accepted is valid, and stays the same through another round.
		again, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(again)
		if err != nil || back.Revision != r.Revision {
			t.Fatalf("accepted once and not again: %v", err)
		}
	})
}

func TestParseManifestRefuses(t *testing.T) {
	good, err := os.ReadFile("testdata/signed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ data, says string }{
		"empty":         {"", "no document of kind MemoryTrustPolicy"},
		"other kinds":   {"kind: A\n---\nkind: B\n", "no document of kind"},
		"unknown field": {strings.Replace(string(good), "  review:", "  reviews:", 1), `"reviews"`},
		"repeated key":  {strings.Replace(string(good), "  review: Withhold", "  review: Mark\n  review: Withhold", 1), "review"},
		"wrong type":    {strings.Replace(string(good), "maxRecallResults: 5", "maxRecallResults: many", 1), "maxRecallResults"},
		"other version": {strings.Replace(string(good), "/v1alpha1", "/v2", 1), "memorytrust.dev/v1alpha1"},
		"no YAML":       {"kind: [MemoryTrustPolicy", "document 1"},
		"too long":      {strings.Repeat("#", maxManifestBytes+1), "at most"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := ParseManifest([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want one with %q", err, tt.says)
			}
		})
	}
}

func FuzzParseManifest(f *testing.F) {
	for _, name := range []string{"prefix.yaml", "signed.yaml"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseManifest(data)
		if err != nil {
			return
		}
		if r, err := Compile(p, "agents", "helper", testAgentID); err == nil && r.validate() != nil {
			t.Fatal("compiled to something invalid")
		}
	})
}
