// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// importChannel names the way in of memories that an import brings and nothing of this agent vouches for.
const importChannel = "import"

// Reasons of an import's commits.
const (
	importReason         = "import"
	importMeridianReason = "import; the source verified with a MERIDIAN key"
)

// Import reads what Export wrote, or lines in the same form. What the file and the memory's own tag both prove to be this
// agent's is written as it was, under its id, and what is there already is left alone. Everything else is treated as
// written by nobody: of class Unknown, screened, waiting for a person, under a new id, with its source as a claim. Nothing is
// written before the whole file was read and its signature checked. It returns a *memory.FieldError for a file that is not
// whole, or an error of the store, before which memories may have been written; importing again goes on.
func (g *Gate) Import(ctx context.Context, p Person, in io.Reader) (Imported, error) {
	return g.ImportMeridian(ctx, p, in, nil)
}

// ImportMeridian is Import of a file whose memories an agent of MERIDIAN may have signed, with what checks its signatures. It
// is checked this once: a source that verifies counts as what its prefix says, and the memory is signed anew as one that the
// person imported; it stays in Working and justifies no action. One that does not verify is nobody's, as without a key.
func (g *Gate) ImportMeridian(ctx context.Context, p Person, in io.Reader, m *provenance.Meridian) (out Imported, err error) {
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
		signed: sp.signed, out: Imported{Signed: sp.signed}, meridian: m,
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
	signed bool
	out    Imported
	// meridian checks signed sources; nil where no key was given.
	meridian *provenance.Meridian
	batch    []memory.Change      // to be written
	bytes    int                  // of content in batch
	waiting  []memory.WaitingItem // of class Unknown, as of this import
	loaded   bool                 // whether waiting was read
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
	if len(record.Erased) > 0 || record.Kind == kindAction {
		i.out.Refused++ // there is nothing of it to bring back, or it would allow a call anew
		return nil
	}
	record.UpdatedAt, record.Tag, record.Commit = i.now, nil, memory.Commit{}
	if record = record.Capped(); record.CheckPin() != nil {
		record.Pinned = false
	}
	return i.add(ctx, record, importReason)
}

// adopt takes in a memory that nothing of this agent vouches for.
func (i *importing) adopt(ctx context.Context, r memory.Record) error {
	if checkContent(i.state.Runtime, r.Content) != nil || checkKind(r.Kind) != nil || len(r.Erased) > 0 {
		i.out.Refused++
		return nil
	}
	o, err := i.origin(r)
	if err != nil {
		i.out.Refused++
		return nil
	}
	w := Write{
		Content: r.Content, Kind: r.Kind, Tags: r.Tags, Subject: r.Subject, Metadata: r.Metadata,
		Confidence: r.Confidence, Salience: r.Salience,
	}
	// The judge is not asked: what nobody vouches for waits marked, and is judged when it is recalled.
	verdict, _ := i.gate.screenText(i.state, w.words(o.source), o.trusted())
	outcome := outcomeOf(i.state.Runtime, o, verdict, i.now)
	record := newRecord(i.namespace, o, w, verdict, outcome, i.now).Capped()
	reason := importReason
	if o.class != provenance.Unknown {
		reason = importMeridianReason
	} else if record.FoldedInto, err = i.leadOf(ctx, record); err != nil {
		return err
	}
	return i.add(ctx, record, reason)
}

// origin is where a memory came from that nothing of this agent vouches for: nobody, unless an agent of MERIDIAN signed its
// source. Then it is of the class that the source stands for, as one that was believed by its prefix.
func (i *importing) origin(r memory.Record) (origin, error) {
	o := origin{class: provenance.Unknown, writer: memory.Writer{Channel: importChannel, Principal: i.principal}}
	claim, err := provenance.ReadClaim(r.Source, trustedFormats(i.state.Runtime))
	if err != nil {
		return o, err
	}
	if o.source = claim.Base; o.source == "" {
		o.source = channelSource + importChannel
	}
	if i.meridian == nil {
		return o, nil
	}
	if base, ok := i.meridian.Verify(r.Source, r.Content); ok && base == claim.Base && claim.Class != "" {
		o.class = claim.Class
		o.prefix = claim.TrustedPrefix && i.state.Runtime.TrustMode == v1alpha1.TrustModePrefix
		i.out.Verified++
	}
	return o, nil
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
func (i *importing) add(ctx context.Context, record memory.Record, reason string) error {
	change := memory.Change{
		Type: memory.ChangeCreate, Record: record, Actor: i.actor, Reason: reason, Sign: signer(i.state),
	}
	if c := (correlation{gate: i.gate, state: i.state, namespace: i.namespace, now: i.now}); c.enabled() {
		if p, ok := c.partOf(record); ok {
			change.Fragment = p.fragment(record, i.now)
		}
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
