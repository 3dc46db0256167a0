// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	dialTimeout   = 5 * time.Second
	drainTimeout  = 30 * time.Second // for answers to what was asked before the input ended
	settleTimeout = time.Second      // for the answers that say why the bridge ends
	maxInFlight   = 32               // requests forwarded at a time

	methodInit   = "initialize"
	methodCancel = "notifications/cancelled" //nolint:misspell // as the protocol spells it
)

// UnreachableError says that no screener answers where the bridge was told to look.
type UnreachableError struct {
	URL string
	Err error
}

// Error implements error.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("no screener answers at %s (%v). In a cluster the operator injects it as a sidecar; elsewhere start it with "+
		"\"screener --policy policy.yaml --data memory.db\", and give its address with the path %s", e.URL, e.Err, Path)
}

// Unwrap returns why.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Bridge forwards messages between an MCP client on in and out, one JSON message a line, and the screener's endpoint at an
// URL, unchanged and in both directions, until in ends or ctx is done; both are a normal end. It returns an
// *UnreachableError if nothing answers at the URL, and an error if the session is lost or in holds what is no message.
func Bridge(ctx context.Context, endpoint string, in io.Reader, out io.Writer) error {
	target, err := bridgeTarget(endpoint)
	if err != nil {
		return err
	}
	if err := reachable(ctx, target); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return &UnreachableError{URL: endpoint, Err: err}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &bridge{open: map[jsonrpc.ID]pending{}, idle: make(chan struct{}, 1), slots: make(chan struct{}, maxInFlight)}
	local := &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopWriteCloser{out}, MaxLineLength: MaxBodyBytes}
	if b.client, err = local.Connect(ctx); err != nil {
		return err
	}
	defer func() { _ = b.client.Close() }()
	remote := &mcp.StreamableClientTransport{
		Endpoint: target.String(), HTTPClient: &http.Client{Transport: b}, DisableStandaloneSSE: true, MaxRetries: -1,
		MaxEventSize: -1, // the screener bounds its answers
	}
	if b.server, err = remote.Connect(ctx); err != nil {
		return err
	}
	defer func() { _ = b.server.Close() }()
	return b.run(ctx)
}

// bridgeTarget checks the URL, and names a memory session for protocol versions that have no sessions of their own.
func bridgeTarget(endpoint string) (*url.URL, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%q is no URL of a screener; it looks like http://127.0.0.1:8787%s", endpoint, Path)
	}
	query := u.Query()
	if !query.Has("session") {
		query.Set("session", uuid.NewString())
		u.RawQuery = query.Encode()
	}
	return u, nil
}

func reachable(ctx context.Context, u *url.URL) error {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	return conn.Close()
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// bridge joins two connections of the SDK.
type bridge struct {
	client, server mcp.Connection
	slots          chan struct{}

	mu       sync.Mutex
	open     map[jsonrpc.ID]pending // requests that have no answer yet
	draining bool
	idle     chan struct{} // gets a value when nothing is open while draining
	version  string        // of the protocol, once the two sides agreed on it
}

// pending is a forwarded request.
type pending struct {
	method string
	cancel context.CancelFunc
}

// RoundTrip adds the header with the agreed protocol version: the SDK's connection only knows it from the SDK's client.
func (b *bridge) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	version := b.version
	b.mu.Unlock()
	if version != "" && r.Header.Get(versionHeader) == "" {
		r = r.Clone(r.Context())
		r.Header.Set(versionHeader, version)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// run forwards both ways until one side ends.
func (b *bridge) run(ctx context.Context) error {
	ended := make(chan error, maxInFlight+1)
	input := make(chan error, 1)
	go func() { input <- b.forwardRequests(ctx, ended) }()
	go func() { ended <- b.forwardAnswers(ctx) }()
	var err error
	select {
	case <-ctx.Done():
		return nil
	case err = <-ended:
		_ = b.settle(ctx, nil, settleTimeout) // the first end is the one to tell
	case err = <-input:
		if errors.Is(err, io.EOF) {
			return b.settle(ctx, ended, drainTimeout) // what was asked is still answered
		}
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// settle waits until every request has its answer, or for as long as it may take, or for an end of the other side.
func (b *bridge) settle(ctx context.Context, ended <-chan error, most time.Duration) error {
	b.mu.Lock()
	b.draining = true
	waiting := len(b.open) > 0
	b.mu.Unlock()
	if !waiting {
		return nil
	}
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	select {
	case <-b.idle:
	case <-timeout.C:
	case <-ctx.Done():
	case err := <-ended:
		return err
	}
	return nil
}

// forwardRequests forwards what the client says. Requests run side by side, so that one can be canceled; everything else,
// and the request that opens the session, goes in order.
func (b *bridge) forwardRequests(ctx context.Context, ended chan<- error) error {
	for {
		msg, err := b.client.Read(ctx)
		if err != nil {
			if errors.Is(err, io.EOF) || ctx.Err() != nil {
				return io.EOF
			}
			return fmt.Errorf("the client sent what is no JSON-RPC message: %w", err)
		}
		req, ok := msg.(*jsonrpc.Request)
		if !ok || !req.IsCall() || req.Method == methodInit {
			if err := b.forward(ctx, msg); err != nil {
				return err
			}
			continue
		}
		select {
		case b.slots <- struct{}{}:
		case <-ctx.Done():
			return io.EOF
		}
		request, cancel := context.WithCancel(ctx)
		b.opened(req, cancel)
		go func() {
			defer func() { <-b.slots }()
			if err := b.send(request, req); err != nil {
				ended <- err
			}
		}()
	}
}

// forward forwards what goes in order.
func (b *bridge) forward(ctx context.Context, msg jsonrpc.Message) error {
	req, ok := msg.(*jsonrpc.Request)
	if ok && req.IsCall() {
		b.opened(req, func() {})
		return b.send(ctx, req)
	}
	if ok && req.Method == methodCancel && b.server.SessionID() == "" {
		b.cancelRequest(req)
		return nil
	}
	if err := b.server.Write(ctx, msg); errors.Is(err, mcp.ErrSessionMissing) {
		return errSessionLost
	}
	// Any other notification that does not get through has nobody to tell; the next request says what is wrong.
	return nil
}

// cancelRequest gives a request up by ending its HTTP request, which is the way where there are no sessions.
func (b *bridge) cancelRequest(notification *jsonrpc.Request) {
	var params struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(notification.Params, &params) != nil {
		return
	}
	id, err := jsonrpc.MakeID(params.RequestID)
	if err != nil {
		return
	}
	b.mu.Lock()
	p, ok := b.open[id]
	b.mu.Unlock()
	if ok {
		p.cancel()
		b.closed(id)
	}
}

var errSessionLost = errors.New("the screener does not know this session any more, as it was restarted or the session was unused for too long; " +
	"start the client again")

// send forwards a request. What goes wrong is the answer to it; only a lost session ends the bridge.
func (b *bridge) send(ctx context.Context, req *jsonrpc.Request) error {
	err := b.server.Write(ctx, req)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	answer := &jsonrpc.Response{ID: req.ID}
	lost := errors.Is(err, mcp.ErrSessionMissing)
	var wire *jsonrpc.Error
	var dial *net.OpError
	switch {
	case lost:
		answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: errSessionLost.Error()}
	case errors.As(err, &wire):
		answer.Error = wire
	case errors.As(err, &dial):
		answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the screener does not answer at the moment: " + dial.Error()}
	default:
		answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	if err := b.answer(ctx, answer); err != nil {
		return err
	}
	if lost {
		return errSessionLost
	}
	return nil
}

// forwardAnswers forwards what the screener says.
func (b *bridge) forwardAnswers(ctx context.Context) error {
	for {
		msg, err := b.server.Read(ctx)
		switch {
		case errors.Is(err, mcp.ErrSessionMissing):
			return errSessionLost
		case err != nil:
			return err
		}
		if err := b.answer(ctx, msg); err != nil {
			return err
		}
	}
}

func (b *bridge) opened(req *jsonrpc.Request, cancel context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[req.ID] = pending{method: req.Method, cancel: cancel}
}

// closed notes that a request needs no answer any more.
func (b *bridge) closed(id jsonrpc.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.open[id]; ok {
		p.cancel()
		delete(b.open, id)
	}
	if b.draining && len(b.open) == 0 {
		b.draining = false
		b.idle <- struct{}{}
	}
}

// answer hands a message to the client.
func (b *bridge) answer(ctx context.Context, msg jsonrpc.Message) error {
	resp, isAnswer := msg.(*jsonrpc.Response)
	if isAnswer {
		b.agree(resp)
	}
	if err := b.client.Write(ctx, msg); err != nil {
		return fmt.Errorf("the client takes no more answers: %w", err)
	}
	if isAnswer {
		b.closed(resp.ID)
	}
	return nil
}

// agree takes note of the protocol version in the answer to the request that opens a session.
func (b *bridge) agree(resp *jsonrpc.Response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open[resp.ID].method != methodInit || resp.Error != nil {
		return
	}
	var result struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	if json.Unmarshal(resp.Result, &result) == nil {
		b.version = result.ProtocolVersion
	}
}
