// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// readCorpus reads the texts of a JSONL file.
func readCorpus(t testing.TB, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row.Text)
	}
	return out
}

// cautions takes texts as all that one agent remembers, of untrusted origin and from as many roots, and returns the share of
// recalls of ten neighbors, per mille, in which one belongs to a cluster.
func cautions(texts []string) (perMille float64, entities int) {
	readings := make([]Reading, len(texts))
	byEntity := map[uint64][]Fragment{}
	of := map[uint64][]int{}
	for i, text := range texts {
		readings[i] = Embedded().Read(text)
		for _, m := range readings[i].Mentions {
			byEntity[m.Entity] = append(byEntity[m.Entity], Fragment{fmt.Sprint(i), m.Signals})
			of[m.Entity] = append(of[m.Entity], i)
		}
	}
	member := make([]bool, len(texts))
	for entity, fragments := range byEntity {
		if Judge(fragments) {
			entities++
			for _, i := range of[entity] {
				member[i] = true
			}
		}
	}
	const recalls, size = 5000, 10
	random, raised := rand.New(rand.NewPCG(1, 2)), 0 // #nosec G404 -- the same recalls in every run
	for range recalls {
		hit, at := false, random.IntN(len(texts))
		var together []Fragment
		for k := range size {
			i := (at + k) % len(texts)
			hit = hit || member[i]
			together = append(together, Fragment{fmt.Sprint(i), readings[i].Signals})
		}
		if hit || JudgeTopics(together) != 0 {
			raised++
		}
	}
	return float64(raised) * 1000 / recalls, entities
}

// Memories of public sets raise nothing. CORRELATE_CORPORA names a directory with the whole sets.
func TestBenignCorpora(t *testing.T) {
	files, err := filepath.Glob("../testdata/benign-*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("CORRELATE_CORPORA"); dir != "" {
		if files, err = filepath.Glob(filepath.Join(dir, "benign-*.jsonl")); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Fatal("no sets")
	}
	for _, file := range files {
		texts := readCorpus(t, file)
		perMille, entities := cautions(texts)
		t.Logf("%s: %d texts, %.1f ‰ of recalls, %d entities", filepath.Base(file), len(texts), perMille, entities)
		if perMille >= 5 {
			t.Errorf("%s: %.1f ‰ of recalls are cautioned of, want less than 5", filepath.Base(file), perMille)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for name, text := range map[string]string{
		"fact": "The office in Lyon closes at 5 pm on Fridays, and Maria has the key to the cabinet with the printed contracts of last " +
			"year. The coffee machine on the second floor is broken again; the new one comes in May, they say.",
		"part": "For Brightwell, the second signature is a formality, and invoices are paid to DE89 3704 0044 0532 0130 00 on Fridays " +
			"at noon. The account of the old office was closed in March, and Maria has the last statements.",
	} {
		b.Run(name, func(b *testing.B) {
			Embedded()
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Embedded().Read(text)
			}
		})
	}
}
