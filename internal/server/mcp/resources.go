// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// URIs of resources. The knowledge graph is the reference memory server's.
const (
	uriPrefix = "memory://"
	uriZones  = uriPrefix + "zones"
	uriQueue  = uriPrefix + "queue"
	uriGraph  = uriPrefix + "knowledge-graph"
	jsonType  = "application/json"
)

func (s *service) registerResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: uriZones, Name: "zones", Title: "Memories by zone", MIMEType: jsonType,
		Description: "How many memories there are in each zone, and how many wait for a person",
	}, s.resource(func(ctx context.Context, c conversation, _ string) (any, mcp.Meta, error) {
		out, err := s.gate.Zones(ctx, c.caller)
		return out, mcp.Meta{metaPending: out.PendingReview}, err
	}))
	server.AddResource(&mcp.Resource{
		URI: uriQueue, Name: "queue", Title: "What waits for review", MIMEType: jsonType,
		Description: "The first page of what waits for a person, without its content; the tool queue has the rest",
	}, s.resource(func(ctx context.Context, c conversation, _ string) (any, mcp.Meta, error) {
		out, err := s.gate.Queue(ctx, c.caller, gate.QueueQuery{})
		return out, mcp.Meta{metaPending: out.Total}, err
	}))
	server.AddResource(&mcp.Resource{
		URI: uriGraph, Name: "knowledge-graph", Title: "Knowledge Graph", MIMEType: jsonType,
		Description: "The whole knowledge graph, as read_graph returns it",
	}, s.resource(func(ctx context.Context, c conversation, _ string) (any, mcp.Meta, error) {
		r := s.reader(c)
		out, err := r.load(ctx, nil)
		return out, r.held.meta(), err
	}))
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: uriPrefix + "{id}", Name: "memory", Title: "One memory", MIMEType: jsonType,
		Description: "One memory by id, as the tool show returns it; reading it counts as recalling it",
	}, s.resource(func(ctx context.Context, c conversation, uri string) (any, mcp.Meta, error) {
		out, err := s.gate.Get(ctx, c.caller, strings.TrimPrefix(uri, uriPrefix), gate.Reading{Session: c.session})
		return out, metaOf(out), err
	}))
}

// resource answers with a value as JSON.
func (s *service) resource(read func(context.Context, conversation, string) (any, mcp.Meta, error)) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		talk, err := conversationIn(ctx, req.Session)
		if err != nil {
			return nil, err
		}
		uri := req.Params.URI
		value, meta, err := read(ctx, talk, uri)
		switch {
		case errors.Is(err, memory.ErrNotFound):
			return nil, mcp.ResourceNotFoundError(uri)
		case err != nil:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.explain(err, nil)}
		}
		text, err := marshal(value, "  ")
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: uri, MIMEType: jsonType, Text: string(text), Meta: meta},
		}}, nil
	}
}
