// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// maxGraphWrites bounds what one call stores or deletes: every record is a durable write of its own.
const maxGraphWrites = 1000

// graphLock serializes writes to the graph of one namespace: two calls at a time would both find a name unused.
func (s *service) graphLock(c conversation) *sync.Mutex {
	return &s.locks[maphash.String(s.seed, c.caller.Namespace)%uint64(len(s.locks))]
}

// graphWriter stores and forgets records of the graph, and keeps what the reference has no word for.
type graphWriter struct {
	*service
	talk      conversation
	stored    int
	waiting   []string // review ids of what was stored and may not be delivered
	hidden    int      // stored, and shown only once the entity is
	proposals []string // review ids of wishes to forget
	kept      int      // what could not be forgotten and is no proposal either
}

func (s *service) writer(c conversation) *graphWriter { return &graphWriter{service: s, talk: c} }

// store writes one record. It reports whether the record is in the graph now.
func (w *graphWriter) store(ctx context.Context, kind, subject, content string, metadata map[string]string) (bool, error) {
	out, err := w.gate.Encode(ctx, w.talk.caller, gate.Write{
		Content: content, Kind: kind, Subject: subject, Metadata: metadata, Session: w.talk.session,
	})
	if err != nil {
		if w.stored == 0 {
			return false, err
		}
		return false, callError(fmt.Sprintf("%s What comes before it in this call is stored (%d memories): look at the graph, and write what is missing.",
			w.explain(err, nil), w.stored))
	}
	w.stored++
	if !out.Recallable {
		w.waiting = append(w.waiting, out.ID)
	}
	return out.Recallable, nil
}

// forget takes out of the graph every record of a listing that match selects.
func (w *graphWriter) forget(ctx context.Context, l gate.Listing, match func(gate.Delivered) bool) error {
	var ids []string
	err := w.look(ctx, w.talk, l, func(d gate.Delivered) {
		if match(d) {
			ids = append(ids, d.ID)
		}
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		out, err := w.gate.Forget(ctx, w.talk.caller, id, gate.ForgetRequest{Session: w.talk.session})
		switch {
		case err != nil:
			return err
		case out.Done:
		case out.ReviewID != "":
			w.proposals = append(w.proposals, out.ReviewID)
		default:
			w.kept++
		}
	}
	return nil
}

// note says what became of the call beyond what the reference's result says.
func (w *graphWriter) note() string {
	var notes []string
	if n := len(w.waiting); n > 0 {
		notes = append(notes, fmt.Sprintf("%s stored in Quarantine and not in the graph: a person decides about it. Do not repeat or reword it. %s",
			counted(n, "part of what you wrote was", "parts of what you wrote were"), idsNote(w.waiting)))
	}
	if w.hidden > 0 {
		notes = append(notes, fmt.Sprintf("%s with an entity in Quarantine and shown only once that is.",
			counted(w.hidden, "observation is stored", "observations are stored")))
	}
	if n := len(w.proposals); n > 0 {
		notes = append(notes, fmt.Sprintf("%s still in the graph, as only a person may forget it; the wish waits for one. %s",
			counted(n, "memory is", "memories are"), idsNote(w.proposals)))
	}
	if w.kept > 0 {
		notes = append(notes, fmt.Sprintf("%s still in the graph, as only a person may forget it.", counted(w.kept, "memory is", "memories are")))
	}
	return strings.Join(notes, " ")
}

func idsNote(ids []string) string {
	shown := ids[:min(len(ids), maxNotedIDs)]
	if len(shown) < len(ids) {
		return "Review ids, the first of them: " + strings.Join(shown, ", ") + "."
	}
	return "Review ids: " + strings.Join(shown, ", ") + "."
}

func (w *graphWriter) meta() mcp.Meta {
	m := mcp.Meta{}
	if ids := append(append([]string{}, w.waiting...), w.proposals...); len(ids) > 0 {
		m[metaReviewIDs] = ids[:min(len(ids), maxNotedIDs)]
		m[metaPending] = len(ids)
	}
	return m
}

// graphWritten answers with what the reference answers with, and the writer's note.
func graphWritten[Out any](w *graphWriter, value Out, shown any) (reply[Out], error) {
	text, err := marshal(shown, "  ")
	if err != nil {
		return reply[Out]{}, err
	}
	return reply[Out]{value: value, text: []string{string(text), w.note()}, meta: w.meta()}, nil
}

func (w *graphWriter) deleted(what string) (reply[deletedOutput], error) {
	message := what + " deleted successfully"
	return reply[deletedOutput]{value: deletedOutput{Success: true, Message: message}, text: []string{message, w.note()}, meta: w.meta()}, nil
}

// checkName refuses a name before anything of its call is stored.
func checkName(field, name string, empty bool) error {
	switch {
	case name == "" && !empty:
		return &memory.FieldError{Field: field, Fix: "give a name; it cannot be empty"}
	case len(name) > memory.MaxSubjectBytes:
		return &memory.FieldError{Field: field, Fix: fmt.Sprintf("shorten to at most %d bytes", memory.MaxSubjectBytes)}
	case strings.ContainsFunc(name, unicode.IsControl):
		return &memory.FieldError{Field: field, Fix: "leave out control characters"}
	}
	return nil
}

func (s *service) checkObservations(field string, contents []string) error {
	most, _, err := s.gate.Limits()
	if err != nil {
		return err
	}
	for i, content := range contents {
		switch at := fmt.Sprintf("%s[%d]", field, i); {
		case strings.TrimSpace(content) == "":
			return &memory.FieldError{Field: at, Fix: "say something: an observation cannot be empty"}
		case len(content) > most:
			return &memory.FieldError{Field: at, Fix: fmt.Sprintf("shorten to at most %d bytes", most)}
		}
	}
	return nil
}

func checkCount(field string, n int) error {
	if n > maxGraphWrites {
		return &memory.FieldError{Field: field, Fix: fmt.Sprintf("give at most %d entities, observations and relations in one call", maxGraphWrites)}
	}
	return nil
}

func (s *service) createEntities(ctx context.Context, c conversation, in createEntitiesInput) (reply[entitiesOutput], error) {
	count := len(in.Entities)
	for i, e := range in.Entities {
		at := fmt.Sprintf("entities[%d].", i)
		if err := checkName(at+"name", e.Name, false); err != nil {
			return reply[entitiesOutput]{}, err
		}
		if err := checkName(at+"entityType", e.EntityType, true); err != nil {
			return reply[entitiesOutput]{}, err
		}
		if err := s.checkObservations(at+"observations", e.Observations); err != nil {
			return reply[entitiesOutput]{}, err
		}
		count += len(e.Observations)
	}
	if err := checkCount("entities", count); err != nil {
		return reply[entitiesOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	w, created := s.writer(c), []entity{}
	seen := map[string]bool{}
	for _, e := range in.Entities {
		exists, err := s.exists(ctx, c, e.Name)
		if err != nil {
			return reply[entitiesOutput]{}, err
		}
		if exists || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		shown, err := w.createEntity(ctx, e)
		if err != nil {
			return reply[entitiesOutput]{}, err
		}
		if shown != nil {
			created = append(created, *shown)
		}
	}
	return graphWritten(w, entitiesOutput{created}, created)
}

// createEntity stores an entity and its observations. It returns what of it is in the graph now, nil if nothing is.
func (w *graphWriter) createEntity(ctx context.Context, in entityInput) (*entity, error) {
	e := entity{Name: in.Name, EntityType: in.EntityType, Observations: []string{}}
	shown, err := w.store(ctx, kindEntity, e.Name, e.text(), map[string]string{fieldEntityType: e.EntityType})
	if err != nil {
		return nil, err
	}
	for _, content := range in.Observations {
		in, err := w.store(ctx, kindObservation, e.Name, content, nil)
		if err != nil {
			return nil, err
		}
		switch {
		case in && shown:
			e.Observations = append(e.Observations, content)
		case in:
			w.hidden++
		}
	}
	if !shown {
		return nil, nil
	}
	return &e, nil
}

// exists reports whether the graph shows an entity of this name.
func (s *service) exists(ctx context.Context, c conversation, name string) (bool, error) {
	found := false
	err := s.look(ctx, c, gate.Listing{Kinds: []string{kindEntity}, Subject: name}, func(d gate.Delivered) {
		_, ok := entityOf(d)
		found = found || ok
	})
	return found, err
}

func (s *service) createRelations(ctx context.Context, c conversation, in createRelationsInput) (reply[relationsOutput], error) {
	for i, r := range in.Relations {
		at := fmt.Sprintf("relations[%d].", i)
		for field, name := range map[string]string{"from": r.From, "to": r.To} {
			if err := checkName(at+field, name, false); err != nil {
				return reply[relationsOutput]{}, err
			}
		}
		if err := checkName(at+"relationType", r.RelationType, true); err != nil {
			return reply[relationsOutput]{}, err
		}
	}
	if err := checkCount("relations", len(in.Relations)); err != nil {
		return reply[relationsOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	known, err := s.relationsFrom(ctx, c, in.Relations)
	if err != nil {
		return reply[relationsOutput]{}, err
	}
	w, created := s.writer(c), []relation{}
	for _, r := range in.Relations {
		rel := relation{From: r.From, To: r.To, RelationType: r.RelationType}
		if known[rel] {
			continue
		}
		shown, err := w.store(ctx, kindRelation, rel.From, rel.text(), map[string]string{fieldTo: rel.To, fieldRelationType: rel.RelationType})
		if err != nil {
			return reply[relationsOutput]{}, err
		}
		if shown {
			created = append(created, rel)
		}
	}
	return graphWritten(w, relationsOutput{created}, created)
}

// relationsFrom returns the relations the graph has from the same entities as these.
func (s *service) relationsFrom(ctx context.Context, c conversation, like []relationInput) (map[relation]bool, error) {
	known, asked := map[relation]bool{}, map[string]bool{}
	for _, r := range like {
		if asked[r.From] {
			continue
		}
		asked[r.From] = true
		err := s.look(ctx, c, gate.Listing{Kinds: []string{kindRelation}, Subject: r.From}, func(d gate.Delivered) {
			if rel, ok := relationOf(d); ok {
				known[rel] = true
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (s *service) addObservations(ctx context.Context, c conversation, in addObservationsInput) (reply[addedOutput], error) {
	count := 0
	for i, o := range in.Observations {
		at := fmt.Sprintf("observations[%d].", i)
		if err := checkName(at+"entityName", o.EntityName, false); err != nil {
			return reply[addedOutput]{}, err
		}
		if err := s.checkObservations(at+"contents", o.Contents); err != nil {
			return reply[addedOutput]{}, err
		}
		count += len(o.Contents)
	}
	if err := checkCount("observations", count); err != nil {
		return reply[addedOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	// All entities are looked up before anything is stored: a call that names an unknown one stores nothing.
	known := map[string]map[string]bool{}
	for _, o := range in.Observations {
		exists, err := s.exists(ctx, c, o.EntityName)
		if err != nil {
			return reply[addedOutput]{}, err
		}
		if !exists {
			return reply[addedOutput]{}, callError("Entity with name " + o.EntityName + " not found")
		}
		if known[o.EntityName], err = s.observationsOf(ctx, c, o.EntityName); err != nil {
			return reply[addedOutput]{}, err
		}
	}
	w, results := s.writer(c), []added{}
	for _, o := range in.Observations {
		result := added{EntityName: o.EntityName, AddedObservations: []string{}}
		for _, content := range o.Contents {
			if known[o.EntityName][content] {
				continue
			}
			shown, err := w.store(ctx, kindObservation, o.EntityName, content, nil)
			if err != nil {
				return reply[addedOutput]{}, err
			}
			if shown {
				result.AddedObservations = append(result.AddedObservations, content)
			}
		}
		// Only now: like the reference, one list may say the same twice, and the next one may not repeat it.
		for _, content := range o.Contents {
			known[o.EntityName][content] = true
		}
		results = append(results, result)
	}
	return graphWritten(w, addedOutput{results}, results)
}

func (s *service) observationsOf(ctx context.Context, c conversation, name string) (map[string]bool, error) {
	known := map[string]bool{}
	err := s.look(ctx, c, gate.Listing{Kinds: []string{kindObservation}, Subject: name}, func(d gate.Delivered) {
		known[d.Content] = true
	})
	return known, err
}

func (s *service) deleteEntities(ctx context.Context, c conversation, in deleteEntitiesInput) (reply[deletedOutput], error) {
	if err := checkCount("entityNames", len(in.EntityNames)); err != nil {
		return reply[deletedOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	w := s.writer(c)
	gone := map[string]bool{}
	for _, name := range in.EntityNames {
		if name == "" || gone[name] {
			continue
		}
		gone[name] = true
		l := gate.Listing{Kinds: []string{kindEntity, kindObservation, kindRelation}, Subject: name}
		if err := w.forget(ctx, l, func(gate.Delivered) bool { return true }); err != nil {
			return reply[deletedOutput]{}, err
		}
	}
	if len(gone) > 0 {
		err := w.forget(ctx, gate.Listing{Kinds: []string{kindRelation}}, func(d gate.Delivered) bool {
			rel, ok := relationOf(d)
			return ok && gone[rel.To] && !gone[rel.From]
		})
		if err != nil {
			return reply[deletedOutput]{}, err
		}
	}
	return w.deleted("Entities")
}

func (s *service) deleteObservations(ctx context.Context, c conversation, in deleteObservationsInput) (reply[deletedOutput], error) {
	if err := checkCount("deletions", len(in.Deletions)); err != nil {
		return reply[deletedOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	w := s.writer(c)
	for _, d := range in.Deletions {
		if d.EntityName == "" || len(d.Observations) == 0 {
			continue
		}
		gone := map[string]bool{}
		for _, o := range d.Observations {
			gone[o] = true
		}
		l := gate.Listing{Kinds: []string{kindObservation}, Subject: d.EntityName}
		if err := w.forget(ctx, l, func(d gate.Delivered) bool { return gone[d.Content] }); err != nil {
			return reply[deletedOutput]{}, err
		}
	}
	return w.deleted("Observations")
}

func (s *service) deleteRelations(ctx context.Context, c conversation, in deleteRelationsInput) (reply[deletedOutput], error) {
	if err := checkCount("relations", len(in.Relations)); err != nil {
		return reply[deletedOutput]{}, err
	}
	lock := s.graphLock(c)
	lock.Lock()
	defer lock.Unlock()
	w := s.writer(c)
	gone, from := map[relation]bool{}, map[string]bool{}
	for _, r := range in.Relations {
		gone[relation{From: r.From, To: r.To, RelationType: r.RelationType}] = true
		from[r.From] = r.From != ""
	}
	for name, ok := range from {
		if !ok {
			continue
		}
		err := w.forget(ctx, gate.Listing{Kinds: []string{kindRelation}, Subject: name}, func(d gate.Delivered) bool {
			rel, ok := relationOf(d)
			return ok && gone[rel]
		})
		if err != nil {
			return reply[deletedOutput]{}, err
		}
	}
	return w.deleted("Relations")
}
