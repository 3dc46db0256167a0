// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

// random returns n bytes that look random and are the same in every run.
func random(n int) []byte {
	var out []byte
	for block := sha256.Sum256([]byte("seed")); len(out) < n; block = sha256.Sum256(block[:]) {
		out = append(out, block[:]...)
	}
	return out[:n]
}

// keysetJSON makes a keyset of keys of one template. The last one signs, the first is disabled if asked for.
func keysetJSON(t *testing.T, template *tinkpb.KeyTemplate, n int, disableFirst bool) (data []byte, ids []string) {
	t.Helper()
	m := keyset.NewManager()
	var first uint32
	for i := range n {
		id, err := m.Add(template)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = id
		}
		if err := m.SetPrimary(id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, formatKeyID(id))
	}
	if disableFirst {
		if err := m.Disable(first); err != nil {
			t.Fatal(err)
		}
	}
	h, err := m.Handle()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(h, keyset.NewJSONWriter(&out)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), ids
}

func TestParseProvidedAccepts(t *testing.T) {
	hmacs := mac.HMACSHA256Tag256KeyTemplate()
	three, ids := keysetJSON(t, hmacs, 3, false)
	rotated, rotatedIDs := keysetJSON(t, hmacs, 2, true)
	likeKeyset := random(40)
	likeKeyset[0] = '{'
	tests := map[string]struct {
		data    []byte
		primary string // empty: whatever it is
		ids     []string
	}{
		"32 bytes":                          {random(32), "", nil},
		"64 bytes":                          {random(64), "", nil},
		"1024 bytes":                        {random(1024), "", nil},
		"hexadecimal digits with a newline": {[]byte(hex.EncodeToString(random(32)) + "\n"), "", nil},
		"bytes that begin like a keyset":    {likeKeyset, "", nil},
		"bytes that end in a newline":       {append(random(31), '\n'), "", nil},
		"a keyset":                          {three, ids[2], ids},
		"a keyset with white space around":  {slices.Concat([]byte("\n "), three, []byte("\n")), ids[2], ids},
		"a keyset that leaves out a key":    {rotated, rotatedIDs[1], rotatedIDs[1:]},
		"a keyset with shorter tags":        {first(keysetJSON(t, mac.HMACSHA256Tag128KeyTemplate(), 1, false)), "", nil},
		"a keyset with SHA-512":             {first(keysetJSON(t, mac.HMACSHA512Tag512KeyTemplate(), 1, false)), "", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := ParseProvided(tc.data)
			if err != nil {
				t.Fatal(err)
			}
			if tc.primary != "" && p.Primary != tc.primary {
				t.Errorf("primary = %s, want %s", p.Primary, tc.primary)
			}
			want := tc.ids
			if want == nil {
				want = []string{p.Primary}
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(p.Entries))); diff != "" {
				t.Errorf("keys (-want +got):\n%s", diff)
			}
			k := mustParse(t, p.Primary, p.Entries)
			tag, err := k.Sign([]byte("m"))
			if err != nil {
				t.Fatal(err)
			}
			again, err := ParseProvided(tc.data)
			if err != nil {
				t.Fatal(err)
			}
			if again.Primary != p.Primary || mustParse(t, again.Primary, again.Entries).Verify(tag, []byte("m")) != nil {
				t.Error("read again it is another key")
			}
			if !SameKey(p.Primary, p.Entries[p.Primary], again.Entries[p.Primary]) {
				t.Error("read again it does not count as the same key")
			}
		})
	}
}

func first(data []byte, _ []string) []byte { return data }

// The id of raw bytes is part of what is stored: another derivation would orphan every record under such a key.
func TestRawKeyIDIsFixed(t *testing.T) {
	p, err := ParseProvided(random(32))
	if err != nil {
		t.Fatal(err)
	}
	if p.Primary != "1422541974" {
		t.Errorf("id = %s", p.Primary)
	}
	other, err := ParseProvided(random(33))
	if err != nil {
		t.Fatal(err)
	}
	if other.Primary == p.Primary {
		t.Error("other bytes have the same id")
	}
}

func TestSameKey(t *testing.T) {
	idA, a := newKey(t)
	idB, b := newKey(t)
	if !SameKey(idA, a, append([]byte(" \n"), a...)) {
		t.Error("white space makes another key")
	}
	if SameKey(idA, a, b) || SameKey(idB, a, b) || SameKey(idA, a, nil) || SameKey(idA, nil, nil) {
		t.Error("different keys count as the same")
	}
	raw, err := ParseProvided(random(32))
	if err != nil {
		t.Fatal(err)
	}
	changed := random(32)
	changed[31] ^= 1
	otherRaw, err := ParseProvided(changed)
	if err != nil {
		t.Fatal(err)
	}
	if SameKey(raw.Primary, raw.Entries[raw.Primary], otherRaw.Entries[otherRaw.Primary]) {
		t.Error("raw keys of one bit difference count as the same")
	}
}

func TestParseProvidedRefuses(t *testing.T) {
	good, _ := keysetJSON(t, mac.HMACSHA256Tag256KeyTemplate(), 1, false)
	aeads, _ := keysetJSON(t, aead.AES256GCMKeyTemplate(), 1, false)
	many, _ := keysetJSON(t, mac.HMACSHA256Tag256KeyTemplate(), MaxKeys+1, false)
	noPrefix := mac.HMACSHA256Tag256KeyTemplate()
	noPrefix.OutputPrefixType = tinkpb.OutputPrefixType_RAW
	raw, _ := keysetJSON(t, noPrefix, 1, false)
	tests := map[string]struct {
		data []byte
		says string
	}{
		"nothing":                      {nil, "0 bytes is too short for HMAC-SHA256, want at least 32"},
		"31 bytes":                     {random(31), "31 bytes is too short"},
		"1025 bytes":                   {random(1025), "at most 1024"},
		"one letter repeated":          {bytes.Repeat([]byte("a"), 64), "random bytes"},
		"zeros":                        {make([]byte, 32), "random bytes"},
		"a keyset cut short":           {good[:len(good)-3], "cleartext Tink JSON keyset"},
		"JSON that is no keyset":       {[]byte(`{"password": "0123456789abcdefghijklmnopqrstuv"}`), "cleartext Tink JSON keyset"},
		"an encrypted keyset":          {[]byte(`{"encryptedKeyset": "0123456789abcdefghijklmnopqrstuv", "keysetInfo": {}}`), "cleartext Tink JSON keyset"},
		"a keyset for encryption":      {aeads, "not an HMAC key"},
		"a keyset without ids in tags": {raw, "output prefix TINK"},
		"a keyset of too many keys":    {many, "at most 32"},
		"a keyset beyond all bounds":   {[]byte(`{"x":"` + strings.Repeat("y", maxProvidedBytes) + `"}`), "longer than"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := ParseProvided(tc.data)
			if !errors.Is(err, ErrBadKeyset) || len(p.Entries) != 0 {
				t.Fatalf("keys %v, error %v", slices.Collect(maps.Keys(p.Entries)), err)
			}
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %q does not say %q", err, tc.says)
			}
			for _, material := range []string{"0123456789abcdef", "AAAA", "yyyy", string(random(31)[:8])} {
				if strings.Contains(err.Error(), material) {
					t.Errorf("error quotes the input: %q", err)
				}
			}
		})
	}
}

func FuzzParseProvided(f *testing.F) {
	f.Add(random(32))
	f.Add([]byte(`{"primaryKeyId":1,"key":[]}`))
	if _, entry, err := NewKey(); err == nil {
		f.Add(entry)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParseProvided(data)
		if err != nil {
			if !errors.Is(err, ErrBadKeyset) {
				t.Fatalf("error of another kind: %v", err)
			}
			return
		}
		k, err := ParseKeyset(p.Primary, p.Entries)
		if err != nil {
			t.Fatalf("accepted and of no use: %v", err)
		}
		if tag, err := k.Sign(data); err != nil || k.Verify(tag, data) != nil {
			t.Fatal("its own tag does not verify")
		}
	})
}
