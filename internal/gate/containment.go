// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/provenance"
)

// turnSource names the source of writes that say what a user said.
const turnSource = "turn"

// quotes makes a write the user's own that says nothing but what the user said last in its session, whoever hands it in: with
// the authority of the channel that the turn came through or, where harness code reported the turn, by prefix. A claim that
// lowers its class stands.
func (l lineage) quotes(ctx context.Context, o *origin, w words) error {
	if l.caller.speaks() || l.session == "" || slices.Contains(o.cappedBy, cappedByClaim) {
		return nil
	}
	turn, ok, err := l.turn(ctx)
	if err != nil || !ok || !overlap.Contained(w.content, turn.Content) || !l.besideTurn(ctx, w, turn) {
		return err
	}
	*o = origin{class: provenance.UserInput, source: turnSource, writer: turn.Writer, quoted: true}
	if o.authenticated = turn.Writer.Authenticated(); o.authenticated {
		o.source += ":" + turn.Writer.Channel
	} else {
		o.prefix, o.writer = true, l.caller.writer()
	}
	l.gate.metrics.quoted(o.authenticated)
	return nil
}

// besideTurn reports whether what stands beside a content adds nothing to a turn that contains the content: it names nothing
// that the turn does not, and gives no instruction. The user said none of it.
func (l lineage) besideTurn(ctx context.Context, w words, turn memory.Turn) bool {
	w.content = ""
	said := overlap.OfTurn(turn.Content)
	named := slices.Concat(w.tags, []string{w.kind, w.said()})
	for _, id := range overlap.Identifiers(overlap.Of(strings.Join(named, "\n"))) {
		if _, known := slices.BinarySearch(said, id); !known {
			return false
		}
	}
	if w.beside() == "" {
		return true
	}
	verdict := l.gate.screening(l.state).verdict(ctx, w, false)
	return !verdict.Directive && !verdict.Abstained
}

// asCaller is a record as it counts against those it is to replace. The words can be the user's; which memories they replace
// is for whoever handed them in to say, and counts for as much.
func (o origin) asCaller(r memory.Record) memory.Record {
	if o.quoted {
		r.Class, r.Zone = provenance.Min(r.Class, provenance.AgentInferred), memory.Working
	}
	return r
}
