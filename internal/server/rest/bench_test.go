// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A batch of a hundred texts through HTTP.
func BenchmarkScreen(b *testing.B) {
	f := newFixture(b, engine())
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(`{"content":"Note %d: the caller asked whether the office in Lyon closes at five on Fridays.","source":"voice:public"}`, i)
	}
	c := call{method: http.MethodPost, path: "/v1/screen", body: `{"items":[` + strings.Join(items, ",") + `]}`}
	b.SetBytes(int64(len(c.body)))
	for b.Loop() {
		if response, answer := f.do(c); response.StatusCode != http.StatusOK {
			b.Fatalf("%d %s", response.StatusCode, answer)
		}
	}
}
