// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// selectFragments lists the fragments of the entities of a JSON array. They are looked up by entity: most fragments are newer than
// the time. The bound is part of the text, see selectNewest.
var selectFragments = fmt.Sprintf(`SELECT f.entity, f.record_id, f.root, f.class, f.signals, f.at
	FROM json_each(?) j CROSS JOIN fragments f ON f.namespace = ? AND f.entity = j.value WHERE +f.at >= ?
	ORDER BY f.entity, f.at, f.record_id LIMIT %d`, memory.MaxEntityFragments*memory.MaxPageSize)

// Fragments implements memory.FragmentStore. It returns a *memory.FieldError for too many entities.
func (s *Store) Fragments(ctx context.Context, namespace string, entities []uint64, since time.Time) ([]memory.EntityFragment, error) {
	if len(entities) > memory.MaxPageSize {
		return nil, &memory.FieldError{Field: "entities", Fix: fmt.Sprintf("give at most %d", memory.MaxPageSize)}
	}
	if len(entities) == 0 {
		return nil, nil
	}
	list, err := featureList(entities)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", readingFragments, err)
	}
	if err := s.writtenOf(ctx, entities); err != nil {
		return nil, err
	}
	var out []memory.EntityFragment
	err = s.reader.snapshot(ctx, readingFragments, func(conn *readConn) error {
		id, err := one(ctx, conn, readingFragments, "SELECT id FROM namespaces WHERE name = ?", []any{namespace}, value[int64])
		if errors.Is(err, memory.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		out, err = collect(ctx, conn, readingFragments, selectFragments, []any{list, id, since.UnixMicro()},
			func(scan func(...any) error) (f memory.EntityFragment, err error) {
				var entity, at int64
				err = scan(&entity, &f.RecordID, &f.Root, &f.Class, &f.Signals, &at)
				f.Entity, f.At = uint64(entity), fromMicros(at) // #nosec G115 -- bits
				return f, err
			})
		return err
	})
	return out, err
}

// selectTellingEntities goes along the index of fragments with signals of autonomy, whose condition it repeats.
const selectTellingEntities = `SELECT j.value FROM json_each(?) j, namespaces n WHERE n.name = ? AND EXISTS (
	SELECT 1 FROM fragments WHERE namespace = n.id AND entity = j.value AND signals & 224 <> 0)`

// Telling implements memory.FragmentStore. It returns a *memory.FieldError for too many entities.
func (s *Store) Telling(ctx context.Context, namespace string, entities []uint64) ([]uint64, error) {
	if len(entities) > memory.MaxPageSize {
		return nil, &memory.FieldError{Field: "entities", Fix: fmt.Sprintf("give at most %d", memory.MaxPageSize)}
	}
	if len(entities) == 0 {
		return nil, nil
	}
	list, err := featureList(entities)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", readingFragments, err)
	}
	if err := s.writtenOf(ctx, entities); err != nil {
		return nil, err
	}
	return collect(ctx, s.reader, readingFragments, selectTellingEntities, []any{list, namespace},
		func(scan func(...any) error) (uint64, error) {
			var entity int64
			err := scan(&entity)
			return uint64(entity), err // #nosec G115 -- bits
		})
}

// ForgetFragments implements memory.FragmentStore.
func (s *Store) ForgetFragments(ctx context.Context, before time.Time) error {
	for {
		var dropped int64
		err := s.writer.do(ctx, "forgetting old fragments", func(w *writer) error {
			result, err := w.stmts.oldFragments.ExecContext(context.Background(), before.UnixMicro(), fragmentsAtOnce)
			if err != nil {
				return err
			}
			dropped, err = result.RowsAffected()
			return err
		})
		if err != nil || dropped < fragmentsAtOnce {
			return err
		}
	}
}

// putFragment keeps the fragment of a change, or drops those of a record that is not to count any more.
func (c *commit) putFragment() error {
	r := c.record
	gone := c.change.Type == memory.ChangePurge || r.State == memory.Rejected
	if !gone && c.change.Fragment == nil {
		return nil
	}
	namespace, err := c.namespaceID(r.Namespace)
	if err != nil {
		return err
	}
	if gone {
		return c.exec(c.stmts.dropFragments, namespace, r.ID)
	}
	if err := c.checkFragment(); err != nil {
		return err
	}
	f := *c.change.Fragment
	// All versions of a record go back to the same root, whatever is said of later ones.
	err = c.row(c.stmts.fragmentRoot, namespace, r.ID).Scan(&f.Root)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for _, m := range f.Mentions {
		if err := c.addFragment(namespace, f, m); err != nil {
			return err
		}
	}
	return c.cutEntities(namespace)
}

// checkFragment checks the fragment that is kept of a change, if there is one.
func (c *commit) checkFragment() error {
	f := c.change.Fragment
	switch {
	case f == nil:
		return nil
	case f.RecordID != c.record.ID || f.Namespace != c.record.Namespace:
		return &memory.FieldError{Field: "fragment", Fix: "give the fragment of the record that is changed"}
	}
	return f.Validate()
}

// addFragment adds one fragment of one entity and keeps the bounds of the entity.
func (w *writer) addFragment(namespace int64, f memory.Fragment, m memory.FragmentMention) error {
	entity := int64(m.Entity) // #nosec G115 -- bits
	err := w.exec(w.stmts.putFragment, namespace, entity, f.RecordID, m.Signals, f.Root, string(f.Class), f.At.UnixMicro())
	if err != nil {
		return err
	}
	list, err := w.fragmentsOf(namespace, entity)
	if err != nil {
		return err
	}
	for _, i := range memory.CutFragments(list) {
		if err := w.exec(w.stmts.dropFragment, namespace, entity, list[i].RecordID, list[i].Signals); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) fragmentsOf(namespace, entity int64) (list []memory.EntityFragment, err error) {
	rows, err := w.stmts.entity.QueryContext(context.Background(), namespace, entity)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var (
			f  memory.EntityFragment
			at int64
		)
		if err := rows.Scan(&f.RecordID, &f.Root, &f.Class, &f.Signals, &at); err != nil {
			return nil, err
		}
		f.At = fromMicros(at)
		list = append(list, f)
	}
	return list, rows.Err()
}

// cutEntities keeps the bound of entities of a namespace.
func (w *writer) cutEntities(namespace int64) error {
	var n int
	if err := w.row(w.stmts.countEntities, namespace).Scan(&n); err != nil || n <= memory.MaxFragmentEntities+spareEntities {
		return err
	}
	uses, err := w.entityUses(namespace)
	if err != nil {
		return err
	}
	for _, entity := range memory.CutEntities(uses, memory.MaxFragmentEntities) {
		if err := w.exec(w.stmts.dropEntity, namespace, int64(entity)); err != nil { // #nosec G115 -- bits
			return err
		}
	}
	return nil
}

func (w *writer) entityUses(namespace int64) (uses []memory.EntityUse, err error) {
	rows, err := w.stmts.entities.QueryContext(context.Background(), namespace)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var (
			entity, at int64
			signals    uint16
		)
		if err := rows.Scan(&entity, &signals, &at); err != nil {
			return nil, err
		}
		use := memory.EntityUse{Entity: uint64(entity), Signals: signals, Last: fromMicros(at)} // #nosec G115 -- bits
		if last := len(uses) - 1; last >= 0 && uses[last].Entity == use.Entity {
			uses[last].Signals |= use.Signals
			if use.Last.After(uses[last].Last) {
				uses[last].Last = use.Last
			}
			continue
		}
		uses = append(uses, use)
	}
	return uses, rows.Err()
}
