// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"hash/maphash"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
)

// service is what all tools and resources work with.
type service struct {
	gate  *gate.Gate
	log   *slog.Logger
	locks [16]sync.Mutex // see graphLock
	seed  maphash.Seed
	// maxRecords bounds an answer about the graph.
	maxRecords int
}

// spec describes a tool. The hints are those of the protocol's annotations.
type spec struct {
	name        string
	title       string
	description string
	readOnly    bool
	destructive bool
	idempotent  bool
	// arguments renames fields that errors of the gate name to what the tool calls them.
	arguments map[string]string
	// reference publishes the schemas as the reference memory server does.
	reference bool
}

// reply is what a tool answers with.
type reply[Out any] struct {
	value Out
	text  []string // blocks for the model; nil: value as JSON
	meta  mcp.Meta
}

// register adds a tool with typed arguments and a typed result.
func register[In, Out any](server *mcp.Server, s *service, t spec, call func(context.Context, conversation, In) (reply[Out], error)) {
	in, out := shapeOf[In](), shapeOf[Out]()
	tool := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: in.tree, OutputSchema: out.tree,
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: t.readOnly, DestructiveHint: &t.destructive, IdempotentHint: t.idempotent, OpenWorldHint: new(bool),
		},
	}
	if t.reference {
		tool.InputSchema, tool.OutputSchema = referenceInput(in), referenceOutput(out)
		tool.Annotations.Title = "" // as the reference has it
	}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		talk, err := conversationIn(ctx, req.Session)
		if err != nil {
			return nil, err
		}
		var arguments In
		if err := in.read(req.Params.Arguments, &arguments); err != nil {
			return failed(err.Error()), nil
		}
		r, err := call(ctx, talk, arguments)
		if err != nil {
			return failed(s.explain(err, t.arguments)), nil
		}
		return r.result()
	})
}

func (r reply[Out]) result() (*mcp.CallToolResult, error) {
	if r.text == nil {
		text, err := marshal(r.value, "  ")
		if err != nil {
			return nil, err
		}
		r.text = []string{string(text)}
	}
	result := &mcp.CallToolResult{Meta: r.meta, StructuredContent: r.value}
	for _, text := range r.text {
		if text != "" {
			result.Content = append(result.Content, &mcp.TextContent{Text: text})
		}
	}
	return result, nil
}

// failed is a result the model can correct itself by.
func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
