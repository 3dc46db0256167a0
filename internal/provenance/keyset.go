// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/mac/hmac"
)

// Bounds of a keyset.
const (
	// MaxKeys a keyset may hold: the primary and those still verifying.
	MaxKeys = 32
	// minKeyBytes is the least length of an HMAC key, the output length of SHA-256 (RFC 2104, section 3).
	minKeyBytes = 32
	// minTagBytes is the least length of a MAC: below 16 bytes forging by guessing comes into reach.
	minTagBytes = 16
	// maxEntryBytes bounds the JSON of one key.
	maxEntryBytes = 8 << 10
)

// The Tink output prefix of a tag: a version byte and the key id.
const (
	tinkVersion   = 0x01
	tinkPrefixLen = 5
)

var (
	// ErrBadTag says that a tag was not made by the key it names over this message.
	ErrBadTag = errors.New("provenance tag does not verify")
	// ErrKeyUnavailable says that the key a tag names is not in the keyset; restoring the key heals it.
	ErrKeyUnavailable = errors.New("provenance key of the tag is not available")
	// ErrBadKeyset says that key files do not form a usable keyset. Its text never holds key material.
	ErrBadKeyset = errors.New("invalid provenance keyset")
)

// NewKey makes a key for HMAC-SHA256 with 256-bit tags. It returns the key's id, decimal, and a cleartext Tink JSON
// keyset holding that one key: key material, to be stored in a Secret and nowhere else.
func NewKey() (id string, entry []byte, err error) {
	handle, err := keyset.NewHandle(mac.HMACSHA256Tag256KeyTemplate())
	if err != nil {
		return "", nil, fmt.Errorf("making a provenance key: %w", err)
	}
	primary, err := handle.Primary()
	if err != nil {
		return "", nil, fmt.Errorf("making a provenance key: %w", err)
	}
	var out bytes.Buffer
	if err := insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out)); err != nil {
		return "", nil, fmt.Errorf("encoding a provenance key: %w", err)
	}
	return formatKeyID(primary.KeyID()), out.Bytes(), nil
}

// Keyset signs with its primary key and verifies with all of its keys. It is immutable and safe for concurrent use.
type Keyset struct {
	primary string
	ids     []string
	signer  *macKey
	macs    map[[tinkPrefixLen]byte]*macKey // by what their tags begin with
}

// ParseKeyset joins single-key keysets as made by NewKey, keyed by key id, into one whose primary key is the named
// one. Errors match ErrBadKeyset, name the key and never hold material.
func ParseKeyset(primary string, entries map[string][]byte) (*Keyset, error) {
	if len(entries) == 0 || len(entries) > MaxKeys {
		return nil, fmt.Errorf("%w: %d keys, want 1 to %d", ErrBadKeyset, len(entries), MaxKeys)
	}
	if _, ok := entries[primary]; !ok {
		return nil, fmt.Errorf("%w: the primary key %.20q is missing", ErrBadKeyset, primary)
	}
	k := &Keyset{primary: primary, ids: slices.Sorted(maps.Keys(entries)), macs: make(map[[tinkPrefixLen]byte]*macKey, len(entries))}
	for _, id := range k.ids {
		only, err := parseKey(id, entries[id])
		if err != nil {
			return nil, fmt.Errorf("%w: key %.20q: %w", ErrBadKeyset, id, err)
		}
		key, err := newMACKey(only)
		if err != nil {
			return nil, fmt.Errorf("%w: key %.20q: %w", ErrBadKeyset, id, err)
		}
		k.macs[key.prefix] = key
		if id == primary {
			k.signer = key
		}
	}
	return k, nil
}

// parseKey reads one entry and checks that it is the one key its name says. Errors of Tink are not passed on: they may
// quote their input.
func parseKey(id string, entry []byte) (*keyset.Entry, error) {
	if len(entry) > maxEntryBytes {
		return nil, fmt.Errorf("longer than %d bytes", maxEntryBytes)
	}
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(entry)))
	if err != nil {
		return nil, errors.New("not a Tink JSON keyset")
	}
	if handle.Len() != 1 {
		return nil, fmt.Errorf("the entry holds %d keys, want one", handle.Len())
	}
	only, err := handle.Primary()
	if err != nil {
		return nil, errors.New("the entry has no primary key")
	}
	if got := formatKeyID(only.KeyID()); got != id || only.KeyID() == 0 {
		return nil, fmt.Errorf("the entry holds key %s", got)
	}
	if only.KeyStatus() != keyset.Enabled {
		return nil, errors.New("the key is not enabled")
	}
	if err := checkHMAC(only); err != nil {
		return nil, err
	}
	return only, nil
}

func checkHMAC(entry *keyset.Entry) error {
	params, ok := entry.Key().Parameters().(*hmac.Parameters)
	switch {
	case !ok:
		return errors.New("the key is not an HMAC key")
	case params.Variant() != hmac.VariantTink:
		return errors.New("the key does not put its id into tags (want output prefix TINK)")
	case params.HashType() != hmac.SHA256 && params.HashType() != hmac.SHA512:
		return errors.New("the key's hash is neither SHA256 nor SHA512")
	case params.KeySizeInBytes() < minKeyBytes:
		return fmt.Errorf("the key is shorter than %d bytes", minKeyBytes)
	case params.CryptographicTagSizeInBytes() < minTagBytes:
		return fmt.Errorf("the key makes tags shorter than %d bytes", minTagBytes)
	}
	return nil
}

// PrimaryID returns the id, decimal, of the key that signs.
func (k *Keyset) PrimaryID() string { return k.primary }

// KeyIDs returns the ids of all keys, sorted as strings.
func (k *Keyset) KeyIDs() []string { return slices.Clone(k.ids) }

// errNoSigner says that a Keyset was not made by ParseKeyset.
var errNoSigner = errors.New("a keyset without keys signs nothing")

// Sign returns the tag of the primary key over msg.
func (k *Keyset) Sign(msg []byte) ([]byte, error) {
	if k.signer == nil {
		return nil, errNoSigner
	}
	return k.signer.tag(msg), nil
}

// Verify checks in constant time that tag was made over msg by the key it names. It returns ErrKeyUnavailable when
// that key is not in the keyset and ErrBadTag for everything else.
func (k *Keyset) Verify(tag, msg []byte) error {
	if len(tag) <= tinkPrefixLen || tag[0] != tinkVersion {
		return ErrBadTag
	}
	key, known := k.macs[[tinkPrefixLen]byte(tag)]
	if !known {
		id, _ := TagKeyID(tag)
		return fmt.Errorf("%w: key %s", ErrKeyUnavailable, id)
	}
	if !key.verify(tag, msg) {
		return ErrBadTag
	}
	return nil
}

// TagKeyID returns the id, decimal, of the key that a tag names; false when it has not the form of a tag.
func TagKeyID(tag []byte) (string, bool) {
	if len(tag) <= tinkPrefixLen || tag[0] != tinkVersion {
		return "", false
	}
	return formatKeyID(binary.BigEndian.Uint32(tag[1:tinkPrefixLen])), true
}

// TagPrefix returns what every tag of the key with this id, decimal, begins with; false when it is no id.
func TagPrefix(id string) ([]byte, bool) {
	n, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return nil, false
	}
	return binary.BigEndian.AppendUint32([]byte{tinkVersion}, uint32(n)), true
}

func formatKeyID(id uint32) string { return strconv.FormatUint(uint64(id), 10) }
