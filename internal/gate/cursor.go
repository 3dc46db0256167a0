// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strconv"

	"memorytrust.dev/operator/internal/memory"
)

// maxCursorBytes bounds a cursor; the longest one there is names an id.
const maxCursorBytes = 256

// cursor is where a listing goes on. It is bound to what was asked, so that a cursor of one listing, or of one namespace,
// cannot be used in another; it gives no access, and is therefore not signed.
type cursor struct {
	Asked string `json:"q"` // digest of what was asked
	After string `json:"a"` // where the page before ended
}

var cursorEncoding = base64.RawURLEncoding.Strict()

// errCursor is the answer for whatever is no cursor of the listing at hand.
var errCursor = &memory.FieldError{Field: "cursor",
	Fix: "pass next of the page before, with the same filters, or leave it out to begin anew"}

// nextCursor names the place behind after, the id or Seq of the last thing on a page, in the listing that asked stands for:
// a name of the listing, the namespace, and its filters. They must marshal as JSON.
func nextCursor(after string, asked ...any) string {
	text, err := json.Marshal(cursor{Asked: askedDigest(asked), After: after})
	if err != nil {
		return "" // strings always marshal
	}
	return cursorEncoding.EncodeToString(text)
}

// readCursor returns what nextCursor was given for the same listing; "" for an empty cursor. It returns a
// *memory.FieldError for any other.
func readCursor(text string, asked ...any) (after string, err error) {
	if text == "" {
		return "", nil
	}
	if len(text) > maxCursorBytes {
		return "", errCursor
	}
	raw, err := cursorEncoding.DecodeString(text)
	if err != nil {
		return "", errCursor
	}
	var c cursor
	if json.Unmarshal(raw, &c) != nil || c.Asked != askedDigest(asked) || c.After == "" {
		return "", errCursor
	}
	return c.After, nil
}

// readIDCursor is readCursor of a listing in order of ids.
func readIDCursor(text string, asked ...any) (string, error) {
	after, err := readCursor(text, asked...)
	if err != nil || after == "" {
		return "", err
	}
	if !memory.ValidID(after) {
		return "", errCursor
	}
	return after, nil
}

// readSeqCursor is readCursor of a listing in order of Seq; 0 for an empty cursor.
func readSeqCursor(text string, asked ...any) (uint64, error) {
	after, err := readCursor(text, asked...)
	if err != nil || after == "" {
		return 0, err
	}
	seq, err := strconv.ParseUint(after, 10, 63)
	if err != nil || seq == 0 {
		return 0, errCursor
	}
	return seq, nil
}

func askedDigest(asked []any) string {
	text, err := json.Marshal(asked)
	if err != nil {
		return "" // filters are plain values
	}
	sum := sha256.Sum256(text)
	return cursorEncoding.EncodeToString(sum[:12])
}
