// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Over random histories of writes, readings, edits and decisions, no memory ever has a higher class than one it goes back to, nor
// than the way it came in by; and nothing derived from what cannot justify actions can.
func TestNoChildAboveItsParents(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for history := range 4 {
		f := newFixture(t, users)
		f.randomHistory(random, 60)
		all, err := f.db.List(f.ctx(), memory.Filter{Namespace: testNamespace, IncludeForgotten: true, Limit: 1000})
		must(t, err)
		byID := map[string]memory.Record{}
		for _, r := range all {
			byID[r.ID] = r
		}
		edges := 0
		for _, r := range all {
			for _, parent := range r.Parents {
				edges++
				if p := byID[parent]; p.Class.Below(r.Class) {
					t.Errorf("history %d: %s of class %s comes from %s of class %s", history, r.ID, r.Class, p.ID, p.Class)
				} else if memory.AuthorityOf(r, f.now) == memory.Act && memory.AuthorityOf(p, f.now) != memory.Act && p.Live() {
					t.Errorf("history %d: %s may justify actions and comes from %s, which may not", history, r.ID, p.ID)
				}
			}
			if top := f.highest(r.Writer); top.Below(r.Class) {
				t.Errorf("history %d: %s by %s is of class %s, above %s", history, r.ID, r.Writer, r.Class, top)
			}
		}
		if edges == 0 {
			t.Error("no lineage came about")
		}
	}
}

// highest is the highest class that a writer's words can have.
func (f *fixture) highest(w memory.Writer) provenance.Class {
	for _, c := range f.state.Runtime.Channels {
		if c.Name == w.Channel {
			return c.Class
		}
	}
	return provenance.UserInput // by prefix
}

func (f *fixture) randomHistory(random *rand.Rand, steps int) {
	f.t.Helper()
	callers := []Caller{agent, agent, agent, console, tools, chat}
	sources := []string{"", "operator:console", "web:example.org", "mcp:search", "dream", "subagent:x", "agent", "nobody"}
	var ids []string
	pick := func() string { return ids[random.IntN(len(ids))] }
	for i := range steps {
		f.now = f.now.Add(time.Duration(random.IntN(20)) * time.Minute)
		session := fmt.Sprint("s", random.IntN(3))
		w := Write{Content: fmt.Sprintf("Fact %d of %d.", random.IntN(1000), i), Session: session, Source: sources[random.IntN(len(sources))]}
		for len(ids) > 0 && len(w.Parents) < 3 && random.IntN(2) == 0 {
			w.Parents = append(w.Parents, pick())
		}
		// Any of these may be refused; what matters is what becomes of it otherwise.
		if out, err := f.Encode(f.ctx(), callers[random.IntN(len(callers))], w); err == nil {
			ids = append(ids, out.ID)
		}
		if len(ids) == 0 {
			continue
		}
		switch random.IntN(5) {
		case 0:
			_, _ = f.Get(f.ctx(), agent, pick(), Reading{Session: session})
		case 1:
			id := pick()
			_, _ = f.Edit(f.ctx(), agent, id, Edit{Content: ptr(fmt.Sprintf("Edited %d.", i)), Commit: commitOf(f.record(id))})
		case 2:
			actions := decidable[:6]
			_, _ = f.decide(pick(), Decision{Action: actions[random.IntN(len(actions))], Zone: memory.Working})
		}
	}
}
