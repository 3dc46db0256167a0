// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync"

	"k8s.io/utils/lru"

	"memorytrust.dev/operator/internal/screen"
)

// keptEngines is how many compiled engines are kept. A screener needs one, and the next one while it changes; the operator
// compiles each policy only to see whether that works.
const keptEngines = 8

// engines compiles every set of lexicons once: files are read every few seconds, and compiling takes some 40 ms.
var engines = engineCache{kept: lru.New(keptEngines)}

// engineCache holds the engines compiled last, and why others could not be.
type engineCache struct {
	mu   sync.Mutex // held while compiling, so that nothing is compiled twice at the same time
	kept *lru.Cache // [sha256.Size]byte -> tried
}

type tried struct {
	engine *screen.Screener
	err    error
}

func (c *engineCache) get(lexicons []Lexicon, t Thresholds) (*screen.Screener, error) {
	key := engineKey(lexicons, t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.kept.Get(key); ok {
		known := found.(tried) //nolint:forcetypeassert // nothing else is put in
		return known.engine, known.err
	}
	options := []screen.Option{screen.WithThresholds(screen.Thresholds(t))}
	for _, l := range lexicons {
		options = append(options, screen.WithLexicon(l.Name, []byte(l.Text)))
	}
	var made tried
	made.engine, made.err = screen.New(options...)
	c.kept.Add(key, made)
	return made.engine, made.err
}

// engineKey is a hash of all that an engine is made of.
func engineKey(lexicons []Lexicon, t Thresholds) [sha256.Size]byte {
	h := sha256.New()
	for _, n := range []int{t.DirectivePerMille, t.IntentPerMille, t.CoveragePerMille} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(max(n, 0)))) // #nosec G115
	}
	for _, l := range lexicons {
		for _, part := range []string{l.Name, l.Text} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			h.Write([]byte(part))
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func trimPrefixes(s string, prefixes ...string) string {
	for _, p := range prefixes {
		s = strings.TrimPrefix(s, p)
	}
	return s
}
