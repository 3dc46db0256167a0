// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func sampleTuple() Tuple {
	return Tuple{
		AgentID: "agent-1", Namespace: "team-a", RecordID: "r-1", Seq: 7, Branch: "main", Zone: "Quarantine",
		State: "PendingReview", ApprovedBy: "alice", Expiry: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Class: WebContent,
		BaseSource: "web:example.org", Writer: "agent", Parents: []string{"p-1", "p-2"}, ContentSHA256: sha256.Sum256([]byte("text")),
	}
}

// changedTuples returns the sample with every field changed in turn, and what an attacker would want to change.
func changedTuples(t *testing.T) map[string]Tuple {
	t.Helper()
	out := map[string]Tuple{}
	for i := range reflect.TypeFor[Tuple]().NumField() {
		tuple := sampleTuple()
		switch f := reflect.ValueOf(&tuple).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Uint64:
			f.SetUint(f.Uint() + 1)
		case reflect.Slice:
			f.Set(reflect.ValueOf(append(slices.Clone(tuple.Parents), "p-3")))
		case reflect.Array:
			f.Index(0).SetUint(f.Index(0).Uint() ^ 1)
		default:
			f.Set(reflect.ValueOf(tuple.Expiry.Add(time.Microsecond)))
		}
		out["field "+reflect.TypeFor[Tuple]().Field(i).Name] = tuple
	}
	for name, edit := range map[string]func(*Tuple){
		"another agent":         func(u *Tuple) { u.AgentID = "agent-2" },
		"let out of Quarantine": func(u *Tuple) { u.Zone = "Trusted" },
		"approved":              func(u *Tuple) { u.State = "Approved" },
		"older seq":             func(u *Tuple) { u.Seq-- },
		"without an expiry":     func(u *Tuple) { u.Expiry = time.Time{} },
		"raised class":          func(u *Tuple) { u.Class = UserInput },
		"without parents":       func(u *Tuple) { u.Parents = nil },
		"other order":           func(u *Tuple) { u.Parents = []string{"p-2", "p-1"} },
		"parents joined":        func(u *Tuple) { u.Parents = []string{"p-1p-2"} },
		"fields shifted":        func(u *Tuple) { u.Zone, u.State = "QuarantineP", "endingReview" },
		"fields swapped":        func(u *Tuple) { u.Zone, u.State = u.State, u.Zone },
		"field emptied":         func(u *Tuple) { u.ApprovedBy = "" },
	} {
		tuple := sampleTuple()
		edit(&tuple)
		out[name] = tuple
	}
	return out
}

func TestTagBindsEveryField(t *testing.T) {
	k := newKeyset(t)
	tag, err := k.Sign(sampleTuple().Message())
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Verify(tag, sampleTuple().Message()); err != nil {
		t.Fatalf("unchanged: %v", err)
	}
	seen := map[string]string{string(sampleTuple().Message()): "unchanged"}
	for name, tuple := range changedTuples(t) {
		if err := k.Verify(tag, tuple.Message()); !errors.Is(err, ErrBadTag) {
			t.Errorf("%s: got %v, want ErrBadTag", name, err)
		}
		if other, ok := seen[string(tuple.Message())]; ok {
			t.Errorf("%s and %s share a message", name, other)
		}
		seen[string(tuple.Message())] = name
	}
}

// The layout is what stored tags were made over: changing it makes every record unverifiable, so it is pinned.
func TestMessageLayoutIsPinned(t *testing.T) {
	v2 := sha256.Sum256(sampleTuple().Message())
	v1 := sha256.Sum256(messageV1("agent-1", "web:example.org", "text"))
	for name, tc := range map[string]struct{ got, want string }{
		"v2": {hex.EncodeToString(v2[:]), "f9f79963adb59cb95beaef7b9fb6b176f1e07cb1babae513d60ff8a69ce68b1f"},
		"v1": {hex.EncodeToString(v1[:]), "39e88837ae8a3d207e170ceb7e5ac30e3dc06ccfa8a3116448425c0626874524"},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %s, want %s", name, tc.got, tc.want)
		}
	}
}

// Tuples built from few pieces collide as soon as the encoding is ambiguous.
func TestRandomTuplesNeverShareAMessage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "b", "ab", "s", "\x00", "a\x00", "\x00\x00\x00\x00\x00\x00\x00\x01a"}
	pick := func() string { return pieces[random.IntN(len(pieces))] }
	seen := map[string]string{}
	for range 20_000 {
		u := Tuple{
			AgentID: pick(), Namespace: pick(), RecordID: pick(), Seq: random.Uint64N(3), Branch: pick(), Zone: pick(), State: pick(),
			ApprovedBy: pick(), Class: Class(pick()), BaseSource: pick(), Writer: pick(),
		}
		if random.IntN(2) == 0 {
			u.Expiry = time.UnixMicro(random.Int64N(3)).UTC()
		}
		for range random.IntN(3) {
			u.Parents = append(u.Parents, pick())
		}
		text := fmt.Sprintf("%#v", u)
		if other, ok := seen[string(u.Message())]; ok && other != text {
			t.Fatalf("one message for\n%s\n%s", text, other)
		}
		seen[string(u.Message())] = text
	}
}

func FuzzMessageInjective(f *testing.F) {
	f.Add("a", "b", "c", "a", "b", "c")
	f.Add("ab", "", "c", "a", "b", "c")
	f.Fuzz(func(t *testing.T, zoneA, stateA, parentA, zoneB, stateB, parentB string) {
		a, b := sampleTuple(), sampleTuple()
		a.Zone, a.State, a.Parents = zoneA, stateA, []string{parentA}
		b.Zone, b.State, b.Parents = zoneB, stateB, []string{parentB}
		same := zoneA == zoneB && stateA == stateB && parentA == parentB
		if bytes.Equal(a.Message(), b.Message()) != same {
			t.Fatalf("same message %v, same tuple %v", !same, same)
		}
		if (bytes.Equal(messageV1(zoneA, stateA, parentA), messageV1(zoneB, stateB, parentB))) != same {
			t.Fatalf("same v1 message %v, same fields %v", !same, same)
		}
	})
}

func TestV1(t *testing.T) {
	k := newKeyset(t)
	tag, err := k.SignV1("agent-1", "web:example.org", "text")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.VerifyV1(tag, "agent-1", "web:example.org", "text"); err != nil {
		t.Errorf("unchanged: %v", err)
	}
	for name, args := range map[string][3]string{
		"another agent":  {"agent-2", "web:example.org", "text"},
		"another source": {"agent-1", "operator:console", "text"},
		"another text":   {"agent-1", "web:example.org", "Text"},
		"shifted":        {"agent-1w", "eb:example.org", "text"},
	} {
		if err := k.VerifyV1(tag, args[0], args[1], args[2]); !errors.Is(err, ErrBadTag) {
			t.Errorf("%s: got %v, want ErrBadTag", name, err)
		}
	}
	if err := newKeyset(t).VerifyV1(tag, "agent-1", "web:example.org", "text"); !errors.Is(err, ErrKeyUnavailable) {
		t.Errorf("another keyset: %v", err)
	}
}

// A tag of one layout is none of the other, even over the same facts.
func TestNoDowngrade(t *testing.T) {
	k := newKeyset(t)
	u := sampleTuple()
	v2, err := k.Sign(u.Message())
	if err != nil {
		t.Fatal(err)
	}
	v1, err := k.SignV1(u.AgentID, u.BaseSource, "text")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.VerifyV1(v2, u.AgentID, u.BaseSource, "text"); !errors.Is(err, ErrBadTag) {
		t.Errorf("v2 tag taken for v1: %v", err)
	}
	if err := k.Verify(v1, u.Message()); !errors.Is(err, ErrBadTag) {
		t.Errorf("v1 tag taken for v2: %v", err)
	}
}

func TestTaggedSource(t *testing.T) {
	k := newKeyset(t)
	tag, err := k.SignV1("agent-1", "operator:console", "text")
	if err != nil {
		t.Fatal(err)
	}
	text, err := FormatTagged("operator:console", tag)
	if err != nil || !strings.HasPrefix(text, "operator:console#mac=") || strings.ContainsAny(text, "+/ \n") {
		t.Fatalf("got %q, error %v", text, err)
	}
	base, got, err := ParseTagged(text)
	if err != nil || base != "operator:console" || !bytes.Equal(got, tag) {
		t.Errorf("parsed %q %x, error %v", base, got, err)
	}
	if base, got, err := ParseTagged("operator:console"); err != nil || base != "operator:console" || got != nil {
		t.Errorf("without a tag: %q %x, error %v", base, got, err)
	}
	for name, bad := range map[string]string{
		"empty tag":         "operator#mac=",
		"padding":           text + "=",
		"cut":               text[:len(text)-1] + "!",
		"newline":           text + "\n",
		"twice":             text + "#mac=AAAA",
		"standard alphabet": "operator#mac=+/+/",
		"stray bits":        "operator#mac=AB",
		"endless":           "operator#mac=" + strings.Repeat("A", 1<<20),
		"long source":       strings.Repeat("x", MaxSourceBytes+1) + "#mac=AAAA",
	} {
		if base, got, err := ParseTagged(bad); !errors.Is(err, ErrBadTaggedSource) {
			t.Errorf("%s: got %q %x, error %v", name, base, got, err)
		}
	}
	for name, bad := range map[string]struct {
		base string
		tag  []byte
	}{
		"mark in the source": {"operator#mac=AAAA", tag}, "no tag": {"operator", nil}, "long": {strings.Repeat("x", MaxSourceBytes+1), tag},
	} {
		if got, err := FormatTagged(bad.base, bad.tag); !errors.Is(err, ErrBadTaggedSource) {
			t.Errorf("%s: got %q, error %v", name, got, err)
		}
	}
}

func FuzzParseTagged(f *testing.F) {
	f.Add("operator#mac=AQAAAAE")
	f.Add("operator")
	f.Add("#mac=#mac=")
	f.Fuzz(func(t *testing.T, s string) {
		base, tag, err := ParseTagged(s)
		if err != nil {
			if !errors.Is(err, ErrBadTaggedSource) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if tag == nil {
			if base != s {
				t.Fatalf("untagged %q read as %q", s, base)
			}
			return
		}
		if again, err := FormatTagged(base, tag); err != nil || again != s {
			t.Fatalf("two spellings of one tag: %q and %q, error %v", s, again, err)
		}
	})
}

// benchmarked returns a keyset of three keys and a memory as most are: 400 bytes, from an authenticated channel.
func benchmarked(b *testing.B) (*Keyset, Tuple, []byte) {
	b.Helper()
	entries, primary := map[string][]byte{}, ""
	for range 3 {
		id, entry := newKey(b)
		entries[id], primary = entry, id
	}
	u := sampleTuple()
	u.AgentID, u.RecordID = "0b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c11", "01928b7a-5c1e-7aaa-8bbb-0123456789ab"
	u.Writer, u.Parents = "channel/console/alice@example.com", nil
	return mustParse(b, primary, entries), u, bytes.Repeat([]byte("0123456789"), 40)
}

// A signature over a memory of 400 bytes, from its content on.
func BenchmarkSign(b *testing.B) {
	k, u, content := benchmarked(b)
	b.ReportAllocs()
	for b.Loop() {
		u.ContentSHA256 = sha256.Sum256(content)
		if _, err := k.Sign(u.Message()); err != nil {
			b.Fatal(err)
		}
	}
}

// Its check, from the content on, in a keyset of three keys.
func BenchmarkVerify(b *testing.B) {
	k, u, content := benchmarked(b)
	u.ContentSHA256 = sha256.Sum256(content)
	tag, err := k.Sign(u.Message())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		u.ContentSHA256 = sha256.Sum256(content)
		if err := k.Verify(tag, u.Message()); err != nil {
			b.Fatal(err)
		}
	}
}
