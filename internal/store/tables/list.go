// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tables

import "strings"

// Names of tables that are treated in a way of their own.
const (
	Records = "records"
	Audit   = "audit"
)

// All are the tables that are moved, in the order in which they are. What is not among them says nothing about memory: whether
// the store takes writes, and the transactions of late.
var All = []Table{
	table("namespaces", 1, "name", "id:i"),
	table(Records, 1, "rid:i", "id", "namespace", "seq:i", "branch", "zone", "state", "approved_by", "expiry:i", "class", "source", "channel",
		"principal", "parents", "kind", "tags", "subject", "metadata", "session", "erased:b", "directive:o", "reasons", "capped_by",
		"confidence:i", "salience:i", "pinned:o", "supersedes", "folded_into", "tag:b", "commit_hash:b", "commit_parents:b", "change",
		"actor", "reason", "created_at:i", "updated_at:i", "signed_by:b", "sketch:i", "terms:i", "content:b"),
	table("tags", 2, "tag", "rid:i"),
	table("versions", 1, "seq:i", "record_id", "branch", "prev_seq:i", "merged_seq:i", "hash:b", "layout:i", "change", "actor", "reason",
		"at:i", "content_seq:i", "indexed", "body"),
	table("contents", 1, "seq:i", "record_id", "sha256:b", "content:b"),
	table("lineage", 2, "child", "parent"),
	table(Audit, 1, "seq:i", "record_id", "leaf:b"),
	table("audit_hashes", 1, "idx:i", "hash:b"),
	table("deliveries", 1, "id:i", "namespace", "session", "record_id", "seq:i", "class", "score:f", "at:i"),
	table("delivered", 3, "namespace", "session", "class", "last_at:i"),
	table("delivered_unbound", 2, "namespace", "class", "last_at:i"),
	table("recalls", 1, "record_id", "recalls:i", "last_at:i"),
	table("idempotency", 3, "namespace", "writer", "key", "digest:b", "record_id", "at:i"),
	table("contradictions", 1, "id", "namespace", "a", "b", "low", "high", "seq_a:i", "seq_b:i", "signs", "found_at:i", "verdict",
		"decided_by", "decided_at:i", "reason"),
	table("marks", 1, "name", "value:i"),
	table("sessions", 2, "namespace", "id", "channel", "principal", "opened_at:i", "tag:b"),
	table("turns", 1, "n:i", "namespace", "session", "id", "channel", "principal", "at:i", "tag:b", "content:b"),
	table("traces", 1, "n:i", "namespace:i", "id", "record:o", "session", "class", "source", "at:i", "features:l"),
	table("features", 4, "namespace:i", "feature:i", "rank:i", "trace:i"),
	table("fragments", 4, "namespace:i", "entity:i", "record_id", "signals:i", "root", "class", "at:i"),
}

// Words is the full-text index where it is a table. Elsewhere its rows are made from the newest version of each record.
var Words = table("words", 2, "word", "rid:i")

// Named returns the table of a name; it must be one of All.
func Named(name string) Table {
	for _, t := range All {
		if t.Name == name {
			return t
		}
	}
	panic("no table " + name)
}

// table makes a table; a column is text unless a letter behind it says otherwise.
func table(name string, keys int, columns ...string) Table {
	t := Table{Name: name, Keys: keys}
	for _, c := range columns {
		column, letter, _ := strings.Cut(c, ":")
		kind := map[string]Kind{"": Text, "i": Int, "b": Bytes, "o": Bool, "f": Float, "l": Ints}[letter]
		t.Columns = append(t.Columns, Column{column, kind})
	}
	return t
}

// Names are the names of all columns, or of the first n, with something before each.
func (t Table) Names(prefix string, n int) string {
	names := make([]string, n)
	for i, c := range t.Columns[:n] {
		names[i] = prefix + c.Name
	}
	return strings.Join(names, ", ")
}
