// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// rpc is a client that says what no official client says.
type rpc struct {
	t       *testing.T
	address string // of an upstream at the screener, with its query
	id      string // of its session; none when empty
	header  http.Header
}

// initialized opens a session of the protocol as most clients know it.
func initialized(t *testing.T, address string) *rpc {
	t.Helper()
	c := &rpc{t: t, address: address, header: http.Header{}}
	answer := c.says(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"raw","version":"1"}}}`)
	c.id = answer.header.Get("Mcp-Session-Id")
	if c.id == "" {
		t.Fatalf("no session: %d %s", answer.status, answer.body)
	}
	c.says(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// says sends a message, and returns whatever came back.
func (c *rpc) says(message string) reply {
	c.t.Helper()
	header := http.Header{"Accept": {"application/json, text/event-stream"}, "Content-Type": {"application/json"}}
	if c.id != "" {
		header["Mcp-Session-Id"], header["Mcp-Protocol-Version"] = []string{c.id}, []string{"2025-06-18"}
	}
	for name, values := range c.header {
		header[name] = values
	}
	return send(c.t, http.DefaultClient, http.MethodPost, c.address, header, message)
}

// with is the same client with other headers.
func (c *rpc) with(headers ...string) *rpc {
	out := *c
	out.header = c.header.Clone()
	for i := 0; i < len(headers); i += 2 {
		out.header[headers[i]] = []string{headers[i+1]}
	}
	return &out
}

// calls is the message that calls a tool.
func calls(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// toAttacker are the arguments of a payment to the attacker.
const toAttacker = `{"to":"` + attackerAccount + `","amount":4500}`

// verbatim asks for a path as it is written: clients of the standard library clean it.
func verbatim(t *testing.T, address, path, body string) string {
	t.Helper()
	at, err := url.Parse("http://" + address)
	must(t, err)
	connection, err := net.DialTimeout("tcp", at.Host, patience)
	must(t, err)
	defer connection.Close() //nolint:errcheck // nothing is lost
	must(t, connection.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"+
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: send_payment\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, at.Host, len(body), body)
	must(t, err)
	var out strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := connection.Read(buffer)
		out.Write(buffer[:n])
		if err != nil {
			return out.String()
		}
	}
}
