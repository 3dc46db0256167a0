// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/provenance/canon"
)

// Labels of the message layouts. A tag over one never verifies over the other.
const (
	labelV1      = "memprov/v1"
	labelV2      = "memprov/v2"
	labelParents = "memprov/parents"
)

// macMark separates base source and tag where a plain string must carry both.
const macMark = "#mac="

// maxTagText bounds the text of a tag: prefix and 64 bytes of HMAC-SHA512 need 92 characters.
const maxTagText = 128

// ErrBadTaggedSource says that a string is not "<base>#mac=<tag>".
var ErrBadTaggedSource = errors.New("not a tagged source")

// tagEncoding is strict, so that one tag has one spelling.
var tagEncoding = base64.RawURLEncoding.Strict()

// Tuple is everything about a record that its provenance tag covers.
type Tuple struct {
	AgentID       string
	Namespace     string
	RecordID      string
	Seq           uint64
	Branch        string
	Zone          string
	State         string
	ApprovedBy    string
	Expiry        time.Time // zero: never; covered with microsecond precision
	Class         Class
	BaseSource    string
	Writer        string
	Parents       []string // in the record's order
	ContentSHA256 [sha256.Size]byte
}

// noParents is the hash of an empty list of parents, which most records have.
var noParents = canon.New(labelParents).Strings(nil).Sum()

// Message returns the message that is signed for t: memprov/v2, every field typed and length-prefixed, so that two
// different tuples never share a message.
func (t Tuple) Message() []byte {
	parents := noParents
	if len(t.Parents) > 0 {
		parents = canon.New(labelParents).Strings(t.Parents).Sum()
	}
	return canon.New(labelV2).
		String(t.AgentID).
		String(t.Namespace).
		String(t.RecordID).
		Uint(t.Seq).
		String(t.Branch).
		String(t.Zone).
		String(t.State).
		String(t.ApprovedBy).
		Time(t.Expiry).
		String(string(t.Class)).
		String(t.BaseSource).
		String(t.Writer).
		Bytes(parents[:]).
		Bytes(t.ContentSHA256[:]).
		Message()
}

// messageV1 is the message for stores that keep a source and a text and nothing else.
func messageV1(agentID, baseSource, content string) []byte {
	sum := sha256.Sum256([]byte(content))
	return canon.New(labelV1).String(agentID).String(baseSource).Bytes(sum[:]).Message()
}

// SignV1 signs where a foreign store's memory came from: agent, base source and content, raw bytes.
func (k *Keyset) SignV1(agentID, baseSource, content string) ([]byte, error) {
	return k.Sign(messageV1(agentID, baseSource, content))
}

// VerifyV1 checks a tag of SignV1. Errors are those of Verify.
func (k *Keyset) VerifyV1(tag []byte, agentID, baseSource, content string) error {
	return k.Verify(tag, messageV1(agentID, baseSource, content))
}

// FormatTagged writes a base source and its tag as one string, "<base>#mac=<base64url>".
func FormatTagged(base string, tag []byte) (string, error) {
	if strings.Contains(base, macMark) || len(base) > MaxSourceBytes || len(tag) == 0 {
		return "", ErrBadTaggedSource
	}
	return base + macMark + tagEncoding.EncodeToString(tag), nil
}

// ParseTagged splits what FormatTagged wrote. A string without a tag gives a nil tag; one whose tag has not the exact
// spelling FormatTagged gives it is refused with ErrBadTaggedSource.
func ParseTagged(s string) (base string, tag []byte, err error) {
	base, text, found := strings.Cut(s, macMark)
	if len(base) > MaxSourceBytes {
		return "", nil, fmt.Errorf("%w: source longer than %d bytes", ErrBadTaggedSource, MaxSourceBytes)
	}
	if !found {
		return base, nil, nil
	}
	if text == "" || len(text) > maxTagText || strings.ContainsAny(text, "\r\n") {
		return "", nil, fmt.Errorf("%w: tag of a wrong length", ErrBadTaggedSource)
	}
	tag, err = tagEncoding.DecodeString(text)
	if err != nil {
		return "", nil, fmt.Errorf("%w: tag is not base64url", ErrBadTaggedSource)
	}
	return base, tag, nil
}
