// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// maxKeptBack is how many texts of one read that the ledger does not know are put into Quarantine because they are withheld. The
// others are withheld as well, and come there when they are read again.
const maxKeptBack = 20

// UpstreamText is a text that an upstream hands out.
type UpstreamText struct {
	Text string
	// Metadata marks what stands beside memories: an id, a time, a score. It is screened as well, and where it is too short to
	// say anything, it is neither looked up nor counts as delivered.
	Metadata bool
	// Entries are what the text is a list of, as each was perhaps stored, at most MaxUpstreamTexts; nil for a text of one entry. They
	// count instead of a text that the ledger does not know, where it knows at least one of them.
	Entries []string
}

// UpstreamRead is what an upstream hands out in one answer.
type UpstreamRead struct {
	Upstream, Tool, Session string
	Texts                   []UpstreamText // at most MaxUpstreamTexts, each at most as long as a memory
}

// UpstreamVerdict says what becomes of one text.
type UpstreamVerdict struct {
	Withheld bool
	Reason   string           // coarse, for the agent: one of Reasons; set in DryRun too
	Class    provenance.Class // under which it counts as delivered
	Boundary memory.Boundary
}

// UpstreamRecalled says what becomes of the texts of an UpstreamRead. A text that is not withheld passes byte for byte.
type UpstreamRecalled struct {
	Texts   []UpstreamVerdict // one for each text, in their order
	Caution string            // how to treat what is delivered; empty where nothing has to be said
	Message string            // what was withheld and what to do about it; empty where nothing was
}

// RecallUpstream decides about texts that an upstream hands out, as Recall does about memories: those that the ledger knows count
// with the class, zone and state that are signed there; all others are of class Unknown and come from nobody. A text is withheld
// if it is Blocked, or gives an instruction and its origin is not trusted; one that the ledger does not know waits in Quarantine
// then, so that a person can let it through. What is delivered is logged, lowers the session's mark, and is recognized in later
// writes. It returns ErrNotReady, a *TooLargeError, a *memory.FieldError, or an error of the store; nothing may be delivered then.
func (g *Gate) RecallUpstream(ctx context.Context, c Caller, r UpstreamRead) (UpstreamRecalled, error) {
	defer g.metrics.time("upstreamRead")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return UpstreamRecalled{}, err
	}
	call := UpstreamCall{Upstream: r.Upstream, Tool: r.Tool, Session: r.Session}
	if err := call.check(s.Runtime, v1alpha1.UpstreamKindMemory); err != nil {
		return UpstreamRecalled{}, err
	}
	texts, said := make([]string, len(r.Texts)), make([]string, 0, len(r.Texts))
	for i, t := range r.Texts {
		texts[i] = t.Text
		if !t.aside() {
			said = append(said, t.Text)
		}
	}
	if err := checkTexts(s.Runtime, texts); err != nil {
		return UpstreamRecalled{}, err
	}
	said = distinct(said)
	read := &reading{delivery: g.deliver(s, namespace, r.Session, g.now()), caller: c, upstream: r.Upstream, entries: entriesOf(r.Texts)}
	if read.ledger, err = g.ledger(ctx, s, namespace, r.Upstream, read.withEntries(said)); err != nil {
		return UpstreamRecalled{}, err
	}
	if err := read.look(ctx, said); err != nil {
		return UpstreamRecalled{}, err
	}
	read.lookBeside(r.Texts)
	if err := read.finish(ctx); err != nil {
		return UpstreamRecalled{}, err
	}
	g.metrics.upstreamRead(read)
	return read.answer(r.Texts), nil
}

// maxAside is how long a text beside memories is that can be too short to say anything, in bytes, and maxAsideSigns how many letters
// beyond ASCII it has, since some scripts write whole sentences without a space.
const (
	maxAside      = 128
	maxAsideSigns = 16
)

// aside reports whether a text stands beside memories and is too short to say anything: an id, a time, a number, a name.
func (t UpstreamText) aside() bool {
	if strings.TrimSpace(t.Text) == "" {
		return true
	}
	if !t.Metadata || len(t.Text) > maxAside || len(strings.Fields(t.Text)) >= leastWords {
		return false
	}
	signs := 0
	for _, r := range t.Text {
		if r > unicode.MaxASCII {
			signs++
		}
	}
	return signs <= maxAsideSigns
}

// reading is one read that is decided about. Each text is decided about as a record: that of the ledger or, for what is not in
// there, what Encode would make of it if nobody had written it.
type reading struct {
	*delivery
	caller   Caller
	upstream string
	ledger   map[string]known
	entries  map[string][]string // of texts that are lists

	verdicts map[string]UpstreamVerdict
	at       map[string]int // places in delivered
	known    int            // texts that are delivered and that the ledger knows
	unknown  int            // and that it does not know
}

// look decides about all texts together.
func (r *reading) look(ctx context.Context, said []string) error {
	r.keepLists()
	said = r.withEntries(said)
	list, strangers := make([]verified, len(said)), map[int]bool{}
	for i, t := range said {
		v, is := r.ledger[t].says(r.runtime, r.now)
		if !is {
			v, strangers[i] = r.stranger(t), true
		}
		list[i] = v
	}
	r.verdicts, r.at = make(map[string]UpstreamVerdict, len(said)), make(map[string]int, len(said))
	looks := r.screening.examine(ctx, list, r.now)
	var back []draft
	for i, v := range list {
		if looks[i].reason != "" && strangers[i] && len(back) < maxKeptBack {
			back = append(back, r.keptBack(v, r.ledger[said[i]], looks[i].reason))
		}
		if r.entries[said[i]] != nil && looks[i].reason == "" {
			continue // its entries count
		}
		reason := r.offer(v, looks[i], 0)
		verdict := UpstreamVerdict{
			Withheld: reason != "", Reason: string(looks[i].reason), Class: provenance.Min(v.record.Class), Boundary: memory.Blocked,
		}
		if v.fault != "" {
			verdict.Class = provenance.Unknown
		}
		if reason == "" {
			r.at[said[i]] = len(r.delivered) - 1
			verdict.Class = r.log[len(r.log)-1].Class
			if strangers[i] {
				r.unknown++
			} else {
				r.known++
			}
		}
		r.verdicts[said[i]] = verdict
	}
	for i, t := range said {
		if _, decided := r.verdicts[t]; !decided {
			r.verdicts[t] = r.ofEntries(t, looks[i])
		}
	}
	return r.keepBack(ctx, back)
}

// entriesOf returns the entries of the texts that have some.
func entriesOf(texts []UpstreamText) map[string][]string {
	out := map[string][]string{}
	for _, t := range texts {
		if list := distinct(t.Entries); len(list) > 0 && len(list) <= MaxUpstreamTexts && !t.aside() {
			out[t.Text] = list
		}
	}
	return out
}

// withEntries returns the texts and the entries of those that are lists, each once.
func (r *reading) withEntries(said []string) []string {
	if len(r.entries) == 0 {
		return said
	}
	all := slices.Clone(said)
	for _, t := range said {
		all = append(all, r.entries[t]...)
	}
	return distinct(all)
}

// keepLists forgets the entries of texts that the ledger knows as they are, and of those none of whose entries it knows; and a list is
// no entry of another.
func (r *reading) keepLists() {
	knows := func(t string) bool { _, is := r.ledger[t].says(r.runtime, r.now); return is }
	inside := map[string]bool{}
	for t, list := range r.entries {
		if knows(t) || !slices.ContainsFunc(list, knows) {
			delete(r.entries, t)
			continue
		}
		for _, e := range list {
			inside[e] = true
		}
	}
	maps.DeleteFunc(r.entries, func(t string, _ []string) bool { return inside[t] })
}

// ofEntries is what becomes of a list that gives no instruction as a whole: it counts as the lowest of its entries, and as Unknown if
// one of them must not pass.
func (r *reading) ofEntries(text string, found look) UpstreamVerdict {
	v := UpstreamVerdict{Class: provenance.UserInput, Boundary: memory.Safe}
	if found.doubt {
		v.Boundary = memory.RequiresReview
	}
	for _, e := range r.entries[text] {
		its := r.verdicts[e]
		at, delivered := r.at[e]
		switch {
		case its.Withheld || !delivered:
			v.Class, v.Boundary = provenance.Unknown, memory.RequiresReview
		case r.delivered[at].Boundary != memory.Safe:
			v.Boundary = memory.RequiresReview
		}
		v.Class = provenance.Min(v.Class, its.Class)
	}
	return v
}

// stranger is the record that a text would have if nobody had written it.
func (r *reading) stranger(text string) verified {
	o := origin{
		class: provenance.Unknown, source: upstreamSource + r.upstream,
		writer: memory.Writer{Channel: upstreamChannel, Principal: r.upstream},
	}
	var none screen.Verdict
	record := newRecord(r.namespace, o, Write{Content: text, Session: r.session}, none, outcomeOf(r.runtime, o, none, r.now), r.now)
	record.ID, record.Kind, record.Subject = ledgerID(r.namespace, r.upstream, text, false), kindUpstream, upstreamSubject(r.upstream)
	return verified{record: record.Capped()}
}

// keptBack is the record of a text that the ledger does not know and that is withheld: in Quarantine, where a person finds it.
func (r *reading) keptBack(v verified, k known, reason Reason) draft {
	next, out := v.record, memory.Withheld(r.runtime.PendingExpiry(), r.now)
	next.Zone, next.State, next.Expiry = out.Zone, out.State, out.Expiry
	verdict, _ := r.gate.screenText(r.screening.state, wordsOf(next), false)
	next.Directive, next.Reasons = reason == ReasonDirective, verdict.Reasons
	d := draft{record: next}
	if k.own.there {
		d.record.CreatedAt, d.expect = k.own.record.CreatedAt, k.own.record.Seq
	}
	return d
}

// keepBack writes such records as far as the queue and the rate of the agent's writes leave room.
func (r *reading) keepBack(ctx context.Context, drafts []draft) error {
	if r.dryRun() || len(drafts) == 0 {
		return nil
	}
	s := r.screening.state
	q := &queue{gate: r.gate, state: s, now: r.now}
	var room []draft
	for _, d := range drafts {
		var full *LimitError
		err := r.gate.allowWrite(r.runtime, r.caller, r.now)
		if err == nil {
			err = q.place(ctx, &d.record, foldable)
		}
		switch {
		case errors.As(err, &full):
		case err != nil:
			return err
		default:
			room = append(room, d)
		}
	}
	rec := &recording{gate: r.gate, state: s, caller: r.caller, now: r.now}
	return rec.put(ctx, room)
}

// lookBeside decides about what stands beside memories and is too short to say much.
func (r *reading) lookBeside(texts []UpstreamText) {
	for _, t := range texts {
		if _, known := r.verdicts[t.Text]; !known && t.aside() {
			r.verdicts[t.Text] = r.beside(t.Text)
		}
	}
}

// answer says what becomes of each text, once all of them were looked at together.
func (r *reading) answer(texts []UpstreamText) UpstreamRecalled {
	out := UpstreamRecalled{Texts: make([]UpstreamVerdict, len(texts)), Caution: r.caution()}
	for i, t := range texts {
		v := r.verdicts[t.Text]
		if at, delivered := r.at[t.Text]; delivered {
			v.Boundary = r.delivered[at].Boundary
		}
		out.Texts[i] = v
	}
	if r.total() > 0 {
		out.Message = r.message()
	}
	return out
}

func (r *reading) beside(text string) UpstreamVerdict {
	v := UpstreamVerdict{Class: provenance.Unknown, Boundary: memory.RequiresReview}
	verdict, ok := r.gate.screenText(r.screening.state, words{content: text}, false)
	reason := Reason("")
	switch {
	case !ok:
		reason = ReasonUnreadable
	case verdict.Directive:
		reason = ReasonDirective
	}
	v.Reason, v.Withheld = string(reason), r.refuses(reason)
	if v.Withheld {
		v.Boundary = memory.Blocked
	}
	return v
}
