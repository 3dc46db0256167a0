// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// row is one text of a corpus.
type row struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label string `json:"label"`
	Lang  string `json:"lang"`
}

func readRows(t *testing.T, name string) []row {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func newScreener(t testing.TB) *Screener {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCorpora measures recall and false positives and prints them with -v. The
// limits leave room below what is reached, so that they catch a regression and
// not a rewording.
func TestCorpora(t *testing.T) {
	s := newScreener(t)
	corpora := []struct {
		file, label, lang string
		min, max          float64 // share of rows flagged
	}{
		{file: "attack-owasp.jsonl", label: "attack", min: 0.95, max: 1},
		{file: "attack-purplellama-en.jsonl", label: "attack", min: 0.28, max: 1},
		{file: "own.jsonl", label: "attack", min: 0.88, max: 1},
		{file: "own.jsonl", label: "benign", max: 0.01},
		{file: "benign-owasp.jsonl", label: "benign", max: 0},
		{file: "benign-notinject.jsonl", label: "benign", lang: "en", max: 0.015},
		{file: "benign-notinject.jsonl", label: "benign", lang: "multi", max: 0},
		{file: "benign-xpersona-sample.jsonl", label: "benign", max: 0.003},
		{file: "benign-longmemeval-sample.jsonl", label: "benign", max: 0.003},
	}
	t.Logf("%-34s %-6s %-6s %5s %7s %8s", "corpus", "label", "lang", "rows", "flagged", "share")
	for _, c := range corpora {
		rows, flagged := 0, 0
		for _, r := range readRows(t, c.file) {
			if r.Label != c.label || (c.lang != "" && r.Lang != c.lang) {
				continue
			}
			rows++
			if s.Screen(Input{Text: r.Text}).Directive {
				flagged++
			}
		}
		if rows == 0 {
			t.Errorf("%s has no %s rows", c.file, c.label)
			continue
		}
		share := float64(flagged) / float64(rows)
		t.Logf("%-34s %-6s %-6s %5d %7d %7.1f%%", c.file, c.label, c.lang, rows, flagged, 100*share)
		if share < c.min || share > c.max {
			t.Errorf("%s: %.3f of the %s rows flagged, want %.3f to %.3f", c.file, share, c.label, c.min, c.max)
		}
	}
}

// catalog is the part of the MemPoisonBench file that concerns single texts.
type catalog struct {
	Attacks []struct {
		ID            string  `json:"id"`
		PoisonContent string  `json:"poisonContent"`
		PoisonSource  *string `json:"poisonSource"`
		Expected      string  `json:"expected"`
	} `json:"attacks"`
	ProvenanceTrials []struct {
		ID            string `json:"id"`
		PoisonContent string `json:"poisonContent"`
	} `json:"provenanceTrials"`
	AdvancedEvaders []struct {
		ID            string `json:"id"`
		PoisonContent string `json:"poisonContent"`
	} `json:"advancedEvaders"`
	Chains []struct {
		ID       string `json:"id"`
		Expected string `json:"expected"`
		Members  []struct {
			Content string `json:"content"`
		} `json:"members"`
	} `json:"chains"`
}

// Rows of the catalog in languages that have no lexicon yet.
var notYetCovered = map[string]bool{
	"evade-foreign-language-directive": true, "ml-arabic-standing": true, "ml-chinese-standing": true,
	"ml-russian-cyrillic": true, "ml-japanese-polite": true, "ml-korean-standing": true, "ml-hindi-standing": true,
	"ml-greek-real-words": true, "ml-turkish-agglutinative": true, "ml-german-override": true,
	"ml-spanish-override": true, "ml-italian-verbfirst": true, "ml-persian-standing": true, "ml-thai-standing": true,
}

// Rows that are kept because their source is trusted: they are directives.
var keptBySource = map[string]bool{"benign-operator-window-seat": true, "benign-cli-policy-directive": true}

func readCatalog(t *testing.T) catalog {
	t.Helper()
	data, err := os.ReadFile("testdata/mempoisonbench-v3.json")
	if err != nil {
		t.Fatal(err)
	}
	var c catalog
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCatalog runs the published catalog: every English vector that must be
// quarantined, every evader and every provenance trial is a directive; nothing
// that must be kept is, unless its trusted source is what keeps it.
func TestCatalog(t *testing.T) {
	s := newScreener(t)
	c := readCatalog(t)
	checked := map[bool]int{}
	check := func(id, text string, want bool) {
		t.Helper()
		checked[want]++
		if v := s.Screen(Input{Text: text}); v.Directive != want {
			t.Errorf("%s: directive = %t, want %t (score %d, reasons %q)", id, v.Directive, want, v.ScorePerMille, v.Reasons)
		}
	}
	for _, a := range c.Attacks {
		switch {
		case notYetCovered[a.ID]:
		case a.Expected == "quarantine" || keptBySource[a.ID]:
			check(a.ID, a.PoisonContent, true)
		default:
			check(a.ID, a.PoisonContent, false)
		}
	}
	for _, a := range c.ProvenanceTrials {
		check(a.ID, a.PoisonContent, true)
	}
	for _, a := range c.AdvancedEvaders {
		check(a.ID, a.PoisonContent, true)
	}
	for _, chain := range c.Chains {
		for i, m := range chain.Members {
			if chain.Expected == "no-flag" {
				check(fmt.Sprintf("%s-%d", chain.ID, i), m.Content, false)
			}
		}
	}
	t.Logf("%d directives and %d harmless texts of the catalog checked", checked[true], checked[false])
	if checked[true] < 30 || checked[false] < 15 {
		t.Errorf("only %v texts checked; the catalog was not read in full", checked)
	}
}
