// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package readers

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

func TestEntriesNameAgents(t *testing.T) {
	agent := types.NamespacedName{Namespace: "travel", Name: "concierge"}
	if got, ok := AgentOf(Entry(agent)); !ok || got != agent {
		t.Errorf("%v, %t", got, ok)
	}
	for _, bad := range []string{"", ".", "travel", "travel.", ".concierge", "a.b.c", "..data"} {
		if _, ok := AgentOf(bad); ok {
			t.Errorf("%q names an agent", bad)
		}
	}
}

// What cannot be read is refused without a word of it: it may hold a password.
func TestDecode(t *testing.T) {
	raw, err := Credential{AgentID: "a", URI: "postgres://r:secret@h/d"}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Decode(raw); err != nil || c.AgentID != "a" || c.URI != "postgres://r:secret@h/d" {
		t.Errorf("%+v, %v", c, err)
	}
	for name, raw := range map[string]string{
		"nothing": "", "no JSON": "postgres://r:secret@h/d", "no URI": `{"agentID":"secret"}`, "no agent": `{"uri":"secret"}`,
		"too long": `{"agentID":"a","uri":"secret` + strings.Repeat("x", maxCredentialBytes) + `"}`,
	} {
		if _, err := Decode([]byte(raw)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"agentID":"a","uri":"b"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if c, err := Decode(raw); err == nil && (c.AgentID == "" || c.URI == "") {
			t.Errorf("%q", raw)
		}
	})
}
