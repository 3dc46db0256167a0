// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callTool calls a tool of the MCP server behind MEMORY_MCP_URL, with arguments as JSON, and prints the result as JSON, as an
// agent that only speaks MCP would get it.
func callTool(ctx context.Context, args []string) error {
	if len(args) != 2 {
		return errUsage
	}
	url := os.Getenv("MEMORY_MCP_URL")
	if url == "" {
		return errors.New("MEMORY_MCP_URL is not set")
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test-agent", Version: "v0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		return fmt.Errorf("connecting to %s: %w", url, err)
	}
	defer session.Close() //nolint:errcheck // the process ends
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: args[0], Arguments: json.RawMessage(args[1])})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
