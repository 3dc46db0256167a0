// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package pgtest

import (
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// Proxy stands between clients and a server, to lose what they say to each other.
type Proxy struct {
	dir    string
	socket string // of the server

	mu     sync.Mutex
	mode   Mode
	refuse bool
	open   []net.Conn // of clients
}

// Mode says what a proxy loses.
type Mode int

// The modes.
const (
	Pass        Mode = iota
	LoseReplies      // the server gets and does what it is asked, and the connection breaks before anybody learns of it
	LoseAll          // the connection breaks before the server gets what it is asked
)

// NewProxy starts a proxy of a server. It ends with t.
func NewProxy(t testing.TB, s *Server) *Proxy {
	t.Helper()
	p := &Proxy{dir: t.TempDir(), socket: s.Socket()}
	listener, err := net.Listen("unix", filepath.Join(p.dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		p.Break()
		group.Wait()
	})
	group.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() { p.serve(client) })
		}
	})
	return p
}

// URL is the connection string of a role, by way of the proxy.
func (p *Proxy) URL(role string) string {
	return (&url.URL{
		Scheme: "postgres", Path: "/postgres", RawQuery: url.Values{"host": {p.dir}, "user": {role}}.Encode(),
	}).String()
}

// Set sets the mode of the connections there are. Later ones pass everything.
func (p *Proxy) Set(mode Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = mode
}

// Refuse turns connections away from now on, or takes them again.
func (p *Proxy) Refuse(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = refuse
}

// Break breaks all connections.
func (p *Proxy) Break() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.open, p.mode = nil, Pass
}

func (p *Proxy) loses() Mode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode
}

func (p *Proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	p.mu.Lock()
	refused := p.refuse
	p.open = append(p.open, client)
	p.mu.Unlock()
	if refused {
		return
	}
	server, err := net.Dial("unix", p.socket)
	if err != nil {
		return
	}
	var group sync.WaitGroup
	group.Go(func() {
		p.relay(server, client, func() bool { return p.loses() == LoseAll })
		_ = server.Close()
	})
	// The server sends its answers when it is done with all it was asked.
	p.relay(client, server, func() bool { return p.loses() == LoseReplies })
	p.Break()
	_ = server.Close()
	group.Wait()
}

// relay copies until either side ends or what was read is to be lost.
func (p *Proxy) relay(to io.Writer, from io.Reader, lose func() bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && lose() {
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
