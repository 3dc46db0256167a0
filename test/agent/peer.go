// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// credentialEnv holds the bearer token that callers of a server of this program must show.
const credentialEnv = "CREDENTIAL"

// peerListenAddress of the servers that an agent or its screener calls.
const peerListenAddress = ":8081"

// serveMCP puts an MCP server at /mcp, over streamable HTTP.
func serveMCP(mux *http.ServeMux, server *mcp.Server) *http.ServeMux {
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	return mux
}

// servePeer serves mux until ctx ends. Everything but /healthz wants the credential.
func servePeer(ctx context.Context, name string, args []string, mux *http.ServeMux) error {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	address := flags.String("listen", peerListenAddress, "address to listen on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	credential := os.Getenv(credentialEnv)
	if credential == "" {
		return errors.New(credentialEnv + " is not set: a server that anybody may call is no use here")
	}
	outer := http.NewServeMux()
	outer.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	outer.Handle("/", guarded(credential, mux))

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *address)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	httpServer := &http.Server{Handler: outer, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		<-ctx.Done()
		_ = httpServer.Close()
	}()
	if err := httpServer.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// guarded asks for the credential.
func guarded(credential string, next http.Handler) http.Handler {
	want := sha256.Sum256([]byte("Bearer " + credential))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "this server wants a credential", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
