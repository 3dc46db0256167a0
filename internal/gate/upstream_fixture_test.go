// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"slices"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// upstreams gives a policy two memory servers and one with tools.
func upstreams(s *v1alpha1.MemoryTrustPolicySpec) {
	s.Upstreams = []v1alpha1.Upstream{
		{Name: "notes", URL: "http://localhost:1/mcp", Kind: v1alpha1.UpstreamKindMemory},
		{Name: "graph", URL: "http://localhost:2/mcp", Kind: v1alpha1.UpstreamKindMemory},
		{Name: "bank", URL: "http://localhost:3/mcp", Kind: v1alpha1.UpstreamKindTools},
	}
}

// served is a memory server named notes behind a gate. It keeps what it is asked to, perhaps in its own words, and whatever
// else finds its way there.
type served struct {
	*fixture
	name    string
	holds   []string
	rewords func(string) string
}

func newServed(t testing.TB, change ...func(*v1alpha1.MemoryTrustPolicySpec)) *served {
	t.Helper()
	return &served{
		fixture: newFixture(t, append([]func(*v1alpha1.MemoryTrustPolicySpec){users, upstreams}, change...)...), name: "notes",
		rewords: func(s string) string { return s },
	}
}

func (u *served) admit(session string, texts ...string) UpstreamAdmission {
	u.t.Helper()
	out, err := u.AdmitUpstreamWrite(u.ctx(), agent, UpstreamWrite{
		UpstreamCall: UpstreamCall{Upstream: u.name, Tool: "add", Session: session}, Texts: texts,
	})
	must(u.t, err)
	if out.Message == "" || (out.ticket == nil) == out.Allowed {
		u.t.Errorf("allowed %v with ticket %v: %q", out.Allowed, out.ticket, out.Message)
	}
	return out
}

// store has the agent store texts, if it may.
func (u *served) store(session string, texts ...string) UpstreamAdmission {
	u.t.Helper()
	out := u.admit(session, texts...)
	if !out.Allowed {
		return out
	}
	answer := make([]string, len(texts))
	for i, t := range texts {
		answer[i] = u.rewords(t)
	}
	u.holds = append(u.holds, answer...)
	must(u.t, u.RecordUpstream(u.ctx(), agent, out, answer))
	return out
}

// stores is store of what must be allowed.
func (u *served) stores(session string, texts ...string) {
	u.t.Helper()
	if out := u.store(session, texts...); !out.Allowed {
		u.t.Fatalf("%q was refused: %s", texts, out.Message)
	}
}

// recalls has the agent read everything the server holds.
func (u *served) recalls(session string) UpstreamRecalled {
	u.t.Helper()
	r := UpstreamRead{Upstream: u.name, Tool: "search", Session: session}
	for _, t := range u.holds {
		r.Texts = append(r.Texts, UpstreamText{Text: t})
	}
	out, err := u.RecallUpstream(u.ctx(), agent, r)
	must(u.t, err)
	if len(out.Texts) != len(r.Texts) {
		u.t.Fatalf("%d verdicts on %d texts", len(out.Texts), len(r.Texts))
	}
	return out
}

// reads is recalls of one text.
func (u *served) gets(session, text string) UpstreamVerdict {
	u.t.Helper()
	out, err := u.RecallUpstream(u.ctx(), agent, UpstreamRead{
		Upstream: u.name, Tool: "get", Session: session, Texts: []UpstreamText{{Text: text}},
	})
	must(u.t, err)
	if withheld := out.Message != ""; withheld != (out.Texts[0].Reason != "") {
		u.t.Errorf("message %q for %+v", out.Message, out.Texts[0])
	}
	return out.Texts[0]
}

// delivered fails the test unless a text is delivered under a class.
func (u *served) delivers(what, text string, class provenance.Class, boundary memory.Boundary) {
	u.t.Helper()
	if v := u.gets("reading "+what, text); v.Withheld || v.Class != class || v.Boundary != boundary {
		u.t.Errorf("%s: %q is %+v, want class %s, %s", what, text, v, class, boundary)
	}
}

// withholds fails the test unless a text is withheld for a reason.
func (u *served) withholds(what, text string, reason Reason) {
	u.t.Helper()
	if v := u.gets("reading "+what, text); !v.Withheld || v.Reason != string(reason) || v.Boundary != memory.Blocked {
		u.t.Errorf("%s: %q is %+v, want it withheld as %s", what, text, v, reason)
	}
}

// entry is the record of a text, as anybody wrote it.
func (u *served) entry(text string) memory.Record {
	u.t.Helper()
	return u.record(ledgerID(testNamespace, u.name, text, false))
}

// users is the record of a text, as a user said it.
func (u *served) userEntry(text string) memory.Record {
	u.t.Helper()
	return u.record(ledgerID(testNamespace, u.name, text, true))
}

// knows reports whether there is a record of a text.
func (u *served) knows(text string) bool {
	u.t.Helper()
	records, err := u.db.List(u.ctx(), memory.Filter{
		Namespace: testNamespace, Kinds: []string{kindUpstream}, IncludeForgotten: true, Limit: memory.MaxPageSize,
	})
	must(u.t, err)
	return slices.ContainsFunc(records, func(r memory.Record) bool { return r.Content == text })
}

// commits is how many entries the audit log has.
func (u *served) commits() int64 {
	u.t.Helper()
	head, err := u.db.Checkpoint(u.ctx())
	must(u.t, err)
	return head.Size
}
