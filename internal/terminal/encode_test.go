// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// tricky strings would act on a terminal, hide, or look like something else in YAML.
var tricky = []string{
	"plain", "", "two\nlines\n", "\ttab", "\x1b[31mred\x1b[0m", "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x07", "\u202egnp.exe", "a\u200bb\ufeff",
	"\u009b31m", "over\rwritten", "\u2028\u2029\u0085", "\U000e0041", "日本語 é ✓ ❤\ufe0f", `back\slash "quoted"`, "- a\n- b", "null", "true", "0x10", "key: value", "\u00a0",
	"\x7f", " \u202e: {}", "---\nkind: Secret", "%YAML", "!!str x\u2066",
}

func quiet(t *testing.T, text []byte) {
	t.Helper()
	for _, r := range string(text) {
		if !Visible(r) && r != '\n' && r != '\t' {
			t.Fatalf("%U is left in %q", r, text)
		}
	}
}

func TestEncodings(t *testing.T) {
	value := map[string]any{"list": tricky, "number": json.Number("12345678901234567890"), "empty": map[string]any{}}
	for _, s := range tricky {
		value["key "+s] = s
	}
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	asJSON := JSON(raw)
	quiet(t, asJSON)
	var got any
	if err := json.Unmarshal(asJSON, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("JSON means something else: %v %s", err, asJSON)
	}
	asYAML, err := YAML(raw)
	if err != nil {
		t.Fatal(err)
	}
	quiet(t, asYAML)
	got = nil
	if err := yaml.Unmarshal(asYAML, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("YAML means something else: %v\n%s", err, asYAML)
	}
	if _, err := YAML([]byte("{")); err == nil {
		t.Error("broken JSON is taken")
	}
}

func FuzzEncodings(f *testing.F) {
	for _, s := range tricky {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "?")
		}
		const keyBytes = 64 // of a memory's metadata
		key := strings.ToValidUTF8(s[:min(len(s), keyBytes)], "")
		raw, err := json.Marshal(map[string]string{"text": s, "x" + key: "key"})
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]string
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		asJSON := JSON(raw)
		quiet(t, asJSON)
		if err := json.Unmarshal(asJSON, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("JSON %s: %v", asJSON, err)
		}
		asYAML, err := YAML(raw)
		if err != nil {
			t.Fatal(err)
		}
		quiet(t, asYAML)
		got = nil
		if err := yaml.Unmarshal(asYAML, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("YAML %q of %q: %v", asYAML, s, err)
		}
	})
}
