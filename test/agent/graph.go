// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"sync"
)

// entity is a node of a knowledge graph, as the reference memory server has it.
type entity struct {
	Name         string   `json:"name" jsonschema:"The name of the entity"`
	EntityType   string   `json:"entityType" jsonschema:"The type of the entity"`
	Observations []string `json:"observations" jsonschema:"What is known about the entity"`
}

// relation is an edge.
type relation struct {
	From         string `json:"from" jsonschema:"The name of the entity where the relation starts"`
	To           string `json:"to" jsonschema:"The name of the entity where the relation ends"`
	RelationType string `json:"relationType" jsonschema:"The type of the relation"`
}

// graph is a memory that keeps whatever it is given: it is what stands behind a screener, and screens nothing.
type graph struct {
	mu        sync.Mutex
	entities  []entity
	relations []relation
}

// subgraph is an answer to a read. Its lists are never null.
type subgraph struct {
	Entities  []entity   `json:"entities"`
	Relations []relation `json:"relations"`
}

// find returns the place of an entity, or -1.
func (g *graph) find(name string) int {
	return slices.IndexFunc(g.entities, func(e entity) bool { return e.Name == name })
}

// addEntities adds those that are new and returns them.
func (g *graph) addEntities(all []entity) []entity {
	g.mu.Lock()
	defer g.mu.Unlock()
	added := []entity{}
	for _, e := range all {
		if g.find(e.Name) < 0 {
			e.Observations = append([]string{}, e.Observations...)
			g.entities = append(g.entities, e)
			added = append(added, e)
		}
	}
	return added
}

// addRelations adds those that are new and returns them.
func (g *graph) addRelations(all []relation) []relation {
	g.mu.Lock()
	defer g.mu.Unlock()
	added := []relation{}
	for _, r := range all {
		if !slices.Contains(g.relations, r) {
			g.relations = append(g.relations, r)
			added = append(added, r)
		}
	}
	return added
}

// addObservations adds what is new about an entity and returns it; false if there is no such entity.
func (g *graph) addObservations(name string, contents []string) ([]string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.find(name)
	if at < 0 {
		return nil, false
	}
	added := []string{}
	for _, c := range contents {
		if !slices.Contains(g.entities[at].Observations, c) {
			g.entities[at].Observations = append(g.entities[at].Observations, c)
			added = append(added, c)
		}
	}
	return added, true
}

// removeEntities removes entities and their relations.
func (g *graph) removeEntities(names []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.entities = slices.DeleteFunc(g.entities, func(e entity) bool { return slices.Contains(names, e.Name) })
	g.relations = slices.DeleteFunc(g.relations, func(r relation) bool { return slices.Contains(names, r.From) || slices.Contains(names, r.To) })
}

// removeObservations removes what is known about an entity.
func (g *graph) removeObservations(name string, contents []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.find(name); at >= 0 {
		kept := slices.DeleteFunc(g.entities[at].Observations, func(o string) bool { return slices.Contains(contents, o) })
		g.entities[at].Observations = kept
	}
}

// removeRelations removes relations.
func (g *graph) removeRelations(all []relation) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.relations = slices.DeleteFunc(g.relations, func(r relation) bool { return slices.Contains(all, r) })
}

// read returns the entities that wanted says yes to, and the relations at either end of them.
func (g *graph) read(wanted func(entity) bool) subgraph {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := subgraph{Entities: []entity{}, Relations: []relation{}}
	names := map[string]bool{}
	for _, e := range g.entities {
		if wanted(e) {
			e.Observations = slices.Clone(e.Observations)
			out.Entities = append(out.Entities, e)
			names[e.Name] = true
		}
	}
	for _, r := range g.relations {
		if names[r.From] || names[r.To] {
			out.Relations = append(out.Relations, r)
		}
	}
	return out
}

// clear removes everything.
func (g *graph) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.entities, g.relations = nil, nil
}

// matches reports whether any word of a query occurs in an entity.
func matches(query string) func(entity) bool {
	asked := words(query)
	return func(e entity) bool {
		return sharesWord(asked, words(strings.Join(append([]string{e.Name, e.EntityType}, e.Observations...), " ")))
	}
}
