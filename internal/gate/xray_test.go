// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

var update = flag.Bool("update", false, "write golden files anew")

// exampleXRay has every kind of item, with hostile text wherever others write it.
func exampleXRay() XRay {
	x := newXRay(Recall{Query: "invoices | `rm -rf` \x1b[2J\u202egnp"}, time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	x.add(XRayItem{
		ID: "01928b7a-5c1e-7aaa-8bbb-000000000001", Outcome: OutcomeDelivered, Why: "Its origin is trusted.", Class: provenance.Manual,
		Source: "operator:console", Zone: memory.Trusted, State: memory.Active, Boundary: memory.Safe, Authority: memory.Act,
		SourceID: true, Evidence: true, Anchored: true, Trust: 1, Band: "High",
		Parts: &ScoreParts{Relevance: 1, Trust: .95, Decay: 1, Score: .95}, Commit: strings.Repeat("ab", 32),
		Preview: preview("Invoices go to accounting.\n## Forged heading\n| a | b |\n``` [link](http://evil.example) <script>\x07\u2028"),
	})
	x.add(XRayItem{
		ID: "01928b7a-5c1e-7aaa-8bbb-000000000002", Outcome: OutcomeWithheld, Class: provenance.Unknown, Source: printable("web:`x`|y\x1b]0;t\x07"),
		Why:  whyWithheld[ReasonTampered] + " " + printable("[click](http://evil.example) **now** <b>\n# x"),
		Zone: memory.Quarantine, State: memory.PendingReview, Boundary: memory.Blocked, Authority: memory.None, Evidence: true,
		Trust: .25, Band: "Low", Parts: &ScoreParts{Relevance: .5, Trust: .25, Decay: .5, Score: .0625}, Commit: strings.Repeat("cd", 32),
	})
	x.add(XRayItem{ID: "01928b7a-5c1e-7aaa-8bbb-000000000003", Outcome: OutcomeWithheld, Why: whyWithheld[ReasonQuarantined]})
	x.add(XRayItem{ID: "01928b7a-5c1e-7aaa-8bbb-000000000004", Outcome: OutcomeLeft, Why: whyLeft[memory.LeftRoot]})
	return x
}

func TestXRayForms(t *testing.T) {
	x := exampleXRay()
	text, err := json.MarshalIndent(x, "", "  ")
	must(t, err)
	forms := map[string]string{
		"xray.txt": x.Text(), "xray.md": x.Markdown(), "xray.json": string(text) + "\n",
		"empty.txt": newXRay(Recall{}, x.At).Text(), "empty.md": newXRay(Recall{}, x.At).Markdown(),
	}
	for name, got := range forms {
		t.Run(name, func(t *testing.T) {
			if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && unsafeRune(r) }); i >= 0 {
				t.Errorf("holds a character that steers a terminal: %.40q", got[i:])
			}
			path := filepath.Join("testdata", name)
			if *update {
				must(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			must(t, err)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The X-ray of an answer tells all about what came and next to nothing about what did not.
func TestAgentXRay(t *testing.T) {
	f := newFixture(t)
	delivered := f.put(memory.Record{Content: "The office is in Lyon.", Zone: memory.Trusted, Class: provenance.Manual, Writer: console.writer(), Session: "s"})
	for range 2 {
		f.put(memory.Record{Content: publicFact, Class: provenance.WebContent, Source: "web:example.org"})
	}
	left := f.put(memory.Record{Content: publicFact, Class: provenance.WebContent, Source: "web:example.org", CreatedAt: f.now.Add(-240 * time.Hour)})
	withheld := f.put(memory.Record{Content: plant + " The office agrees.", Class: provenance.WebContent, Zone: memory.Quarantine, State: memory.PendingReview})
	if r := f.recall(Recall{Query: "office"}); r.XRay != nil {
		t.Error("an X-ray nobody asked for")
	}
	r := f.recall(Recall{Query: "office", XRay: true})
	item := func(id string) XRayItem {
		i := slices.IndexFunc(r.XRay.Items, func(i XRayItem) bool { return i.ID == id })
		if i < 0 {
			t.Fatalf("no item of %s", id)
		}
		return r.XRay.Items[i]
	}
	d := item(delivered.ID)
	if d.Outcome != OutcomeDelivered || d.Why != "Its origin is trusted." || !d.Anchored || d.Band != "High" || d.Preview != delivered.Content ||
		d.Commit != commitOf(delivered) || d.Authority != memory.Act || d.Parts.Score != r.Memories[0].Score {
		t.Errorf("delivered: %+v", d)
	}
	if got, want := item(left.ID), (XRayItem{ID: left.ID, Outcome: OutcomeLeft, Why: whyLeft[memory.LeftRoot]}); got != want {
		t.Errorf("left: %+v", got)
	}
	if got, want := item(withheld.ID), (XRayItem{ID: withheld.ID, Outcome: OutcomeWithheld, Why: whyWithheld[ReasonQuarantined]}); got != want {
		t.Errorf("withheld: %+v", got)
	}
	if r.XRay.Counts[OutcomeDelivered] != 3 || r.XRay.Counts[OutcomeWithheld] != 1 || r.XRay.Counts[OutcomeLeft] != 1 {
		t.Errorf("counts %v", r.XRay.Counts)
	}
}

// A person sees everything, except the beginning of what carries no proof of where it came from; and seeing is no delivery.
func TestExplain(t *testing.T) {
	f := newFixture(t)
	alice := Person{Principal: "alice"}
	quarantined := f.put(memory.Record{Content: plant + " The office agrees.", Class: provenance.WebContent, Zone: memory.Quarantine,
		State: memory.PendingReview, Reasons: []string{"standing rule: from now on"}})
	nameless := f.put(memory.Record{Content: "The office is in Lyon.", Source: "x"})
	tampered := f.put(memory.Record{Content: "The office is in Paris."})
	f.sql("UPDATE records SET kind = 'rule' WHERE id = ?", tampered.ID)
	x, err := f.Explain(f.ctx(), alice, Recall{Query: "office", Session: "s"})
	must(t, err)
	items := map[string]XRayItem{}
	for _, i := range x.Items {
		items[i.ID] = i
	}
	if got := items[quarantined.ID]; got.Outcome != OutcomeWithheld || !strings.HasPrefix(got.Preview, plant) || got.Source != quarantined.Source ||
		got.Parts == nil || !strings.Contains(got.Why, "from now on") || got.Boundary != memory.Blocked {
		t.Errorf("quarantined: %+v", got)
	}
	if got := items[nameless.ID]; got.Outcome != OutcomeDelivered || got.Preview == "" || got.Boundary != memory.Safe {
		t.Errorf("delivered: %+v", got)
	}
	if got := items[tampered.ID]; got.Outcome != OutcomeWithheld || got.Preview != "" || got.Anchored || got.Class != provenance.Unknown {
		t.Errorf("tampered: %+v", got)
	}
	if logged, err := f.Deliveries(f.ctx(), alice, DeliveryQuery{}); err != nil || len(logged) != 0 {
		t.Errorf("logged %+v, %v", logged, err)
	}
	var field *memory.FieldError
	if _, err := f.Explain(f.ctx(), alice, Recall{Session: "\n"}); !errors.As(err, &field) {
		t.Errorf("a bad question: %v", err)
	}
}

// Without a source, or without a tag, the beginning is not shown and the memory has to be reviewed.
func TestMissingProvenance(t *testing.T) {
	f := newFixture(t)
	now := f.now
	full := memory.Record{Content: "The office.", Source: "agent", Tag: []byte{1}, Zone: memory.Working, State: memory.Active, Class: provenance.AgentInferred}
	noSource, noTag := full, full
	noSource.Source, noTag.Tag = "", nil
	for name, r := range map[string]memory.Record{"no source": noSource, "no tag": noTag} {
		item := fullItem(f.state.Runtime, choice{}, scored{verified: verified{record: r}}, now)
		if item.Preview != "" || item.Anchored || item.Boundary != memory.RequiresReview || item.Authority != memory.Inform {
			t.Errorf("%s: %+v", name, item)
		}
	}
	if item := fullItem(f.state.Runtime, choice{}, scored{verified: verified{record: full}}, now); item.Preview != "The office." || item.Boundary != memory.Safe {
		t.Errorf("with both: %+v", item)
	}
}

func TestPreviewIsShortAndOnOneLine(t *testing.T) {
	long := preview(strings.Repeat("é\n", 500))
	if strings.Contains(long, "\n") || !strings.HasSuffix(long, "…") || strings.Count(long, "é") != previewRunes/2 {
		t.Errorf("preview %q", long)
	}
	if got := preview("short"); got != "short" {
		t.Errorf("preview %q", got)
	}
}
