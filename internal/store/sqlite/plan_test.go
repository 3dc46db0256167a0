// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
)

// Queries that run on every recall or poll must not sort or scan all rows; SQLite's own plan says whether they do.
func TestQueryPlans(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "memory.db"))
	for name, tc := range map[string]struct{ query, want, never string }{
		"counts":        {selectCounts + " AND r.namespace = 'a'" + groupCounts, "COVERING INDEX records_standing", "TEMP B-TREE"},
		"counts of all": {selectCounts + groupCounts, "COVERING INDEX records_standing", "TEMP B-TREE"},
		"newest": {"SELECT r.rid FROM records r WHERE r.namespace = 'a' AND r.zone IN ('Working', 'Trusted') AND " + liveOnly +
			" AND r.pinned = 0 ORDER BY r.id DESC LIMIT 9", "records_in", "TEMP B-TREE"},
		"pinned": {"SELECT r.rid FROM records r WHERE r.namespace = 'a' AND r.zone IN ('Working', 'Trusted') AND " + liveOnly +
			" AND r.pinned = 1 ORDER BY r.id DESC LIMIT 9", "records_pinned", "TEMP B-TREE"},
		"page":    {"SELECT r.rid FROM records r WHERE r.namespace = 'a' AND r.id > 'x' ORDER BY r.id LIMIT 9", "records_in", "TEMP B-TREE"},
		"kinds":   {"SELECT r.rid FROM records r WHERE r.namespace = 'a' AND r.kind IN ('k') AND r.kind <> '' ORDER BY r.id LIMIT 9", "records_kinds", "TEMP B-TREE"},
		"changed": {"SELECT r.rid FROM records r WHERE r.seq > 4 ORDER BY r.seq LIMIT 9", "records_changed", "TEMP B-TREE"},
		"waiting": {strings.ReplaceAll(selectWaiting, "?", "'a'"), "records_waiting", ""},
		"items":   {strings.ReplaceAll(selectItems, "?", "'a'"), "COVERING INDEX records_standing (namespace=? AND zone=? AND state=?)", ""},
		"head":    {"SELECT max(seq) FROM audit WHERE record_id = 'x'", "COVERING INDEX audit_of", ""},
		"session": {"SELECT class FROM delivered WHERE namespace = 'a' AND session = 's' AND last_at >= 1", "PRIMARY KEY (namespace=? AND session=?)", ""},
		"unbound": {"SELECT class FROM delivered_unbound WHERE namespace = 'a' AND last_at >= 1", "PRIMARY KEY (namespace=?)", ""},
		"turn":    {strings.ReplaceAll(currentTurn, "?", "1"), "turns_of (namespace=? AND session=? AND <expr>=?)", "TEMP B-TREE"},
		"low deliveries": {"SELECT record_id FROM deliveries WHERE namespace = 'a' AND session = 's' AND class NOT IN ('ToolOutput') AND " +
			lowOnly + " ORDER BY at DESC, id DESC LIMIT 9", "deliveries_low_to (namespace=? AND session=?)", "TEMP B-TREE"},
		"low deliveries of late": {"SELECT record_id FROM deliveries WHERE namespace = 'a' AND class NOT IN ('ToolOutput') AND " + lowOnly +
			" AND at >= 1 ORDER BY at DESC, id DESC LIMIT 9", "deliveries_low (namespace=? AND at>?)", "TEMP B-TREE"},
	} {
		steps, err := collect(t.Context(), s.reader, "test", "EXPLAIN QUERY PLAN "+tc.query, nil,
			func(scan func(...any) error) (step string, err error) {
				var skip int
				err = scan(&skip, &skip, &skip, &step)
				return step, err
			})
		plan := strings.Join(steps, "; ")
		if err != nil || !strings.Contains(plan, tc.want) || tc.never != "" && strings.Contains(plan, tc.never) {
			t.Errorf("%s: plan is %q, error %v", name, plan, err)
		}
	}
}
