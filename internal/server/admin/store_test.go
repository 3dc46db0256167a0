// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// movable is a store that can be moved by everybody but bob.
type movable struct{}

func (movable) Store(context.Context) (StoreStatus, error) {
	return StoreStatus{Kind: StoreEmbedded, Holds: true, Left: true, Prepared: true}, nil
}

func (movable) Migrate(_ context.Context, principal string, dryRun bool) (StoreStatus, error) {
	if principal != alice {
		return StoreStatus{}, &StoreRefusedError{"not by " + principal}
	}
	out := StoreStatus{Kind: StoreEmbedded, Migration: &StoreMigration{Phase: "Copying", Total: 3}}
	if dryRun {
		out.Migration = &StoreMigration{Total: 3, Message: "3 rows"}
	}
	return out, nil
}

// The store is told about and moved for a person, whose name is handed on; the manager learns of it with the status.
func TestStore(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	client := NewClient(f.addr, f.config(ca), alice, "")
	defer client.Close()
	status, err := client.Store(t.Context())
	must(t, err)
	want, _ := movable{}.Store(t.Context())
	if diff := cmp.Diff(want, status); diff != "" {
		t.Error(diff)
	}
	for _, dryRun := range []bool{true, false} {
		got, err := client.Migrate(t.Context(), dryRun)
		must(t, err)
		want, _ := movable{}.Migrate(t.Context(), alice, dryRun)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("dry run %v: %s", dryRun, diff)
		}
	}
	bob := NewClient(f.addr, f.config(ca), "bob", "")
	defer bob.Close()
	var failure *Failure
	if _, err := bob.Migrate(t.Context(), false); !errors.As(err, &failure) || failure.Status != 409 || !failure.Refused() || !strings.Contains(failure.Detail, "not by bob") {
		t.Errorf("%v", err)
	}
	all, err := client.Status(t.Context())
	must(t, err)
	if all.Store == nil || !all.Store.Left {
		t.Errorf("the manager learns %+v", all.Store)
	}
}
