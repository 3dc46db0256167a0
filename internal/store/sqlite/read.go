// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// liveOnly keeps out what no longer counts as a memory; see memory.Record.Live.
const liveOnly = "r.state NOT IN ('Forgotten', 'Rejected')"

// memoriesOnly keeps out records of reserved kinds; see memory.Reserved.
const memoriesOnly = "lower(r.kind) NOT GLOB '" + memory.ReservedKinds + "*'"

// where collects conditions and the values bound to them.
type where struct {
	conditions []string
	args       []any
}

func (w *where) add(condition string, args ...any) {
	w.conditions = append(w.conditions, condition)
	w.args = append(w.args, args...)
}

// equal adds "column = ?" unless the value is empty.
func (w *where) equal(column, value string) {
	if value != "" {
		w.add(column+" = ?", value)
	}
}

// in adds "column IN (…)" unless the list is empty.
func in[T ~string](w *where, column string, list []T) {
	if len(list) == 0 {
		return
	}
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = string(v)
	}
	w.add(column+" IN ("+placeholders(len(list))+")", args...)
}

// tagged adds that records carry all of the tags.
func (w *where) tagged(tags []string) {
	for _, tag := range tags {
		w.add("r.rid IN (SELECT rid FROM tags WHERE tag = ?)", tag)
	}
}

func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// Get implements memory.Store.
func (s *Store) Get(ctx context.Context, namespace, id string) (memory.Record, error) {
	if err := s.written(ctx, id); err != nil {
		return memory.Record{}, err
	}
	return one(ctx, s.reader, "reading a memory", "SELECT "+selectColumns+" FROM records r WHERE r.id = ? AND r.namespace = ?",
		[]any{id, namespace}, readRecord)
}

func readRecord(scan func(...any) error) (memory.Record, error) { return scanRecord(scan) }

// List implements memory.Store. It returns a *memory.FieldError for a filter out of bounds. With ChangedAfter, which pages
// by itself, After is not looked at.
func (s *Store) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if err := s.written(ctx, f.IDs...); err != nil {
		return nil, err
	}
	if len(f.IDs) > 0 {
		ids, err := s.possible(ctx, f.IDs)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		f.IDs = ids
	}
	w := filtered(f)
	order := "r.id"
	switch {
	case f.ChangedAfter > 0:
		w.add("r.seq > ?", int64(f.ChangedAfter)) // #nosec G115 -- counts entries
		order = "r.seq"
	case f.After != "":
		w.add("r.id > ?", f.After)
	}
	query := "SELECT " + selectColumns + " FROM records r" + w.String() + " ORDER BY " + order + " LIMIT ?"
	return collect(ctx, s.reader, "listing memories", query, append(w.args, f.Limit), readRecord)
}

// filtered are the conditions of a filter but where its page begins.
func filtered(f memory.Filter) *where {
	w := &where{}
	w.equal("r.namespace", f.Namespace)
	in(w, "r.id", f.IDs)
	in(w, "r.zone", f.Zones)
	in(w, "r.state", f.States)
	w.equal("r.class", string(f.Class))
	w.equal("r.source", f.Source)
	if w.equal("r.principal", f.Principal); f.Principal != "" {
		w.add("r.principal <> ''")
	}
	if f.KeyID != "" {
		prefix, _ := provenance.TagPrefix(f.KeyID) // what is no id signed nothing
		w.add("r.signed_by = ?", prefix)
	}
	// The second conditions say nothing new; without them SQLite cannot tell that an index on non-empty ones will do.
	if in(w, "r.kind", f.Kinds); len(f.Kinds) > 0 && !slices.Contains(f.Kinds, "") {
		w.add("r.kind <> ''")
	}
	w.tagged(f.Tags)
	if w.equal("r.subject", f.Subject); f.Subject != "" {
		w.add("r.subject <> ''")
	}
	if w.equal("r.folded_into", f.FoldedInto); f.FoldedInto != "" {
		w.add("r.folded_into <> ''")
	}
	if !f.Since.IsZero() {
		w.add("r.created_at >= ?", f.Since.UnixMicro())
	}
	if !f.Until.IsZero() {
		w.add("r.created_at < ?", f.Until.UnixMicro())
	}
	if f.Items {
		w.add("r.folded_into = ''")
	}
	if f.Memories {
		w.add(memoriesOnly)
	}
	if !f.IncludeForgotten {
		w.add(liveOnly)
	}
	return w
}

// Namespaces implements memory.Store. A namespace of observations alone has no records.
func (s *Store) Namespaces(ctx context.Context) ([]string, error) {
	if err := s.written(ctx); err != nil {
		return nil, err
	}
	return collect(ctx, s.reader, "listing namespaces",
		"SELECT name FROM namespaces n WHERE EXISTS (SELECT 1 FROM records WHERE namespace = n.name) ORDER BY name", nil, value[string])
}

// selectCounts groups live records; a namespace condition may stand between it and groupCounts. The groups follow the index,
// so that they need no sorting.
const (
	selectCounts = "SELECT r.zone, r.state, r.signed_by, r.folded_into = '', count(*) FROM records r WHERE " + liveOnly
	groupCounts  = " GROUP BY r.namespace, r.zone, r.state, r.signed_by, r.folded_into"
)

// Counts implements memory.Store.
func (s *Store) Counts(ctx context.Context, namespace string) (memory.Counts, error) {
	counts := memory.Counts{
		ByZone: map[memory.Zone]int64{}, ByState: map[memory.State]int64{}, ByKeyID: map[string]int64{},
	}
	if err := s.written(ctx); err != nil {
		return counts, err
	}
	query, args := selectCounts, []any(nil)
	if namespace != "" {
		query, args = query+" AND r.namespace = ?", []any{namespace}
	}
	_, err := collect(ctx, s.reader, "counting memories", query+groupCounts, args, func(scan func(...any) error) (struct{}, error) {
		var (
			zone   memory.Zone
			state  memory.State
			prefix []byte
			item   bool
			n      int64
		)
		if err := scan(&zone, &state, &prefix, &item, &n); err != nil {
			return struct{}{}, err
		}
		counts.ByZone[zone] += n
		counts.ByState[state] += n
		if item && (state == memory.PendingReview || state == memory.Disputed) {
			counts.Items += n
		}
		// TagKeyID wants a whole tag; one more byte makes the prefix long enough.
		if id, ok := provenance.TagKeyID(append(prefix, 0)); ok {
			counts.ByKeyID[id] += n
		}
		return struct{}{}, nil
	})
	counts.PendingReview = counts.ByState[memory.PendingReview]
	return counts, err
}

// selectItems counts along the index of Counts, and touches nothing that does not wait.
const selectItems = `SELECT count(*) FROM records r WHERE r.namespace = ? AND r.zone IN ('Quarantine', 'Working', 'Trusted')
	AND r.state IN ('PendingReview', 'Disputed') AND r.folded_into = ''`

// Items implements memory.Store.
func (s *Store) Items(ctx context.Context, namespace string) (int64, error) {
	if err := s.written(ctx); err != nil {
		return 0, err
	}
	return one(ctx, s.reader, "counting what waits", selectItems, []any{namespace}, value[int64])
}

// selectWaiting lists what a person has to decide of one writer; a condition on the channel may follow.
const selectWaiting = `SELECT r.id, r.sketch, r.expiry FROM records r
	WHERE r.state = 'PendingReview' AND r.folded_into = '' AND r.namespace = ? AND r.principal = ? AND r.class = ?`

// Waiting implements memory.Store. Items that never expire come last.
func (s *Store) Waiting(ctx context.Context, w memory.Waiting) ([]memory.WaitingItem, error) {
	if err := s.written(ctx); err != nil {
		return nil, err
	}
	query := selectWaiting
	if w.Principal == "" {
		query += " AND r.channel = ''"
	}
	query += " ORDER BY r.expiry IS NULL, r.expiry, r.id LIMIT ?"
	return collect(ctx, s.reader, "listing what waits", query, []any{w.Namespace, w.Principal, string(w.Class), memory.MaxWaiting},
		func(scan func(...any) error) (item memory.WaitingItem, err error) {
			var (
				sketch int64
				expiry sql.NullInt64
			)
			err = scan(&item.ID, &sketch, &expiry)
			item.Sketch = uint64(sketch) // #nosec G115 -- bits
			if expiry.Valid {
				item.Expiry = fromMicros(expiry.Int64)
			}
			return item, err
		})
}
