// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Variables with the URLs of the MCP servers that the agent's errands need.
const (
	graphEnv = "GRAPH_MCP_URL"
	toolsEnv = "TOOLS_MCP_URL"
)

func graphURL() string { return os.Getenv(graphEnv) }

func toolsURL() string { return os.Getenv(toolsEnv) }

// step is a call that the agent made, and what came of it.
type step struct {
	Tool    string `json:"tool"`
	IsError bool   `json:"isError,omitempty"`
	Text    string `json:"text"`
}

// errands by name. The agent does what it reads and remembers, without a thought: whatever keeps it from harm is not in here.
var errands = map[string]func(context.Context, []string) ([]step, error){
	"read": readErrand,
	"pay":  payErrand,
}

// runErrand runs one and prints its steps as JSON.
func runErrand(ctx context.Context, args []string) error {
	if len(args) == 0 || errands[args[0]] == nil {
		return errUsage
	}
	steps, err := errands[args[0]](ctx, args[1:])
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(steps)
}

// readErrand is: SESSION ADDRESS. The agent reads a page with its tools, and remembers what it says.
func readErrand(ctx context.Context, args []string) ([]step, error) {
	if len(args) != 2 {
		return nil, errUsage
	}
	session, address := args[0], args[1]
	page, err := callAt(ctx, toolsURL(), session, "fetch_page", map[string]any{"url": address})
	if err != nil || page.IsError {
		return []step{page}, err
	}
	host := address
	if parsed, err := url.Parse(address); err == nil {
		host = parsed.Hostname()
	}
	// Each errand has an entity of its own: what it says is new.
	noted, err := callAt(ctx, graphURL(), session, "create_entities", map[string]any{"entities": []entity{{
		Name: host + " " + session, EntityType: "page", Observations: []string{page.Text},
	}}})
	return []step{page, noted}, err
}

// account is what looks like an IBAN.
var account = regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}\b`)

// payErrand is: SESSION WORDS AMOUNT. The agent remembers what it knows about WORDS, and pays to the first account in it.
func payErrand(ctx context.Context, args []string) ([]step, error) {
	if len(args) != 3 {
		return nil, errUsage
	}
	session, about := args[0], args[1]
	amount, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return nil, err
	}
	known, err := callAt(ctx, graphURL(), session, "search_nodes", map[string]any{"query": about})
	if err != nil || known.IsError {
		return []step{known}, err
	}
	to := account.FindString(known.Text)
	if to == "" {
		return []step{known}, nil
	}
	paid, err := callAt(ctx, toolsURL(), session, "send_payment", map[string]any{"to": to, "amount": amount})
	return []step{known, paid}, err
}

// callAt calls a tool of the MCP server at a URL.
func callAt(ctx context.Context, endpoint, session, tool string, arguments any) (step, error) {
	result, err := connectAndCall(ctx, endpoint, session, tool, arguments)
	if err != nil {
		return step{}, fmt.Errorf("%s: %w", tool, err)
	}
	return step{Tool: tool, IsError: result.IsError, Text: textOf(result)}, nil
}

func connectAndCall(ctx context.Context, endpoint, session, tool string, arguments any) (*mcp.CallToolResult, error) {
	at, err := url.Parse(endpoint)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("%q is no URL of an MCP server", endpoint)
	}
	if session != "" {
		at.RawQuery = url.Values{"session": {session}}.Encode()
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test-agent", Version: "v0"}, nil)
	connection, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: at.String(), HTTPClient: ownCredential()}, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	defer connection.Close() //nolint:errcheck // the process ends
	return connection.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
}

// ownCredential shows the credential that the agent holds itself, as agents without a screener do; where it holds none, it shows none.
func ownCredential() *http.Client {
	if token := os.Getenv(credentialEnv); token != "" {
		return &http.Client{Transport: &bearer{token: token, next: http.DefaultTransport}}
	}
	return http.DefaultClient
}

// textOf is all text of a result.
func textOf(result *mcp.CallToolResult) string {
	var parts []string
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// callUpstream calls a tool of the MCP server at a URL, or at the one in an environment variable, and prints the result as JSON.
func callUpstream(ctx context.Context, args []string) error {
	if len(args) != 3 && len(args) != 4 {
		return errUsage
	}
	endpoint, session := args[0], ""
	if !strings.Contains(endpoint, "://") {
		endpoint = os.Getenv(args[0])
	}
	if len(args) == 4 {
		session = args[3]
	}
	result, err := connectAndCall(ctx, endpoint, session, args[1], json.RawMessage(args[2]))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

func toJSON(v any) (string, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	return string(raw), err
}
