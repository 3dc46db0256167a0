// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// restAfterFailure is for how long a connection that failed is not tried again: while a server is away, requests are told so at
// once and do not add to what it meets when it comes back.
const restAfterFailure = 250 * time.Millisecond

// closeWait bounds how long saying goodbye to the server takes.
const closeWait = time.Second

// lane is one connection of the store, made when it is needed and again when it was lost. It is used by one goroutine at a time.
type lane struct {
	// base is the context of what the store does: it must not end with the call that happened to ask for it.
	base    context.Context
	connect func(context.Context) (*pgx.Conn, error)
	timeout time.Duration
	conn    *pgx.Conn
	failed  time.Time
	failure error
}

// get returns the connection; fresh says that it was made just now.
func (l *lane) get(ctx context.Context) (conn *pgx.Conn, fresh bool, err error) {
	if l.conn != nil && !l.conn.IsClosed() {
		return l.conn, false, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if time.Since(l.failed) < restAfterFailure {
		return nil, false, l.failure
	}
	bounded, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	conn, err = l.connect(bounded)
	if err != nil {
		if ctx.Err() == nil { // who gave up says nothing about the server
			l.failed, l.failure = time.Now(), err
		}
		return nil, false, err
	}
	l.conn = conn
	return conn, true, nil
}

// drop closes the connection, if there is one.
func (l *lane) drop() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(l.base, closeWait)
	defer cancel()
	_ = l.conn.Close(ctx) // whatever it says, the connection is not used again
	l.conn = nil
}

// connector makes connections as the options say.
func connector(o Options) func(context.Context) (*pgx.Conn, error) {
	return func(ctx context.Context) (*pgx.Conn, error) {
		text, err := o.URLFrom()
		if err != nil {
			return nil, fmt.Errorf("reading the connection string: %w", err)
		}
		config, err := parseURL(text, o.Timeout)
		if err != nil {
			return nil, err
		}
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return nil, err
		}
		for _, setting := range o.settings() {
			if _, err := conn.Exec(ctx, setting); err != nil && codeOf(err) == "" {
				return nil, err // a server that does not know the setting does without
			}
		}
		return conn, nil
	}
}

// settings of every connection. A plan that is made once for all agents goes by what agents have on average. One that is made for
// an agent takes one that came after the server last looked at its tables for one without rows, and reads all there are.
var settings = []string{"SET plan_cache_mode = force_generic_plan", "SET jit = off"}

func (o Options) settings() []string {
	if o.readOnly {
		return append([]string{"SET default_transaction_read_only = on"}, settings...)
	}
	return settings
}

// parseURL reads a connection string and adds what a store needs: bounds on how long the server works for it or keeps a
// transaction open that nobody goes on with, a server that takes writes, and encryption.
func parseURL(text string, timeout time.Duration) (*pgx.ConnConfig, error) {
	if text == "" {
		return nil, errors.New("the connection string is empty")
	}
	config, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, errors.New("the connection string does not parse") // the error could quote parts of it
	}
	config.ConnectTimeout = timeout
	for name, value := range map[string]string{
		"application_name": "memorytrust", "search_path": "pg_catalog",
		"statement_timeout":                   strconv.FormatInt(timeout.Milliseconds(), 10),
		"idle_in_transaction_session_timeout": strconv.FormatInt(2*timeout.Milliseconds(), 10),
	} {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
	if config.ValidateConnect == nil {
		// After a failover the old server may still answer, and must not be taken for the one that writes.
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	return config, requireTLS(config)
}

// requireTLS leaves out ways to connect that fall back to plain text where there is an encrypted one, as the default sslmode does.
// What says sslmode=disable has no encrypted way, and is taken at its word.
func requireTLS(config *pgx.ConnConfig) error {
	ways := []*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}
	ways = append(ways, config.Fallbacks...)
	place := func(w *pgconn.FallbackConfig) string { return net.JoinHostPort(w.Host, strconv.Itoa(int(w.Port))) }
	encrypted := map[string]bool{}
	for _, w := range ways {
		if w.TLSConfig != nil {
			encrypted[place(w)] = true
		}
	}
	var kept []*pgconn.FallbackConfig
	for _, w := range ways {
		if w.TLSConfig != nil || !encrypted[place(w)] || isLocal(w.Host) {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return errors.New("the connection string names no server")
	}
	config.Host, config.Port, config.TLSConfig, config.Fallbacks = kept[0].Host, kept[0].Port, kept[0].TLSConfig, kept[1:]
	return nil
}

// isLocal reports whether what is said to a host stays on the machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" || ip != nil && ip.IsLoopback()
}
