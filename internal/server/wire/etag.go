// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/hex"
	"strings"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// commitBytes is the length of a commit's hash.
const commitBytes = 32

// ETag returns the entity tag of a version: its commit in double quotes.
func ETag(commit string) string { return `"` + commit + `"` }

// IfMatch returns the commit that an If-Match header names, empty for no header and for "*". Several tags, and what is no tag,
// are a *memory.FieldError; a tag that can name no version is gate.ErrPrecondition, like one that names another.
func IfMatch(header string) (commit string, err error) {
	header = strings.TrimSpace(header)
	switch {
	case header == "" || header == "*":
		return "", nil
	case strings.Contains(header, ","):
		return "", &memory.FieldError{Field: "commit", Fix: "name one version"}
	case strings.HasPrefix(header, "W/"): // weak tags never match here, RFC 9110 section 13.1.1
		return "", gate.ErrPrecondition
	}
	commit, ok := unquoted(header)
	if !ok {
		return "", &memory.FieldError{Field: "commit", Fix: `give the ETag of the version as it was received, in double quotes`}
	}
	if !validCommit(commit) {
		return "", gate.ErrPrecondition
	}
	return commit, nil
}

// NoneMatch reports whether an If-None-Match header names the commit. Comparison is weak, RFC 9110 section 13.1.2.
func NoneMatch(header, commit string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" {
			return true
		}
		if named, ok := unquoted(strings.TrimPrefix(tag, "W/")); ok && named == commit {
			return true
		}
	}
	return false
}

func unquoted(tag string) (string, bool) {
	if len(tag) < 2 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		return "", false
	}
	inner := tag[1 : len(tag)-1]
	return inner, !strings.Contains(inner, `"`)
}

func validCommit(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == commitBytes && strings.ToLower(s) == s
}
