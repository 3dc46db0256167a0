// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/wire"
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

// loopbackOnly refuses requests under any other host name than those of the loopback interface. A page in a browser on the
// same machine could otherwise reach the port under a name of its own that it resolves to 127.0.0.1.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopbackHost(r.Host) {
			wire.Write(w, http.StatusMisdirectedRequest, "This port answers to 127.0.0.1, localhost and [::1] only.")
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

type callerKey struct{}

// callerOf returns who makes the request: a channel, or the agent's own port.
func callerOf(ctx context.Context) gate.Caller {
	c, _ := ctx.Value(callerKey{}).(gate.Caller)
	return c
}

// authenticated lets requests through that carry the token of a channel.
func authenticated(g *gate.Gate, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			unauthorized(w, "Send the channel's token: Authorization: Bearer <token>.")
			return
		}
		caller, err := g.Authenticate(token)
		refused := new(policy.TokenError)
		switch {
		case errors.As(err, &refused):
			// Why is for those who run the screener: it would tell whoever guesses how near they are.
			log.Warn("Channel token refused", "reason", string(refused.Reason), "remote", r.RemoteAddr)
			unauthorized(w, "The token belongs to no channel of the policy in force.")
		case err != nil:
			wire.Write(w, http.StatusServiceUnavailable, wire.NotReady)
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
		}
	})
}

func unauthorized(w http.ResponseWriter, detail string) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="memorytrust"`)
	wire.Write(w, http.StatusUnauthorized, detail)
}
