// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/google/uuid"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// kindUpstream is the kind of a record of a text that an upstream holds: the ledger. Its content is the text, byte for byte; zone,
// state and class say what becomes of the text when the upstream hands it out. Its id follows from namespace, upstream and text,
// so that many texts are looked up at once and none is there twice.
const kindUpstream = memory.ReservedKinds + "upstream"

// Labels of what ids are hashes of.
const (
	labelLedger = "memupstream/v1"
	labelMet    = "memupstream-met/v1"
)

// upstreamSubject is the subject of all that is recorded of an upstream.
func upstreamSubject(name string) string { return "upstream " + name }

// namedID is the id of a record or trace that follows from what it is about: a UUID of version 8.
func namedID(hash [sha256.Size]byte) string {
	id := uuid.UUID(hash[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}

// ledgerID is the id of the record of a text. What a user said in these words, as a channel vouches, has a record of its own, so
// that nothing which is known of the text otherwise lowers it, or is raised by it.
func ledgerID(namespace, upstream, text string, user bool) string {
	return namedID(canon.New(labelLedger).String(namespace).String(upstream).Bool(user).String(text).Sum())
}

// metID is the id of the trace of a text that an upstream handed out and that the ledger did not know, by the id of its record if
// it had one.
func metID(id string) string { return namedID(canon.New(labelMet).String(id).Sum()) }

// entry is one record of the ledger; the zero value is none.
type entry struct {
	verified
	there bool
}

// known is what the ledger knows of one text.
type known struct {
	own  entry // as anybody wrote it
	user entry // as a user said it, and a channel vouches for that
}

// gone reports whether a record that does not stand says no more what becomes of its text when that is written again: it was
// forgotten or erased, it waited with another that was decided about, or its time is over without a rejection.
func (e entry) gone(now time.Time) bool {
	if !e.there || e.fault != "" {
		return false
	}
	again := memory.ActionRestate
	if e.record.Live() && e.record.Expired(now) {
		again = memory.ActionEdit
	}
	_, err := memory.Next(again, e.record.Standing())
	return err == nil
}

// absent reports whether the ledger has nothing to say about a text that the upstream hands out: no record, or one that was
// forgotten because the agent deleted the text. What people, or the system, took away stays away.
func (e entry) absent() bool {
	if !e.there {
		return true
	}
	r := e.record
	kind := coarseActor(r.Commit.Actor)
	return e.fault == "" && r.State == memory.Forgotten && len(r.Erased) == 0 && r.Commit.Change == memory.ChangeDelete &&
		(kind == "agent" || kind == "channel")
}

// stands reports whether a record lets its text through, as far as that can be told without reading it.
func (e entry) stands(r *policy.Runtime, now time.Time) bool {
	return e.there && remains(e.record) && bar(r, e.verified, now) == ""
}

// says returns the record that says what becomes of a text; false where there is none.
func (k known) says(r *policy.Runtime, now time.Time) (verified, bool) {
	switch {
	case k.user.stands(r, now), k.own.absent() && !k.user.absent():
		return k.user.verified, true
	case !k.own.absent():
		return k.own.verified, true
	}
	return verified{}, false
}

// ledger looks up texts of an upstream: two queries for up to a thousand of them.
func (g *Gate) ledger(ctx context.Context, s *policy.State, namespace, upstream string, texts []string) (map[string]known, error) {
	ids := make([]string, 0, 2*len(texts))
	for _, t := range texts {
		ids = append(ids, ledgerID(namespace, upstream, t, false), ledgerID(namespace, upstream, t, true))
	}
	found := make(map[string]verified, len(ids))
	for some := range slices.Chunk(ids, memory.MaxPageSize) {
		byID, err := g.byID(ctx, s, namespace, some)
		if err != nil {
			return nil, err
		}
		for id, v := range byID {
			found[id] = v
		}
	}
	out := make(map[string]known, len(texts))
	for i, t := range texts {
		var k known
		for _, slot := range []struct {
			id string
			to *entry
		}{{ids[2*i], &k.own}, {ids[2*i+1], &k.user}} {
			if v, there := found[slot.id]; there {
				*slot.to = entry{about(v, upstream, t), true}
			}
		}
		out[t] = k
	}
	return out, nil
}

// about is a record that was found by the id of a text. One that is about anything else is not what was signed under that id.
func about(v verified, upstream, text string) verified {
	r, sum := v.record, sha256.Sum256([]byte(text))
	same := r.Content == text || len(r.Erased) > 0 && bytes.Equal(r.Erased, sum[:])
	purged := len(r.Erased) > 0 // a purge takes kind and subject with the text
	if v.fault == "" && (!same || !purged && (r.Kind != kindUpstream || r.Subject != upstreamSubject(upstream))) {
		v.fault = ReasonTampered
	}
	return v
}
