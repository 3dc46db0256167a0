// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of looking for corroboration.
const (
	maxCorroborators   = 64   // ids a person may name
	corroboratorSearch = 200  // candidates that are looked at where none are named
	maxSearchBytes     = 1024 // of the content that is searched by
)

// promote raises a memory by one zone, if the rules allow it. The rules and how they fared are in the answer either way.
func (w *deciding) promote(ctx context.Context, target verified, d Decision, out *Decided) error {
	if d.Zone != memory.Working && d.Zone != memory.Trusted {
		return &memory.FieldError{Field: "zone", Fix: "name the zone to reach: Working or Trusted"}
	}
	if len(d.Corroborators) > maxCorroborators {
		return &memory.FieldError{Field: "corroborators", Fix: fmt.Sprintf("name at most %d", maxCorroborators)}
	}
	if target.record.Kind == kindForget {
		return &memory.TransitionError{Action: d.Action, From: target.record.Standing(),
			Possible: []memory.Action{memory.ActionApprove, memory.ActionReject}}
	}
	corroborators, err := w.corroborators(ctx, target.record, d)
	if err != nil {
		return err
	}
	roots, err := w.gate.provenRoots(ctx, w.state, w.namespace, target)
	if err != nil {
		return err
	}
	to, rules := memory.Promotion{
		Record: target.record, Roots: roots[target.record.ID], Reason: d.Reason, Anchor: d.Anchor,
		Corroborators: corroborators, Required: w.state.Runtime.Corroboration, Now: w.now,
	}.Check()
	for i, rule := range rules {
		if rule.Name == memory.RuleTransition && rule.Met && to.Zone != d.Zone {
			rules[i] = memory.Rule{Name: rule.Name, Explain: fmt.Sprintf("one zone at a time: from %s to %s", target.record.Zone, to.Zone)}
		}
	}
	out.Rules = rules
	if len(memory.Unmet(rules)) > 0 {
		return nil
	}
	if d.Anchor != (memory.Anchor{}) {
		w.reason = fmt.Sprintf("%s [evidence %s sha256:%s]", d.Reason, d.Anchor.SourceID, d.Anchor.EvidenceSHA256)
	}
	return w.admit(ctx, target, to, memory.ChangePromote)
}

// corroborators returns the memories a person names in support or, if they name none, those of a high class that come up when
// one looks for what the memory says. Whether they count is for the rules to say.
func (w *deciding) corroborators(ctx context.Context, r memory.Record, d Decision) ([]memory.Corroborator, error) {
	var records []memory.Record
	for _, id := range d.Corroborators {
		if !memory.ValidID(id) {
			return nil, &memory.FieldError{Field: "corroborators", Fix: "give ids of memories"}
		}
		record, err := w.gate.store.Get(ctx, w.namespace, id)
		if errors.Is(err, memory.ErrNotFound) {
			return nil, &memory.FieldError{Field: "corroborators", Fix: "name memories that are there; at least one of these is not"}
		}
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	if len(d.Corroborators) == 0 && d.Zone == memory.Trusted {
		var err error
		if records, err = w.support(ctx, r); err != nil {
			return nil, err
		}
	}
	checked, err := w.gate.verify(ctx, w.state, w.namespace, records)
	if err != nil || len(checked) == 0 {
		return nil, err
	}
	roots, err := w.gate.provenRoots(ctx, w.state, w.namespace, checked...)
	if err != nil {
		return nil, err
	}
	out := make([]memory.Corroborator, len(checked))
	for i, v := range checked {
		out[i] = memory.Corroborator{Record: v.record, Roots: roots[v.record.ID], Verified: v.fault == ""}
	}
	return out, nil
}

// support looks for memories of a high class that say something alike.
func (w *deciding) support(ctx context.Context, r memory.Record) ([]memory.Record, error) {
	found, err := w.gate.store.Search(ctx, memory.Query{
		Namespace: w.namespace, Text: cut(r.Content, maxSearchBytes), Zones: []memory.Zone{memory.Trusted, memory.Working},
		Limit: corroboratorSearch,
	})
	if err != nil {
		return nil, err
	}
	var out []memory.Record
	for _, c := range found {
		if c.Record.ID != r.ID && !c.Record.Class.Below(provenance.SystemMemory) {
			out = append(out, c.Record)
		}
		if len(out) == maxCorroborators {
			break
		}
	}
	return out, nil
}

// cut returns at most the first n bytes of s, without a torn rune at its end.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
