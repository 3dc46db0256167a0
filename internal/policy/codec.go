// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// revisionLength is how many hex characters of the SHA-256 make a revision.
const revisionLength = 16

// maxRuntimeBytes bounds an encoded runtime policy. The largest that a policy can compile to, with every character of every
// condition escaped, fits into it.
const maxRuntimeBytes = 1 << 20

// Encode returns the runtime policy as indented JSON, ending in a newline. Equal policies give equal bytes.
func (r *Runtime) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode runtime policy: %w", err)
	}
	return append(b, '\n'), nil
}

// Decode reads what Encode wrote. It refuses unknown fields, an unknown schemaVersion, values out of range, and
// a revision that does not match the rest: such a file is damaged or made for another release.
func Decode(data []byte) (*Runtime, error) {
	if len(data) > maxRuntimeBytes {
		return nil, fmt.Errorf("runtime policy is %d bytes long, at most %d are read", len(data), maxRuntimeBytes)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	r := &Runtime{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("runtime policy: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("runtime policy: there is something after the end")
	}
	if err := r.validate(); err != nil {
		return nil, fmt.Errorf("runtime policy: %w", err)
	}
	want, err := r.revision()
	if err != nil {
		return nil, err
	}
	if r.Revision != want {
		return nil, fmt.Errorf("runtime policy: revision %.32q does not match its content, which has %s", r.Revision, want)
	}
	return r, nil
}

// revision hashes the canonical JSON of everything but Revision itself.
func (r *Runtime) revision() (string, error) {
	bare := *r
	bare.Revision = ""
	b, err := json.Marshal(&bare)
	if err != nil {
		return "", fmt.Errorf("encode runtime policy: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:revisionLength], nil
}
