// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// liveOnly keeps out what no longer counts as a memory; see memory.Record.Live.
const liveOnly = "r.state NOT IN ('Forgotten', 'Rejected')"

// memoriesOnly keeps out records of reserved kinds; see memory.Reserved.
const memoriesOnly = "lower(r.kind) NOT LIKE '" + memory.ReservedKinds + "%'"

// where collects conditions and the values bound to them. The first one is always that a row belongs to the agent: row level
// security would see to it as well, and is there for when a condition is forgotten.
type where struct {
	conditions []string
	args       []any
}

// where returns conditions on rows of the agent in the table of an alias.
func (s *Store) where(alias string) *where {
	w := &where{}
	w.add(alias+".agent = ?", s.agent)
	return w
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

// in adds that a column has one of the values, unless the list is empty.
func in[T ~string](w *where, column string, list []T) {
	if len(list) > 0 {
		w.add(column+" = ANY(?)", texts(list))
	}
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// tagged adds that records carry all of the tags.
func (w *where) tagged(agent string, tags []string) {
	for _, tag := range tags {
		w.add("r.rid IN (SELECT rid FROM memorytrust.tags WHERE agent = ? AND tag = ?)", agent, tag)
	}
}

func (w *where) String() string { return " WHERE " + strings.Join(w.conditions, " AND ") }

// limited ends a query. The bound is part of the text, since plans depend on it.
func limited(n int) string { return " LIMIT " + strconv.Itoa(n) }

// Get implements memory.Store.
func (s *Store) Get(ctx context.Context, namespace, id string) (memory.Record, error) {
	return one(ctx, s.reader, "reading a memory",
		"SELECT "+selectColumns+" FROM memorytrust.records r WHERE r.agent = $1 AND r.id = $2 AND r.namespace = $3",
		[]any{s.agent, id, namespace}, readRecord)
}

func readRecord(scan func(...any) error) (memory.Record, error) { return scanRecord(scan) }

// List implements memory.Store. It returns a *memory.FieldError for a filter out of bounds. With ChangedAfter, which pages
// by itself, After is not looked at.
func (s *Store) List(ctx context.Context, f memory.Filter) ([]memory.Record, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	w := s.filtered(f)
	order := "r.id"
	switch {
	case f.ChangedAfter > 0:
		w.add("r.seq > ?", int64(f.ChangedAfter)) // #nosec G115 -- counts entries
		order = "r.seq"
	case f.After != "":
		w.add("r.id > ?", f.After)
	}
	query := "SELECT " + selectColumns + " FROM memorytrust.records r" + w.String() + " ORDER BY " + order + limited(f.Limit)
	return collect(ctx, s.reader, "listing memories", query, w.args, readRecord)
}

// filtered are the conditions of a filter but where its page begins.
func (s *Store) filtered(f memory.Filter) *where {
	w := s.where("r")
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
	// The second conditions say nothing new; without them no plan can tell that an index on non-empty ones will do.
	if in(w, "r.kind", f.Kinds); len(f.Kinds) > 0 && !slices.Contains(f.Kinds, "") {
		w.add("r.kind <> ''")
	}
	w.tagged(s.agent, f.Tags)
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
	return collect(ctx, s.reader, "listing namespaces", `SELECT n.name FROM memorytrust.namespaces n WHERE n.agent = $1
		AND EXISTS (SELECT 1 FROM memorytrust.records r WHERE r.agent = $1 AND r.namespace = n.name) ORDER BY n.name`,
		[]any{s.agent}, value[string])
}

// selectCounts groups live records; a namespace condition may stand between it and groupCounts. The groups follow the index,
// so that they need no sorting.
const (
	selectCounts = `SELECT r.zone, r.state, r.signed_by, r.folded_into = '', count(*) FROM memorytrust.records r
	WHERE r.agent = ? AND ` + liveOnly
	groupCounts = " GROUP BY r.namespace, r.zone, r.state, r.signed_by, r.folded_into = ''"
)

// Counts implements memory.Store.
func (s *Store) Counts(ctx context.Context, namespace string) (memory.Counts, error) {
	counts := memory.Counts{
		ByZone: map[memory.Zone]int64{}, ByState: map[memory.State]int64{}, ByKeyID: map[string]int64{},
	}
	query, args := selectCounts, []any{s.agent}
	if namespace != "" {
		query, args = query+" AND r.namespace = ?", append(args, namespace)
	}
	_, err := collect(ctx, s.reader, "counting memories", query+groupCounts, args, func(scan func(...any) error) (struct{}, error) {
		var (
			zone   memory.Zone
			state  memory.State
			prefix []byte
			item   bool
			n      int64
		)
		if err := scan((*string)(&zone), (*string)(&state), &prefix, &item, &n); err != nil {
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

// selectItems counts along an index that holds nothing but what waits, whose condition it repeats.
const selectItems = `SELECT count(*) FROM memorytrust.records r WHERE r.agent = $1 AND r.namespace = $2
	AND r.state IN ('PendingReview', 'Disputed') AND r.folded_into = ''`

// Items implements memory.Store.
func (s *Store) Items(ctx context.Context, namespace string) (int64, error) {
	return one(ctx, s.reader, "counting what waits", selectItems, []any{s.agent, namespace}, value[int64])
}

// selectWaiting lists what a person has to decide of one writer; a condition on the channel may follow.
const selectWaiting = `SELECT r.id, r.sketch, r.expiry FROM memorytrust.records r
	WHERE r.state = 'PendingReview' AND r.folded_into = '' AND r.agent = ? AND r.namespace = ? AND r.principal = ? AND r.class = ?`

// Waiting implements memory.Store. Items that never expire come last.
func (s *Store) Waiting(ctx context.Context, w memory.Waiting) ([]memory.WaitingItem, error) {
	query := selectWaiting
	if w.Principal == "" {
		query += " AND r.channel = ''"
	}
	query += " ORDER BY r.expiry NULLS LAST, r.id" + limited(memory.MaxWaiting)
	return collect(ctx, s.reader, "listing what waits", query,
		[]any{s.agent, w.Namespace, w.Principal, string(w.Class)},
		func(scan func(...any) error) (item memory.WaitingItem, err error) {
			var (
				sketch int64
				expiry *int64
			)
			err = scan(&item.ID, &sketch, &expiry)
			item.Sketch = uint64(sketch) // #nosec G115 -- bits
			if expiry != nil {
				item.Expiry = fromMicros(*expiry)
			}
			return item, err
		})
}
