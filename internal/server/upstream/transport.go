// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// Bounds of what an upstream can hold up or fill.
const (
	dialTimeout      = 5 * time.Second
	streamTimeout    = 5 * time.Second // until the stream for notifications answers; without it there are none
	idleConnTimeout  = 2 * time.Minute
	maxHeaderBytes   = 64 << 10
	maxErrorBytes    = 64 << 10 // of a body that comes with an HTTP error
	streamFactor     = 4        // a stream of one call may hold notifications beside the result
	maxIdleConns     = 32
	maxReconnects    = 1000 // of a stream; the call or the session ends first
	terminateTimeout = 2 * time.Second
)

// Headers of the protocol.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerResume  = "Last-Event-Id"
	mediaJSON     = "application/json"
	mediaStream   = "text/event-stream"
)

// newBase returns the connections to one upstream.
func newBase() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           maxIdleConns,
		MaxIdleConnsPerHost:    maxIdleConns,
		IdleConnTimeout:        idleConnTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		ExpectContinueTimeout:  time.Second,
	}
}

// guarded is the way from the SDK's client to an upstream: it alone holds the credential, sends it to nobody else, and bounds
// whatever comes back.
type guarded struct {
	base       http.RoundTripper
	origin     *url.URL
	header     string // of the credential; empty for none
	credential string
	maxBytes   int
	sse        bool        // the transport of 2024-11-05, whose one stream carries all answers
	connecting atomic.Bool // the session is being opened
}

// client returns the HTTP client that goes this way.
func (g *guarded) client() *http.Client { return &http.Client{Transport: g} }

// RoundTrip implements http.RoundTripper.
func (g *guarded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != g.origin.Scheme || r.URL.Host != g.origin.Host {
		closeBody(r)
		return nil, errElsewhere
	}
	r = r.Clone(r.Context())
	if g.header != "" {
		r.Header.Set(g.header, g.credential)
	}
	if r.Method == http.MethodGet {
		return g.stream(r)
	}
	if err := writeRealMethod(r); err != nil {
		return nil, err
	}
	faultIn(r.Context()).sends()
	resp, err := g.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return g.bounded(r, resp)
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
}

// writeRealMethod gives a message back the name of its method, in the body and in the headers.
func writeRealMethod(r *http.Request) error {
	if r.Method != http.MethodPost || r.Body == nil {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	closeBody(r)
	if err != nil {
		return err
	}
	if fields, _, ok := members(body); ok {
		if m, named := find(fields, "method"); named && bytes.HasPrefix(body[m.start:m.end], []byte(`"`+asIs)) {
			method := string(body[m.start+1+len(asIs) : m.end-1]) // a method has no escapes
			if params, ok := find(fields, "params"); ok {
				writeHeaders(r.Header, method, body[params.start:params.end])
			}
			body = spliced(body, []splice{{start: m.start + 1, end: m.start + 1 + len(asIs)}})
		}
	}
	r.ContentLength = int64(len(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

// writeHeaders writes the headers that repeat what the body says, where the version of the protocol has them.
func writeHeaders(header http.Header, method string, params []byte) {
	if header.Get(headerMethod) == "" {
		return
	}
	header.Set(headerMethod, method)
	var named struct {
		Name string `json:"name"`
		URI  string `json:"uri"`
	}
	if json.Unmarshal(params, &named) != nil {
		return
	}
	switch method {
	case methodCallTool, methodGetPrompt:
		header.Set(headerName, named.Name)
	case methodReadResource:
		header.Set(headerName, named.URI)
	}
}

// stream opens a stream for notifications. A server that has none says so; one that does not answer has none either, as a session
// must not wait for it.
func (g *guarded) stream(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	timer := time.AfterFunc(streamTimeout, cancel)
	resp, err := g.base.RoundTrip(r.WithContext(ctx))
	late := !timer.Stop()
	if err != nil || late {
		cancel()
		if resp != nil {
			_ = resp.Body.Close()
		}
		if g.connecting.Load() && r.Header.Get(headerResume) == "" && !g.sse {
			return noStream(r), nil
		}
		if late {
			return nil, errSlow
		}
		return nil, err
	}
	resp.Body = &closing{ReadCloser: resp.Body, then: cancel}
	return g.bounded(r, resp)
}

// noStream is the answer of servers that send nothing on their own.
func noStream(r *http.Request) *http.Response {
	return &http.Response{
		Status: "405 Method Not Allowed", StatusCode: http.StatusMethodNotAllowed, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}
}

type closing struct {
	io.ReadCloser
	then func()
}

// Close implements io.Closer.
func (c *closing) Close() error {
	defer c.then()
	return c.ReadCloser.Close()
}

// bounded checks an answer and bounds its body.
func (g *guarded) bounded(r *http.Request, resp *http.Response) (*http.Response, error) {
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var fault error
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		fault = errRedirect
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		fault = errCredential
	case resp.StatusCode >= 400:
		resp.Body = &limited{ReadCloser: resp.Body, left: maxErrorBytes}
	case media == mediaStream && r.Method == http.MethodGet:
		// It lives as long as the session. Whoever pours is slowed down, and an event is bounded like an answer.
		resp.Body = &slowed{ReadCloser: resp.Body, ctx: r.Context(), event: g.maxBytes + maxErrorBytes,
			rate: rate.NewLimiter(rate.Limit(g.maxBytes), 2*g.maxBytes)}
	case media == mediaStream:
		resp.Body = &limited{ReadCloser: resp.Body, left: streamFactor*g.maxBytes + maxErrorBytes, fault: faultIn(r.Context())}
	case media == mediaJSON:
		return g.message(resp)
	case resp.StatusCode == http.StatusAccepted, resp.StatusCode == http.StatusNoContent, r.Method != http.MethodPost:
		resp.Body = &limited{ReadCloser: resp.Body, left: maxErrorBytes}
	case g.sse:
		resp.Body = &limited{ReadCloser: resp.Body, left: maxErrorBytes} // the old transport answers on its stream
	case !isCall(r):
		resp.Body = &limited{ReadCloser: resp.Body, left: maxErrorBytes} // nobody waits for an answer
	default:
		fault = errGarbage
	}
	if fault != nil {
		_ = resp.Body.Close()
		return nil, fault
	}
	return resp, nil
}

// isCall reports whether the request holds a call, which wants an answer.
func isCall(r *http.Request) bool {
	if r.GetBody == nil {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return true
	}
	var message struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	return json.NewDecoder(body).Decode(&message) != nil || (message.Method != "" && len(message.ID) > 0)
}

// message reads an answer whole, so that one that is no message or too long fails its own call and not the session.
func (g *guarded) message(resp *http.Response) (*http.Response, error) {
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(g.maxBytes)+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > g.maxBytes:
		return nil, errTooLarge
	}
	if len(bytes.TrimSpace(body)) > 0 {
		if _, err := jsonrpc.DecodeMessage(body); err != nil {
			return nil, errGarbage
		}
	} else if isCall(resp.Request) {
		return nil, errGarbage
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// limited is a body of at most so many bytes.
type limited struct {
	io.ReadCloser
	left  int
	fault *fault // told when it is longer; may be nil
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		l.fault.set(errTooLarge)
		return 0, errTooLarge
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// fault carries the reason why a call failed past the SDK, which tells its own.
type fault struct {
	err  atomic.Value
	sent atomic.Bool // a message of the call is on its way, so that the upstream may have done something
}

type faultKey struct{}

// faultIn returns where the call that a context belongs to wants to know; nil for none.
func faultIn(ctx context.Context) *fault {
	f, _ := ctx.Value(faultKey{}).(*fault)
	return f
}

func (f *fault) set(err error) {
	if f != nil {
		f.err.CompareAndSwap(nil, err)
	}
}

// sends notes that a message of the call is about to leave.
func (f *fault) sends() {
	if f != nil {
		f.sent.Store(true)
	}
}

func (f *fault) get() error {
	err, _ := f.err.Load().(error)
	return err
}

// slowed is a stream without an end: its events are bounded, and so is how fast they come.
type slowed struct {
	io.ReadCloser
	ctx   context.Context //nolint:containedctx // of the request, which the body belongs to
	rate  *rate.Limiter
	event int // longest event
	run   int // bytes since the last empty line
	last  byte
}

// Read implements io.Reader.
func (s *slowed) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p[:min(len(p), s.rate.Burst())])
	for _, b := range p[:n] {
		s.run++
		if b == '\n' && s.last == '\n' {
			s.run = 0
		}
		if b != '\r' {
			s.last = b
		}
	}
	if s.run > s.event {
		return 0, errTooLarge
	}
	if err == nil && n > 0 {
		err = s.rate.WaitN(s.ctx, n)
	}
	return n, err
}

// piped is the transport to an upstream that runs as a command. Messages go over its standard streams.
type piped struct{ command []string }

// Connect implements mcp.Transport.
func (p *piped) Connect(ctx context.Context) (mcp.Connection, error) {
	// The command outlives the request that started it.
	cmd := exec.Command(p.command[0], p.command[1:]...) //nolint:gosec,noctx // whoever starts the screener names the command
	conn, err := (&mcp.CommandTransport{Command: cmd, TerminateDuration: terminateTimeout}).Connect(ctx)
	if err != nil {
		return nil, errCommand
	}
	return &renaming{conn}, nil
}

// renaming gives methods their real names back.
type renaming struct{ mcp.Connection }

// Write implements mcp.Connection.
func (c *renaming) Write(ctx context.Context, msg jsonrpc.Message) error {
	return c.Connection.Write(ctx, realMethod(msg))
}
