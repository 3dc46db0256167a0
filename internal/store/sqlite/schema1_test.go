// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/provenance/canon"
	"memorytrust.dev/operator/internal/store/storetest"
)

// oldFile writes files the way the release with schema 1 did.
type oldFile struct {
	t      *testing.T
	path   string
	db     *sql.DB
	hashes []audit.Hash
	size   int64
}

func newOldFile(t *testing.T) *oldFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	f := &oldFile{t: t, path: path, db: db}
	scripts, err := loadMigrations()
	if err != nil {
		t.Fatal(err)
	}
	f.exec(scripts[0] + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 1;", applicationID))
	f.exec("PRAGMA journal_mode = WAL")
	return f
}

func (f *oldFile) exec(statement string, args ...any) {
	f.t.Helper()
	if _, err := f.db.ExecContext(f.t.Context(), statement, args...); err != nil {
		f.t.Fatal(err)
	}
}

func (f *oldFile) close() {
	f.t.Helper()
	if err := f.db.Close(); err != nil {
		f.t.Fatal(err)
	}
}

// commit writes a version of a record, and returns the record with what a store sets.
func (f *oldFile) commit(kind memory.ChangeType, r, before memory.Record) memory.Record {
	f.t.Helper()
	r = r.Normalized()
	f.size++
	r.Seq = uint64(f.size) // #nosec G115 -- small
	r.Tag = []byte{1, 0, 0, 0, 9, byte(f.size)}
	r.Commit = memory.Commit{Change: kind, Actor: "agent", Reason: "noted"}
	if before.Seq > 0 {
		r.Commit.Parents = [][]byte{before.Commit.Hash}
	}
	hash := hashV1(r, before.Commit.Hash)
	r.Commit.Hash = hash[:]
	bound := []any{
		r.ID, r.Namespace, int64(r.Seq), r.Branch, string(r.Zone), string(r.State), r.ApprovedBy, microsOrNull(r.Expiry), // #nosec G115
		string(r.Class), r.Source, r.Writer.Channel, r.Writer.Principal, f.list(r.Parents), r.Kind, f.list(r.Tags), r.Session,
		r.Directive, f.list(r.Reasons), f.list(r.CappedBy), r.Tag, r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro(), r.Content, r.Tag[:5],
	}
	f.exec(`INSERT INTO records (id, namespace, seq, branch, zone, state, approved_by, expiry, class, source, channel, principal, parents,
		kind, tags, session, directive, reasons, capped_by, tag, created_at, updated_at, content, signed_by)
		VALUES (`+placeholders(len(bound))+`) ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, zone = excluded.zone, state = excluded.state,
		tag = excluded.tag, updated_at = excluded.updated_at, content = excluded.content, signed_by = excluded.signed_by`, bound...)
	f.exec("DELETE FROM records_fts WHERE rowid = (SELECT rid FROM records WHERE id = ?)", r.ID)
	if r.Live() {
		f.exec("INSERT INTO records_fts (rowid, body) SELECT rid, ? FROM records WHERE id = ?", r.Content, r.ID)
	}
	for _, parent := range r.Parents {
		f.exec("INSERT OR IGNORE INTO lineage (child, parent) VALUES (?, ?)", r.ID, parent)
	}
	f.version(r, before)
	return r
}

// version writes version and audit entry. The body of schema 1 held the content, and none of the fields that came later.
func (f *oldFile) version(r, before memory.Record) {
	f.t.Helper()
	encoded, err := encodeVersion(r)
	if err != nil {
		f.t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(encoded), &body); err != nil {
		f.t.Fatal(err)
	}
	body["content"] = r.Content
	text, err := json.Marshal(body)
	if err != nil {
		f.t.Fatal(err)
	}
	f.exec("INSERT INTO versions (seq, record_id, prev_seq, hash, body) VALUES (?, ?, ?, ?, ?)",
		int64(r.Seq), r.ID, int64(before.Seq), r.Commit.Hash, string(text)) // #nosec G115
	leaf := audit.Entry{
		Seq: r.Seq, Namespace: r.Namespace, RecordID: r.ID, PrevSeq: before.Seq, Change: string(r.Commit.Change),
		Actor: r.Commit.Actor, Reason: r.Commit.Reason, Time: r.UpdatedAt, RecordHash: [sha256.Size]byte(r.Commit.Hash),
	}.Encode()
	f.exec("INSERT INTO audit (seq, record_id, leaf) VALUES (?, ?, ?)", int64(r.Seq), r.ID, leaf) // #nosec G115
	stored, err := audit.Append(f.size-1, leaf, audit.HashReaderFunc(func(indexes []int64) (out []audit.Hash, err error) {
		for _, i := range indexes {
			out = append(out, f.hashes[i])
		}
		return out, nil
	}))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, h := range stored {
		f.hashes = append(f.hashes, h.Hash)
		f.exec("INSERT INTO audit_hashes (idx, hash) VALUES (?, ?)", h.Index, h.Hash[:])
	}
}

func (f *oldFile) list(l []string) any {
	f.t.Helper()
	text, err := encodeList(l)
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

// hashV1 is the hash of a commit in schema 1.
func hashV1(r memory.Record, parent []byte) [sha256.Size]byte {
	content := sha256.Sum256([]byte(r.Content))
	return canon.New("memcommit/v1").Bytes(parent).
		String(r.ID).String(r.Namespace).Uint(r.Seq).String(r.Branch).
		String(string(r.Zone)).String(string(r.State)).String(r.ApprovedBy).Time(r.Expiry).
		String(string(r.Class)).String(r.Source).String(r.Writer.Channel).String(r.Writer.Principal).
		Strings(r.Parents).String(r.Kind).Strings(r.Tags).String(r.Session).Bytes(content[:]).
		Bool(r.Directive).Strings(r.Reasons).Strings(r.CappedBy).Bytes(r.Tag).Time(r.CreatedAt).Time(r.UpdatedAt).Sum()
}

// history fills an old file: a record with three versions, one that was forgotten, one that waits, and deliveries.
func (f *oldFile) history() (versions []memory.Record, forgotten, waiting memory.Record) {
	f.t.Helper()
	full := storetest.NewRecord("likes olives <b>\x00\u2028 & お茶")
	full.Zone, full.Class, full.Expiry = memory.Trusted, provenance.UserInput, storetest.Epoch.Add(time.Hour)
	full.Writer = memory.Writer{Channel: "console", Principal: "alice"}
	full.Parents, full.Tags, full.Kind = []string{memory.NewID()}, []string{"food"}, "fact"
	full.Reasons, full.CappedBy, full.Directive = []string{"rule"}, []string{"claim"}, true
	r := f.commit(memory.ChangeCreate, full, memory.Record{})
	versions = []memory.Record{r}
	waiting = storetest.NewRecord("waits with capers")
	waiting.Zone, waiting.State = memory.Quarantine, memory.PendingReview
	waiting = f.commit(memory.ChangeCreate, waiting, memory.Record{})
	gone := f.commit(memory.ChangeCreate, storetest.NewRecord("forget capers"), memory.Record{})
	forgotten = gone
	forgotten.State = memory.Forgotten
	forgotten = f.commit(memory.ChangeDelete, forgotten, gone)
	for _, content := range []string{r.Content, "likes zanzibarian olives"} {
		next := versions[0]
		next.Content, next.UpdatedAt = content, next.UpdatedAt.Add(time.Minute)
		versions = append([]memory.Record{f.commit(memory.ChangeUpdate, next, versions[0])}, versions...)
	}
	for range 3 {
		f.exec("INSERT INTO deliveries (session, record_id, seq, class, score, at) VALUES ('s', ?, 1, 'UserInput', 0.5, ?)",
			r.ID, storetest.Epoch.UnixMicro())
	}
	return versions, forgotten, waiting
}
