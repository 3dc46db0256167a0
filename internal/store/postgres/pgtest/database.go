// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// URLEnv names a database to test against instead of a server of our own: the connection string of a role that may create
// roles and schemas. What the tests write stays there.
const URLEnv = "MEMORYTRUST_POSTGRES_URL"

// shared is the server that the tests of one binary share.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Main runs the tests of a binary and removes the server they shared. Use it in TestMain.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// Shared returns the server that the tests of this binary share, and starts it first.
func Shared(t testing.TB) *Server {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = New() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server
}

// Own returns a server for one test alone, which may do to it what it wants.
func Own(t testing.TB) *Server {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Database is where tests find their data: one of a server of our own, or the one of URLEnv.
type Database struct {
	url   func(role string) string
	admin string // the role of Admin
}

// Of is the database of a server.
func Of(s *Server) Database { return Database{s.URL, "postgres"} }

// Any is the database that URLEnv names, or that of the shared server.
func Any(t testing.TB) Database {
	t.Helper()
	admin := os.Getenv(URLEnv)
	if admin == "" {
		return Of(Shared(t))
	}
	return Database{func(role string) string {
		u, err := url.Parse(admin)
		if err != nil || role == "" {
			return admin
		}
		u.User = url.UserPassword(role, password)
		return u.String()
	}, ""}
}

// password is that of the roles the tests make, for databases that ask for one.
const password = "not-a-secret"

// Admin opens a connection that may make roles and schemas; it is closed when t ends.
func (d Database) Admin(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), d.url(d.admin))
	if err != nil {
		t.Fatalf("connecting to the test database: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// Role makes a role that may log in and nothing else, and returns its connection string.
func (d Database) Role(t testing.TB, admin *pgx.Conn, name string) string {
	t.Helper()
	quoted := pgx.Identifier{name}.Sanitize()
	_, err := admin.Exec(context.Background(), "CREATE ROLE "+quoted+" LOGIN PASSWORD '"+password+"'")
	if err != nil {
		t.Fatalf("making the role %s: %v", name, err)
	}
	return d.url(name)
}
