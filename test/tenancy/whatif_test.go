// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
)

// A reviewer learns what a session would have been without a memory, whichever store holds it, and the answers are the same.
func (w *world) whatIf(t *testing.T) {
	rita := w.user(t, "rita")
	ask := func(a *agent, query string) (out api.MemoryWhatIf) {
		t.Helper()
		url := strings.TrimSuffix(w.config.Host, "/") + apiRoot + "/namespaces/" + a.namespace + "/memories/" + a.there.working + "/whatif" + query
		var got answer
		eventually(t, "the reviewer's right", func() bool {
			got = call{client: rita, method: http.MethodGet, url: url}.send(t)
			return got.status == http.StatusOK
		})
		must(t, json.Unmarshal([]byte(got.body), &out))
		return out
	}
	shape := func(a *agent, query string) string {
		t.Helper()
		got := ask(a, query)
		got.ObjectMeta, got.TypeMeta = metav1.ObjectMeta{}, metav1.TypeMeta{}
		raw, err := json.MarshalIndent(got, "", " ")
		must(t, err)
		return answer{body: string(raw)}.comparable(a.there, a.name)
	}
	for _, query := range []string{"", "?limit=1", "?session=nobody"} {
		if a, b := shape(w.concierge, query), shape(w.planner, query); a != b {
			t.Errorf("with %q, SQLite answers\n%s\nand PostgreSQL\n%s", query, a, b)
		}
	}
	for _, a := range []*agent{w.concierge, w.planner} {
		got := ask(a, "?session="+a.there.session)
		if len(got.Sessions) != 1 || got.Changed == 0 || !got.Sessions[0].Opened || !got.Sessions[0].Steps[0].Delivered[0].Gone {
			t.Errorf("%s: %+v", a.name, got)
		}
	}
}
