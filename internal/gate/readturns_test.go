// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"testing"
)

// TestReadTurns reads more turns than are kept, twice and in turn: each names its own account and no other's.
func TestReadTurns(t *testing.T) {
	var turns readTurns
	account := func(i int) string { return fmt.Sprintf("account-%06d", i) }
	for range 2 {
		for i := range 2 * maxReadTurns {
			text := turns.read("pay " + account(i))
			if !text.Names(account(i)) || text.Names(account(i+1)) {
				t.Fatalf("turn %d does not name what was said in it, and that alone", i)
			}
		}
	}
	if n := turns.byHash.Len(); n != maxReadTurns {
		t.Errorf("%d turns are kept, want %d", n, maxReadTurns)
	}
}
