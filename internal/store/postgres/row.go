// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// columns of a record in the order of values and scanRecord.
var columns = []string{
	"id", "namespace", "seq", "branch", "zone", "state", "approved_by", "expiry", "class", "source", "channel",
	"principal", "parents", "kind", "tags", "subject", "metadata", "session", "erased", "directive", "reasons",
	"capped_by", "confidence", "salience", "pinned", "supersedes", "folded_into", "tag", "commit_hash",
	"commit_parents", "change", "actor", "reason", "created_at", "updated_at", "content",
}

// stored are the columns that a commit writes, in the order of values: the agent, those of a record and, last, what is derived.
var stored = slices.Concat([]string{"agent"}, columns, []string{"signed_by", "sketch", "terms", "rid"})

// signedByBytes is the length of the prefix of a tag that names its key.
const signedByBytes = 5

// selectColumns lists the columns of the table alias r.
var selectColumns = "r." + strings.Join(columns, ", r.")

// insertRecord and updateRecord take the values of the stored columns.
var insertRecord, updateRecord = func() (string, string) {
	places, assignments := make([]string, len(stored)), []string(nil)
	for i, name := range stored {
		places[i] = fmt.Sprint("$", i+1)
		if name != "agent" && name != "id" {
			assignments = append(assignments, fmt.Sprintf("%s = $%d", name, i+1))
		}
	}
	return fmt.Sprintf("INSERT INTO memorytrust.records (%s) VALUES (%s)", strings.Join(stored, ", "), strings.Join(places, ", ")),
		fmt.Sprintf("UPDATE memorytrust.records SET %s WHERE agent = $1 AND id = $2", strings.Join(assignments, ", "))
}()

// values are the bound values of the stored columns.
func values(agent string, r memory.Record, sketch uint64, terms int, rid int64) ([]any, error) {
	var lists [5]*string
	for i, l := range [][]string{r.Parents, r.Tags, r.Reasons, r.CappedBy, r.Supersedes} {
		text, err := encodeList(l)
		if err != nil {
			return nil, err
		}
		lists[i] = text
	}
	var metadata *string
	if len(r.Metadata) > 0 {
		text, err := json.Marshal(r.Metadata)
		if err != nil {
			return nil, err
		}
		encoded := string(text)
		metadata = &encoded
	}
	return []any{
		agent, r.ID, r.Namespace, int64(r.Seq), r.Branch, string(r.Zone), string(r.State), r.ApprovedBy, // #nosec G115
		microsOrNull(r.Expiry), string(r.Class), r.Source, r.Writer.Channel, r.Writer.Principal, lists[0], r.Kind, lists[1], r.Subject, metadata,
		r.Session, bytesOrNull(r.Erased), r.Directive, lists[2], lists[3], int64(r.Confidence), int64(r.Salience), r.Pinned, lists[4],
		r.FoldedInto, bytesOrNull(r.Tag), r.Commit.Hash, bytesOrNull(slices.Concat(r.Commit.Parents...)), string(r.Commit.Change),
		r.Commit.Actor, r.Commit.Reason, r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro(), []byte(r.Content),
		bytesOrNull(r.Tag[:min(len(r.Tag), signedByBytes)]), int64(sketch), int64(terms), rid, // #nosec G115 -- bits
	}, nil
}

// row is where the columns of a record are scanned into.
type row struct {
	record                                     memory.Record
	seq, created, updated                      int64
	expiry                                     *int64
	parents, tags, reasons, capped, supersedes *string
	metadata                                   *string
	before, content                            []byte
}

// targets are where columns go, in their order.
func (s *row) targets() []any {
	r := &s.record
	return []any{
		&r.ID, &r.Namespace, &s.seq, &r.Branch, (*string)(&r.Zone), (*string)(&r.State), &r.ApprovedBy, &s.expiry, (*string)(&r.Class),
		&r.Source, &r.Writer.Channel, &r.Writer.Principal, &s.parents, &r.Kind, &s.tags, &r.Subject, &s.metadata, &r.Session,
		&r.Erased, &r.Directive, &s.reasons, &s.capped, &r.Confidence, &r.Salience, &r.Pinned, &s.supersedes,
		&r.FoldedInto, &r.Tag, &r.Commit.Hash, &s.before, (*string)(&r.Commit.Change), &r.Commit.Actor, &r.Commit.Reason,
		&s.created, &s.updated, &s.content,
	}
}

// scanRecord reads the columns of a record and, after them, those of more. A record whose lists do not parse was tampered
// with: it comes back without its tag, so that it does not verify, and does not take those beside it along.
func scanRecord(scan func(...any) error, more ...any) (memory.Record, error) {
	var s row
	if err := scan(append(s.targets(), more...)...); err != nil {
		return memory.Record{}, err
	}
	r := &s.record
	r.Seq = uint64(s.seq) // #nosec G115 -- a tampered value fails verification
	r.CreatedAt, r.UpdatedAt = fromMicros(s.created), fromMicros(s.updated)
	if s.expiry != nil {
		r.Expiry = fromMicros(*s.expiry)
	}
	r.Commit.Parents = splitHashes(s.before)
	r.Content = string(s.content)
	for _, list := range []struct {
		text *string
		into any
	}{
		{s.parents, &r.Parents},
		{s.tags, &r.Tags},
		{s.reasons, &r.Reasons},
		{s.capped, &r.CappedBy},
		{s.supersedes, &r.Supersedes},
		{s.metadata, &r.Metadata},
	} {
		if list.text != nil && json.Unmarshal([]byte(*list.text), list.into) != nil {
			r.Tag = nil
		}
	}
	return *r, nil
}

// splitHashes is the inverse of concatenating hashes.
func splitHashes(joined []byte) (hashes [][]byte) {
	for len(joined) >= sha256.Size {
		hashes, joined = append(hashes, joined[:sha256.Size:sha256.Size]), joined[sha256.Size:]
	}
	return hashes
}

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// microsOrNull is a time as stored where it may be missing.
func microsOrNull(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

func bytesOrNull(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

func encodeList(list []string) (*string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	encoded, err := json.Marshal(list)
	text := string(encoded)
	return &text, err
}

// bitsOf are hashes as signed numbers, as PostgreSQL has them.
func bitsOf(hashes []uint64) []int64 {
	out := make([]int64, len(hashes))
	for i, h := range hashes {
		out[i] = int64(h) // #nosec G115 -- bits
	}
	return out
}

// hashesOf is the inverse of bitsOf.
func hashesOf(bits []int64) []uint64 {
	out := make([]uint64, len(bits))
	for i, b := range bits {
		out[i] = uint64(b) // #nosec G115 -- bits
	}
	return out
}
