// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
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
// for its turn. With ErrUnavailable nothing was written, or, where the error says that the outcome cannot be looked up, it
// shows once the server is back; an idempotency key makes it safe to try again.
func (s *Store) Commit(ctx context.Context, c memory.Change) (memory.Record, error) {
	records, err := s.CommitAll(ctx, []memory.Change{c})
	if err != nil {
		return memory.Record{}, err
	}
	return records[0], nil
}

// CommitBehind implements memory.Store as CommitAll does: another replica has to find the records.
func (s *Store) CommitBehind(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	return s.CommitAll(ctx, changes)
}

// CommitAll implements memory.Store, with the errors of Commit.
func (s *Store) CommitAll(ctx context.Context, changes []memory.Change) ([]memory.Record, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	group := make(commits, len(changes))
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
		group[i] = newCommit(c)
	}
	if err := s.writer.do(ctx, "committing a memory", group.run); err != nil {
		return nil, err
	}
	records := make([]memory.Record, len(group))
	for i, c := range group {
		records[i] = c.record
	}
	return records, nil
}

// commits are the changes of one request.
type commits []*commit

// commit is one change on its way into the database.
type commit struct {
	change memory.Change
	sum    []byte   // SHA-256 of the content, or of what a purge erases
	words  []string // of the content, if it is to be found
	sketch uint64   // of the content

	*decision
}

// decision is what a commit becomes in one transaction.
type decision struct {
	*transaction
	record     memory.Record // as it will be stored
	rid        int64
	leaf       []byte
	bound      []any  // of the record's row
	body       string // of the version
	indexed    string // the keys its words have in the index; empty: not in the index
	contentSeq uint64 // of the version that holds the content
	old        traceRow
	next       *trace // to put, in the place of old if there is one
	fragment   fragmentPlan

	exists   bool   // in its namespace
	keyTaken bool   // by another request
	newest   uint64 // entry of the audit log
	previous previous
}

// previous is what the version before says.
type previous struct {
	hash       []byte
	indexed    string
	contentSeq uint64
	sum        []byte
	hasContent bool   // not purged
	content    string // if it differs from the new one
}

// newCommit does what needs no database.
func newCommit(c memory.Change) *commit {
	out := &commit{change: c, sum: c.Record.Erased, sketch: memory.Sketch(c.Record.Content)}
	if len(out.sum) == 0 {
		sum := sha256.Sum256([]byte(c.Record.Content))
		out.sum = sum[:]
	}
	if c.Record.Searchable() {
		out.words = words.Of(c.Record.Content)
	}
	return out
}

// run reads all that the changes depend on, decides about one after the other, and queues what they write when none was refused.
func (g commits) run(t *transaction) error {
	for _, c := range g {
		c.decision = &decision{transaction: t, record: c.change.Record}
	}
	if err := g.read(t); err != nil {
		return err
	}
	keys := map[string]bool{} // taken by the request itself
	for _, c := range g {
		if key := c.change.Key.Key; key != "" {
			name := c.record.Namespace + "\x00" + c.record.Writer.String() + "\x00" + key
			c.keyTaken = c.keyTaken || keys[name]
			keys[name] = true
		}
		for _, step := range []func() error{c.checkHead, c.seal, c.decide} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	if err := g.checkFragments(); err != nil {
		return err
	}
	t.writeNamespaces()
	for _, c := range g {
		c.put()
	}
	g.writeFragments(t)
	return nil
}

// readHeads reads of each record in a list what a change of it depends on. The newest version is that of the audit log and not that
// of the row: whoever rolled the row back must not thereby decide which one is the newest. The content before comes along if it is
// not the one that a change has the hash of.
//
// LATERAL and LIMIT, here and elsewhere, keep the server from joining in any other way than by looking each row up: tables that
// were filled a moment ago have no statistics yet, and look as if an agent had but one row.
const readHeads = `SELECT u.place, coalesce(r.rid, 0), coalesce(r.namespace, ''), coalesce(h.seq, 0), v.hash,
		coalesce(v.indexed, ''), coalesce(v.content_seq, 0), c.sha256, c.content IS NOT NULL, CASE WHEN c.sha256 <> u.sum THEN c.content END
	FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS u (id, sum, place)
	LEFT JOIN LATERAL (SELECT rid, namespace FROM memorytrust.records WHERE agent = $1 AND id = u.id LIMIT 1) r ON true
	LEFT JOIN LATERAL (SELECT seq FROM memorytrust.audit WHERE agent = $1 AND record_id = u.id ORDER BY seq DESC LIMIT 1) h ON true
	LEFT JOIN LATERAL (SELECT hash, indexed, content_seq FROM memorytrust.versions WHERE agent = $1 AND seq = h.seq LIMIT 1) v ON true
	LEFT JOIN LATERAL (SELECT sha256, content FROM memorytrust.contents WHERE agent = $1 AND seq = v.content_seq LIMIT 1) c ON true`

const readKey = "SELECT 1 FROM memorytrust.idempotency WHERE agent = $1 AND namespace = $2 AND writer = $3 AND key = $4"

// read asks for all that the changes depend on.
func (g commits) read(t *transaction) error {
	ids, sums, names := make([]string, len(g)), make([][]byte, len(g)), make([]string, len(g))
	for i, c := range g {
		ids[i], sums[i], names[i] = c.record.ID, c.sum, c.record.Namespace
		if c.change.Type == memory.ChangePurge {
			sums[i] = []byte{} // what is erased is needed to take its words out of the index
		}
		if key := c.change.Key.Key; key != "" {
			t.read(readKey, []any{t.agent, c.record.Namespace, c.record.Writer.String(), key}, func(func(...any) error) error {
				c.keyTaken = true
				return nil
			})
		}
		c.readTrace()
	}
	t.lookUpNamespaces(names...)
	t.read(readHeads, []any{t.agent, ids, sums}, func(scan func(...any) error) error {
		var (
			place            int
			rid              int64
			namespace        string
			head, contentSeq int64
			p                previous
			content          []byte
		)
		if err := scan(&place, &rid, &namespace, &head, &p.hash, &p.indexed, &contentSeq, &p.sum, &p.hasContent, &content); err != nil {
			return err
		}
		c := g[place-1]
		p.contentSeq, p.content = uint64(contentSeq), string(content) // #nosec G115 -- counts entries
		c.rid, c.newest, c.previous = rid, uint64(head), p            // #nosec G115 -- counts entries
		c.exists = rid > 0 && namespace == c.record.Namespace
		return nil
	})
	g.readFragments(t)
	return t.flush()
}

// checkHead refuses a change of another version than the newest, and a request that was made before.
func (c *commit) checkHead() error {
	switch expect := c.change.ExpectSeq; {
	case expect > 0 && !c.exists:
		return memory.ErrNotFound
	case c.newest != expect, c.keyTaken:
		return memory.ErrConflict
	}
	return nil
}

// seal completes the record: seq, commit, tag and hash, in this order.
func (c *commit) seal() error {
	if c.change.Type == memory.ChangePurge && !bytes.Equal(c.record.Erased, c.previous.sum) {
		return &memory.FieldError{Field: "erased", Fix: "give the SHA-256 of the content that is to be erased"}
	}
	r := &c.record
	r.Seq, r.Tag = uint64(c.head.size)+1, nil // #nosec G115 -- counts entries
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

// decide makes what is to be written.
func (c *commit) decide() error {
	r := c.record
	if c.change.ExpectSeq == 0 {
		c.head.records++
		c.rid = c.head.records
	}
	namespace := c.namespaceID(r.Namespace)
	if r.Searchable() {
		c.indexed = fulltext.Keys(namespace, r.Zone)
	}
	c.contentSeq = r.Seq
	if c.keepsContent() {
		c.contentSeq = c.previous.contentSeq
	}
	var err error
	if c.bound, err = values(c.agent, r, c.sketch, len(c.words), c.rid); err != nil {
		return err
	}
	if c.body, err = encodeVersion(r); err != nil {
		return err
	}
	if err := c.decideTrace(); err != nil {
		return err
	}
	c.leaf = audit.Entry{
		Seq: r.Seq, Namespace: r.Namespace, RecordID: r.ID, PrevSeq: c.change.ExpectSeq, Change: string(c.change.Type),
		Actor: c.change.Actor, Reason: c.change.Reason, Time: r.UpdatedAt, RecordHash: [sha256.Size]byte(r.Commit.Hash),
	}.Encode()
	return c.appendLeaf(c.leaf)
}

// keepsContent reports whether the version before holds the same content.
func (c *commit) keepsContent() bool {
	p := c.previous
	return p.contentSeq > 0 && bytes.Equal(p.sum, c.sum) && (p.hasContent || c.change.Type == memory.ChangePurge)
}

// put queues what was decided.
func (c *commit) put() {
	r := c.record
	created := c.change.ExpectSeq == 0
	if created {
		c.write(insertRecord, c.bound...)
	} else {
		c.write(updateRecord, c.bound...)
		c.write("DELETE FROM memorytrust.tags WHERE agent = $1 AND rid = $2", c.agent, c.rid)
	}
	if len(r.Tags) > 0 {
		c.write("INSERT INTO memorytrust.tags (agent, tag, rid) SELECT $1, u, $2 FROM unnest($3::text[]) u", c.agent, c.rid, r.Tags)
	}
	if len(r.Parents) > 0 {
		c.write(`INSERT INTO memorytrust.lineage (agent, child, parent) SELECT $1, $2, u FROM unnest($3::text[]) u
			ON CONFLICT DO NOTHING`, c.agent, r.ID, r.Parents)
	}
	if c.contentSeq == r.Seq {
		c.write("INSERT INTO memorytrust.contents (agent, seq, record_id, sha256, content) VALUES ($1, $2, $3, $4, $5)",
			c.agent, int64(r.Seq), r.ID, c.sum, []byte(r.Content)) // #nosec G115 -- counts entries
	}
	c.write(`INSERT INTO memorytrust.versions
		(agent, seq, record_id, branch, prev_seq, hash, layout, change, actor, reason, at, content_seq, indexed, body)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		c.agent, int64(r.Seq), r.ID, r.Branch, int64(c.change.ExpectSeq), r.Commit.Hash, layoutV2, string(r.Commit.Change), // #nosec G115
		r.Commit.Actor, r.Commit.Reason, r.UpdatedAt.UnixMicro(), int64(c.contentSeq), c.indexed, c.body) // #nosec G115
	c.write("INSERT INTO memorytrust.audit (agent, seq, record_id, leaf) VALUES ($1, $2, $3, $4)",
		c.agent, int64(r.Seq), r.ID, c.leaf) // #nosec G115 -- counts entries
	if key := c.change.Key; key.Key != "" {
		c.write(`INSERT INTO memorytrust.idempotency (agent, namespace, writer, key, digest, record_id, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			c.agent, r.Namespace, r.Writer.String(), key.Key, key.Digest, r.ID, r.UpdatedAt.UnixMicro())
	}
	c.reindex()
	c.putTrace()
	if c.change.Type == memory.ChangePurge {
		c.write(`UPDATE memorytrust.contents SET content = NULL WHERE agent = $1 AND content IS NOT NULL
			AND seq = ANY(ARRAY(SELECT content_seq FROM memorytrust.versions WHERE agent = $1 AND record_id = $2))`, c.agent, r.ID)
	}
}

// reindex notes how the words of the index change; most changes of a record leave them as they are.
func (c *commit) reindex() {
	p := c.previous
	if c.indexed == p.indexed && c.contentSeq == p.contentSeq {
		return
	}
	before := p.content
	if before == "" {
		before = c.record.Content // the same as before
	}
	if p.indexed != "" {
		c.putEntries(fulltext.Entries(p.indexed, words.Of(before)), false)
	}
	if c.indexed != "" {
		c.putEntries(fulltext.Entries(c.indexed, c.words), true)
	}
}

func (c *commit) putEntries(list []string, put bool) {
	for _, word := range list {
		c.entries[entry{word, c.rid}] = put
	}
}
