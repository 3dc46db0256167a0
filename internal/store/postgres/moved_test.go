// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"errors"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

// What only grows can be taken back while it is moved here, and never once it is in force: an agent's role cannot say that its memory is
// being moved when it has one.
func TestOnlyMovesAreTakenBack(t *testing.T) {
	n := newTenant(t, pgtest.Any(t))
	s := n.open(t)
	own := connectAs(t, n.opts.URL)
	kept := []string{
		"records", "versions", "contents", "audit", "audit_hashes", "lineage", "namespaces", "deliveries", "delivered", "delivered_unbound",
		"recalls", "marks", "sessions",
	}
	writeEverywhere(t, s)
	for _, table := range kept {
		tag, err := own.Exec(t.Context(), "DELETE FROM memorytrust."+table)
		if err != nil || tag.RowsAffected() > 0 {
			t.Errorf("%s: %d rows are gone, %v", table, tag.RowsAffected(), err)
		}
	}
	for _, statement := range []string{
		"UPDATE memorytrust.logs SET moving = true",
		"INSERT INTO memorytrust.logs SELECT agent, 0, 0, 0, 0, 0, 0, 0, 0, true FROM memorytrust.logs ON CONFLICT (agent) DO UPDATE SET moving = true",
	} {
		if _, err := own.Exec(t.Context(), statement); codeOf(err) != codeDenied {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if _, err := OpenImport(t.Context(), n.opts, "r"); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("a move onto a memory: %v", err)
	}
}

// Who had the database open before a memory is moved there writes nothing in between.
func TestNobodyWritesIntoAMove(t *testing.T) {
	n := newTenant(t, pgtest.Any(t))
	early := n.open(t)
	i, err := OpenImport(t.Context(), n.opts, "r")
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if err := i.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	write := func() error {
		_, err := early.Commit(t.Context(), storetest.Create(storetest.NewRecord("early")))
		return err
	}
	if err := write(); !errors.Is(err, ErrMoving) || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a write into a move: %v", err)
	}
	// Another move that takes the place of this one ends it.
	other, err := OpenImport(t.Context(), n.opts, "another")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := i.Seal(t.Context(), ""); !errors.Is(err, ErrOtherMove) {
		t.Errorf("a move goes on beside another: %v", err)
	}
	if err := FinishMove(t.Context(), n.opts, "another"); !errors.Is(err, ErrOtherMove) {
		t.Errorf("what was not compared is put in force: %v", err)
	}
	if err := other.Seal(t.Context(), "{}"); err != nil {
		t.Fatal(err)
	}
	standing, err := Stand(t.Context(), n.opts)
	if err != nil || !standing.Moving || standing.Holds || standing.Move == nil || !standing.Move.Sealed || time.Since(standing.Move.At) > time.Hour {
		t.Errorf("%+v, %v", standing, err)
	}
	for range 2 { // as often as one likes
		if err := FinishMove(t.Context(), n.opts, "another"); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(); err != nil {
		t.Errorf("a write after the move: %v", err)
	}
}
