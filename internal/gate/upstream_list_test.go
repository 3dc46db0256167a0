// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// A text that is a list of what the ledger knows counts as what it knows, and as Unknown as soon as one entry is another.
func TestRecallUpstreamLists(t *testing.T) {
	for name, tt := range map[string]struct {
		entries  []string
		class    provenance.Class
		withheld bool
	}{
		"known":                         {[]string{tea, publicFact}, provenance.AgentInferred, false},
		"one is not":                    {[]string{tea, "The office moved to Lyon in spring."}, provenance.Unknown, false},
		"none is":                       {[]string{"The office moved to Lyon.", "The train leaves at nine."}, provenance.Unknown, false},
		"a part of a known one":         {[]string{tea, tea[:strings.LastIndex(tea, " ")]}, provenance.Unknown, false},
		"a word of a known one":         {[]string{tea, "tea"}, provenance.Unknown, false},
		"an instruction among them":     {[]string{tea, plant}, provenance.Unknown, true},
		"an instruction over two lines": {append([]string{tea}, strings.SplitAfterN(plant, "every ", 2)...), provenance.Unknown, true},
	} {
		t.Run(name, func(t *testing.T) {
			u := newServed(t)
			u.stores("w", tea, publicFact)
			out, err := u.RecallUpstream(u.ctx(), agent, UpstreamRead{Upstream: u.name, Tool: "get", Session: "s", Texts: []UpstreamText{
				{Text: "- " + strings.Join(tt.entries, "\n- "), Entries: tt.entries},
			}})
			must(t, err)
			if v := out.Texts[0]; v.Class != tt.class || v.Withheld != tt.withheld || v.Boundary == "" {
				t.Errorf("%+v, want %s, withheld %v", v, tt.class, tt.withheld)
			}
			mark, _, err := u.db.LowestDelivered(u.ctx(), testNamespace, "s", time.Time{})
			must(t, err)
			if !tt.withheld && mark != tt.class {
				t.Errorf("the session counts as %s, want %s", mark, tt.class)
			}
		})
	}
}

// An entry that must not pass keeps the list from counting as what the others are, and each entry counts as delivered.
func TestRecallUpstreamListWithABarredEntry(t *testing.T) {
	u := newServed(t)
	u.stores("w", tea, publicFact)
	list := []UpstreamText{{Text: tea + "\n" + publicFact, Entries: []string{tea, publicFact}}}
	read := UpstreamRead{Upstream: u.name, Tool: "get", Session: "s", Texts: list}
	_, err := u.RecallUpstream(u.ctx(), agent, read)
	must(t, err)
	for _, content := range []string{tea, publicFact} {
		shown, err := u.db.Deliveries(u.ctx(), memory.DeliveryFilter{Namespace: testNamespace, Session: "s", RecordID: u.entry(content).ID, Limit: 9})
		must(t, err)
		if len(shown) != 1 {
			t.Errorf("%q counts as delivered %d times", content, len(shown))
		}
	}
	u.does(u.entry(tea).ID, memory.ActionQuarantine)
	out, err := u.RecallUpstream(u.ctx(), agent, read)
	must(t, err)
	if v := out.Texts[0]; v.Class != provenance.Unknown {
		t.Errorf("with an entry in Quarantine: %+v", v)
	}
}
