// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// The tag covers what trust rests on; the commit's hash covers all the rest, so that nothing about a memory can be changed
// in the database unnoticed.
func TestNoFieldCanBeChangedUnnoticed(t *testing.T) {
	tests := map[string]string{
		"content":        "content = 'The office is in Paris.'",
		"class":          "class = 'Manual'",
		"source":         "source = 'operator:console'",
		"channel":        "channel = 'console', principal = 'alice'",
		"approved by":    "approved_by = 'alice'",
		"expiry":         "expiry = 4102444800000000",
		"parents":        "parents = NULL",
		"kind":           "kind = 'rule'",
		"tags":           `tags = '["urgent"]'`,
		"subject":        "subject = 'Paris'",
		"metadata":       `metadata = '{"verified_by":"alice"}'`,
		"no metadata":    "metadata = NULL",
		"session":        "session = 'another'",
		"directive":      "directive = 1",
		"reasons":        `reasons = '["harmless"]'`,
		"capped by":      "capped_by = NULL",
		"confidence":     "confidence = 999",
		"salience":       "salience = 999",
		"pinned":         "pinned = 1",
		"supersedes":     `supersedes = '["01928b7a-5c1e-7aaa-8bbb-0123456789ab"]'`,
		"folded into":    "folded_into = '01928b7a-5c1e-7aaa-8bbb-0123456789ab'",
		"change":         "change = 'review'",
		"no change":      "change = ''",
		"older layout":   "change = '', actor = '', reason = '', kind = 'rule'",
		"actor":          "actor = 'person/alice'",
		"reason":         "reason = 'approved'",
		"created at":     "created_at = created_at + 1",
		"updated at":     "updated_at = updated_at + 1",
		"commit hash":    "commit_hash = zeroblob(32)",
		"no commit hash": "commit_hash = x''",
		"commit parents": "commit_parents = zeroblob(32)",
		"tag":            "tag = NULL",
	}
	f := newFixture(t)
	parent := f.put(memory.Record{Content: "A parent."})
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			r := f.put(memory.Record{
				Content: "The office is in Lyon.", Class: provenance.WebContent, Source: "web:example.org", Kind: "fact", Tags: []string{"office"},
				Subject: "office", Metadata: map[string]string{"model": "m"}, Session: "s", Parents: []string{parent.ID},
				CappedBy: []string{"claim"}, Confidence: 300, Salience: 300,
			})
			if _, err := f.Get(f.ctx(), agent, r.ID, Reading{}); err != nil {
				t.Fatalf("as it was written: %v", err)
			}
			f.sql("UPDATE records SET "+change+" WHERE id = ?", r.ID)
			if _, err := f.Get(f.ctx(), agent, r.ID, Reading{}); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("get: %v", err)
			}
			if got := reasonOf(f.recall(Recall{Query: "office Lyon Paris", Limit: 20}), r.ID); got != ReasonTampered {
				t.Errorf("recall says %q", got)
			}
			f.amendRow(r.ID)
		})
	}
}

// amendRow takes a tampered row out of the way of the next test.
func (f *fixture) amendRow(id string) {
	f.sql("UPDATE records SET state = 'Forgotten' WHERE id = ?", id)
}

// Versions from before the layout hash as they did then.
func TestOldLayout(t *testing.T) {
	at := time.UnixMicro(1761998400000000).UTC()
	r := memory.Record{
		ID: "01928b7a-5c1e-7aaa-8bbb-0123456789ab", Namespace: "agents", Seq: 7, Branch: "main", Zone: memory.Working,
		State: memory.PendingReview, Expiry: at, Class: provenance.WebContent, Source: "web:example.org",
		Parents: []string{"01928b7a-5c1e-7aaa-8bbb-0123456789aa"}, Kind: "fact", Tags: []string{"a", "b"}, Session: "s",
		Content: "The office is in Lyon.", Directive: true, Reasons: []string{"x"}, CappedBy: []string{"claim"}, Tag: []byte{1, 2, 3},
		CreatedAt: at.Add(time.Microsecond), UpdatedAt: at.Add(2 * time.Microsecond),
	}
	for hash, parents := range map[string][][]byte{
		"fff0cab03ab8898d6c2300501c85e0630598e5f91addd1b42299bb06eaaf2fd6": {[]byte("12345678901234567890123456789012")},
		"78315c258fde3c4dfe255d25e1db28440284b3f2141dc5b66f224146e350c829": nil,
	} {
		r.Commit.Parents = parents
		if sum := hashV1(r); hex.EncodeToString(sum[:]) != hash {
			t.Errorf("hash of a version with %d parents is %x", len(parents), sum)
		}
	}
	f := newFixture(t)
	old := f.rewriteAsV1(f.put(memory.Record{Content: "The office is in Lyon.", Kind: "fact"}))
	if d, err := f.Get(f.ctx(), agent, old.ID, Reading{}); err != nil || d.Content != "The office is in Lyon." {
		t.Errorf("an old memory: %+v, %v", d, err)
	}
	for _, change := range []string{"kind = 'rule'", "subject = 'Lyon'", "pinned = 1", `metadata = '{"verified_by":"alice"}'`, "confidence = 1000"} {
		old := f.rewriteAsV1(f.put(memory.Record{Content: "The office is in Lyon.", Kind: "fact"}))
		f.sql("UPDATE records SET "+change+" WHERE id = ?", old.ID)
		if _, err := f.Get(f.ctx(), agent, old.ID, Reading{}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("an old memory after %s: %v", change, err)
		}
	}
}

// rewriteAsV1 makes the row, version and audit entry of a record what they were in the first layout.
func (f *fixture) rewriteAsV1(r memory.Record) memory.Record {
	f.t.Helper()
	hash := hashV1(r)
	leaf := audit.Entry{
		Seq: r.Seq, Namespace: r.Namespace, RecordID: r.ID, Change: "create", Actor: "agent", Time: r.UpdatedAt, RecordHash: hash,
	}.Encode()
	f.sql("DROP TRIGGER IF EXISTS audit_stays; DROP TRIGGER IF EXISTS versions_stay; UPDATE audit SET leaf = ? WHERE seq = ?", leaf, r.Seq)
	f.sql("UPDATE versions SET hash = ? WHERE seq = ?", hash[:], r.Seq)
	f.sql("UPDATE records SET commit_hash = ? WHERE id = ?", hash[:], r.ID)
	r.Commit.Hash = hash[:]
	return r
}
