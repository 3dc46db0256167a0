// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/words"
)

// fillBulk writes n records with SQL: rows and index, as search needs them, without versions and audit entries.
func fillBulk(b testing.TB, s *Store, n int, record func(i int) memory.Record) {
	b.Helper()
	const batch = 10_000
	for done := 0; done < n; done += batch {
		err := s.writer.do(b.Context(), "filling", func(w *writer) error {
			for i := done; i < min(n, done+batch); i++ {
				r := record(i)
				id, err := w.namespaceID(r.Namespace)
				if err != nil {
					return err
				}
				r.Seq, r.Commit.Hash = uint64(i+1), []byte("none") // #nosec G115 -- small
				list := words.Of(r.Content)
				bound, err := values(r.Normalized(), 0, len(list))
				if err != nil {
					return err
				}
				var rid int64
				if err := w.row(w.stmts.put, bound...).Scan(&rid); err != nil {
					return err
				}
				w.reindex = append(w.reindex, indexing{w.stmts.index, rid, indexText(fulltext.Keys(id, r.Zone), list)})
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}
