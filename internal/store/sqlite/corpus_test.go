// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"math/rand/v2"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/sqlite/words"
	"memorytrust.dev/operator/internal/store/storetest"
)

// scripts that search is measured in.
var scripts = []string{"English", "Chinese", "Japanese", "Korean", "Thai", "Russian"}

// corpus makes up texts with the make of natural ones: a vocabulary of 20,000 words, used as unevenly as people use
// theirs (Zipf's law).
type corpus struct {
	random     *rand.Rand
	zipf       *rand.Zipf
	vocabulary []string
	space      string
}

const vocabularySize = 20_000

// newCorpus makes the texts of a script. The vocabulary is always the same, the texts depend on seed.
func newCorpus(script string, seed uint64) *corpus {
	c := &corpus{space: " "}
	letters := []rune("abcdefghijklmnopqrstuvwxyz")
	shortest, longest := 2, 9
	switch script {
	case "Russian":
		letters = []rune("абвгдежзийклмнопрстуфхцчшщыьэюя")
	case "Chinese":
		letters, shortest, longest, c.space = runes(0x4e00, 3000), 1, 3, ""
	case "Japanese":
		letters, shortest, longest, c.space = append(runes(0x3041, 80), runes(0x5200, 1500)...), 1, 4, ""
	case "Korean":
		letters, shortest, longest = runes(0xac00, 1500), 2, 4
	case "Thai":
		letters, shortest, longest, c.space = append(runes(0x0e01, 46), []rune("าิีึืุูะเแโใไ่้ั็")...), 2, 7, ""
	}
	words := rand.New(rand.NewPCG(7, 7)) // #nosec G404 -- no secret
	for range vocabularySize {
		word := make([]rune, shortest+words.IntN(longest-shortest+1))
		for i := range word {
			word[i] = letters[int(float64(len(letters))*words.Float64()*words.Float64())] // some letters are rare
		}
		c.vocabulary = append(c.vocabulary, string(word))
	}
	c.random = rand.New(rand.NewPCG(seed, 1)) // #nosec G404 -- no secret
	c.zipf = rand.NewZipf(c.random, 1.1, 3, vocabularySize-1)
	return c
}

func runes(from rune, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = from + rune(i) // #nosec G115 -- small
	}
	return out
}

func (c *corpus) text(length int) string {
	list := make([]string, length)
	for i := range list {
		list[i] = c.vocabulary[c.zipf.Uint64()]
	}
	return strings.Join(list, c.space)
}

// sentence is one memory: 8 to 24 words.
func (c *corpus) sentence() string { return c.text(8 + c.random.IntN(17)) }

// record is one memory; some wait in Quarantine.
func (c *corpus) record(i int) memory.Record {
	r := storetest.NewRecord(c.sentence())
	if i%50 == 0 {
		r.Zone = memory.Quarantine
	}
	return r
}

// question is what a recall asks: a few words as they come, and one that is not so common.
func (c *corpus) question() string {
	return c.text(5) + c.space + c.vocabulary[200+c.random.IntN(vocabularySize/4)]
}

// fillBulk writes n records with SQL: rows and index, as search needs them, without versions and audit entries.
func fillBulk(b testing.TB, s *Store, n int, record func(i int) memory.Record) {
	b.Helper()
	const batch = 10_000
	for done := 0; done < n; done += batch {
		err := s.writer.do(b.Context(), "filling", func(w *writer) error {
			for i := done; i < min(n, done+batch); i++ {
				r := record(i)
				id, err := w.namespaceID(r.Namespace)
				if err != nil {
					return err
				}
				r.Seq, r.Commit.Hash = uint64(i+1), []byte("none") // #nosec G115 -- small
				list := words.Of(r.Content)
				bound, err := values(r.Normalized(), 0, len(list))
				if err != nil {
					return err
				}
				var rid int64
				if err := w.row(w.stmts.put, bound...).Scan(&rid); err != nil {
					return err
				}
				w.reindex = append(w.reindex, indexing{w.stmts.index, rid, indexText(indexKeys(id, r.Zone), list)})
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
