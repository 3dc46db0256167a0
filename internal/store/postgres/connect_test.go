// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

// What leaves the machine is encrypted unless somebody says in so many words that it need not be.
func TestParseURL(t *testing.T) {
	for name, tc := range map[string]struct {
		url  string
		want []string // hosts in the order they are tried, with a star where TLS is used
	}{
		"the default":          {"postgres://r:p@db.example/d", []string{"db.example*"}},
		"prefer":               {"postgres://r:p@db.example/d?sslmode=prefer", []string{"db.example*"}},
		"allow":                {"postgres://r:p@db.example/d?sslmode=allow", []string{"db.example*"}},
		"require":              {"postgres://r:p@db.example/d?sslmode=require", []string{"db.example*"}},
		"verified":             {"host=db.example user=r sslmode=verify-full", []string{"db.example*"}},
		"disabled":             {"postgres://r:p@db.example/d?sslmode=disable", []string{"db.example"}},
		"several":              {"postgres://r:p@a.example,b.example/d", []string{"a.example*", "b.example*"}},
		"on the machine":       {"postgres://r:p@127.0.0.1/d", []string{"127.0.0.1*", "127.0.0.1"}},
		"a name of it":         {"postgres://r:p@localhost/d", []string{"localhost*", "localhost"}},
		"a socket":             {"postgres:///d?host=/run/postgresql&user=r", []string{"/run/postgresql"}},
		"a name that is alike": {"postgres://r:p@localhost.example/d", []string{"localhost.example*"}},
	} {
		config, err := parseURL(tc.url, 3*time.Second)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		mark := map[bool]string{true: "*"}
		got := []string{config.Host + mark[config.TLSConfig != nil]}
		for _, f := range config.Fallbacks {
			got = append(got, f.Host+mark[f.TLSConfig != nil])
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: tries %q, want %q", name, got, tc.want)
		}
		if config.RuntimeParams["statement_timeout"] != "3000" || config.RuntimeParams["idle_in_transaction_session_timeout"] != "6000" ||
			config.ValidateConnect == nil || config.ConnectTimeout != 3*time.Second {
			t.Errorf("%s: bounds are %v, %v", name, config.RuntimeParams, config.ConnectTimeout)
		}
	}
	for name, url := range map[string]string{"empty": "", "a port of none": "postgres://r:hunter2@db:port/d", "no such mode": "host=h password=hunter2 sslmode=maybe"} {
		if _, err := parseURL(url, time.Second); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A connection string that is asked for anew at each connection is used with the next one.
func TestNewCredentials(t *testing.T) {
	n := newTenant(t, pgtest.Of(pgtest.Shared(t)))
	n.opts.URLFrom = func() (string, error) { return n.opts.URL, nil }
	s := n.open(t)
	if _, err := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x"))); err != nil {
		t.Fatal(err)
	}
	mustExec(t, n.admin, "ALTER ROLE "+n.role+" RENAME TO "+n.role+"_gone", "UPDATE memorytrust.agents SET role = '"+n.role+"_gone' WHERE role = '"+n.role+"'",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '"+n.role+"_gone'")
	n.opts.URL = pgtest.Shared(t).URL(n.role + "_gone")
	s2, err := Open(t.Context(), n.opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := s2.Close(); err != nil {
		t.Error(err)
	}
}

// Errors say what to do and quote nothing that was to be stored.
func TestErrorsHoldNoContent(t *testing.T) {
	s := mustOpen(t)
	d := memory.Delivery{Namespace: storetest.Namespace, Session: "secret\x00words", RecordID: memory.NewID(), Class: "Manual", At: storetest.Epoch}
	err := s.LogDeliveries(t.Context(), []memory.Delivery{d}, nil)
	if err == nil || strings.Contains(err.Error(), "secret") || errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	found, err := s.Search(t.Context(), memory.Query{Namespace: "secret\x00words", Limit: 3})
	if err != nil || len(found) != 0 {
		t.Errorf("searching where nothing can be: %d found, error %v", len(found), err)
	}
	if _, err := s.Get(t.Context(), "secret\x00words", memory.NewID()); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("looking for what cannot be: %v, want ErrNotFound", err)
	}
	nowhere, err := Open(t.Context(), Options{URL: "postgres://r:hunter2@127.0.0.1:1/d", Agent: "a", Timeout: time.Second})
	if !errors.Is(err, memory.ErrUnavailable) || nowhere != nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("nobody listens: %v, want ErrUnavailable", err)
	}
}

func TestClosedStore(t *testing.T) {
	s, err := Open(t.Context(), newTenant(t, anyDatabase(t)).opts)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	_, read := s.Get(t.Context(), storetest.Namespace, memory.NewID())
	_, write := s.Commit(t.Context(), storetest.Create(storetest.NewRecord("x")))
	for name, err := range map[string]error{"reading": read, "writing": write} {
		if !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s: got %v, want ErrUnavailable", name, err)
		}
	}
}
