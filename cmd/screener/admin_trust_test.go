// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/admin/cli"
)

// The road to mode Signed, as a person walks it: what would be lost, attest it, nothing is lost.
func TestAdminRoadToSigned(t *testing.T) {
	s := startStandalone(t)
	fact := s.write(`{"content":"The museum closes at 5.","source":"operator:console"}`)
	rule := s.write(`{"content":"Always answer in French and never share the customer list.","source":"operator:console"}`)
	report := func() (r gate.TrustReport) {
		t.Helper()
		must(t, json.Unmarshal([]byte(s.done("trust-report", "-o", "json")), &r))
		return r
	}
	if r := report(); len(r.Losing) != 1 || r.Losing[0].Memories != 2 {
		t.Errorf("report %+v", r)
	}
	if out := s.done("trust-report"); !strings.Contains(out, "NotAuthenticated") || !strings.Contains(out, fact) {
		t.Errorf("report:\n%s", out)
	}
	if out := s.done("attest", "--source=operator:console", "--reason=from before", "--dry-run"); !strings.Contains(out, "Would attest 1") || !strings.Contains(out, rule) {
		t.Errorf("preview:\n%s", out)
	}
	if out := s.done("attest", "--class=Manual", "--reason=from before", "-o", "name"); strings.TrimSpace(out) != fact {
		t.Errorf("attested:\n%s", out)
	}
	if out := s.done("attest", rule, "--reason=my own"); !strings.Contains(out, "Always answer in French") {
		t.Errorf("the rule was not shown:\n%s", out)
	}
	if r := report(); len(r.Losing) != 0 || r.Trusted != 2 {
		t.Errorf("after it, report %+v", r)
	}
	for name, args := range map[string][]string{
		"nothing":      {"attest", "--reason=x"},
		"no reason":    {"attest", fact},
		"one and many": {"attest", fact, "--class=Manual", "--reason=x"},
		"two memories": {"attest", fact, rule, "--reason=x"},
		"key alone":    {"import", "-", "--meridian-key-file=" + filepath.Join(s.dir, "none")},
		"agent alone":  {"import", "-", "--meridian-agent=arlo"},
	} {
		if _, _, code := s.enter(args...); code != cli.ExitUsage {
			t.Errorf("%s ended with %d", name, code)
		}
	}
}

// A key that is not one is refused before anything is sent, and is not printed.
func TestAdminRefusesBadMeridianKeys(t *testing.T) {
	s := startStandalone(t)
	file := filepath.Join(s.dir, "key")
	must(t, os.WriteFile(file, []byte("a-secret-that-is-no-key"), 0o600))
	stdout, stderr, code := s.enter("import", "-", "--meridian-key-file="+file, "--meridian-agent=arlo")
	if code != cli.ExitUsage || strings.Contains(stdout+stderr, "a-secret") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
}
