// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"memorytrust.dev/operator/internal/memory"
)

// CommitBehind implements memory.Store, with the errors of Commit. Records get their place in the audit log and their tag at once, so
// that what is in the journal is signed like what is in the tables, and are brought there in the order of their places.
func (s *Store) CommitBehind(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	commits, err := newCommits(changes)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	if slices.ContainsFunc(commits, func(c *commit) bool { return !c.waits() }) {
		return s.CommitAll(ctx, changes)
	}
	done, err := s.acknowledge(ctx, commits)
	if err != nil {
		return nil, mapError(ctx, committing, err)
	}
	if !done {
		return s.CommitAll(ctx, changes)
	}
	return recordsOf(commits), nil
}

// waits reports whether a change may be brought into the tables later.
func (c *commit) waits() bool {
	r := c.record
	return c.change.Type == memory.ChangeCreate && c.change.Key.Key == "" && !r.Searchable() && r.Zone != memory.Quarantine &&
		c.checkFragment() == nil
}

// acknowledge puts new records behind all that is in the audit log; false where they cannot be written later.
func (s *Store) acknowledge(ctx context.Context, commits []*commit) (bool, error) {
	s.order.Lock()
	defer s.order.Unlock()
	b, err := s.alone(ctx)
	if err != nil || b == nil {
		return false, err
	}
	ids := make([]string, len(commits))
	for i, c := range commits {
		ids[i] = c.record.ID
	}
	taken, err := s.taken(ctx, b, ids)
	if err != nil {
		return false, err
	}
	if taken {
		return false, memory.ErrConflict
	}
	size, err := s.Size(ctx)
	if err != nil {
		return false, err
	}
	e := entry{commits: commits}
	for i, c := range commits {
		if err := c.sealAs(size + 1 + uint64(i)); err != nil { // #nosec G115 -- not negative
			return false, err
		}
		c.sealed = true
		if len(c.change.Trace) > 0 {
			e.traces = append(e.traces, c.trace())
			c.change.Trace = nil
		}
	}
	e.traces = compacted(e.traces)
	if err = b.add(ctx, e); errors.Is(err, errLongEntry) {
		return false, nil
	}
	return err == nil, err
}

// taken reports whether there is a record with one of these ids. No other change is on its way.
func (s *Store) taken(ctx context.Context, b *behind, ids []string) (bool, error) {
	if b.holdsCommits(ids...) {
		return true, nil
	}
	ids = s.present.possible(ids)
	if len(ids) == 0 {
		return false, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return false, err
	}
	return one(ctx, s.reader, committing, "SELECT EXISTS (SELECT 1 FROM json_each(?) j CROSS JOIN audit a ON a.record_id = j.value)",
		[]any{string(list)}, value[bool])
}

// holdsCommits reports whether some of these records are not in the store yet; without ids, whether any is not.
func (b *behind) holdsCommits(ids ...string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(ids) == 0 {
		return len(b.commits) > 0
	}
	return slices.ContainsFunc(ids, func(id string) bool { return b.commits[id] })
}

// holdsFragment reports whether something is said of one of these entities in a record that is not in the store yet.
func (b *behind) holdsFragment(entities []uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	speaks := func(c *commit) bool {
		return c.change.Fragment != nil && slices.ContainsFunc(c.change.Fragment.Mentions, func(m memory.FragmentMention) bool {
			return slices.Contains(entities, m.Entity)
		})
	}
	return len(b.commits) > 0 && slices.ContainsFunc(b.pending, func(e entry) bool { return slices.ContainsFunc(e.commits, speaks) })
}

// logSize is how many entries the audit log has, with those that were acknowledged; false where that has to be read.
func (b *behind) logSize() (uint64, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.commits) > 0 {
		return b.size, true
	}
	size := b.writer.committed.Load()
	return uint64(max(size, 0)), size >= 0
}

// written waits until all of these records that were acknowledged are in the tables, or without ids all there are.
func (s *Store) written(ctx context.Context, ids ...string) error {
	if s.behind == nil || !s.behind.holdsCommits(ids...) {
		return nil
	}
	return s.settled(ctx)
}

// writtenOf waits until all that was acknowledged of these entities is in the tables.
func (s *Store) writtenOf(ctx context.Context, entities []uint64) error {
	if s.behind == nil || !s.behind.holdsFragment(entities) {
		return nil
	}
	return s.settled(ctx)
}

// addCommits writes records that were acknowledged. One that has its place already was written before the process ended; one whose
// place is another's by now, because another process wrote to the file, is none.
func (w *writer) addCommits(entries []entry) error {
	for _, e := range entries {
		for _, c := range e.commits {
			if c.record.Seq != uint64(w.size)+1 { // #nosec G115 -- counts entries
				slog.Warn("A record that was acknowledged has no place in the audit log", "id", c.record.ID, "seq", c.record.Seq, "size", w.size)
				continue
			}
			again := *c // the transaction may fail, and be tried again
			again.writer = w
			if err := again.run(); err != nil {
				return err
			}
		}
	}
	return nil
}

// journaled is a new record as the journal holds it.
type journaled struct {
	Record   memory.Portable  `json:"record"`
	Commit   memory.Commit    `json:"commit"`
	Fragment *memory.Fragment `json:"fragment,omitempty"`
}

func (c *commit) encode() string {
	raw, err := json.Marshal(journaled{Record: c.record.Portable(), Commit: c.record.Commit, Fragment: c.change.Fragment})
	if err != nil {
		panic(err) // strings, numbers and times of years that there are
	}
	return string(raw)
}

func decodeCommit(raw string) (*commit, error) {
	var j journaled
	if json.Unmarshal([]byte(raw), &j) != nil {
		return nil, errEntry
	}
	c := memory.Change{
		Type: memory.ChangeCreate, Record: j.Record.Record(), Actor: j.Commit.Actor, Reason: j.Commit.Reason, Fragment: j.Fragment,
	}
	c.Record.Commit = j.Commit
	if c.Validate() != nil || len(j.Commit.Hash) == 0 {
		return nil, errEntry
	}
	out := newCommit(c)
	out.sealed = true
	return out, nil
}
