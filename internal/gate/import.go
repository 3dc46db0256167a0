// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// importChannel names the way in of memories that an import brings and nothing of this agent vouches for.
const importChannel = "import"

// importReason is the reason of an import's commits.
const importReason = "import"

// Import reads what Export wrote, or lines in the same form. What the file and the memory's own tag both prove to be this
// agent's is written as it was, under its id, and what is there already is left alone. Everything else is treated as
// written by nobody: of class Unknown, screened, waiting for a person, under a new id, with its source as a claim. Nothing is
// written before the whole file was read and its signature checked. It returns a *memory.FieldError for a file that is not
// whole, or an error of the store, before which memories may have been written; importing again goes on.
func (g *Gate) Import(ctx context.Context, p Person, in io.Reader) (out Imported, err error) {
	defer g.metrics.time("import")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return Imported{}, err
	}
	sp, err := readSpool(s, g.spoolDir, in)
	if err != nil {
		return Imported{}, err
	}
	defer func() { err = errors.Join(err, sp.close()) }()
	run := &importing{
		deciding: &deciding{
			gate: g, state: s, namespace: namespace, actor: personActor + p.Principal, principal: p.Principal,
			reason: importReason, now: g.now(),
		},
		signed: sp.signed, out: Imported{Signed: sp.signed},
	}
	err = sp.each(func(line []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return run.line(ctx, line)
	})
	if err == nil {
		err = run.flush(ctx)
	}
	return run.out, err
}

// importing is one run of an import.
type importing struct {
	*deciding
	signed  bool
	out     Imported
	batch   []memory.Change      // to be written
	bytes   int                  // of content in batch
	waiting []memory.WaitingItem // of class Unknown, as of this import
	loaded  bool                 // whether waiting was read
}

// line takes in one line.
func (i *importing) line(ctx context.Context, line []byte) error {
	if len(strings.TrimSpace(string(line))) == 0 {
		return nil
	}
	e, err := parseLine(line)
	if err != nil {
		i.out.Refused++
		return nil
	}
	record := e.Record()
	own := i.signed && record.Namespace == i.namespace &&
		i.state.Keyset.Verify(record.Tag, record.Tuple(i.state.Runtime.AgentID).Message()) == nil
	if own {
		return i.restore(ctx, record)
	}
	return i.adopt(ctx, record)
}

// restore takes in a memory of this agent as it was.
func (i *importing) restore(ctx context.Context, record memory.Record) error {
	if len(record.Erased) > 0 {
		i.out.Refused++ // there is nothing of it to bring back
		return nil
	}
	record.UpdatedAt, record.Tag, record.Commit = i.now, nil, memory.Commit{}
	if record = record.Capped(); record.CheckPin() != nil {
		record.Pinned = false
	}
	return i.add(ctx, record)
}

// adopt takes in a memory that nothing of this agent vouches for.
func (i *importing) adopt(ctx context.Context, r memory.Record) error {
	if checkContent(i.state.Runtime, r.Content) != nil || checkKind(r.Kind) != nil || len(r.Erased) > 0 {
		i.out.Refused++
		return nil
	}
	claim, err := provenance.ReadClaim(r.Source, nil)
	if err != nil {
		i.out.Refused++
		return nil
	}
	o := origin{class: provenance.Unknown, source: claim.Base, writer: memory.Writer{Channel: importChannel, Principal: i.principal}}
	if o.source == "" {
		o.source = channelSource + importChannel
	}
	w := Write{
		Content: r.Content, Kind: r.Kind, Tags: r.Tags, Subject: r.Subject, Metadata: r.Metadata,
		Confidence: r.Confidence, Salience: r.Salience,
	}
	verdict, outcome := i.gate.decide(i.state.Runtime, o, w.words(o.source), i.now)
	record := newRecord(i.namespace, o, w, verdict, outcome, i.now).Capped()
	if record.FoldedInto, err = i.leadOf(ctx, record); err != nil {
		return err
	}
	return i.add(ctx, record)
}

// leadOf folds near-duplicates like Encode does; what waits is read once for the whole import.
func (i *importing) leadOf(ctx context.Context, record memory.Record) (string, error) {
	if !i.loaded {
		waiting, err := i.gate.store.Waiting(ctx, memory.Waiting{
			Namespace: i.namespace, Principal: i.principal, Class: provenance.Unknown,
		})
		if err != nil {
			return "", err
		}
		i.waiting, i.loaded = slices.DeleteFunc(waiting, func(w memory.WaitingItem) bool { return expired(w, i.now) }), true
	}
	sketch := memory.Sketch(record.Content)
	for _, id := range nearest(sketch, i.waiting) {
		for _, c := range i.batch {
			if c.Record.ID == id && leads(c.Record, record) {
				return id, nil
			}
		}
	}
	lead, err := i.gate.lead(ctx, i.state, record, i.waiting)
	if err == nil && lead == "" && len(i.waiting) < memory.MaxWaiting {
		i.waiting = append(i.waiting, memory.WaitingItem{ID: record.ID, Sketch: sketch, Expiry: record.Expiry})
	}
	return lead, err
}

// add puts a memory into the batch, and writes the batch when it is full. What cannot be stored is refused.
func (i *importing) add(ctx context.Context, record memory.Record) error {
	change := memory.Change{
		Type: memory.ChangeCreate, Record: record, Actor: i.actor, Reason: i.reason, Sign: signer(i.state),
	}
	if change.Validate() != nil || i.holds(record.ID) {
		i.out.Refused++
		return nil
	}
	i.batch = append(i.batch, change)
	if i.bytes += len(record.Content); len(i.batch) < transferPage && i.bytes < MaxAnswerBytes {
		return nil
	}
	return i.flush(ctx)
}

// holds reports whether the batch has a memory of this id: a file names each once.
func (i *importing) holds(id string) bool {
	return slices.ContainsFunc(i.batch, func(c memory.Change) bool { return c.Record.ID == id })
}

// flush writes the batch, without what is there already.
func (i *importing) flush(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	ids := make([]string, len(i.batch))
	for n, c := range i.batch {
		ids[n] = c.Record.ID
	}
	heads, err := i.gate.store.Heads(ctx, ids)
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(i.batch, func(c memory.Change) bool { return heads[c.Record.ID].Seq > 0 })
	i.out.Present += len(ids) - len(fresh)
	i.batch, i.bytes = nil, 0
	if len(fresh) == 0 {
		return nil
	}
	if _, err := i.gate.store.CommitAll(ctx, fresh); err != nil {
		return err
	}
	i.out.Restored += len(fresh)
	i.gate.metrics.imported.Add(float64(len(fresh)))
	return nil
}
