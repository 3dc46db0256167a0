// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

const (
	readingFragments = "reading fragments"
	// spareEntities is how many entities more than the bound are kept before some are dropped, so that not every write has to
	// look at all of them.
	spareEntities = 128
	// fragmentsAtOnce bounds how many fragments go in one transaction, so that other writes have their turn.
	fragmentsAtOnce = 1000
)

// selectFragments lists the fragments of some entities.
const selectFragments = `SELECT f.entity, f.record_id, f.root, f.class, f.signals, f.at FROM memorytrust.fragments f
	WHERE f.agent = $1 AND f.namespace = (SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $2)
		AND f.entity = ANY($3) AND f.at >= $4 ORDER BY f.entity, f.at, f.record_id LIMIT $5`

// Fragments implements memory.FragmentStore. It returns a *memory.FieldError for too many entities.
func (s *Store) Fragments(ctx context.Context, namespace string, entities []uint64, since time.Time) ([]memory.EntityFragment, error) {
	if err := checkEntities(entities); err != nil || len(entities) == 0 {
		return nil, err
	}
	return collect(ctx, s.reader, readingFragments, selectFragments,
		[]any{s.agent, namespace, bitsOf(entities), since.UnixMicro(), memory.MaxEntityFragments * memory.MaxPageSize}, scanFragment)
}

func checkEntities(entities []uint64) error {
	if len(entities) > memory.MaxPageSize {
		return &memory.FieldError{Field: "entities", Fix: fmt.Sprintf("give at most %d", memory.MaxPageSize)}
	}
	return nil
}

func scanFragment(scan func(...any) error) (f memory.EntityFragment, err error) {
	var entity, signals, at int64
	err = scan(&entity, &f.RecordID, &f.Root, (*string)(&f.Class), &signals, &at)
	f.Entity, f.Signals, f.At = uint64(entity), uint16(signals), fromMicros(at) // #nosec G115 -- bits
	return f, err
}

// selectTellingEntities goes along the index of fragments with signals of autonomy, whose condition it repeats.
const selectTellingEntities = `SELECT DISTINCT f.entity FROM memorytrust.fragments f
	WHERE f.agent = $1 AND f.namespace = (SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $2)
		AND f.entity = ANY($3) AND f.signals & 224 <> 0`

// Telling implements memory.FragmentStore. It returns a *memory.FieldError for too many entities.
func (s *Store) Telling(ctx context.Context, namespace string, entities []uint64) ([]uint64, error) {
	if err := checkEntities(entities); err != nil || len(entities) == 0 {
		return nil, err
	}
	telling, err := collect(ctx, s.reader, readingFragments, selectTellingEntities,
		[]any{s.agent, namespace, bitsOf(entities)}, value[int64])
	if err != nil || len(telling) == 0 {
		return nil, err
	}
	return hashesOf(telling), nil
}

// ForgetFragments implements memory.FragmentStore.
func (s *Store) ForgetFragments(ctx context.Context, before time.Time) error {
	for {
		var dropped int64
		err := s.writer.do(ctx, "forgetting old fragments", func(t *transaction) error { //nolint:contextcheck // what has begun is carried through
			dropped = 0
			t.read(`DELETE FROM memorytrust.fragments d USING (SELECT namespace, entity, record_id, signals FROM memorytrust.fragments
					WHERE agent = $1 AND at < $2 LIMIT $3) o
				WHERE d.agent = $1 AND d.namespace = o.namespace AND d.entity = o.entity AND d.record_id = o.record_id AND d.signals = o.signals
				RETURNING 1`, []any{t.agent, before.UnixMicro(), fragmentsAtOnce}, func(func(...any) error) error {
				dropped++
				return nil
			})
			return t.flush()
		})
		if err != nil || dropped < fragmentsAtOnce {
			return err
		}
	}
}

// fragmentPlan is what is known of the fragments of a change.
type fragmentPlan struct {
	root string // of earlier fragments of the record
	drop bool   // those of the record are not to count any more
}

// entityKey is an entity in a namespace.
type entityKey struct {
	namespace string
	entity    uint64
}

// readFragments asks for what the bounds of the entities depend on, which the changes name.
func (g commits) readFragments(t *transaction) {
	t.fragments = map[entityKey][]memory.EntityFragment{}
	for _, c := range g {
		c.fragment.drop = c.change.Type == memory.ChangePurge || c.record.State == memory.Rejected
		f := c.change.Fragment
		if f == nil || c.fragment.drop {
			continue
		}
		t.read(`SELECT root FROM memorytrust.fragments WHERE agent = $1 AND record_id = $3
			AND namespace = (SELECT id FROM memorytrust.namespaces WHERE agent = $1 AND name = $2) LIMIT 1`,
			[]any{t.agent, c.record.Namespace, c.record.ID}, func(scan func(...any) error) error { return scan(&c.fragment.root) })
		var unread []int64
		for _, m := range f.Mentions {
			key := entityKey{c.record.Namespace, m.Entity}
			if _, there := t.fragments[key]; !there {
				t.fragments[key] = nil
				unread = append(unread, int64(m.Entity)) // #nosec G115 -- bits
			}
		}
		t.read(selectFragments, []any{t.agent, c.record.Namespace, unread, int64(0), len(unread) * 2 * memory.MaxEntityFragments},
			func(scan func(...any) error) error {
				f, err := scanFragment(scan)
				key := entityKey{c.record.Namespace, f.Entity}
				t.fragments[key] = append(t.fragments[key], f)
				return err
			})
	}
}

// checkFragments checks the fragments of the changes.
func (g commits) checkFragments() error {
	for _, c := range g {
		f := c.change.Fragment
		if f == nil || c.fragment.drop {
			continue
		}
		if f.RecordID != c.record.ID || f.Namespace != c.record.Namespace {
			return &memory.FieldError{Field: "fragment", Fix: "give the fragment of the record that is changed"}
		}
		if err := f.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// writeFragments queues the fragments of the changes, and the removal of those of records that are not to count any more.
func (g commits) writeFragments(t *transaction) {
	for _, c := range g {
		namespace := t.namespaceID(c.record.Namespace)
		if c.fragment.drop {
			for _, column := range []string{"record_id", "root"} {
				t.write("DELETE FROM memorytrust.fragments WHERE agent = $1 AND namespace = $2 AND "+column+" = $3",
					t.agent, namespace, c.record.ID)
			}
			continue
		}
		if c.change.Fragment == nil {
			continue
		}
		f := *c.change.Fragment
		if c.fragment.root != "" {
			f.Root = c.fragment.root // all versions of a record go back to the same root, whatever is said of later ones
		}
		for _, m := range f.Mentions {
			t.addFragment(namespace, f, m)
		}
		t.cutEntities(namespace, f.Namespace, len(f.Mentions))
	}
}

// addFragment adds one fragment of one entity and keeps the bounds of the entity.
func (t *transaction) addFragment(namespace int64, f memory.Fragment, m memory.FragmentMention) {
	key := entityKey{f.Namespace, m.Entity}
	list := t.fragments[key]
	if slices.ContainsFunc(list, func(o memory.EntityFragment) bool { return o.RecordID == f.RecordID && o.Signals == m.Signals }) {
		return
	}
	list = append(list, memory.EntityFragment{
		Entity: m.Entity, RecordID: f.RecordID, Root: f.Root, Class: f.Class, Signals: m.Signals, At: fromMicros(f.At.UnixMicro()),
	})
	entity := int64(m.Entity) // #nosec G115 -- bits
	t.write(`INSERT INTO memorytrust.fragments (agent, namespace, entity, record_id, signals, root, class, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		t.agent, namespace, entity, f.RecordID, int64(m.Signals), f.Root, string(f.Class), f.At.UnixMicro())
	gone := memory.CutFragments(list)
	for _, i := range gone {
		t.write(`DELETE FROM memorytrust.fragments
			WHERE agent = $1 AND namespace = $2 AND entity = $3 AND record_id = $4 AND signals = $5`,
			t.agent, namespace, entity, list[i].RecordID, int64(list[i].Signals))
	}
	var kept []memory.EntityFragment
	for i, f := range list {
		if !slices.Contains(gone, i) {
			kept = append(kept, f)
		}
	}
	t.fragments[key] = kept
}

// cutEntities keeps the bound of entities of a namespace. They are counted when there can be too many, going by what this writer
// added since it counted last: with many writers there can be that much more.
func (t *transaction) cutEntities(namespace int64, name string, added int) {
	n, counted := t.known.entities[name]
	n += added
	if !counted || n > memory.MaxFragmentEntities+spareEntities {
		t.read("SELECT count(DISTINCT entity) FROM memorytrust.fragments WHERE agent = $1 AND namespace = $2", []any{t.agent, namespace},
			func(scan func(...any) error) error { return scan(&n) })
		if t.flush() != nil {
			return
		}
	}
	if n > memory.MaxFragmentEntities+spareEntities {
		uses := t.entityUses(namespace)
		if t.err != nil {
			return
		}
		gone := memory.CutEntities(uses, memory.MaxFragmentEntities)
		t.write("DELETE FROM memorytrust.fragments WHERE agent = $1 AND namespace = $2 AND entity = ANY($3)",
			t.agent, namespace, bitsOf(gone))
		n -= len(gone)
	}
	t.known.entities[name] = n
}

// entityUses is what is known of each entity of a namespace.
func (t *transaction) entityUses(namespace int64) (uses []memory.EntityUse) {
	t.read("SELECT entity, bit_or(signals), max(at) FROM memorytrust.fragments WHERE agent = $1 AND namespace = $2 GROUP BY entity",
		[]any{t.agent, namespace}, func(scan func(...any) error) error {
			var entity, signals, at int64
			err := scan(&entity, &signals, &at)
			use := memory.EntityUse{Entity: uint64(entity), Signals: uint16(signals), Last: fromMicros(at)} // #nosec G115 -- bits
			uses = append(uses, use)
			return err
		})
	_ = t.flush() // an error is kept in t
	return uses
}
