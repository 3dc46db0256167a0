// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package audit

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sample(seq uint64) Entry {
	return Entry{
		Seq: seq, Namespace: "team-a", RecordID: fmt.Sprint("record-", seq), PrevSeq: seq - 1, Change: "create", Actor: "agent",
		Reason: "why", Time: time.Date(2026, 3, 1, 12, 0, 0, 1000, time.UTC), RecordHash: sha256.Sum256([]byte{byte(seq)}),
	}
}

func TestEntryRoundTrip(t *testing.T) {
	for _, e := range []Entry{sample(1), {}, {Actor: "channel/console/alice", Time: time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)}} {
		got, err := DecodeEntry(e.Encode())
		if diff := cmp.Diff(e, got); err != nil || diff != "" {
			t.Errorf("(-want +got):\n%s error %v", diff, err)
		}
	}
}

func TestEntryCoversEveryField(t *testing.T) {
	seen := map[string]string{string(sample(3).Encode()): "unchanged"}
	for i := range reflect.TypeFor[Entry]().NumField() {
		e := sample(3)
		switch f := reflect.ValueOf(&e).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Uint64:
			f.SetUint(f.Uint() + 10)
		case reflect.Array:
			f.Index(0).SetUint(f.Index(0).Uint() ^ 1)
		default:
			f.Set(reflect.ValueOf(e.Time.Add(time.Microsecond)))
		}
		name := reflect.TypeFor[Entry]().Field(i).Name
		if other, ok := seen[string(e.Encode())]; ok {
			t.Errorf("%s: same encoding as %s", name, other)
		}
		seen[string(e.Encode())] = name
	}
}

func FuzzDecodeEntry(f *testing.F) {
	f.Add(sample(1).Encode())
	f.Add([]byte("s"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := DecodeEntry(data)
		if err != nil {
			if !errors.Is(err, ErrMalformedEntry) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if string(e.Encode()) != string(data) {
			t.Fatal("two encodings of one entry")
		}
	})
}

// memoryLog keeps hashes in a slice.
type memoryLog struct {
	hashes []Hash
	leaves [][]byte
}

func (l *memoryLog) ReadHashes(indexes []int64) ([]Hash, error) {
	out := make([]Hash, len(indexes))
	for i, index := range indexes {
		out[i] = l.hashes[index]
	}
	return out, nil
}

func (l *memoryLog) add(t testing.TB, leaf []byte) {
	t.Helper()
	stored, err := Append(l.size(), leaf, l)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range stored {
		if h.Index != int64(len(l.hashes)) {
			t.Fatalf("hash goes to index %d, next free is %d", h.Index, len(l.hashes))
		}
		l.hashes = append(l.hashes, h.Hash)
	}
	l.leaves = append(l.leaves, leaf)
	if want := StoredHashCount(l.size()); int64(len(l.hashes)) != want {
		t.Fatalf("%d hashes for %d entries, want %d", len(l.hashes), l.size(), want)
	}
}

func (l *memoryLog) size() int64 { return int64(len(l.leaves)) }

func (l *memoryLog) root(t testing.TB, size int64) Hash {
	t.Helper()
	root, err := Root(size, l)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func logOf(t testing.TB, entries int) *memoryLog {
	t.Helper()
	l := &memoryLog{}
	for i := range entries {
		l.add(t, sample(uint64(i+1)).Encode())
	}
	return l
}

// The tree is that of RFC 6962: SHA-256 of nothing, of 0x00 and the leaf, of 0x01 and two nodes.
func TestRootIsRFC6962(t *testing.T) {
	l := logOf(t, 3)
	leaf := func(i int) []byte { h := sha256.Sum256(append([]byte{0}, l.leaves[i]...)); return h[:] }
	node := func(a, b []byte) []byte { h := sha256.Sum256(append(append([]byte{1}, a...), b...)); return h[:] }
	for size, want := range map[int64][]byte{
		1: leaf(0),
		2: node(leaf(0), leaf(1)),
		3: node(node(leaf(0), leaf(1)), leaf(2)),
	} {
		if got := l.root(t, size); string(got[:]) != string(want) {
			t.Errorf("size %d: root %x, want %x", size, got, want)
		}
	}
	if got := l.root(t, 0); got != Hash(sha256.Sum256(nil)) {
		t.Errorf("empty log: root %x", got)
	}
	if got := l.hashes[LeafIndex(3)]; got != LeafHash(l.leaves[2]) {
		t.Errorf("leaf hash of entry 3 is not at its index")
	}
}

func TestInclusion(t *testing.T) {
	const entries = 13
	l := logOf(t, entries)
	root := l.root(t, entries)
	for seq := uint64(1); seq <= entries; seq++ {
		proof, err := ProveInclusion(entries, seq, l)
		if err != nil {
			t.Fatal(err)
		}
		leaf := l.leaves[seq-1]
		if err := CheckInclusion(proof, entries, root, seq, leaf); err != nil {
			t.Errorf("entry %d: %v", seq, err)
		}
		forged := sample(seq)
		forged.Actor = "someone else"
		for name, err := range map[string]error{
			"altered leaf": CheckInclusion(proof, entries, root, seq, forged.Encode()),
			"other place":  CheckInclusion(proof, entries, root, seq%entries+1, leaf),
			"other root":   CheckInclusion(proof, entries, l.root(t, entries-1), seq, leaf),
			"cut proof":    CheckInclusion(proof[1:], entries, root, seq, leaf),
			"seq 0":        CheckInclusion(proof, entries, root, 0, leaf),
			"beyond":       CheckInclusion(proof, entries, root, entries+1, leaf),
		} {
			if !errors.Is(err, ErrBadProof) {
				t.Errorf("entry %d, %s: got %v, want ErrBadProof", seq, name, err)
			}
		}
	}
	for _, seq := range []uint64{0, entries + 1} {
		if _, err := ProveInclusion(entries, seq, l); err == nil {
			t.Errorf("proof for entry %d of %d", seq, entries)
		}
	}
}

func TestConsistency(t *testing.T) {
	const entries = 13
	l := logOf(t, entries)
	rewritten := &memoryLog{}
	for i := range entries {
		e := sample(uint64(i + 1))
		if i == 4 {
			e.Reason = "history"
		}
		rewritten.add(t, e.Encode())
	}
	for old := int64(1); old < entries; old++ {
		proof, err := ProveConsistency(old, entries, l)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckConsistency(proof, old, l.root(t, old), entries, l.root(t, entries)); err != nil {
			t.Errorf("from %d: %v", old, err)
		}
		if old < 5 {
			continue
		}
		proof, err = ProveConsistency(old, entries, rewritten)
		if err != nil {
			t.Fatal(err)
		}
		err = CheckConsistency(proof, old, l.root(t, old), entries, rewritten.root(t, entries))
		if !errors.Is(err, ErrBadProof) {
			t.Errorf("from %d, a rewritten entry goes unnoticed: %v", old, err)
		}
	}
}

func TestAppendReportsBrokenHashes(t *testing.T) {
	broken := errors.New("disk")
	_, err := Append(1, []byte("leaf"), HashReaderFunc(func([]int64) ([]Hash, error) { return nil, broken }))
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if _, err := Append(-1, nil, &memoryLog{}); err == nil {
		t.Error("appended to a log of negative size")
	}
}

func BenchmarkAppend(b *testing.B) {
	l := logOf(b, 1000)
	leaf := sample(1001).Encode()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Append(1000, leaf, l); err != nil {
			b.Fatal(err)
		}
	}
}
