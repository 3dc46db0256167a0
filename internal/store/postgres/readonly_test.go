// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"errors"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

// reader provisions a role that reads the memory of the agent, and returns its connection string.
func (n tenant) reader(t testing.TB, db pgtest.Database) string {
	t.Helper()
	url := db.Role(t, n.admin, n.role+"_ro")
	if err := ProvisionReader(t.Context(), n.admin, n.agent, n.role+"_ro"); err != nil {
		t.Fatal(err)
	}
	return url
}

// A reader sees what the agent's own role sees.
func TestReadOnlyReads(t *testing.T) {
	db := anyDatabase(t)
	n := newTenant(t, db)
	s := n.open(t)
	writeEverywhere(t, s)
	url := n.reader(t, db)
	if err := ProvisionReader(t.Context(), n.admin, n.agent, n.role+"_ro"); err != nil {
		t.Errorf("provisioning it again: %v", err)
	}
	r, err := OpenReadOnly(t.Context(), Options{URL: url, Agent: n.agent})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	list, err := r.List(t.Context(), memory.Filter{Namespace: storetest.Namespace, Limit: 10})
	if err != nil || len(list) != 1 || list[0].Content != "olives" {
		t.Fatalf("%d memories, error %v", len(list), err)
	}
	id := list[0].ID
	if got, err := r.Get(t.Context(), storetest.Namespace, id); err != nil || got.ID != id {
		t.Errorf("Get: %v", err)
	}
	if heads, err := r.Heads(t.Context(), []string{id}); err != nil || heads[id].Seq != list[0].Seq {
		t.Errorf("Heads: %v, %v", heads, err)
	}
	if v, err := r.Versions(t.Context(), memory.History{Namespace: storetest.Namespace, ID: id, Limit: 5}); err != nil || len(v) != 1 {
		t.Errorf("%d versions, %v", len(v), err)
	}
	if d, err := r.Deliveries(t.Context(), memory.DeliveryFilter{RecordID: id, Limit: 5}); err != nil || len(d) != 1 {
		t.Errorf("%d deliveries, %v", len(d), err)
	}
	if c, err := r.Contradictions(t.Context(), memory.ContradictionFilter{Namespace: storetest.Namespace, Limit: 5}); err != nil || len(c) != 1 {
		t.Errorf("%d contradictions, %v", len(c), err)
	}
}

// The role of a reader changes and holds no row in any table, whatever SQL it runs: what it is not given, the server refuses.
func TestReadersChangeNothing(t *testing.T) {
	db := anyDatabase(t)
	n, other := newTenant(t, db), newTenant(t, db)
	writeEverywhere(t, n.open(t))
	writeEverywhere(t, other.open(t))
	reader := connectAs(t, n.reader(t, db))
	for _, table := range tablesOf(t, n.admin) {
		name, column := "memorytrust."+table, restOf(t, n.admin, table)
		column, _, _ = strings.Cut(column, ",")
		var before, after string
		digest := "SELECT md5(string_agg(CAST(x AS text), '' ORDER BY CAST(x AS text))) FROM " + name + " x WHERE agent = $1"
		if err := n.admin.QueryRow(t.Context(), digest, n.agent).Scan(&before); err != nil {
			t.Fatal(err)
		}
		for attempt, statement := range map[string]string{
			"update":   "UPDATE " + name + " SET " + column + " = " + column,
			"delete":   "DELETE FROM " + name,
			"insert":   "INSERT INTO " + name + " SELECT * FROM " + name + " LIMIT 1",
			"upsert":   "INSERT INTO " + name + " SELECT * FROM " + name + " LIMIT 1 ON CONFLICT DO NOTHING",
			"lock":     "SELECT 1 FROM " + name + " FOR UPDATE",
			"share":    "SELECT 1 FROM " + name + " FOR SHARE",
			"truncate": "TRUNCATE " + name,
			"take":     "SELECT 1 FROM " + name + " WHERE agent <> '" + n.agent + "'",
		} {
			if tag, err := reader.Exec(t.Context(), statement); err == nil && tag.RowsAffected() > 0 || attempt == "truncate" && err == nil {
				t.Errorf("%s: %s reached %d rows", table, attempt, tag.RowsAffected())
			}
		}
		if err := n.admin.QueryRow(t.Context(), digest, n.agent).Scan(&after); err != nil || after != before {
			t.Errorf("%s changed, error %v", table, err)
		}
	}
	for _, statement := range []string{
		"UPDATE memorytrust.agents SET reads_only = false", "UPDATE memorytrust.schema SET version = 0", "SET ROLE " + n.role, "CREATE TABLE memorytrust.mine (x int)",
	} {
		if _, err := reader.Exec(t.Context(), statement); err == nil {
			t.Errorf("%q went through", statement)
		}
	}
}

// Roles that write and roles that read are not taken for each other.
func TestReadOnlyRefuses(t *testing.T) {
	db := anyDatabase(t)
	n, other := newTenant(t, db), newTenant(t, db)
	url := n.reader(t, db)
	for name, o := range map[string]Options{
		"a role that writes": n.opts,
		"another agent":      {URL: url, Agent: other.agent},
		"no agent":           {URL: url},
	} {
		if r, err := OpenReadOnly(t.Context(), o); err == nil {
			r.Close()
			t.Errorf("%s is taken", name)
		} else if o.Agent != "" && !errors.Is(err, ErrNotProvisioned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := tryOpen(url, n.agent); !errors.Is(err, ErrNotProvisioned) {
		t.Errorf("a reader as a writer: %v", err)
	}
	if err := Provision(t.Context(), n.admin, n.agent, n.role+"_ro"); !errors.Is(err, ErrNotProvisioned) {
		t.Errorf("a reader becomes a writer: %v", err)
	}
}
