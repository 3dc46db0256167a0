// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The types of this file have the shapes of the reference memory server, version 2026.8.31: its tools, arguments, results
// and the texts of both, so that an agent built for it works with this one. What it has no word for, what was held back
// and what waits for a person, is said in a second text block and in _meta.

type createEntitiesInput struct {
	_        struct{}      `additionalProperties:"true"`
	Entities []entityInput `json:"entities" nullable:"false"`
}

type entityInput struct {
	_            struct{} `additionalProperties:"true"`
	Name         string   `json:"name" doc:"Name of the entity"`
	EntityType   string   `json:"entityType" doc:"Type of the entity"`
	Observations []string `json:"observations" nullable:"false" doc:"What was observed about it"`
}

type relationInput struct {
	_            struct{} `additionalProperties:"true"`
	From         string   `json:"from" doc:"Name of the entity it starts at"`
	To           string   `json:"to" doc:"Name of the entity it ends at"`
	RelationType string   `json:"relationType" doc:"Type of the relation"`
}

type createRelationsInput struct {
	_         struct{}        `additionalProperties:"true"`
	Relations []relationInput `json:"relations" nullable:"false"`
}

type deleteRelationsInput struct {
	_         struct{}        `additionalProperties:"true"`
	Relations []relationInput `json:"relations" nullable:"false" doc:"The relations to delete"`
}

type addObservationsInput struct {
	_            struct{} `additionalProperties:"true"`
	Observations []struct {
		_          struct{} `additionalProperties:"true"`
		EntityName string   `json:"entityName" doc:"Name of the entity to add to"`
		Contents   []string `json:"contents" nullable:"false" doc:"What was observed about it"`
	} `json:"observations" nullable:"false"`
}

type deleteEntitiesInput struct {
	_           struct{} `additionalProperties:"true"`
	EntityNames []string `json:"entityNames" nullable:"false" doc:"Names of the entities to delete"`
}

type deleteObservationsInput struct {
	_         struct{} `additionalProperties:"true"`
	Deletions []struct {
		_            struct{} `additionalProperties:"true"`
		EntityName   string   `json:"entityName" doc:"Name of the entity they belong to"`
		Observations []string `json:"observations" nullable:"false" doc:"The observations to delete"`
	} `json:"deletions" nullable:"false"`
}

type readGraphInput struct {
	_ struct{} `additionalProperties:"true"`
}

type searchNodesInput struct {
	_     struct{} `additionalProperties:"true"`
	Query string   `json:"query" doc:"Text to look for in names, types and observations"`
}

type openNodesInput struct {
	_     struct{} `additionalProperties:"true"`
	Names []string `json:"names" nullable:"false" doc:"Names of the entities to open"`
}

type entitiesOutput struct {
	Entities []entity `json:"entities" nullable:"false"`
}

type relationsOutput struct {
	Relations []relation `json:"relations" nullable:"false"`
}

type added struct {
	EntityName        string   `json:"entityName"`
	AddedObservations []string `json:"addedObservations" nullable:"false"`
}

type addedOutput struct {
	Results []added `json:"results" nullable:"false"`
}

type deletedOutput struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

func (s *service) registerReference(server *mcp.Server) {
	register(server, s, spec{
		name: "create_entities", title: "Create Entities", reference: true,
		description: "Create entities in the knowledge graph; those whose name exists are left as they are",
	}, s.createEntities)
	register(server, s, spec{
		name: "create_relations", title: "Create Relations", reference: true,
		description: "Create relations between entities of the knowledge graph, in active voice; those that exist are left as they are",
	}, s.createRelations)
	register(server, s, spec{
		name: "add_observations", title: "Add Observations", reference: true,
		description: "Add observations to entities that exist in the knowledge graph",
	}, s.addObservations)
	register(server, s, spec{
		name: "delete_entities", title: "Delete Entities", reference: true, destructive: true, idempotent: true,
		description: "Delete entities of the knowledge graph with their observations and relations",
	}, s.deleteEntities)
	register(server, s, spec{
		name: "delete_observations", title: "Delete Observations", reference: true, destructive: true, idempotent: true,
		description: "Delete observations of entities of the knowledge graph",
	}, s.deleteObservations)
	register(server, s, spec{
		name: "delete_relations", title: "Delete Relations", reference: true, destructive: true, idempotent: true,
		description: "Delete relations of the knowledge graph",
	}, s.deleteRelations)
	register(server, s, spec{
		name: "read_graph", title: "Read Graph", reference: true, readOnly: true, idempotent: true,
		description: "Read the whole knowledge graph",
	}, s.readGraph)
	register(server, s, spec{
		name: "search_nodes", title: "Search Nodes", reference: true, readOnly: true, idempotent: true,
		description: "Find entities of the knowledge graph by a part of their name, type or observations",
	}, s.searchNodes)
	register(server, s, spec{
		name: "open_nodes", title: "Open Nodes", reference: true, readOnly: true, idempotent: true,
		description: "Open entities of the knowledge graph by their names",
	}, s.openNodes)
}

func (s *service) readGraph(ctx context.Context, c conversation, _ readGraphInput) (reply[graph], error) {
	return s.graphReply(ctx, c, nil, func(entity) bool { return true }, true)
}

func (s *service) searchNodes(ctx context.Context, c conversation, in searchNodesInput) (reply[graph], error) {
	return s.graphReply(ctx, c, nil, matches(in.Query), false)
}

func (s *service) openNodes(ctx context.Context, c conversation, in openNodesInput) (reply[graph], error) {
	names := slices.Compact(slices.Sorted(slices.Values(in.Names)))
	if names == nil {
		names = []string{}
	}
	return s.graphReply(ctx, c, names, func(e entity) bool {
		_, asked := slices.BinarySearch(names, e.Name)
		return asked
	}, false)
}

// graphReply answers with the part of the graph that keep selects; whole also has relations of no entity in it.
func (s *service) graphReply(ctx context.Context, c conversation, names []string, keep func(entity) bool, whole bool) (reply[graph], error) {
	r := s.reader(c)
	g, err := r.load(ctx, names)
	if err != nil {
		return reply[graph]{}, err
	}
	if !whole {
		g = g.around(keep)
	}
	text, err := marshal(g, "  ")
	if err != nil {
		return reply[graph]{}, err
	}
	return reply[graph]{value: g, text: []string{string(text), r.held.note()}, meta: r.held.meta()}, nil
}

// note says what an answer about the graph leaves out, without quoting any of it.
func (h held) note() string {
	var notes []string
	if n := h.withheld; n > 0 {
		notes = append(notes, fmt.Sprintf("%s held back from the graph: waiting for a person, expired or not verifiable. "+
			"The tool queue lists what waits.", counted(n, "memory is", "memories are")))
	}
	if n := h.hidden; n > 0 {
		notes = append(notes, fmt.Sprintf("%s not shown, as an entity they name is held back.", counted(n, "relation is", "relations are")))
	}
	if h.review > 0 {
		notes = append(notes, fmt.Sprintf("%s not been reviewed yet.", counted(h.review, "memory of this answer has", "memories of this answer have")))
	}
	if h.truncated {
		notes = append(notes, "The graph is larger than one answer; this is its oldest part. Ask for less with open_nodes or recall.")
	}
	return strings.Join(notes, " ")
}

func (h held) meta() mcp.Meta {
	m := mcp.Meta{metaWithheld: h.withheld + h.hidden, metaReview: h.review, metaLowest: h.lowest}
	if h.truncated {
		m[metaTruncated] = true
	}
	return m
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
