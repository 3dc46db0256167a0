// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/provenance"
)

// Kinds of records that make up the knowledge graph of the reference memory server, and where their parts are kept: the
// name of an entity, the entity of an observation and the start of a relation are the record's subject.
const (
	kindEntity      = "entity"
	kindObservation = "observation"
	kindRelation    = "relation"

	fieldEntityType   = "entityType"
	fieldTo           = "to"
	fieldRelationType = "relationType"
)

// Bounds of one answer about the graph.
const (
	maxGraphRecords  = 20000
	maxGraphBytes    = 4 << 20
	maxLooseNames    = 500 // ends of relations looked up because no entity of the answer bears their name
	maxNamesByName   = 50  // entities whose observations are looked up one by one
	maxNotedIDs      = 20
	graphPage        = gate.MaxPage
	entityTextFormat = "%s (%s)"
)

type entity struct {
	Name         string   `json:"name" doc:"Name of the entity"`
	EntityType   string   `json:"entityType" doc:"Type of the entity"`
	Observations []string `json:"observations" nullable:"false" doc:"What was observed about it"`
}

type relation struct {
	From         string `json:"from" doc:"Name of the entity it starts at"`
	To           string `json:"to" doc:"Name of the entity it ends at"`
	RelationType string `json:"relationType" doc:"Type of the relation"`
}

type graph struct {
	Entities  []entity   `json:"entities" nullable:"false"`
	Relations []relation `json:"relations" nullable:"false"`
}

// text is what is stored, and therefore screened, for an entity.
func (e entity) text() string { return fmt.Sprintf(entityTextFormat, e.Name, e.EntityType) }

// text is what is stored, and therefore screened, for a relation.
func (r relation) text() string { return r.From + " " + r.RelationType + " " + r.To }

// entityOf reads a record. A record whose screened text says something else than its fields is none: nothing is shown that
// was not screened.
func entityOf(d gate.Delivered) (entity, bool) {
	e := entity{Name: d.Subject, EntityType: d.Metadata[fieldEntityType], Observations: []string{}}
	return e, d.Kind == kindEntity && e.Name != "" && d.Content == e.text()
}

func relationOf(d gate.Delivered) (relation, bool) {
	r := relation{From: d.Subject, To: d.Metadata[fieldTo], RelationType: d.Metadata[fieldRelationType]}
	return r, d.Kind == kindRelation && r.From != "" && r.To != "" && d.Content == r.text()
}

// held counts what an answer about the graph leaves out, and what it delivers.
type held struct {
	withheld  int // records that may not be delivered
	hidden    int // relations that name an entity which may not be delivered
	review    int // delivered records that wait for a person
	lowest    provenance.Class
	truncated bool
}

// graphReader reads the graph through the gate, so that every record in it is checked and logged as delivered.
type graphReader struct {
	*service
	talk    conversation
	held    held
	records int
	bytes   int
	whole   bool // reads all there is, as what is read is looked at and not answered with
}

func (s *service) reader(c conversation) *graphReader {
	return &graphReader{service: s, talk: c, held: held{lowest: provenance.UserInput}}
}

// look calls yield with every delivered record of a listing.
func (s *service) look(ctx context.Context, c conversation, l gate.Listing, yield func(gate.Delivered)) error {
	r := s.reader(c)
	r.whole = true
	return r.each(ctx, l, yield)
}

// each calls yield with every delivered record of a listing, in order of creation, until the answer is full.
func (r *graphReader) each(ctx context.Context, l gate.Listing, yield func(gate.Delivered)) error {
	l.Session, l.Limit = r.talk.session, graphPage
	for {
		page, err := r.gate.List(ctx, r.talk.caller, l)
		if err != nil {
			return err
		}
		r.held.withheld += len(page.Withheld)
		for _, d := range page.Memories {
			r.records++
			r.bytes += len(d.Content)
			if d.Boundary != "Safe" {
				r.held.review++
			}
			if d.Class.Below(r.held.lowest) {
				r.held.lowest = d.Class
			}
			yield(d)
		}
		if page.Next == "" {
			return nil
		}
		if !r.whole && (r.records >= r.maxRecords || r.bytes >= maxGraphBytes) {
			r.held.truncated = true
			return nil
		}
		l.Cursor = page.Next
	}
}

// load reads the graph; of observations only those of the named entities, or all if names is nil.
func (r *graphReader) load(ctx context.Context, names []string) (graph, error) {
	var observations, relations []gate.Delivered
	g := graph{Entities: []entity{}, Relations: []relation{}}
	at := map[string]int{}
	kinds := []string{kindEntity, kindObservation, kindRelation}
	oneByOne := names != nil && len(names) <= maxNamesByName
	if oneByOne {
		kinds = []string{kindEntity, kindRelation}
	}
	err := r.each(ctx, gate.Listing{Kinds: kinds}, func(d gate.Delivered) {
		switch d.Kind {
		case kindObservation:
			observations = append(observations, d)
		case kindRelation:
			relations = append(relations, d)
		default:
			if e, ok := entityOf(d); ok {
				if _, twice := at[e.Name]; !twice {
					at[e.Name] = len(g.Entities)
					g.Entities = append(g.Entities, e)
				}
			}
		}
	})
	if err != nil {
		return g, err
	}
	if oneByOne {
		for _, name := range names {
			if _, ok := at[name]; !ok {
				continue
			}
			listing := gate.Listing{Kinds: []string{kindObservation}, Subject: name}
			if err := r.each(ctx, listing, func(d gate.Delivered) { observations = append(observations, d) }); err != nil {
				return g, err
			}
		}
	}
	for _, d := range observations {
		if i, ok := at[d.Subject]; ok {
			g.Entities[i].Observations = append(g.Entities[i].Observations, d.Content)
		}
	}
	g.Relations, err = r.visible(ctx, relations, at)
	return g, err
}

// visible returns the relations whose ends are delivered entities, or names that no entity bears. A relation that names an
// entity which is held back is held back as well, or the name would come out that way.
func (r *graphReader) visible(ctx context.Context, records []gate.Delivered, entities map[string]int) ([]relation, error) {
	out := []relation{}
	loose := map[string]bool{} // names that are not delivered: whether they may be shown
	for _, d := range records {
		rel, ok := relationOf(d)
		if !ok {
			continue
		}
		show := true
		for _, name := range []string{rel.From, rel.To} {
			if _, delivered := entities[name]; delivered {
				continue
			}
			free, known := loose[name]
			if !known {
				var err error
				if free, err = r.unused(ctx, name, len(loose)); err != nil {
					return nil, err
				}
				loose[name] = free
			}
			show = show && free
		}
		if !show {
			r.held.hidden++
			continue
		}
		out = append(out, rel)
	}
	return out, nil
}

// unused reports whether no entity bears this name, delivered or held back.
func (r *graphReader) unused(ctx context.Context, name string, lookedUp int) (bool, error) {
	if r.held.truncated || lookedUp >= maxLooseNames {
		r.held.truncated = true
		return false, nil
	}
	page, err := r.gate.List(ctx, r.talk.caller, gate.Listing{
		Kinds: []string{kindEntity}, Subject: name, Limit: 1, Session: r.talk.session,
	})
	if err != nil {
		return false, err
	}
	return len(page.Memories) == 0 && len(page.Withheld) == 0, nil
}

// around returns the part of a graph that keep selects: its entities, and the relations that start or end at one.
func (g graph) around(keep func(entity) bool) graph {
	out := graph{Entities: []entity{}, Relations: []relation{}}
	names := map[string]bool{}
	for _, e := range g.Entities {
		if keep(e) {
			names[e.Name] = true
			out.Entities = append(out.Entities, e)
		}
	}
	for _, r := range g.Relations {
		if names[r.From] || names[r.To] {
			out.Relations = append(out.Relations, r)
		}
	}
	return out
}

// matches returns whether an entity contains the query in its name, type or observations, in any case of letters.
func matches(query string) func(entity) bool {
	lower := cases.Lower(language.Und) // the full case mapping, as JavaScript's
	query = lower.String(query)
	contains := func(s string) bool { return strings.Contains(lower.String(s), query) }
	return func(e entity) bool {
		return contains(e.Name) || contains(e.EntityType) || slices.ContainsFunc(e.Observations, contains)
	}
}
