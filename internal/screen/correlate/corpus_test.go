// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/*.txt
var sets embed.FS

// set is a collection of texts, each of a root of its own.
type set struct {
	name  string
	texts []string
}

// readSets reads collections: a line "== name" begins one, every other line is a text.
func readSets(t testing.TB, file string) []set {
	t.Helper()
	text, err := sets.ReadFile(path.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var out []set
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			out = append(out, set{name: name})
		} else if line != "" && !strings.HasPrefix(line, "#") {
			out[len(out)-1].texts = append(out[len(out)-1].texts, line)
		}
	}
	return out
}

// raised reports whether texts are a cluster by an entity, and whether by what they are about.
func raised(texts []string) (entity, topic bool) {
	byEntity := map[uint64][]Fragment{}
	var all []Fragment
	for i, text := range texts {
		r, root := Embedded().Read(text), fmt.Sprint(i)
		all = append(all, Fragment{root, r.Signals})
		for _, m := range r.Mentions {
			byEntity[m.Entity] = append(byEntity[m.Entity], Fragment{root, m.Signals})
		}
	}
	for _, fragments := range byEntity {
		entity = entity || Judge(fragments)
	}
	return entity, JudgeTopics(all) != 0
}

func TestPlans(t *testing.T) {
	plans := readSets(t, "plans.txt")
	if len(plans) < 25 {
		t.Errorf("%d plans", len(plans))
	}
	for _, p := range plans {
		t.Run(p.name, func(t *testing.T) {
			if entity, _ := raised(p.texts); !entity {
				t.Errorf("planted over many sessions, it raises nothing")
				for _, text := range p.texts {
					r := Embedded().Read(text)
					t.Logf("%012b %d entities: %s", r.Signals, len(r.Mentions), text)
				}
			}
			// Half of a plan is none: what raises is what the parts say together.
			for i := range p.texts {
				if entity, topic := raised(p.texts[i : i+1]); entity || topic {
					t.Errorf("one text alone raises: %s", p.texts[i])
				}
			}
		})
	}
}

func TestBenignSets(t *testing.T) {
	collections := readSets(t, "benign.txt")
	if len(collections) < 40 {
		t.Errorf("%d collections", len(collections))
	}
	for _, c := range collections {
		t.Run(c.name, func(t *testing.T) {
			if entity, topic := raised(c.texts); entity || topic {
				t.Errorf("raises (entity %v, topic %v)", entity, topic)
				for _, text := range c.texts {
					r := Embedded().Read(text)
					t.Logf("%012b %d entities: %s", r.Signals, len(r.Mentions), text)
				}
			}
		})
	}
}

// The chains of the public catalog.
func TestPublicChains(t *testing.T) {
	data, err := os.ReadFile("../testdata/mempoisonbench-v3.json")
	if err != nil {
		t.Fatal(err)
	}
	var catalog struct {
		Chains []struct {
			ID       string
			Expected string
			Members  []struct{ Content string }
		}
	}
	if err := json.Unmarshal(data, &catalog); err != nil {
		t.Fatal(err)
	}
	if len(catalog.Chains) != 6 {
		t.Fatalf("%d chains", len(catalog.Chains))
	}
	for _, c := range catalog.Chains {
		var texts []string
		for _, m := range c.Members {
			texts = append(texts, m.Content)
		}
		entity, topic := raised(texts)
		if got := entity || topic; got != (c.Expected == "cluster-flag") {
			t.Errorf("%s: raised is %v, expected %s", c.ID, got, c.Expected)
		}
	}
}

// Order plays no part, nor does what else is remembered.
func TestOrder(t *testing.T) {
	plan := readSets(t, "plans.txt")[0].texts
	var noise []string
	for _, c := range readSets(t, "benign.txt") {
		noise = append(noise, c.texts...)
	}
	reversed := slices.Clone(plan)
	slices.Reverse(reversed)
	if entity, _ := raised(append(append(slices.Clone(reversed[:1]), noise...), reversed[1:]...)); !entity {
		t.Error("a plan among other memories raises nothing")
	}
}
