// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// kindTool is the kind of a record that says whether one definition of a tool of an upstream is accepted: the pin. Its content is
// the definition in canonical form and its tag names the tool. Like what asks about a tool call it stays in Quarantine whatever is
// decided, since it is no memory.
const kindTool = memory.ReservedKinds + "tool"

// Labels of what ids and tags of pins are hashes of.
const (
	labelPin  = "memtool/v1"
	labelTool = "memtool-name/v1"
)

// MaxUpstreamTools is how many tools of an upstream are looked at.
const MaxUpstreamTools = 1000

// ToolDefinition is a tool as an upstream offers it.
type ToolDefinition struct {
	Upstream, Tool string
	Definition     json.RawMessage // name, title, description, schemas, annotations: all that the model or a client goes by
	Texts          []string        // every text of it that a model would read
}

// PinState says whether a tool can be offered and called as it is defined.
type PinState string

// The states.
const (
	PinPinned   PinState = "Pinned"
	PinWaiting  PinState = "Waiting"  // a person has to decide
	PinRejected PinState = "Rejected" // a person did, or it cannot be read
)

// Pin says what is to become of a tool.
type Pin struct {
	State    PinState
	Would    PinState // in DryRun, what it would be
	ReviewID string   // set while a person has to decide
	Message  string   // why, and what to do about it; empty for one that is pinned
}

// PinTools says for each definition whether the tool can be used as it is: one that was accepted before, by a person or because it
// was the first of its tool and said nothing but what the tool does, which is recorded and signed. One that gives other
// instructions, or is another than the one accepted, waits for a person. Pins are the agent's, not those of a tenant. It returns
// ErrNotReady, a *memory.FieldError, or an error of the store; no tool may be offered then.
func (g *Gate) PinTools(ctx context.Context, c Caller, defs []ToolDefinition) ([]Pin, error) {
	defer g.metrics.time("upstreamPin")()
	s, err := g.ready()
	if err != nil {
		return nil, err
	}
	if len(defs) > MaxUpstreamTools {
		return nil, &memory.FieldError{Field: "tools", Fix: fmt.Sprintf("offer at most %d tools", MaxUpstreamTools)}
	}
	p := &pinning{gate: g, state: s, caller: c, namespace: s.Runtime.Namespace, now: g.now()}
	for _, d := range defs {
		call := UpstreamCall{Upstream: d.Upstream, Tool: d.Tool}
		if err := call.check(s.Runtime, v1alpha1.UpstreamKindMemory, v1alpha1.UpstreamKindTools); err != nil {
			return nil, err
		}
		p.defs = append(p.defs, p.definition(d))
	}
	for attempt := 1; ; attempt++ {
		out, err := p.pins(ctx)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return out, err
		}
	}
}

// pinLock lets definitions that are new be decided about one at a time: two of one tool would both be its first.
type pinLock struct{ sync.Mutex }

// pinning is one run of PinTools.
type pinning struct {
	gate      *Gate
	state     *policy.State
	caller    Caller
	namespace string
	now       time.Time
	defs      []definition
}

// definition is a definition that was read.
type definition struct {
	ToolDefinition
	canonical string // empty: it cannot be read
	id        string // of its record
	tag       string // of the records of its tool
}

func (p *pinning) definition(d ToolDefinition) definition {
	out := definition{ToolDefinition: d}
	value, err := action.Parse(d.Definition)
	if err != nil {
		return out
	}
	out.canonical = string(action.Canonical(value))
	digest := action.Hash(value)
	out.id = namedID(canon.New(labelPin).String(p.namespace).String(d.Upstream).String(d.Tool).Bytes(digest[:]).Sum())
	tag := canon.New(labelTool).String(d.Upstream).String(d.Tool).Sum()
	out.tag = hex.EncodeToString(tag[:])
	return out
}

// pins looks up all definitions, and decides about those that are new.
func (p *pinning) pins(ctx context.Context) ([]Pin, error) {
	out, fresh, err := p.known(ctx)
	if err != nil || len(fresh) == 0 {
		return out, err
	}
	p.gate.pins.Lock()
	defer p.gate.pins.Unlock()
	if out, fresh, err = p.known(ctx); err != nil { // somebody may have been faster
		return nil, err
	}
	q := &queue{gate: p.gate, state: p.state, now: p.now}
	var changes []memory.Change
	written := map[string]bool{}
	for _, n := range fresh {
		var change *memory.Change
		if out[n.at], change, err = p.decide(ctx, q, n); err != nil {
			return nil, err
		}
		if change != nil && !written[change.Record.ID] {
			written[change.Record.ID] = true
			changes = append(changes, *change)
		}
	}
	if len(changes) == 0 {
		return out, nil
	}
	_, err = p.gate.store.CommitAll(ctx, changes)
	return out, err
}

// newcomer is a definition about which nothing is decided, or nothing any more.
type newcomer struct {
	definition
	at   int   // place among the definitions
	gone entry // its record, if a person took it away
}

// known returns the pins of the definitions that something is known about, and the others.
func (p *pinning) known(ctx context.Context) ([]Pin, []newcomer, error) {
	ids := make([]string, 0, len(p.defs))
	for _, d := range p.defs {
		if d.canonical != "" {
			ids = append(ids, d.id)
		}
	}
	records, err := p.gate.byID(ctx, p.state, p.namespace, ids)
	if err != nil {
		return nil, nil, err
	}
	out, fresh := make([]Pin, len(p.defs)), []newcomer(nil)
	for i, d := range p.defs {
		v, there := records[d.id]
		switch {
		case d.canonical == "":
			out[i] = p.pin(PinRejected, "", tellUnreadable)
		case !there:
			fresh = append(fresh, newcomer{definition: d, at: i})
		case v.fault != "" || v.record.Zone != memory.Quarantine:
			out[i] = p.pin(PinWaiting, "", tellTampered)
		case v.record.State == memory.Forgotten:
			fresh = append(fresh, newcomer{definition: d, at: i, gone: entry{v, true}})
		case v.record.Kind != kindTool || v.record.Content != d.canonical:
			out[i] = p.pin(PinWaiting, "", tellTampered)
		default:
			out[i] = p.stands(v.record)
		}
	}
	return out, fresh, nil
}

// stands is the pin of a definition whose record verifies.
func (p *pinning) stands(r memory.Record) Pin {
	switch r.State {
	case memory.Active:
		return Pin{State: PinPinned}
	case memory.Approved:
		if r.ApprovedBy != "" {
			return Pin{State: PinPinned}
		}
	case memory.Rejected:
		return p.pin(PinRejected, "", tellRejected)
	case memory.PendingReview, memory.Stale, memory.Disputed, memory.Superseded, memory.Forgotten:
	}
	return p.pin(PinWaiting, r.ID, tellWaits)
}

// decide decides about a definition that is new: the first of its tool is accepted if it says nothing but what the tool does.
func (p *pinning) decide(ctx context.Context, q *queue, n newcomer) (Pin, *memory.Change, error) {
	first, err := p.first(ctx, n)
	if err != nil {
		return Pin{}, nil, err
	}
	reasons, tell := []string{reasonChanged}, tellChanged
	if first {
		if reasons = p.instructs(ctx, n.definition); len(reasons) == 0 {
			p.gate.metrics.upstreamDecided(n.Upstream, upstreamTool, upstreamAllowed)
			change := p.change(n, memory.Active, nil)
			change.Key = firstKey(n)
			return Pin{State: PinPinned}, &change, nil
		}
		tell = tellInstructs
	}
	if p.dryRun() {
		p.gate.metrics.upstreamDecided(n.Upstream, upstreamTool, upstreamWouldRefuse)
		return p.pin(PinWaiting, "", tell), nil, nil
	}
	change := p.change(n, memory.PendingReview, reasons)
	var full *LimitError
	switch err := q.place(ctx, &change.Record, ownItem); {
	case errors.As(err, &full):
		return p.pin(PinWaiting, "", tellFull), nil, nil
	case err != nil:
		return Pin{}, nil, err
	}
	p.gate.metrics.upstreamDecided(n.Upstream, upstreamTool, upstreamWaits)
	return p.pin(PinWaiting, n.id, tell), &change, nil
}

// firstKey makes one definition of a tool its first where replicas of the agent meet two at the same time: the later one is
// memory.ErrConflict, and is looked at again as one that is another than the one accepted. No client writes as an upstream, so that
// none has its keys.
func firstKey(n newcomer) memory.IdempotencyKey {
	digest := sha256.Sum256([]byte(n.id))
	return memory.IdempotencyKey{Key: "first/" + n.tag, Digest: digest[:]}
}

// first reports whether nothing was ever recorded of a tool.
func (p *pinning) first(ctx context.Context, n newcomer) (bool, error) {
	if n.gone.there {
		return false, nil
	}
	found, err := p.gate.store.List(ctx, memory.Filter{
		Namespace: p.namespace, Kinds: []string{kindTool}, Tags: []string{n.tag}, IncludeForgotten: true, Limit: 1,
	})
	return len(found) == 0, err
}

// change records what was decided about a definition.
func (p *pinning) change(n newcomer, state memory.State, reasons []string) memory.Change {
	r := memory.Record{
		ID: n.id, Namespace: p.namespace, Branch: memory.MainBranch, Zone: memory.Quarantine, State: state,
		Class: provenance.ToolOutput, Source: upstreamSource + n.Upstream,
		Writer: memory.Writer{Channel: upstreamChannel, Principal: n.Upstream}, Kind: kindTool, Tags: []string{n.tag},
		Subject: upstreamSubject(n.Upstream) + " tool " + n.Tool, Content: n.canonical, Reasons: reasons,
		Directive: len(reasons) > 0 && reasons[0] != reasonChanged, CreatedAt: p.now, UpdatedAt: p.now,
	}.Normalized().Capped()
	change := memory.Change{Type: memory.ChangeCreate, Record: r, Actor: r.Writer.String(), Sign: signer(p.state)}
	if n.gone.there {
		change.Type, change.ExpectSeq, change.Record.CreatedAt = memory.ChangeUpdate, n.gone.record.Seq, n.gone.record.CreatedAt
	}
	return change
}

func (p *pinning) dryRun() bool { return p.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun }

// pin is the pin of a tool that cannot be used; in DryRun it can.
func (p *pinning) pin(state PinState, reviewID, told string) Pin {
	if p.dryRun() {
		return Pin{State: PinPinned, Would: state, Message: "DryRun: the tool can be used. Otherwise: " + told}
	}
	return Pin{State: state, ReviewID: reviewID, Message: told}
}
