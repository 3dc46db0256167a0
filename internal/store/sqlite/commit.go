// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/words"
)

// Commit implements memory.Store. It returns a *memory.FieldError for a change that cannot be stored, ErrNotFound for a
// change of a record that never was in its namespace, and ErrConflict when the record's newest audit entry is not
// ExpectSeq, a new record's id is taken, or the idempotency key is. The end of ctx takes a commit back only while it waits
// for its turn.
func (s *Store) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	records, err := s.CommitAll(ctx, []memory.Change{c})
	if err != nil {
		return memory.Record{}, err
	}
	return records[0], nil
}

// CommitAll implements memory.Store, with the errors of Commit.
func (s *Store) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	commits, err := newCommits(changes)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	s.order.RLock()
	defer s.order.RUnlock()
	if err := s.settledFor(ctx, commits); err != nil {
		return nil, err
	}
	err = s.writer.do(ctx, committing, func(w *writer) error {
		for _, c := range commits {
			c.writer = w
			if err := c.run(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return recordsOf(commits), nil
}

func newCommits(changes []memory.Change) ([]*commit, error) {
	commits := make([]*commit, len(changes))
	seen := make(map[string]bool, len(changes))
	for i, c := range changes {
		c.Record = c.Record.Normalized()
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if seen[c.Record.ID] {
			return nil, &memory.FieldError{Field: "id", Fix: "change every memory at most once"}
		}
		seen[c.Record.ID] = true
		commits[i] = newCommit(c)
	}
	return commits, nil
}

func recordsOf(commits []*commit) []memory.Record {
	records := make([]memory.Record, len(commits))
	for i, c := range commits {
		records[i] = c.record
	}
	return records
}

// settledFor brings into the store what has its place in the audit log before these changes, and traces that a change takes away or
// adds to.
func (s *Store) settledFor(ctx context.Context, commits []*commit) error {
	if s.behind == nil {
		return nil
	}
	later, purge := map[string]bool{}, false
	for _, c := range commits {
		if c.change.ExpectSeq > 0 {
			later[c.record.ID] = true
		}
		purge = purge || c.change.Type == memory.ChangePurge
	}
	if purge || s.behind.holdsCommits() || len(later) > 0 && s.behind.holds(later) {
		return s.settled(ctx)
	}
	return nil
}

const committing = "committing a memory"

// commit is one change on its way into the file.
type commit struct {
	*writer
	change memory.Change
	record memory.Record // as it will be stored
	sum    []byte        // SHA-256 of the content, or of what a purge erases
	words  []string      // of the content, if it is to be found
	sketch uint64        // of the content
	sealed bool          // the record is complete

	rid        int64
	indexed    string // the keys its words have in the index; empty: not in the index
	contentSeq uint64 // of the version that holds the content
	previous   previous
}

// previous is what the version before says.
type previous struct {
	hash       []byte
	indexed    string
	contentSeq uint64
	sum        []byte
	hasContent bool // not purged
}

// newCommit does what needs no file.
func newCommit(c memory.Change) *commit {
	out := &commit{change: c, record: c.Record, sum: c.Record.Erased, sketch: memory.Sketch(c.Record.Content)}
	if len(out.sum) == 0 {
		sum := sha256.Sum256([]byte(c.Record.Content))
		out.sum = sum[:]
	}
	if c.Record.Searchable() {
		out.words = words.Of(c.Record.Content)
	}
	return out
}

func (c *commit) run() error {
	for _, step := range []func() error{
		c.checkHead, c.claimKey, c.seal, c.putRecord, c.putContent, c.putVersion, c.putAudit, c.putIndex, c.putTrace, c.putFragment, c.erase,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkHead compares with the audit log and not with the row: whoever rolled the row back must not thereby decide which
// version is the newest.
func (c *commit) checkHead() error {
	id, expect := c.record.ID, c.change.ExpectSeq
	if expect > 0 {
		var inNamespace int64
		if err := c.row(c.stmts.exists, id, c.record.Namespace).Scan(&inNamespace); err != nil {
			return err
		}
		if inNamespace == 0 {
			return memory.ErrNotFound
		}
	}
	var head int64
	if err := c.row(c.stmts.head, id).Scan(&head); err != nil {
		return err
	}
	if uint64(head) != expect { // #nosec G115 -- counts entries
		return memory.ErrConflict
	}
	if head == 0 {
		return nil
	}
	p := &c.previous
	return c.row(c.stmts.previous, head).Scan(&p.hash, &p.indexed, &p.contentSeq, &p.sum, &p.hasContent)
}

// claimKey takes the idempotency key.
func (c *commit) claimKey() error {
	key := c.change.Key
	if key.Key == "" {
		return nil
	}
	result, err := c.stmts.key.ExecContext(context.Background(), c.record.Namespace, c.record.Writer.String(), key.Key,
		key.Digest, c.record.ID, c.record.UpdatedAt.UnixMicro())
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(memory.ErrConflict, err)
	}
	return nil
}

// seal completes the record: seq, commit, tag and hash, in this order. One that was acknowledged is complete.
func (c *commit) seal() error {
	if c.sealed {
		return nil
	}
	if c.change.Type == memory.ChangePurge && !bytes.Equal(c.record.Erased, c.previous.sum) {
		return &memory.FieldError{Field: "erased", Fix: "give the SHA-256 of the content that is to be erased"}
	}
	return c.sealAs(uint64(c.size) + 1) // #nosec G115 -- counts entries
}

// sealAs completes the record for its place in the audit log.
func (c *commit) sealAs(seq uint64) error {
	r := &c.record
	r.Seq, r.Tag = seq, nil
	r.Commit = memory.Commit{Change: c.change.Type, Actor: c.change.Actor, Reason: c.change.Reason}
	if len(c.previous.hash) > 0 {
		r.Commit.Parents = [][]byte{c.previous.hash}
	}
	if c.change.Sign != nil {
		tag, err := sign(c.change.Sign, *r)
		if err != nil {
			return fmt.Errorf("signing: %w", err)
		}
		r.Tag = tag
	}
	hash := r.CommitHash()
	r.Commit.Hash = hash[:]
	return nil
}

// sign turns a panic of the caller's code into an error: it runs among the writes of others.
func sign(signer func(memory.Record) ([]byte, error), r memory.Record) (tag []byte, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the signer panicked")
		}
	}()
	return signer(r)
}

func (c *commit) putRecord() error {
	r := c.record
	bound, err := values(r, c.sketch, len(c.words))
	if err != nil {
		return err
	}
	if c.change.ExpectSeq == 0 {
		c.present.add(r.ID)
	}
	if err := c.row(c.stmts.put, bound...).Scan(&c.rid); err != nil {
		return err
	}
	if c.change.ExpectSeq > 0 {
		if err := c.exec(c.stmts.untag, c.rid); err != nil {
			return err
		}
	}
	for _, tag := range r.Tags {
		if err := c.exec(c.stmts.tag, tag, c.rid); err != nil {
			return err
		}
	}
	if len(r.Parents) == 0 {
		return nil
	}
	parents, err := json.Marshal(r.Parents)
	if err != nil {
		return err
	}
	return c.exec(c.stmts.lineage, r.ID, string(parents))
}

// putContent writes the content unless the version before holds the same.
func (c *commit) putContent() error {
	purge := c.change.Type == memory.ChangePurge
	if p := c.previous; p.contentSeq > 0 && bytes.Equal(p.sum, c.sum) && (p.hasContent || purge) {
		c.contentSeq = p.contentSeq
		return nil
	}
	c.contentSeq = c.record.Seq
	return c.exec(c.stmts.addContent, int64(c.record.Seq), c.record.ID, c.sum, c.record.Content) // #nosec G115
}

func (c *commit) putVersion() error {
	r := c.record
	namespace, err := c.namespaceID(r.Namespace)
	if err != nil {
		return err
	}
	if r.Searchable() {
		c.indexed = fulltext.Keys(namespace, r.Zone)
	}
	body, err := encodeVersion(r)
	if err != nil {
		return err
	}
	return c.exec(c.stmts.version, int64(r.Seq), r.ID, r.Branch, int64(c.change.ExpectSeq), r.Commit.Hash, layoutV2, // #nosec G115
		string(r.Commit.Change), r.Commit.Actor, r.Commit.Reason, r.UpdatedAt.UnixMicro(), int64(c.contentSeq), c.indexed, body) // #nosec G115
}

// namespaceID returns the number of a namespace, a new one for its first record.
func (w *writer) namespaceID(name string) (int64, error) {
	if id, known := w.namespaces[name]; known {
		return id, nil
	}
	var id int64
	err := w.row(w.stmts.namespace, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = w.row(w.stmts.addNamespace, name).Scan(&id)
	}
	if err != nil {
		return 0, err
	}
	if w.namespaces == nil {
		w.namespaces = map[string]int64{}
	}
	w.namespaces[name] = id
	return id, nil
}

// erase removes the contents of all versions of a purged record, and what it could be recognized by. The head row has lost its
// own already, and the index its words; the write-ahead log is emptied once the transaction is on disk.
func (c *commit) erase() error {
	if c.change.Type != memory.ChangePurge {
		return nil
	}
	c.truncate = true
	if err := c.untrace(c.record); err != nil {
		return err
	}
	return c.exec(c.stmts.eraseContents, c.record.ID)
}

func (c *commit) putAudit() error {
	r := c.record
	leaf := audit.Entry{
		Seq: r.Seq, Namespace: r.Namespace, RecordID: r.ID, PrevSeq: c.change.ExpectSeq, Change: string(c.change.Type),
		Actor: c.change.Actor, Reason: c.change.Reason, Time: r.UpdatedAt, RecordHash: [sha256.Size]byte(r.Commit.Hash),
	}.Encode()
	return c.appendLeaf(r.ID, leaf)
}
