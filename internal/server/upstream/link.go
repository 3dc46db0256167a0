// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/version"
)

// handshake is the version of the protocol that upstreams are spoken to in. It has sessions, as most servers do; one that only
// knows the version without is asked in that.
const handshake = "2025-11-25"

// connectTimeout bounds opening a session, whatever calls may take.
const connectTimeout = 20 * time.Second

// link is one session with an upstream, for one session of the agent. When it breaks, the next call opens it again.
type link struct {
	gate    *gate.Gate
	lane    *lane
	log     *slog.Logger
	state   func() (*policy.State, bool)
	command []string // instead of a URL
	up      policy.Upstream
	talk    conversation

	ctx    context.Context //nolint:containedctx // the life of the session, which no request is
	cancel context.CancelFunc

	opening chan struct{} // held by whoever opens the session
	running atomic.Int64  // calls
	gaveUp  atomic.Int64  // when the last call was given up, in nanoseconds since 1970
	tools   catalog
	tokens  atomic.Uint64
	notices *rate.Limiter

	mu       sync.Mutex
	client   *mcp.ClientSession // nil when there is none
	greeting greeting
	progress map[string]func(*mcp.ProgressNotificationParams)
	servers  map[*mcp.Server]bool // of the agent's side, that want to know of changes
	session  *mcp.ServerSession   // of the agent's side, for what belongs to no request; nil without sessions
	level    mcp.LoggingLevel
	watched  map[string]int // resources the agent subscribed to
	closed   bool
}

// newLink returns a session that is opened by its first call.
func (h *Handler) newLink(up policy.Upstream, talk conversation) *link {
	l := &link{
		gate: h.gate, lane: h.lane(up.Name), log: h.log.With("upstream", up.Name), state: h.state, command: h.commands[up.Name],
		up: up, talk: talk,
		opening: make(chan struct{}, 1), notices: rate.NewLimiter(noticesPerSecond, noticesBurst),
		progress: map[string]func(*mcp.ProgressNotificationParams){}, servers: map[*mcp.Server]bool{}, watched: map[string]int{},
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	return l
}

// connected returns the session with the upstream, and opens it if there is none.
func (l *link) connected(ctx context.Context) (*mcp.ClientSession, error) {
	if c := l.current(); c != nil {
		return c, nil
	}
	select {
	case l.opening <- struct{}{}:
		defer func() { <-l.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c := l.current(); c != nil {
		return c, nil
	}
	c, err := l.open(ctx)
	if err != nil {
		l.log.Warn("Upstream not reached", "reason", reasonOf(err).Error())
		return nil, err
	}
	return c, nil
}

func (l *link) current() *mcp.ClientSession {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.client
}

// open opens a session with the upstream.
func (l *link) open(ctx context.Context) (*mcp.ClientSession, error) {
	if l.command != nil && l.lane.full(maxCommands) {
		return nil, errNoRoom
	}
	life, end := context.WithCancel(l.ctx)
	giveUp := context.AfterFunc(ctx, end)
	timer := time.AfterFunc(min(connectTimeout, l.up.Timeout()), end)
	session, err := l.dial(life)
	late := !timer.Stop()
	if !giveUp() {
		late = true
	}
	if err == nil && late {
		go func() { _ = session.Close() }()
	}
	switch {
	case late:
		end()
		return nil, errSlow
	case err != nil:
		end()
		return nil, err
	}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		end()
		go func() { _ = session.Close() }()
		return nil, errGone
	}
	l.client = session
	l.mu.Unlock()
	l.lane.opened()
	go func() {
		_ = session.Wait()
		end()
		l.drop(session)
		l.lane.lost()
	}()
	l.restore(ctx, session)
	return session, nil
}

// dial speaks the handshake. A server that does not know it is asked in the newest version.
func (l *link) dial(ctx context.Context) (*mcp.ClientSession, error) {
	session, err := l.dialIn(ctx, handshake)
	if err == nil || said(err) == nil || ctx.Err() != nil {
		return session, err
	}
	return l.dialIn(ctx, "")
}

func (l *link) dialIn(ctx context.Context, protocolVersion string) (*mcp.ClientSession, error) {
	transport, connecting, err := l.transport()
	if err != nil {
		return nil, err
	}
	connecting.Store(true)
	defer connecting.Store(false)
	client, err := l.newClient()
	if err != nil {
		return nil, err
	}
	return client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: protocolVersion})
}

// transport returns the way to the upstream, with the credential as it is now.
func (l *link) transport() (mcp.Transport, *atomic.Bool, error) {
	if l.command != nil {
		return &piped{command: l.command}, new(atomic.Bool), nil
	}
	origin, err := url.Parse(l.up.URL)
	if err != nil {
		return nil, nil, errUnreachable
	}
	g := &guarded{
		base: l.lane.base, origin: origin, header: l.up.CredentialHeader, maxBytes: l.up.MaxResultBytes,
		sse: l.up.Transport == v1alpha1.UpstreamTransportSSE,
	}
	if g.header != "" {
		state, ok := l.state()
		if !ok {
			return nil, nil, gate.ErrNotReady
		}
		if g.credential, ok = state.Credential(l.up.Name); !ok {
			return nil, nil, errNoCredential
		}
	}
	if g.sse {
		t := &mcp.SSEClientTransport{Endpoint: l.up.URL, HTTPClient: g.client(), MaxEventSize: l.up.MaxResultBytes + maxErrorBytes}
		return t, &g.connecting, nil
	}
	// Bodies are bounded on the way, where too much fails the call alone.
	t := &mcp.StreamableClientTransport{Endpoint: l.up.URL, HTTPClient: g.client(), MaxRetries: maxReconnects, MaxEventSize: -1}
	return t, &g.connecting, nil
}

// newClient returns the SDK's client of a session. It offers the upstream nothing: no samples of the model, no questions to the
// user, no roots.
func (l *link) newClient() (*mcp.Client, error) {
	client := mcp.NewClient(
		&mcp.Implementation{Name: "memorytrust", Title: "MemoryTrust screener", Version: version.Version},
		&mcp.ClientOptions{
			Capabilities:                &mcp.ClientCapabilities{},
			MultiRoundTrip:              &mcp.MultiRoundTripOptions{Disabled: true},
			ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { l.toolsChanged() },
			PromptListChangedHandler:    func(context.Context, *mcp.PromptListChangedRequest) { l.changed(promptsChanged) },
			ResourceListChangedHandler:  func(context.Context, *mcp.ResourceListChangedRequest) { l.changed(resourcesChanged) },
			ResourceUpdatedHandler:      func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { l.updated(r.Params) },
			LoggingMessageHandler:       func(_ context.Context, r *mcp.LoggingMessageRequest) { l.logged(r.Params) },
			ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { l.progressed(r.Params) },
		})
	client.AddReceivingMiddleware(refuseRequests)
	for _, method := range forwarded {
		if err := mcp.AddSendingCustomMethod[*params, *answer](client, asIs+method); err != nil {
			return nil, err
		}
	}
	return client, nil
}

// restore tells a new session what the agent told the last one.
func (l *link) restore(ctx context.Context, session *mcp.ClientSession) {
	l.mu.Lock()
	level := l.level
	var uris []string
	for uri := range l.watched {
		uris = append(uris, uri)
	}
	l.mu.Unlock()
	// What cannot be restored is what the server does not have any more.
	if level != "" {
		_ = session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: level})
	}
	for _, uri := range uris {
		_ = session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
	}
}

// drop forgets a session that is of no use any more.
func (l *link) drop(session *mcp.ClientSession) {
	l.mu.Lock()
	mine := l.client == session
	if mine {
		l.client = nil
	}
	l.mu.Unlock()
	if mine {
		l.tools.forget()
		go l.end(session)
	}
}

// cancelGrace is how long an upstream may take to hear that calls were given up, before the session ends.
const cancelGrace = 200 * time.Millisecond

// end ends a session, which waits for the answers to its calls.
func (l *link) end(session *mcp.ClientSession) {
	if l.running.Load() > 0 || time.Since(time.Unix(0, l.gaveUp.Load())) < cancelGrace {
		time.Sleep(cancelGrace)
	}
	_ = session.Close()
}

// close ends the session for good.
func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	session := l.client
	l.mu.Unlock()
	l.cancel()
	if session != nil {
		l.drop(session)
	}
}

// call makes a request of the upstream, and returns its result byte for byte. An error is what the upstream answered, see said, or an
// *upstreamError.
func (l *link) call(ctx context.Context, method string, fields map[string]any, meta mcp.Meta) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, l.up.Timeout())
	defer cancel()
	defer context.AfterFunc(l.ctx, cancel)()
	leave, err := l.lane.enter(ctx)
	if err != nil {
		return nil, l.failure(ctx, err)
	}
	defer leave()
	l.running.Add(1)
	defer func() {
		if ctx.Err() != nil {
			l.gaveUp.Store(time.Now().UnixNano())
		}
		l.running.Add(-1)
	}()
	broken := new(fault)
	if l.command != nil {
		broken.sends() // there is no telling
	}
	ctx = context.WithValue(ctx, faultKey{}, broken)
	for attempt := 0; ; attempt++ {
		session, err := l.connected(ctx)
		if err != nil {
			return nil, l.failure(ctx, err)
		}
		p := &params{fields: fields}
		p.Meta = meta
		result, err := mcp.CallCustomMethod[*params, *answer](ctx, session, asIs+method, p)
		if cause := broken.get(); cause != nil {
			err = cause
		}
		switch {
		case err == nil && len(result.raw) > l.up.MaxResultBytes:
			return nil, l.failure(ctx, errTooLarge)
		case err == nil:
			l.lane.answered()
			return result.raw, nil
		case said(err) != nil:
			l.lane.answered()
			return nil, err
		case errors.Is(reasonOf(err), errGone), errors.Is(err, errCredential):
			l.drop(session)
			// In a session that the upstream does not know, or that broke before the call left, it did nothing.
			if attempt == 0 && ctx.Err() == nil && (errors.Is(err, mcp.ErrSessionMissing) || !broken.sent.Load()) {
				continue
			}
		}
		return nil, l.failure(ctx, err)
	}
}

// failure returns why the upstream gave no answer.
func (l *link) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) && !errors.Is(err, errTooLarge) {
		return context.Canceled
	}
	if errors.Is(err, gate.ErrNotReady) {
		return err
	}
	reason := reasonOf(err)
	l.lane.failed(reason)
	return &upstreamError{name: l.up.Name, err: reason}
}

// newToken returns a name for the progress of one call.
func (l *link) newToken() string { return "call-" + strconv.FormatUint(l.tokens.Add(1), 10) }
