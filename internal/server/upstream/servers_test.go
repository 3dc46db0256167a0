// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// graphServer behaves like the reference memory server, with the same tools and shapes of answers.
type graphServer struct {
	mu sync.Mutex
	graph
}

type graph struct {
	Entities  []entity   `json:"entities"`
	Relations []relation `json:"relations"`
}

type entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

type relation struct {
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

type entitiesArgs struct {
	Entities []entity `json:"entities"`
}

type relationsArgs struct {
	Relations []relation `json:"relations"`
}

type addArgs struct {
	Observations []struct {
		EntityName string   `json:"entityName"`
		Contents   []string `json:"contents"`
	} `json:"observations"`
}

type deleteArgs struct {
	Deletions []struct {
		EntityName   string   `json:"entityName"`
		Observations []string `json:"observations"`
	} `json:"deletions"`
}

type entityNames struct {
	EntityNames []string `json:"entityNames"`
}

type nodeNames struct {
	Names []string `json:"names"`
}

type queryArgs struct {
	Query string `json:"query"`
}

type nothing struct{}

// asJSON is a result as the reference server gives it: JSON as text, and the same as structured content.
func asJSON(v, structured any) (*mcp.CallToolResult, any, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(raw)}}}, structured, nil
}

func newGraphServer() (*graphServer, *mcp.Server) {
	g := &graphServer{graph: graph{Entities: []entity{}, Relations: []relation{}}}
	s := mcp.NewServer(&mcp.Implementation{Name: "memory-server", Version: "0.6.3"}, nil)
	add(s, "create_entities", "Create multiple new entities in the knowledge graph", g.createEntities)
	add(s, "create_relations", "Create multiple new relations between entities", g.createRelations)
	add(s, "add_observations", "Add new observations to existing entities", g.addObservations)
	add(s, "delete_entities", "Delete multiple entities and their relations", g.deleteEntities)
	add(s, "delete_observations", "Delete specific observations from entities", g.deleteObservations)
	add(s, "read_graph", "Read the entire knowledge graph", g.readGraph)
	add(s, "search_nodes", "Search for nodes based on a query", g.searchNodes)
	add(s, "open_nodes", "Open specific nodes by their names", g.openNodes)
	s.AddResource(&mcp.Resource{Name: "knowledge-graph", URI: "memory://knowledge-graph", Title: "Knowledge Graph", MIMEType: "application/json"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			raw, err := json.MarshalIndent(g.copied(), "", "  ")
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: "memory://knowledge-graph", MIMEType: "application/json", Text: string(raw),
			}}}, err
		})
	return g, s
}

func add[In any](s *mcp.Server, name, description string, call func(In) (*mcp.CallToolResult, any, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: description}, func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		return call(in)
	})
}

func (g *graphServer) copied() graph {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := graph{Entities: []entity{}, Relations: slices.Clone(g.Relations)}
	for _, e := range g.Entities {
		e.Observations = slices.Clone(e.Observations)
		out.Entities = append(out.Entities, e)
	}
	return out
}

func (g *graphServer) createEntities(in entitiesArgs) (*mcp.CallToolResult, any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Entities = append(g.Entities, in.Entities...)
	return asJSON(in.Entities, in)
}

func (g *graphServer) createRelations(in relationsArgs) (*mcp.CallToolResult, any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Relations = append(g.Relations, in.Relations...)
	return asJSON(in.Relations, in)
}

func (g *graphServer) addObservations(in addArgs) (*mcp.CallToolResult, any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	type added struct {
		EntityName        string   `json:"entityName"`
		AddedObservations []string `json:"addedObservations"`
	}
	var out []added
	for _, o := range in.Observations {
		for i := range g.Entities {
			if g.Entities[i].Name == o.EntityName {
				g.Entities[i].Observations = append(g.Entities[i].Observations, o.Contents...)
			}
		}
		out = append(out, added{EntityName: o.EntityName, AddedObservations: o.Contents})
	}
	return asJSON(out, map[string]any{"results": out})
}

func (g *graphServer) deleteEntities(in entityNames) (*mcp.CallToolResult, any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Entities = slices.DeleteFunc(g.Entities, func(e entity) bool { return slices.Contains(in.EntityNames, e.Name) })
	const done = "Entities deleted successfully"
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: done}}}, map[string]any{"success": true, "message": done}, nil
}

func (g *graphServer) deleteObservations(in deleteArgs) (*mcp.CallToolResult, any, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range in.Deletions {
		for i := range g.Entities {
			if g.Entities[i].Name == d.EntityName {
				g.Entities[i].Observations = slices.DeleteFunc(g.Entities[i].Observations, func(o string) bool { return slices.Contains(d.Observations, o) })
			}
		}
	}
	const done = "Observations deleted successfully"
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: done}}}, map[string]any{"success": true, "message": done}, nil
}

func (g *graphServer) readGraph(nothing) (*mcp.CallToolResult, any, error) {
	c := g.copied()
	return asJSON(c, c)
}

func (g *graphServer) searchNodes(in queryArgs) (*mcp.CallToolResult, any, error) {
	return g.filtered(func(e entity) bool {
		return strings.Contains(strings.ToLower(e.Name+" "+strings.Join(e.Observations, " ")), strings.ToLower(in.Query))
	})
}

func (g *graphServer) openNodes(in nodeNames) (*mcp.CallToolResult, any, error) {
	return g.filtered(func(e entity) bool { return slices.Contains(in.Names, e.Name) })
}

func (g *graphServer) filtered(keep func(entity) bool) (*mcp.CallToolResult, any, error) {
	c := g.copied()
	c.Entities = slices.DeleteFunc(c.Entities, func(e entity) bool { return !keep(e) })
	return asJSON(c, c)
}

// put stores something behind the gateway's back.
func (g *graphServer) put(e entity) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Entities = append(g.Entities, e)
}

// runServer serves the echo server on the standard streams.
func runServer() error {
	return echoServer().Run(context.Background(), &mcp.StdioTransport{})
}
