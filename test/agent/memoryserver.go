// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Arguments and results of the tools of the reference memory server.
type (
	entitiesIn struct {
		Entities []entity `json:"entities"`
	}
	relationsIn struct {
		Relations []relation `json:"relations"`
	}
	queryIn struct {
		Query string `json:"query" jsonschema:"Words to look for"`
	}
	namesIn struct {
		Names []string `json:"names" jsonschema:"Names of entities"`
	}
	entityNamesIn struct {
		EntityNames []string `json:"entityNames" jsonschema:"Names of entities to delete"`
	}
	additionsIn struct {
		Observations []addition `json:"observations"`
	}
	deletionsIn struct {
		Deletions []deletion `json:"deletions"`
	}
	nothingIn struct{}

	entitiesOut struct {
		Entities []entity `json:"entities"`
	}
	relationsOut struct {
		Relations []relation `json:"relations"`
	}
	additionsOut struct {
		Results []added `json:"results"`
	}
	doneOut struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}
)

type addition struct {
	EntityName string   `json:"entityName" jsonschema:"The name of the entity"`
	Contents   []string `json:"contents" jsonschema:"What to add"`
}

type deletion struct {
	EntityName   string   `json:"entityName" jsonschema:"The name of the entity"`
	Observations []string `json:"observations" jsonschema:"What to delete"`
}

type added struct {
	EntityName        string   `json:"entityName"`
	AddedObservations []string `json:"addedObservations"`
}

// serveMemory runs a memory server with the tools of the reference one. "DELETE /" empties it, for whoever tests it.
func serveMemory(ctx context.Context, args []string) error {
	g := &graph{}
	mux := http.NewServeMux()
	mux.HandleFunc("DELETE /{$}", func(http.ResponseWriter, *http.Request) { g.clear() })
	return servePeer(ctx, "memory-server", args, serveMCP(mux, newMemoryServer(g)))
}

func newMemoryServer(g *graph) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "memory-server", Version: "v0"}, nil)
	addWriters(server, g)
	addDeleters(server, g)
	addReaders(server, g)
	server.AddResource(&mcp.Resource{
		URI: "memory://knowledge-graph", Name: "knowledge-graph", Title: "Knowledge Graph",
		Description: "The full knowledge graph with all entities and relations", MIMEType: "application/json",
	}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := toJSON(g.read(func(entity) bool { return true }))
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json", Text: text}}}, err
	})
	return server
}

// tool adds a tool whose work cannot fail, but for what run returns.
func tool[In, Out any](server *mcp.Server, name, description string, run func(In) (Out, error)) {
	mcp.AddTool(server, &mcp.Tool{Name: name, Description: description},
		func(_ context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			out, err := run(in)
			return nil, out, err
		})
}

func addWriters(server *mcp.Server, g *graph) {
	tool(server, "create_entities", "Create multiple new entities in the knowledge graph", func(in entitiesIn) (entitiesOut, error) {
		return entitiesOut{g.addEntities(in.Entities)}, nil
	})
	tool(server, "create_relations", "Create multiple new relations between entities in the knowledge graph", func(in relationsIn) (relationsOut, error) {
		return relationsOut{g.addRelations(in.Relations)}, nil
	})
	tool(server, "add_observations", "Add new observations to existing entities in the knowledge graph", func(in additionsIn) (additionsOut, error) {
		out := additionsOut{Results: []added{}}
		for _, a := range in.Observations {
			contents, ok := g.addObservations(a.EntityName, a.Contents)
			if !ok {
				return additionsOut{}, fmt.Errorf("entity with name %s not found", a.EntityName)
			}
			out.Results = append(out.Results, added{a.EntityName, contents})
		}
		return out, nil
	})
}

func addDeleters(server *mcp.Server, g *graph) {
	done := func(what string) (doneOut, error) { return doneOut{true, what + " deleted successfully"}, nil }
	tool(server, "delete_entities", "Delete multiple entities and their associated relations", func(in entityNamesIn) (doneOut, error) {
		g.removeEntities(in.EntityNames)
		return done("Entities")
	})
	tool(server, "delete_observations", "Delete specific observations from entities", func(in deletionsIn) (doneOut, error) {
		for _, d := range in.Deletions {
			g.removeObservations(d.EntityName, d.Observations)
		}
		return done("Observations")
	})
	tool(server, "delete_relations", "Delete multiple relations from the knowledge graph", func(in relationsIn) (doneOut, error) {
		g.removeRelations(in.Relations)
		return done("Relations")
	})
}

func addReaders(server *mcp.Server, g *graph) {
	tool(server, "read_graph", "Read the entire knowledge graph", func(nothingIn) (subgraph, error) {
		return g.read(func(entity) bool { return true }), nil
	})
	tool(server, "search_nodes", "Search for nodes in the knowledge graph based on a query", func(in queryIn) (subgraph, error) {
		return g.read(matches(in.Query)), nil
	})
	tool(server, "open_nodes", "Open specific nodes in the knowledge graph by their names", func(in namesIn) (subgraph, error) {
		return g.read(func(e entity) bool { return slices.Contains(in.Names, e.Name) }), nil
	})
}
