// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// versionPage is how many versions are read at a time. They come with their contents.
const versionPage = 16

// version returns what picks the version to read, newest first; nil for the newest. It returns a *memory.FieldError.
func (q Reading) version() (func(memory.Record) bool, error) {
	if err := checkSession(q.Session); err != nil {
		return nil, err
	}
	switch {
	case q.Commit != "" && !q.At.IsZero():
		return nil, &memory.FieldError{Field: "at", Fix: "name a commit or a time, not both"}
	case q.Commit != "":
		hash, err := commitHash(q.Commit)
		if err != nil {
			return nil, err
		}
		return func(r memory.Record) bool { return bytes.Equal(r.Commit.Hash, hash) }, nil
	case !q.At.IsZero():
		return func(r memory.Record) bool { return !r.UpdatedAt.After(q.At) }, nil
	}
	return nil, nil
}

// commitHash reads the name of a commit, or returns a *memory.FieldError.
func commitHash(name string) ([]byte, error) {
	hash, err := hex.DecodeString(name)
	if err != nil || len(hash) != 32 || hex.EncodeToString(hash) != name {
		return nil, &memory.FieldError{Field: "commit", Fix: "name a commit by its 64 lower-case hexadecimal characters"}
	}
	return hash, nil
}

// older walks back from a verified newest version to the one that is wanted. Every version on the way must be the one that
// the version after it was made from, so that nothing can be slipped into a history. What lies before a purge is not there
// any more. It returns memory.ErrNotFound if there is nothing to deliver.
func (g *Gate) older(
	ctx context.Context, s *policy.State, namespace string, head memory.Record, wanted func(memory.Record) bool,
) (verified, error) {
	for after := head; ; {
		page, err := g.store.Versions(ctx, memory.History{Namespace: namespace, ID: head.ID, Before: after.Seq, Limit: versionPage})
		if err != nil {
			return verified{}, err
		}
		for _, v := range page {
			if len(v.Erased) > 0 || !madeFrom(after, v) {
				return verified{}, memory.ErrNotFound
			}
			if wanted(v) {
				if !present(v) {
					return verified{}, memory.ErrNotFound
				}
				return verified{record: v, fault: checkVersion(s, namespace, v), old: true}, nil
			}
			after = v
		}
		if len(page) < versionPage {
			return verified{}, memory.ErrNotFound
		}
	}
}

// madeFrom reports whether a version says that it was made from another, and that other is what it was then.
func madeFrom(version, from memory.Record) bool {
	named := slices.ContainsFunc(version.Commit.Parents, func(parent []byte) bool { return bytes.Equal(parent, from.Commit.Hash) })
	return named && hashes(from)
}
