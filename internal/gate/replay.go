// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/screen"
)

// replay answers a write whose idempotency key was used before like the first time, without writing anything. Done is false
// if the key is new. It returns a *memory.FieldError when the key was used for another request.
func (g *Gate) replay(
	ctx context.Context, s *policy.State, c Caller, namespace string, key memory.IdempotencyKey,
) (out Written, done bool, err error) {
	if key.Key == "" {
		return Written{}, false, nil
	}
	id, digest, err := g.store.Idempotent(ctx, namespace, c.writer(), key.Key)
	if errors.Is(err, memory.ErrNotFound) {
		return Written{}, false, nil
	}
	if err != nil {
		return Written{}, false, err
	}
	if !bytes.Equal(digest, key.Digest) {
		return Written{}, false, &memory.FieldError{Field: "idempotencyKey", Fix: "use a new key: this one was used for another request"}
	}
	first, err := g.firstVersion(ctx, namespace, id)
	if err != nil {
		return Written{}, false, err
	}
	verdict := screen.Verdict{Directive: first.Directive, Reasons: first.Reasons, Families: familiesOf(first.Reasons)}
	out = written(s.Runtime, c, first, verdict, first.CreatedAt)
	out.Replayed = true
	return out, true, nil
}

// firstVersion returns the version a record began with.
func (g *Gate) firstVersion(ctx context.Context, namespace, id string) (memory.Record, error) {
	record, err := g.store.Get(ctx, namespace, id)
	if err != nil {
		return memory.Record{}, err
	}
	h := memory.History{Namespace: namespace, ID: id, At: record.CreatedAt, Limit: versionPage}
	for first := record; ; {
		page, err := g.store.Versions(ctx, h)
		if err != nil {
			return memory.Record{}, err
		}
		if len(page) > 0 {
			first = page[len(page)-1]
		}
		if len(page) < versionPage {
			return first, nil
		}
		h.Before = first.Seq
	}
}

// familiesOf returns the kinds of directives that reasons name, without the words that matched.
func familiesOf(reasons []string) []string {
	var out []string
	for _, reason := range reasons {
		family, _, _ := strings.Cut(reason, ":")
		if !slices.Contains(out, family) {
			out = append(out, family)
		}
	}
	return out
}
