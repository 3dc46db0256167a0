// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

var signedAt = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestStandingRoundTrip(t *testing.T) {
	for name, tc := range map[string]struct {
		record memory.Record
		base   string
	}{
		"the agent's": {
			memory.Record{Class: provenance.AgentInferred, Zone: memory.Working, State: memory.Active, Source: "agent"},
			"mt1;AgentInferred;Working;Active;1793534400;;;;agent",
		},
		"a channel's": {
			memory.Record{Class: provenance.Manual, Zone: memory.Trusted, State: memory.Active, Source: "channel:console",
				Writer: memory.Writer{Channel: "console"}},
			"mt1;Manual;Trusted;Active;1793534400;;console;;channel:console",
		},
		"waiting": {
			memory.Record{Class: provenance.WebContent, Zone: memory.Working, State: memory.PendingReview, Source: "web:a;b;c",
				Expiry: signedAt.Add(time.Hour)},
			"mt1;WebContent;Working;PendingReview;1793534400;1793538000;;;web:a;b;c",
		},
		"approved": {
			memory.Record{Class: provenance.Unknown, Zone: memory.Trusted, State: memory.Approved, Source: "x",
				ApprovedBy: approverName("system:serviceaccount:people:alice")},
			"mt1;Unknown;Trusted;Approved;1793534400;;;system:serviceaccount:people:alice;x",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.record.CreatedAt, tc.record.UpdatedAt, tc.record.Branch = signedAt, signedAt, memory.MainBranch
			if got := standingBase(tc.record); got != tc.base {
				t.Errorf("%s\nwant %s", got, tc.base)
			}
			got, err := parseStanding(tc.base)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.record, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The longest of everything fits, and a source that has to be shortened is still told from any other.
func TestStandingFits(t *testing.T) {
	long := strings.Repeat("ä", provenance.MaxSourceBytes/2)
	r := memory.Record{
		Class: provenance.AgentInferred, Zone: memory.Quarantine, State: memory.Approved, Source: long,
		Writer: memory.Writer{Channel: strings.Repeat("c", 63)}, ApprovedBy: approverName(strings.Repeat("a", maxApprover)),
		CreatedAt: signedAt, Expiry: signedAt,
	}
	base := standingBase(r)
	if len(base) > provenance.MaxSourceBytes || !utf8.ValidString(base) {
		t.Errorf("%d bytes: %q", len(base), base)
	}
	got, err := parseStanding(base)
	if err != nil || standingBase(got) != base {
		t.Errorf("%q does not parse back: %v", base, err)
	}
	r.Source = long[:len(long)-1] + "b"
	if standingBase(r) == base {
		t.Error("two sources look alike")
	}
}

func TestApproverName(t *testing.T) {
	for name, plain := range map[string]bool{
		"alice": true, "alice@example.org": true, "system:serviceaccount:a:b": true, "oidc:42/alice": true,
		"": false, "a;b": false, "a#mac=b": false, "Älice": false, "sha256:0123": false, strings.Repeat("a", maxApprover+1): false,
	} {
		got := approverName(name)
		if (got == name) != plain || strings.ContainsAny(got, ";#\n") || len(got) > maxApprover || got == "" {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func FuzzParseStanding(f *testing.F) {
	for _, seed := range []string{
		"mt1;AgentInferred;Working;Active;1793534400;;;;agent", "mt1;Manual;Trusted;Active;01;;;;", "mt1;Manual;Trusted;Active;+1;;;;x",
		"mt1;UserInput;Trusted;Approved;1;2;console;alice;a;b", "operator:console", "mt1;;;;;;;;", "mt1;Unknown;Trusted;Active;1;;;alice;x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, base string) {
		r, err := parseStanding(base)
		if err != nil {
			return
		}
		if standingBase(r) != base || !r.Class.Valid() || len(base) > provenance.MaxSourceBytes {
			t.Errorf("%q became %+v", base, r)
		}
	})
}
