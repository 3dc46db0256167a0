// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of what is kept of fragments.
const (
	// MaxFragmentMentions is how many entities of one text are kept.
	MaxFragmentMentions = 16
	// MaxEntityFragments is how many fragments of one entity are kept, and MaxRootFragments how many of those go back to one
	// root.
	MaxEntityFragments = 50
	MaxRootFragments   = 10
	// MaxFragmentEntities is how many entities are kept in one namespace. With 50 fragments of some 100 bytes for each that is
	// 20 MB at worst, and about 1 MB as agents name things: most are named once or twice. An agent that names more different
	// things within the window in texts that speak of actions does not lose those where asking is waived: see CutEntities.
	MaxFragmentEntities = 4096
)

// Signal bits that decide about what is kept. They are those of package correlate; 0x20 says that asking is waived, 0xe0 is
// autonomy of any kind.
const (
	signalWaive    = 0x20
	signalAutonomy = 0xe0
)

// Fragment is what is kept of a text of a low class that carries a part of a plan: bits and hashes, not the text.
type Fragment struct {
	Namespace string
	RecordID  string
	Root      string // record that the text goes back to; RecordID where it goes back to none
	Class     provenance.Class
	At        time.Time
	Mentions  []FragmentMention // at most MaxFragmentMentions, each entity once
}

// FragmentMention is an entity that a text names, and what the text says around it.
type FragmentMention struct {
	Entity  uint64 // a hash
	Signals uint16 // bits
}

// EntityFragment is one fragment of one entity.
type EntityFragment struct {
	Entity   uint64
	RecordID string
	Root     string
	Class    provenance.Class
	Signals  uint16
	At       time.Time
}

// FragmentStore keeps fragments. What a commit makes of a record decides about its fragments in the same transaction: those of
// Change.Fragment are added, and those of a record, or that go back to it, are dropped once it is Rejected or purged.
type FragmentStore interface {
	// Fragments returns the fragments of these entities since a time, at most MaxEntityFragments of each, sorted by entity and
	// time.
	Fragments(ctx context.Context, namespace string, entities []uint64, since time.Time) ([]EntityFragment, error)
	// Telling returns those of the entities of which a fragment has signals of autonomy, however old: without one, none is part
	// of a plan.
	Telling(ctx context.Context, namespace string, entities []uint64) ([]uint64, error)
	// ForgetFragments drops fragments older than the time.
	ForgetFragments(ctx context.Context, before time.Time) error
}

// Validate checks a fragment. It returns a *FieldError.
func (f Fragment) Validate() error {
	switch {
	case !ValidID(f.RecordID) || !ValidID(f.Root):
		return &FieldError{"fragment", "give the ids of a record and of its root"}
	case f.Namespace == "":
		return &FieldError{"namespace", "name the namespace"}
	case !f.Class.Valid():
		return &FieldError{"class", "use a source class"}
	case f.At.IsZero():
		return &FieldError{"fragment", "say when the text was written"}
	case len(f.Mentions) > MaxFragmentMentions:
		return &FieldError{"fragment", fmt.Sprintf("give at most %d entities", MaxFragmentMentions)}
	}
	return nil
}

// CutFragments returns which of the fragments of one entity to drop so that the bounds hold, as places in the list. The oldest
// of those go that say what others say as well, first what the same root says, then what many say: whoever floods an entity
// pushes out their own, and the one fragment that waives asking stays.
func CutFragments(list []EntityFragment) (drop []int) {
	gone := make([]bool, len(list))
	cut := func(most int, in func(EntityFragment) bool) {
		for {
			n, counts := 0, map[uint16]int{}
			for i, f := range list {
				if !gone[i] && in(f) {
					n++
					counts[f.Signals]++
				}
			}
			if n <= most {
				return
			}
			worst := -1
			for i, f := range list {
				if gone[i] || !in(f) {
					continue
				}
				if worst < 0 || cmp.Or(-cmp.Compare(counts[f.Signals], counts[list[worst].Signals]),
					cmp.Compare(f.Signals&signalWaive, list[worst].Signals&signalWaive), f.At.Compare(list[worst].At)) < 0 {
					worst = i
				}
			}
			gone[worst] = true
			drop = append(drop, worst)
		}
	}
	roots := map[string]bool{}
	for _, f := range list {
		if !roots[f.Root] {
			roots[f.Root] = true
			cut(MaxRootFragments, func(other EntityFragment) bool { return other.Root == f.Root })
		}
	}
	cut(MaxEntityFragments, func(EntityFragment) bool { return true })
	return drop
}

// EntityUse is what is known of an entity when some have to go.
type EntityUse struct {
	Entity  uint64
	Signals uint16 // of all of its fragments
	Last    time.Time
}

// CutEntities returns the entities to drop so that at most some stay: first those about which only actions are told, then those
// with weak signals of autonomy, then those where asking is waived; the one that was named last longest ago first.
func CutEntities(list []EntityUse, most int) []uint64 {
	if len(list) <= most {
		return nil
	}
	weight := func(u EntityUse) int {
		switch {
		case u.Signals&signalWaive != 0:
			return 2
		case u.Signals&signalAutonomy != 0:
			return 1
		}
		return 0
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b EntityUse) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), a.Last.Compare(b.Last), cmp.Compare(a.Entity, b.Entity))
	})
	out := make([]uint64, 0, len(list)-most)
	for _, u := range list[:len(list)-most] {
		out = append(out, u.Entity)
	}
	return out
}
