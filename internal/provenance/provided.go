// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/key"
	"github.com/tink-crypto/tink-go/v2/keyset"
	tinkhmac "github.com/tink-crypto/tink-go/v2/mac/hmac"
	"github.com/tink-crypto/tink-go/v2/secretdata"
)

// Bounds of what somebody else provides as a key.
const (
	// maxRawBytes is the most raw bytes of a key. HMAC hashes what is longer than 64 bytes, so nothing is gained beyond.
	maxRawBytes = 1024
	// maxProvidedBytes bounds a keyset.
	maxProvidedBytes = 64 << 10
	// minDistinctBytes refuses what is no random key, such as one letter repeated. Random bytes have more different values,
	// also when they are written as 32 hexadecimal or decimal digits: fewer come up once in ten million keys.
	minDistinctBytes = 6
)

// rawTagBytes is the tag length of keys made from raw bytes, the whole output of SHA-256 as with NewKey.
const rawTagBytes = 32

// keyIDLabel is what the id of a raw key is the MAC of. Signed messages begin with a length, so that it is none of them.
const keyIDLabel = "memorytrust.dev/key-id/v1"

// Provided are keys that somebody else made.
type Provided struct {
	// Primary is the id of the key that is to sign.
	Primary string
	// Entries are single-key keysets as made by NewKey, by key id.
	Entries map[string][]byte
}

// ParseProvided reads a key that somebody else made: random bytes, at least 32 and taken as they are, or a cleartext Tink
// JSON keyset, of which all enabled keys are taken. The same bytes always have the same key id. Errors match
// ErrBadKeyset, say what is wanted and never hold material.
func ParseProvided(data []byte) (Provided, error) {
	var (
		p   Provided
		err error
	)
	switch trimmed := bytes.TrimSpace(data); {
	case len(trimmed) > 0 && trimmed[0] == '{' && (json.Valid(trimmed) || isText(trimmed)):
		p, err = parseProvidedKeyset(trimmed)
	default:
		p, err = parseRaw(data)
	}
	if err != nil {
		return Provided{}, fmt.Errorf("%w: %w", ErrBadKeyset, err)
	}
	return p, nil
}

// isText reports whether data was written as text. A damaged keyset is text, and must not pass as a raw key; random
// bytes that happen to begin like a keyset are not.
func isText(data []byte) bool {
	return utf8.Valid(data) && bytes.IndexFunc(data, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) < 0
}

func parseRaw(data []byte) (Provided, error) {
	switch n := len(data); {
	case n < minKeyBytes:
		return Provided{}, fmt.Errorf("a key of %d bytes is too short for HMAC-SHA256, want at least %d random bytes", n, minKeyBytes)
	case n > maxRawBytes:
		return Provided{}, fmt.Errorf("a key of %d bytes is too long, want at most %d random bytes", n, maxRawBytes)
	}
	var seen [256]bool
	distinct := 0
	for _, b := range data {
		if !seen[b] {
			seen[b] = true
			distinct++
		}
	}
	if distinct < minDistinctBytes {
		return Provided{}, errors.New("the key repeats the same few bytes, want random bytes")
	}
	params, err := tinkhmac.NewParameters(tinkhmac.ParametersOpts{
		KeySizeInBytes: len(data), TagSizeInBytes: rawTagBytes, HashType: tinkhmac.SHA256, Variant: tinkhmac.VariantTink,
	})
	if err != nil {
		return Provided{}, errors.New("the bytes cannot be used as an HMAC key")
	}
	id := rawKeyID(data)
	made, err := tinkhmac.NewKey(secretdata.NewBytesFromData(data, insecuresecretdataaccess.Token{}), params, id)
	if err != nil {
		return Provided{}, errors.New("the bytes cannot be used as an HMAC key")
	}
	entry, err := encodeKey(made, id)
	if err != nil {
		return Provided{}, err
	}
	return Provided{Primary: formatKeyID(id), Entries: map[string][]byte{formatKeyID(id): entry}}, nil
}

// rawKeyID derives the id of a key from its bytes. It is a MAC under the key itself, so that the id, which everybody may
// see, tells nothing about them. Zero is no id in Tink.
func rawKeyID(data []byte) uint32 {
	for round := byte(0); ; round++ {
		h := hmac.New(sha256.New, data)
		h.Write([]byte(keyIDLabel))
		h.Write([]byte{round})
		if id := binary.BigEndian.Uint32(h.Sum(nil)); id != 0 {
			return id
		}
	}
}

func parseProvidedKeyset(data []byte) (Provided, error) {
	if len(data) > maxProvidedBytes {
		return Provided{}, fmt.Errorf("the keyset is longer than %d bytes", maxProvidedBytes)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(data)))
	if err != nil {
		return Provided{}, errors.New("not a cleartext Tink JSON keyset")
	}
	primary, err := handle.Primary()
	if err != nil {
		return Provided{}, errors.New("the keyset has no primary key")
	}
	p := Provided{Primary: formatKeyID(primary.KeyID()), Entries: map[string][]byte{}}
	for i := range handle.Len() {
		one, err := handle.Entry(i)
		if err != nil {
			return Provided{}, errors.New("not a cleartext Tink JSON keyset")
		}
		if one.KeyStatus() != keyset.Enabled {
			continue
		}
		id := formatKeyID(one.KeyID())
		if err := checkHMAC(one); err != nil {
			return Provided{}, fmt.Errorf("key %s of the keyset: %w", id, err)
		}
		if p.Entries[id], err = encodeKey(one.Key(), one.KeyID()); err != nil {
			return Provided{}, fmt.Errorf("key %s of the keyset: %w", id, err)
		}
	}
	if len(p.Entries) > MaxKeys {
		return Provided{}, fmt.Errorf("the keyset holds %d enabled keys, want at most %d", len(p.Entries), MaxKeys)
	}
	if _, err := ParseKeyset(p.Primary, p.Entries); err != nil {
		return Provided{}, errors.New("the keys of the keyset cannot be used")
	}
	return p, nil
}

// encodeKey writes one key as a keyset of its own. Errors of Tink are not passed on.
func encodeKey(k key.Key, id uint32) ([]byte, error) {
	m := keyset.NewManager()
	added, err := m.AddKey(k)
	if err != nil || added != id || m.SetPrimary(id) != nil {
		return nil, errors.New("the key cannot be stored under its id")
	}
	handle, err := m.Handle()
	if err != nil {
		return nil, errors.New("the key cannot be stored")
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return nil, errors.New("the key cannot be encoded")
	}
	return out.Bytes(), nil
}

// SameKey reports, in constant time, whether two entries hold the same key of that id. Their bytes may differ all the same:
// the encoding is not canonical.
func SameKey(id string, a, b []byte) bool {
	first, err := parseKey(id, a)
	if err != nil {
		return false
	}
	second, err := parseKey(id, b)
	return err == nil && first.Key().Equal(second.Key())
}
