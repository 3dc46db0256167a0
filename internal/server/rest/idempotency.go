// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"memorytrust.dev/operator/internal/memory"
)

// idempotencyKey returns the key of a write with the digest of what is asked: the namespace and the body in one form, so
// that neither the order of fields nor white space makes another request of it. No key asks for nothing.
func idempotencyKey(key, namespace string, body WriteRequest) (memory.IdempotencyKey, error) {
	if key == "" {
		return memory.IdempotencyKey{}, nil
	}
	if err := checkKey(key); err != nil {
		return memory.IdempotencyKey{}, err
	}
	canonical, err := json.Marshal(body)
	if err != nil {
		return memory.IdempotencyKey{}, fmt.Errorf("digest of the request: %w", err)
	}
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(namespace)))) //nolint:gosec // bounded by the parameter's schema
	h.Write([]byte(namespace))
	h.Write(canonical)
	return memory.IdempotencyKey{Key: key, Digest: h.Sum(nil)}, nil
}

// checkKey takes what a header can carry unchanged: printable ASCII.
func checkKey(key string) error {
	if len(key) > memory.MaxIdempotencyKeyBytes {
		return &memory.FieldError{Field: "idempotencyKey", Fix: fmt.Sprintf("use at most %d characters", memory.MaxIdempotencyKeyBytes)}
	}
	for i := range len(key) {
		if key[i] < 0x20 || key[i] > 0x7e {
			return &memory.FieldError{Field: "idempotencyKey", Fix: "use printable ASCII characters, for example a UUID"}
		}
	}
	return nil
}
