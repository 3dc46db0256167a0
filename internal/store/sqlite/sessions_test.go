// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/storetest"
)

// Only the newest turn of a session, authenticated or reported, still has its words.
func TestOlderTurnsLoseTheirWords(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	for _, said := range []struct{ session, id, channel string }{
		{"a", "1", "chat"}, {"a", "2", "chat"}, {"a", "3", ""}, {"b", "4", "chat"}, {"a", "5", "mail"}, {"a", "6", ""},
	} {
		err := s.PutTurn(t.Context(), memory.Turn{
			Namespace: storetest.Namespace, Session: said.session, ID: said.id, Writer: memory.Writer{Channel: said.channel},
			Content: "said " + said.id, At: storetest.Epoch, Tag: []byte("tag"),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	left, err := collect(t.Context(), s.reader, "test", "SELECT content FROM turns WHERE content IS NOT NULL ORDER BY n", nil, value[string])
	if diff := cmp.Diff([]string{"said 4", "said 5", "said 6"}, left); err != nil || diff != "" {
		t.Errorf("contents (-want +got):\n%s error %v", diff, err)
	}
}
