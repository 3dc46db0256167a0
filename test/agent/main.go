// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command test-agent is an agent without a model: it reads pages, is told things, remembers, and shows the exact prompt
// it would send. With MEMORY_URL set its memory is behind that URL; without, it is a naive store of its own that trusts
// whatever it read. The demo and the end-to-end suite run it with and without a policy.
//
// Usage:
//
//	test-agent [serve] [--require-memory]   the agent, on :8080
//	test-agent job                          remembers one fact, recalls it, prints the prompt and ends
//	test-agent browse SOURCE TEXT           the running agent of this pod reads TEXT at SOURCE
//	test-agent tell SOURCE TEXT             somebody tells the running agent of this pod TEXT
//	test-agent ask QUESTION                 prints the prompt the running agent of this pod would send
//	test-agent speak DIRECTORY ADDRESS NAME TEXT
//	                                        writes TEXT through a channel, with token and ca.crt in DIRECTORY
//	test-agent store DIRECTORY NAMESPACE AGENT
//	                                        a store that is not MemoryTrust's, on :8080, which asks memory admission about the
//	                                        memories of AGENT, with token and ca.crt in DIRECTORY
//	test-agent mcp TOOL JSON                calls a tool of the MCP server behind MEMORY_MCP_URL, prints the result
//	test-agent call WHERE TOOL JSON [SESSION]
//	                                        the same with the MCP server at a URL, or at the one in an environment variable
//	test-agent errand read SESSION ADDRESS  reads a page with the tools of TOOLS_MCP_URL and remembers it in GRAPH_MCP_URL
//	test-agent errand pay SESSION WORDS AMOUNT
//	                                        pays to the account it remembers about WORDS
//	test-agent memory-server [--listen ADDRESS]
//	                                        an MCP server with the tools of the reference memory server; CREDENTIAL is its bearer token
//	test-agent tools-server [--listen ADDRESS]
//	                                        one whose tools read pages and pay
//	test-agent judge PHRASE [--listen ADDRESS]
//	                                        a model that calls a text a directive if PHRASE is in it; CREDENTIAL is its key
//	test-agent cat FILE...                  prints files, to show what the agent's container can read
//	test-agent stat FILE...                 prints mode and owner of files
//	test-agent kill CONTAINER               kills the first process of a container by its id; needs to see the node's processes
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// modes by the first argument.
var modes = map[string]func(context.Context, []string) error{
	"serve":  serve,
	"job":    runJob,
	"browse": browse,
	"tell":   tell,
	"ask":    ask,
	"speak":  speak,
	"store":  runStore,
	"mcp":    callTool,
	"call":   callUpstream,
	"errand": runErrand,
	"cat":    cat,
	"stat":   stat,
	"kill":   kill,

	"memory-server": serveMemory,
	"tools-server":  serveTools,
	"judge":         serveJudge,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "test-agent:", err)
		os.Exit(1)
	}
}

// run starts the mode that the first argument names; without one, or with a flag there, it is serve.
func run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0][:min(1, len(args[0]))] == "-" {
		return serve(ctx, args)
	}
	mode, ok := modes[args[0]]
	if !ok {
		return fmt.Errorf("unknown mode %q", args[0])
	}
	return mode(ctx, args[1:])
}

// errUsage is what modes with the wrong number of arguments return.
var errUsage = errors.New("wrong number of arguments")
