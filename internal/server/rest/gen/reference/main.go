// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command reference writes the reference of the screener's HTTP APIs from the description they give of themselves.
package main

import (
	"flag"
	"fmt"
	"os"

	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/server/rest"
)

func main() {
	out := flag.String("out", "", "file to write")
	flag.Parse()
	if err := os.WriteFile(*out, []byte(document()), 0o644); err != nil { //nolint:gosec // a document for everybody
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// document describes all ports.
func document() string {
	return render([]port{
		{"Agent port, 127.0.0.1:8787", "HTTP without credentials, from inside the pod. The description as OpenAPI 3.1 is at `/openapi.json`, MCP at `/mcp`.", rest.AgentAPI()},
		{"Channel port, 8788", "TLS and a bearer token. The same operations, for what a channel may do.", rest.ChannelAPI()},
		{"Admin port, 9443", "Mutual TLS, and a person in the header `" + admin.PrincipalHeader + "` of every request. The description as OpenAPI 3.1 is at " +
			"`/openapi.json`; `GET " + admin.StatusPath + "` is for the manager and names nobody.", admin.API()},
	})
}
