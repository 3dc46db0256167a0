// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/mac/hmac"
	tinkpb "github.com/tink-crypto/tink-go/v2/proto/tink_go_proto"
)

func newKey(t testing.TB) (string, []byte) {
	t.Helper()
	id, entry, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return id, entry
}

func mustParse(t testing.TB, primary string, entries map[string][]byte) *Keyset {
	t.Helper()
	k, err := ParseKeyset(primary, entries)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// newKeyset returns a keyset of one new key.
func newKeyset(t testing.TB) *Keyset {
	t.Helper()
	id, entry := newKey(t)
	return mustParse(t, id, map[string][]byte{id: entry})
}

func TestSignVerify(t *testing.T) {
	k := newKeyset(t)
	msg := []byte("message")
	tag, err := k.Sign(msg)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Verify(tag, msg); err != nil {
		t.Errorf("its own tag: %v", err)
	}
	if id, ok := TagKeyID(tag); !ok || id != k.PrimaryID() {
		t.Errorf("tag names key %s, want %s", id, k.PrimaryID())
	}
	if len(tag) != 5+32 {
		t.Errorf("tag has %d bytes, want key id prefix and 256 bits", len(tag))
	}
	if err := k.Verify(tag, []byte("massage")); !errors.Is(err, ErrBadTag) {
		t.Errorf("another message: %v", err)
	}
	for i := range tag {
		flipped := slices.Clone(tag)
		flipped[i] ^= 1
		if err := k.Verify(flipped, msg); err == nil {
			t.Errorf("byte %d flipped: verifies", i)
		}
	}
	for n := range tag {
		if err := k.Verify(tag[:n], msg); err == nil {
			t.Errorf("cut to %d bytes: verifies", n)
		}
	}
	if err := k.Verify(append(slices.Clone(tag), 0), msg); !errors.Is(err, ErrBadTag) {
		t.Errorf("a byte more: %v", err)
	}
	if err := k.Verify(nil, msg); !errors.Is(err, ErrBadTag) {
		t.Errorf("no tag: %v", err)
	}
}

// Rotation: old key, both keys, new primary, old key gone, old key back.
func TestRotation(t *testing.T) {
	idA, a := newKey(t)
	idB, b := newKey(t)
	both := map[string][]byte{idA: a, idB: b}
	msg := []byte("message")
	before := mustParse(t, idA, map[string][]byte{idA: a})
	added, switched := mustParse(t, idA, both), mustParse(t, idB, both)
	after := mustParse(t, idB, map[string][]byte{idB: b})
	oldTag, err := before.Sign(msg)
	if err != nil {
		t.Fatal(err)
	}
	newTag, err := switched.Sign(msg)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		k          *Keyset
		primary    string
		old, fresh error
	}{
		"before":   {before, idA, nil, ErrKeyUnavailable},
		"added":    {added, idA, nil, nil},
		"switched": {switched, idB, nil, nil},
		"removed":  {after, idB, ErrKeyUnavailable, nil},
	} {
		if tc.k.PrimaryID() != tc.primary {
			t.Errorf("%s: primary %s, want %s", name, tc.k.PrimaryID(), tc.primary)
		}
		if err := tc.k.Verify(oldTag, msg); !errors.Is(err, tc.old) {
			t.Errorf("%s: old tag: %v, want %v", name, err, tc.old)
		}
		if err := tc.k.Verify(newTag, msg); !errors.Is(err, tc.fresh) {
			t.Errorf("%s: new tag: %v, want %v", name, err, tc.fresh)
		}
	}
	ids := []string{idA, idB}
	slices.Sort(ids)
	if diff := cmp.Diff(ids, added.KeyIDs()); diff != "" {
		t.Errorf("key ids (-want +got):\n%s", diff)
	}
	swapped := slices.Concat(newTag[:5], oldTag[5:])
	if err := added.Verify(swapped, msg); !errors.Is(err, ErrBadTag) {
		t.Errorf("tag of one key under the id of the other: %v", err)
	}
}

// handleEntry writes a handle as the JSON entry of its primary key.
func handleEntry(t *testing.T, h *keyset.Handle) (string, []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(h, keyset.NewJSONWriter(&out)); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(h.KeysetInfo().GetPrimaryKeyId()), out.Bytes()
}

func templateEntry(t *testing.T, template *tinkpb.KeyTemplate) (string, []byte) {
	t.Helper()
	h, err := keyset.NewHandle(template)
	if err != nil {
		t.Fatal(err)
	}
	return handleEntry(t, h)
}

func hmacEntry(t *testing.T, opts hmac.ParametersOpts) (string, []byte) {
	t.Helper()
	params, err := hmac.NewParameters(opts)
	if err != nil {
		t.Fatal(err)
	}
	m := keyset.NewManager()
	id, err := m.AddNewKeyFromParameters(params)
	if err == nil {
		err = m.SetPrimary(id)
	}
	if err != nil {
		t.Fatal(err)
	}
	h, err := m.Handle()
	if err != nil {
		t.Fatal(err)
	}
	return handleEntry(t, h)
}

func TestParseKeysetAccepts(t *testing.T) {
	for name, template := range map[string]*tinkpb.KeyTemplate{
		"SHA256, 128-bit tags": mac.HMACSHA256Tag128KeyTemplate(),
		"SHA512, 512-bit tags": mac.HMACSHA512Tag512KeyTemplate(),
	} {
		id, entry := templateEntry(t, template)
		if _, err := ParseKeyset(id, map[string][]byte{id: entry}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseKeysetRefuses(t *testing.T) {
	id, entry := newKey(t)
	one := func(id string, entry []byte) func(*testing.T) (string, map[string][]byte) {
		return func(*testing.T) (string, map[string][]byte) { return id, map[string][]byte{id: entry} }
	}
	made := func(f func(*testing.T) (string, []byte)) func(*testing.T) (string, map[string][]byte) {
		return func(t *testing.T) (string, map[string][]byte) { id, entry := f(t); return one(id, entry)(t) }
	}
	template := func(tpl *tinkpb.KeyTemplate) func(*testing.T) (string, map[string][]byte) {
		return made(func(t *testing.T) (string, []byte) { return templateEntry(t, tpl) })
	}
	params := func(opts hmac.ParametersOpts) func(*testing.T) (string, map[string][]byte) {
		return made(func(t *testing.T) (string, []byte) { return hmacEntry(t, opts) })
	}
	for name, input := range map[string]func(*testing.T) (string, map[string][]byte){
		"no keys":          func(*testing.T) (string, map[string][]byte) { return id, nil },
		"primary missing":  func(*testing.T) (string, map[string][]byte) { return "1", map[string][]byte{id: entry} },
		"no primary":       func(*testing.T) (string, map[string][]byte) { return "", map[string][]byte{id: entry} },
		"name of another":  one("12345", entry),
		"name with zeros":  one("0"+id, entry),
		"not JSON":         one(id, []byte("secret-material")),
		"empty":            one(id, nil),
		"cut off":          one(id, entry[:len(entry)/2]),
		"oversized":        one(id, append(slices.Clone(entry), bytes.Repeat([]byte(" "), maxEntryBytes)...)),
		"AEAD key":         template(aead.AES256GCMKeyTemplate()),
		"CMAC key":         template(mac.AESCMACTag128KeyTemplate()),
		"short key":        params(hmac.ParametersOpts{KeySizeInBytes: 16, TagSizeInBytes: 32, HashType: hmac.SHA256, Variant: hmac.VariantTink}),
		"short tag":        params(hmac.ParametersOpts{KeySizeInBytes: 32, TagSizeInBytes: 10, HashType: hmac.SHA256, Variant: hmac.VariantTink}),
		"weak hash":        params(hmac.ParametersOpts{KeySizeInBytes: 32, TagSizeInBytes: 20, HashType: hmac.SHA1, Variant: hmac.VariantTink}),
		"no key id in tag": params(hmac.ParametersOpts{KeySizeInBytes: 32, TagSizeInBytes: 32, HashType: hmac.SHA256, Variant: hmac.VariantCrunchy}),
		"two keys": made(func(t *testing.T) (string, []byte) {
			m := keyset.NewManager()
			for range 2 {
				id, err := m.Add(mac.HMACSHA256Tag256KeyTemplate())
				if err == nil {
					err = m.SetPrimary(id)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			h, err := m.Handle()
			if err != nil {
				t.Fatal(err)
			}
			return handleEntry(t, h)
		}),
		"disabled": func(*testing.T) (string, map[string][]byte) {
			return id, map[string][]byte{id: bytes.ReplaceAll(entry, []byte("ENABLED"), []byte("DISABLED"))}
		},
		"too many keys": func(t *testing.T) (string, map[string][]byte) {
			many := map[string][]byte{}
			var last string
			for range MaxKeys + 1 {
				id, entry := newKey(t)
				many[id], last = entry, id
			}
			return last, many
		},
		"one broken among good": func(*testing.T) (string, map[string][]byte) {
			return id, map[string][]byte{id: entry, "7": []byte("{}")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			primary, entries := input(t)
			k, err := ParseKeyset(primary, entries)
			if !errors.Is(err, ErrBadKeyset) || k != nil {
				t.Fatalf("got %v, error %v, want ErrBadKeyset", k, err)
			}
			for _, e := range entries {
				if leaks(err.Error(), e) {
					t.Errorf("the error quotes the key: %v", err)
				}
			}
		})
	}
}

// leaks reports whether text quotes a run of an entry's material.
func leaks(text string, entry []byte) bool {
	if strings.Contains(text, "secret-material") {
		return true
	}
	var ks struct {
		Key []struct{ KeyData struct{ Value string } }
	}
	if json.Unmarshal(entry, &ks) != nil {
		return false
	}
	for _, key := range ks.Key {
		if v := key.KeyData.Value; len(v) >= 16 && strings.Contains(text, v[len(v)-16:]) {
			return true
		}
		if raw, err := base64.StdEncoding.DecodeString(key.KeyData.Value); err == nil && len(raw) > 16 &&
			strings.Contains(text, string(raw[len(raw)-16:])) {
			return true
		}
	}
	return false
}

func FuzzParseKeyset(f *testing.F) {
	id, entry := newKey(f)
	f.Add(id, entry)
	f.Add("7", []byte(`{"primaryKeyId":7,"key":[{"keyId":7}]}`))
	f.Fuzz(func(t *testing.T, id string, entry []byte) {
		k, err := ParseKeyset(id, map[string][]byte{id: entry})
		if err != nil {
			if !errors.Is(err, ErrBadKeyset) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		tag, err := k.Sign([]byte("m"))
		if err != nil || k.Verify(tag, []byte("m")) != nil {
			t.Fatalf("an accepted keyset does not work: %v", err)
		}
	})
}
