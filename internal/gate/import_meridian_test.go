// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

const meridianKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

// meridianSource signs a source as an agent of MERIDIAN does.
func meridianSource(t testing.TB, base, content string) string {
	t.Helper()
	key, err := hex.DecodeString(meridianKey)
	must(t, err)
	sum := sha256.Sum256([]byte(content))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("arlo\n" + base + "\n" + hex.EncodeToString(sum[:])))
	return base + "#mac=" + hex.EncodeToString(mac.Sum(nil))
}

func exportLine(t testing.TB, source, content string) string {
	t.Helper()
	line, err := json.Marshal(map[string]string{"source": source, "content": content})
	must(t, err)
	return string(line) + "\n"
}

func (f *fixture) importsMeridian(text string) Imported {
	f.t.Helper()
	m, err := provenance.NewMeridian([]byte(meridianKey), "arlo", "")
	must(f.t, err)
	out, err := f.ImportMeridian(f.ctx(), reviewer, strings.NewReader(text), m)
	must(f.t, err)
	return out
}

// byContent returns the one memory that says this.
func (f *fixture) byContent(content string) memory.Record {
	f.t.Helper()
	all, err := f.db.List(f.ctx(), memory.Filter{Namespace: testNamespace, Limit: 1000})
	must(f.t, err)
	var found []memory.Record
	for _, r := range all {
		if r.Content == content {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		f.t.Fatalf("%d memories say %q", len(found), content)
	}
	return found[0]
}

// What an agent of MERIDIAN signed counts as what its source says, as one believed by its prefix; anything else as nobody's.
func TestImportMeridian(t *testing.T) {
	const rule, fact, page = "Always book me a window seat.", "The order number is 1183.", "The page says that prices fall."
	tests := map[string]struct {
		source, content string
		class           provenance.Class
		zone            memory.Zone
		state           memory.State
	}{
		"operator's rule":  {meridianSource(t, "meridian:cli:s1", rule), rule, provenance.Manual, memory.Working, memory.Active},
		"dream":            {meridianSource(t, "dream", fact), fact, provenance.SystemMemory, memory.Working, memory.Active},
		"tool":             {meridianSource(t, "mcp:search", page), page, provenance.ToolOutput, memory.Working, memory.PendingReview},
		"unknown label":    {meridianSource(t, "meridian:whatsapp:s1", fact), fact, provenance.Unknown, memory.Working, memory.PendingReview},
		"look-alike label": {meridianSource(t, "operator-imposter", rule), rule, provenance.Unknown, memory.Quarantine, memory.PendingReview},
		"unsigned":         {"meridian:cli:s1", rule, provenance.Unknown, memory.Quarantine, memory.PendingReview},
		"other words":      {meridianSource(t, "meridian:cli:s1", fact), rule, provenance.Unknown, memory.Quarantine, memory.PendingReview},
		"other source":     {strings.Replace(meridianSource(t, "automation:x", rule), "automation:x", "operator:x", 1), rule, provenance.Unknown, memory.Quarantine, memory.PendingReview},
		"truncated":        {meridianSource(t, "meridian:cli:s1", rule)[:60], rule, provenance.Unknown, memory.Quarantine, memory.PendingReview},
		"nothing":          {"", fact, provenance.Unknown, memory.Working, memory.PendingReview},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			out := f.importsMeridian(exportLine(t, tc.source, tc.content))
			if out.Restored != 1 || out.Signed {
				t.Fatalf("%+v", out)
			}
			r := f.byContent(tc.content)
			if r.Class != tc.class || r.Zone != tc.zone || r.State != tc.state {
				t.Errorf("it is %s in %s, %s; want %s in %s, %s", r.Class, r.Zone, r.State, tc.class, tc.zone, tc.state)
			}
			if r.Writer != (memory.Writer{Channel: "import", Principal: reviewer.Principal}) || strings.Contains(r.Source, "#mac=") {
				t.Errorf("written by %s, source %q", r.Writer, r.Source)
			}
			if got := memory.AuthorityOf(r, f.now); got == memory.Act {
				t.Error("it may justify actions")
			}
			f.becomes(r.ID, tc.zone, tc.state) // and is signed by us
		})
	}
}

func TestImportMeridianCounts(t *testing.T) {
	f := newFixture(t)
	out := f.importsMeridian(exportLine(t, meridianSource(t, "cli", "One is a number."), "One is a number.") +
		exportLine(t, "cli", "Two is a number as well.") + "nonsense\n")
	if out != (Imported{Verified: 1, Restored: 2, Refused: 1}) {
		t.Errorf("%+v", out)
	}
	if r := f.byContent("One is a number."); r.Commit.Reason != importMeridianReason || r.Commit.Actor != "person/"+reviewer.Principal {
		t.Errorf("committed by %s because %q", r.Commit.Actor, r.Commit.Reason)
	}
	if r := f.byContent("Two is a number as well."); r.Commit.Reason != importReason {
		t.Errorf("committed because %q", r.Commit.Reason)
	}
}

// Under Signed a prefix proves nothing, whoever signed it: a person attests what is to count.
func TestImportMeridianUnderSigned(t *testing.T) {
	const rule, fact = "Always book me a window seat.", "The order number is 1183."
	f := newFixture(t, signed)
	f.importsMeridian(exportLine(t, meridianSource(t, "meridian:cli:s1", rule), rule) + exportLine(t, meridianSource(t, "cli", fact), fact))
	if r := f.byContent(rule); r.Zone != memory.Quarantine || r.State != memory.PendingReview {
		t.Errorf("a rule stands in %s, %s", r.Zone, r.State)
	}
	r := f.byContent(fact)
	if r.Zone != memory.Working || r.State != memory.Active || r.Class != provenance.Manual {
		t.Errorf("a fact stands in %s, %s, of class %s", r.Zone, r.State, r.Class)
	}
	report, err := f.TrustReport(f.ctx(), reviewer)
	must(t, err)
	if len(report.Losing) != 1 || report.Losing[0].Reason != LossNotTrustedZone {
		t.Errorf("the report says %+v", report.Losing)
	}
	f.does(r.ID, memory.ActionAttest)
	if report, err = f.TrustReport(f.ctx(), reviewer); err != nil || len(report.Losing) != 0 {
		t.Errorf("after attesting the report says %+v, %v", report.Losing, err)
	}
}

// Our own tags in lines without a signed frame count as little with such a key as without.
func TestImportMeridianBelievesNothingElse(t *testing.T) {
	f := newFixture(t)
	r := f.record(f.write(console, Write{Content: operatorRule}).ID)
	line, err := json.Marshal(exported(r))
	must(t, err)
	tag, err := f.state.Keyset.SignV1(testAgentID, "operator", "The v1 tag is ours.")
	must(t, err)
	tagged, err := provenance.FormatTagged("operator", tag)
	must(t, err)
	g := f.twin(t)
	if out := g.importsMeridian(string(line) + "\n" + exportLine(t, tagged, "The v1 tag is ours.")); out.Verified != 0 || out.Restored != 2 {
		t.Fatalf("%+v", out)
	}
	for _, content := range []string{operatorRule, "The v1 tag is ours."} {
		if r := g.byContent(content); r.Class != provenance.Unknown || r.State != memory.PendingReview {
			t.Errorf("%q is %s, %s", content, r.Class, r.State)
		}
	}
}
