// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// entry is what one call hands in of what a session met: all of it is kept or nothing.
type entry struct {
	n      uint64 // entries are numbered in the order in which they were acknowledged
	rows   []met
	traces []memory.Trace
	// commits are new records, complete as they will be stored.
	commits []*commit
}

// commitWeight is how many of the other things one commit takes as long as.
const commitWeight = 8

// weight says how much it is to bring an entry into the store.
func (e entry) weight() int { return max(len(e.rows), len(e.traces)) + commitWeight*len(e.commits) }

// met is one thing that a session met.
type met struct {
	memory.Delivery
	observed bool // outside of memory: it is no delivery
	unbound  bool // outside of the sessions that a user channel opened
}

// Bits that say what a thing is.
const (
	bitObserved = 1 << iota
	bitUnbound
	bitRecord // of a trace
)

var errEntry = errors.New("no entry")

// encode appends an entry as the journal holds it.
func (e entry) encode(to []byte) []byte {
	to = binary.AppendUvarint(to, e.n)
	to = binary.AppendUvarint(to, uint64(len(e.rows)))
	for _, m := range e.rows {
		to = append(to, bits(m.observed, bitObserved)|bits(m.unbound, bitUnbound))
		for _, s := range []string{m.Namespace, m.Session, m.RecordID, string(m.Class)} {
			to = appendString(to, s)
		}
		to = binary.AppendUvarint(to, m.Seq)
		to = binary.BigEndian.AppendUint64(to, math.Float64bits(m.Score))
		to = binary.AppendVarint(to, m.At.UnixMicro())
	}
	to = binary.AppendUvarint(to, uint64(len(e.traces)))
	for _, t := range e.traces {
		to = append(to, bits(t.Record, bitRecord))
		for _, s := range []string{t.ID, t.Namespace, t.Session, string(t.Class), t.Source} {
			to = appendString(to, s)
		}
		to = binary.AppendVarint(to, t.At.UnixMicro())
		to = binary.AppendUvarint(to, uint64(len(t.Features)))
		for _, f := range t.Features {
			to = binary.BigEndian.AppendUint64(to, f)
		}
	}
	if len(e.commits) == 0 {
		return to
	}
	to = binary.AppendUvarint(to, uint64(len(e.commits)))
	for _, c := range e.commits {
		to = appendString(to, c.encode())
	}
	return to
}

func bits(set bool, bit byte) byte {
	if set {
		return bit
	}
	return 0
}

func appendString(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// decodeEntry reads what encode wrote.
func decodeEntry(raw []byte) (entry, error) {
	d := &decoder{raw: raw}
	e := entry{n: d.uvarint()}
	for n := d.count(); n > 0 && !d.failed; n-- {
		flags := d.byte()
		m := met{observed: flags&bitObserved != 0, unbound: flags&bitUnbound != 0}
		m.Namespace, m.Session, m.RecordID, m.Class = d.string(), d.string(), d.string(), provenance.Class(d.string())
		m.Seq, m.Score, m.At = d.uvarint(), math.Float64frombits(d.uint64()), d.time()
		e.rows = append(e.rows, m)
	}
	for n := d.count(); n > 0 && !d.failed; n-- {
		t := memory.Trace{Record: d.byte()&bitRecord != 0}
		t.ID, t.Namespace, t.Session, t.Class, t.Source = d.string(), d.string(), d.string(), provenance.Class(d.string()), d.string()
		t.At = d.time()
		for n := d.count(); n > 0 && !d.failed; n-- {
			t.Features = append(t.Features, d.uint64())
		}
		e.traces = append(e.traces, t)
	}
	if len(d.raw) > 0 {
		for n := d.count(); n > 0 && !d.failed; n-- {
			c, err := decodeCommit(d.string())
			if err != nil {
				return entry{}, err
			}
			e.commits = append(e.commits, c)
		}
	}
	if d.failed || len(d.raw) > 0 {
		return entry{}, errEntry
	}
	return e, nil
}

// decoder reads an entry; once it failed, it reads nothing any more.
type decoder struct {
	raw    []byte
	failed bool
}

func (d *decoder) take(n uint64) []byte {
	if d.failed || n > uint64(len(d.raw)) {
		d.raw, d.failed = nil, true
		return make([]byte, min(n, 8))
	}
	out := d.raw[:n]
	d.raw = d.raw[n:]
	return out
}

func (d *decoder) byte() byte { return d.take(1)[0] }

func (d *decoder) uint64() uint64 { return binary.BigEndian.Uint64(d.take(8)) }

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.raw)
	if n <= 0 {
		n, d.failed = 0, true
	}
	d.raw = d.raw[n:]
	return v
}

// count reads how many things follow. Each takes a byte at least.
func (d *decoder) count() uint64 {
	n := d.uvarint()
	if n > uint64(len(d.raw)) {
		d.failed = true
		return 0
	}
	return n
}

func (d *decoder) string() string {
	n := d.uvarint()
	if n > uint64(len(d.raw)) {
		d.failed = true
		return ""
	}
	return string(d.take(n))
}

func (d *decoder) time() time.Time {
	v, n := binary.Varint(d.raw)
	if n <= 0 {
		n, d.failed = 0, true
	}
	d.raw = d.raw[n:]
	return fromMicros(v)
}
