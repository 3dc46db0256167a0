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
		"counts": {"SELECT r.zone, r.state, r.signed_by, count(*) FROM records r WHERE r.namespace = 'a' AND " + liveOnly +
			" GROUP BY 1, 2, 3", "COVERING INDEX records_standing", ""},
		"newest": {"SELECT " + selectColumns + " FROM records r WHERE +r.namespace = 'a' AND " + liveOnly +
			" ORDER BY r.id DESC LIMIT 9", "sqlite_autoindex_records_1", "TEMP B-TREE"},
		"head":     {"SELECT max(seq) FROM audit WHERE record_id = 'x'", "COVERING INDEX audit_of", ""},
		"session":  {"SELECT DISTINCT class FROM deliveries WHERE at >= 1 AND session = 's'", "COVERING INDEX deliveries_to", ""},
		"sessions": {"SELECT DISTINCT class FROM deliveries WHERE at >= 1", "COVERING INDEX deliveries_when", ""},
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
