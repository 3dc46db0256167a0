// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"hash"
	"sync"

	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	tinkhmac "github.com/tink-crypto/tink-go/v2/mac/hmac"
)

// macKey makes and checks the tags of one key: its Tink output prefix and an HMAC, byte for byte what Tink makes. Tink's own
// primitive pads and hashes the key anew for every message, which takes as long as hashing the message of a memory; states
// that have done so are kept here. A macKey is safe for concurrent use.
type macKey struct {
	prefix [tinkPrefixLen]byte
	size   int       // of the MAC, in bytes
	states sync.Pool // of hash.Hash, keyed
}

// newMACKey makes a macKey of a key that checkHMAC accepts.
func newMACKey(entry *keyset.Entry) (*macKey, error) {
	key, ok := entry.Key().(*tinkhmac.Key)
	if !ok {
		return nil, errors.New("the key is not an HMAC key")
	}
	params, ok := key.Parameters().(*tinkhmac.Parameters)
	if !ok || len(key.OutputPrefix()) != tinkPrefixLen {
		return nil, errors.New("the key does not put its id into tags")
	}
	newHash := sha256.New
	if params.HashType() == tinkhmac.SHA512 {
		newHash = sha512.New
	}
	material := key.KeyBytes().Data(insecuresecretdataaccess.Token{})
	m := &macKey{prefix: [tinkPrefixLen]byte(key.OutputPrefix()), size: params.CryptographicTagSizeInBytes()}
	m.states.New = func() any { return hmac.New(newHash, material) }
	return m, nil
}

// tag returns the whole tag over msg.
func (m *macKey) tag(msg []byte) []byte {
	state := m.states.Get().(hash.Hash) //nolint:forcetypeassert // nothing else is put there
	state.Reset()
	state.Write(msg)
	out := make([]byte, tinkPrefixLen, tinkPrefixLen+sha512.Size)
	copy(out, m.prefix[:])
	out = state.Sum(out)
	m.states.Put(state)
	return out[:tinkPrefixLen+m.size]
}

// verify reports in constant time whether tag is that of msg.
func (m *macKey) verify(tag, msg []byte) bool { return hmac.Equal(tag, m.tag(msg)) }
