// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// Recovered answers 500 where a handler panics. The panic's value is not logged: it may hold what the request held.
func Recovered(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch v := recover(); v {
			case nil:
			case http.ErrAbortHandler:
				panic(v)
			default:
				log.Error("Request handler panicked", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
				Write(w, http.StatusInternalServerError, "Something is wrong with the screener; its log says what.")
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// Bounded lets n requests run at a time; further ones wait.
func Bounded(n int, next http.Handler) http.Handler {
	slots := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
			Write(w, http.StatusServiceUnavailable, givenUp)
		}
	})
}

// Unhurried lifts the server's deadlines for what may take as long as it likes. A connection without any is as good.
func Unhurried(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
		next.ServeHTTP(w, r)
	})
}

// Limited bounds bodies like those of an API, without reading them. As long as no policy is in force, there is no memory to
// send.
func Limited(limit func() (contentBytes int, err error), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := limit()
		if err != nil {
			content = 0
		}
		r.Body = http.MaxBytesReader(w, r.Body, int64(content)*bodyFactor+bodyRoom)
		next.ServeHTTP(w, r)
	})
}
