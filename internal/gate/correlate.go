// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/screen/correlate"
)

// reasonCorrelation begins the reason, for people, of what completes a cluster; familyCorrelation is what the agent gets to know.
const (
	familyCorrelation = "correlation"
	reasonCorrelation = familyCorrelation + ": with other memories of untrusted origin it adds up to acting without asking"
)

// Bounds of looking at a cluster.
const (
	// maxSuspects is how many memories of a cluster are read and compared.
	maxSuspects = 16
	// sameText is the similarity from which two texts count as one that is said again. It is below memory.NearDuplicate: a text
	// with a word more or less adds no second voice.
	sameText = .6
)

// correlation looks at memories of untrusted origin together.
type correlation struct {
	gate      *Gate
	state     *policy.State
	namespace string
	now       time.Time
}

func (c correlation) enabled() bool { return c.state.Runtime.Screening.Correlation.Enabled() }

// part is a memory that carries a part of a plan.
type part struct {
	id       string
	root     string
	content  string
	signals  correlate.Signals
	mentions []correlate.Mention
}

// partOf reads a memory; false where it carries no part of a plan: what a trusted origin says is not looked at, and what is a
// directive by itself is kept from the agent anyway.
func (c correlation) partOf(r memory.Record) (part, bool) {
	if r.Class.High() || r.Directive || len(r.Erased) > 0 || !speaks(r) {
		return part{}, false
	}
	reading := c.gate.readings.of(r)
	return part{
		id: r.ID, root: r.ID, content: r.Content, signals: reading.Signals, mentions: reading.Mentions,
	}, reading.Signals.Fragment()
}

// fragment is what is kept of a part; nil where it names nothing by which others could be found.
func (p part) fragment(r memory.Record, now time.Time) *memory.Fragment {
	if len(p.mentions) == 0 {
		return nil
	}
	f := &memory.Fragment{Namespace: r.Namespace, RecordID: r.ID, Root: p.root, Class: r.Class, At: now}
	for _, m := range p.mentions {
		f.Mentions = append(f.Mentions, memory.FragmentMention{Entity: m.Entity, Signals: uint16(m.Signals)})
	}
	return f
}

// cluster returns the ids of those parts that belong to a cluster, with what is kept of other memories: whatever was written
// within the window, delivered or not.
func (c correlation) cluster(ctx context.Context, own []part) (map[string]bool, error) {
	byEntity, order := map[uint64][]suspect{}, []uint64(nil)
	for _, p := range own {
		for _, m := range p.mentions {
			if _, known := byEntity[m.Entity]; !known {
				order = append(order, m.Entity)
			}
			byEntity[m.Entity] = append(byEntity[m.Entity], suspect{id: p.id, root: p.root, signals: m.Signals, own: true})
		}
	}
	order, err := c.telling(ctx, order, byEntity)
	if err != nil {
		return nil, err
	}
	since := c.now.Add(-c.state.Runtime.Screening.Correlation.Window())
	var kept []memory.EntityFragment
	for some := range slices.Chunk(order, memory.MaxPageSize) {
		found, err := c.gate.store.Fragments(ctx, c.namespace, some, since)
		if err != nil {
			return nil, err
		}
		kept = append(kept, found...)
	}
	for _, f := range kept {
		byEntity[f.Entity] = withKept(byEntity[f.Entity], f)
	}
	members := map[string]bool{}
	for _, entity := range order {
		list := byEntity[entity]
		if !correlate.Judge(fragmentsOf(list)) {
			continue
		}
		list, err := c.refine(ctx, list, own)
		if err != nil {
			return nil, err
		}
		if correlate.Judge(fragmentsOf(list)) {
			markOwn(members, list)
		}
	}
	return members, nil
}

// telling returns those of the entities of which something is said of autonomy, now or before: the others need no look.
func (c correlation) telling(ctx context.Context, entities []uint64, own map[uint64][]suspect) ([]uint64, error) {
	var out, asked []uint64
	for _, e := range entities {
		if slices.ContainsFunc(own[e], func(s suspect) bool { return s.signals&correlate.Autonomy != 0 }) {
			out = append(out, e)
		} else {
			asked = append(asked, e)
		}
	}
	for some := range slices.Chunk(asked, memory.MaxPageSize) {
		found, err := c.gate.store.Telling(ctx, c.namespace, some)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// suspect is what a memory says about one entity.
type suspect struct {
	id, root string
	signals  correlate.Signals
	own      bool // it is one of those that are looked at now
	at       time.Time
}

// withKept adds what is kept of a memory. Of one that is looked at now, only the root is known better.
func withKept(list []suspect, f memory.EntityFragment) []suspect {
	for i, s := range list {
		if s.own && s.id == f.RecordID {
			list[i].root = f.Root
			return list
		}
	}
	return append(list, suspect{id: f.RecordID, root: f.Root, signals: correlate.Signals(f.Signals) & correlate.All, at: f.At})
}

func fragmentsOf(list []suspect) []correlate.Fragment {
	out := make([]correlate.Fragment, len(list))
	for i, s := range list {
		out[i] = correlate.Fragment{Root: s.root, Signals: s.signals}
	}
	return out
}

func markOwn(members map[string]bool, list []suspect) {
	for _, s := range list {
		if s.own {
			members[s.id] = true
		}
	}
}

// refine looks at the memories behind a cluster: those count no more that are gone, became trusted, or were approved by a person
// who saw them as part of a cluster, and those that say the same count as one. Where there are many, those that waive asking are
// looked at first.
func (c correlation) refine(ctx context.Context, list []suspect, own []part) ([]suspect, error) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b suspect) int { return cmp.Or(rankSuspect(a)-rankSuspect(b), b.at.Compare(a.at)) })
	list = list[:min(len(list), maxSuspects)]
	contents := map[string]string{}
	for _, p := range own {
		contents[p.id] = p.content
	}
	var ids []string
	for _, s := range list {
		if _, known := contents[s.id]; !known && !slices.Contains(ids, s.id) {
			ids = append(ids, s.id)
		}
	}
	records, err := c.gate.byID(ctx, c.state, c.namespace, ids)
	if err != nil {
		return nil, err
	}
	for id, v := range records {
		if v.fault == "" && len(v.record.Erased) == 0 && !v.record.Class.High() && v.record.State != memory.Rejected && !cleared(v.record) {
			contents[id] = v.record.Content
		}
	}
	list = slices.DeleteFunc(list, func(s suspect) bool { _, there := contents[s.id]; return !there })
	for i := range list {
		for k := range i {
			if list[i].root != list[k].root && memory.Similarity(contents[list[i].id], contents[list[k].id]) >= sameText {
				list[i].root = list[k].root
				break
			}
		}
	}
	return list, nil
}

func rankSuspect(s suspect) int {
	switch {
	case s.signals&correlate.Waive != 0:
		return 0
	case s.own:
		return 1
	}
	return 2
}

// cleared reports whether a person approved a memory that had waited as part of a cluster.
func cleared(r memory.Record) bool {
	return r.State == memory.Approved && r.ApprovedBy != "" && slices.Contains(r.Reasons, reasonCorrelation)
}

// topics returns the ids of those parts that belong to a cluster of one answer though they name nothing in common.
func (c correlation) topics(own []part) map[string]bool {
	fragments := make([]correlate.Fragment, len(own))
	for i, p := range own {
		fragments[i] = correlate.Fragment{Root: p.root, Signals: p.signals}
	}
	if correlate.JudgeTopics(fragments) == 0 {
		return nil
	}
	for i := range own {
		for k := range i {
			if memory.Similarity(own[i].content, own[k].content) >= sameText {
				fragments[i].Root = fragments[k].Root
				break
			}
		}
	}
	topics := correlate.JudgeTopics(fragments)
	members := map[string]bool{}
	for _, p := range own {
		if topics != 0 && p.signals.Concerns(topics) {
			members[p.id] = true
		}
	}
	return members
}

// found counts and logs a cluster.
func (c correlation) found(where string, members int) {
	c.gate.metrics.correlations.WithLabelValues(where).Inc()
	slog.Info("Memories of untrusted origin add up to acting without asking", "where", where, "namespace", c.namespace, "memories", members)
}
