// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/gate"
)

// Bounds of a connection. A write waits for the disk, never for minutes.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 16 << 10
)

// NewServer returns an HTTP server with bounds on what a client can hold up.
func NewServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// recovered answers 500 where a handler panics. The panic's value is not logged: it may hold what the request held.
func recovered(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch v := recover(); v {
			case nil:
			case http.ErrAbortHandler:
				panic(v)
			default:
				log.Error("Request handler panicked", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
				writeProblem(w, http.StatusInternalServerError, "Something is wrong with the screener; its log says what.")
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// loopbackOnly refuses requests under any other host name than those of the loopback interface. A page in a browser on the
// same machine could otherwise reach the port under a name of its own that it resolves to 127.0.0.1.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopbackHost(r.Host) {
			writeProblem(w, http.StatusMisdirectedRequest, "This port answers to 127.0.0.1, localhost and [::1] only.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopbackHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	switch strings.ToLower(strings.Trim(host, "[]")) {
	case "127.0.0.1", "localhost", "::1":
		return true
	}
	return false
}

// bounded lets n requests run at a time.
func bounded(n int, next http.Handler) http.Handler {
	slots := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
			writeProblem(w, http.StatusServiceUnavailable, "The request was given up before it was done.")
		}
	})
}

// routed answers requests for which mux has no route with a problem, before anything is read of their bodies.
func routed(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fallback, pattern := mux.Handler(r)
		if pattern != "" {
			next.ServeHTTP(w, r)
			return
		}
		// The mux knows whether it is the path or the method that is wrong; only its words are replaced.
		probe := &statusProbe{header: http.Header{}, status: http.StatusOK}
		fallback.ServeHTTP(probe, r)
		if probe.status == http.StatusMethodNotAllowed {
			allow := probe.header.Get("Allow")
			w.Header().Set("Allow", allow)
			writeProblem(w, http.StatusMethodNotAllowed, "This path takes "+allow+".")
			return
		}
		writeProblem(w, http.StatusNotFound, "There is nothing at this path; "+OpenAPIPath+" on the agent's port lists what there is.")
	})
}

// statusProbe keeps the status and headers of an answer and drops the rest.
type statusProbe struct {
	header http.Header
	status int
}

func (p *statusProbe) Header() http.Header         { return p.header }
func (p *statusProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *statusProbe) WriteHeader(status int)      { p.status = status }

type callerKey struct{}

// callerOf returns who makes the request: a channel, or the agent's own port.
func callerOf(ctx context.Context) gate.Caller {
	c, _ := ctx.Value(callerKey{}).(gate.Caller)
	return c
}

// authenticated lets requests through that carry the bearer token of a channel.
func authenticated(g *gate.Gate, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			unauthorized(w, "Send the channel's token: Authorization: Bearer <token>.")
			return
		}
		caller, ok, err := g.Authenticate(token)
		switch {
		case err != nil:
			writeProblem(w, http.StatusServiceUnavailable, notReady)
		case !ok:
			log.Warn("Channel token refused", "remote", r.RemoteAddr)
			unauthorized(w, "The token belongs to no channel of the policy in force.")
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
		}
	})
}

func unauthorized(w http.ResponseWriter, detail string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="memorytrust"`)
	writeProblem(w, http.StatusUnauthorized, detail)
}
