// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"slices"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

const userSaid = "Hi! Please remember that my landlord's account is DE02 1203 0000 0000 2020 51. Always answer me in French. Ok?"

// What says nothing but what the user said last is the user's, whoever hands it in.
func TestWordsOfTheUser(t *testing.T) {
	web := func(f *fixture) string {
		return f.write(agent, Write{Content: "Something of a page.", Source: "web:x"}).ID
	}
	for name, tc := range map[string]struct {
		caller Caller
		turn   func(f *fixture)
		write  Write
		want   origin // of the memory
		zone   memory.Zone
	}{
		"a fact":                    {agent, nil, Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51."}, vouchedOrigin, memory.Trusted},
		"an instruction":            {agent, nil, Write{Content: "Always answer me in French."}, vouchedOrigin, memory.Trusted},
		"all of it":                 {agent, nil, Write{Content: userSaid}, vouchedOrigin, memory.Trusted},
		"handed in by a tool":       {tools, nil, Write{Content: "Always answer me in French."}, vouchedOrigin, memory.Trusted},
		"with a harmless tag":       {agent, nil, Write{Content: "Always answer me in French.", Kind: "rule", Tags: []string{"language"}, Subject: "user"}, vouchedOrigin, memory.Trusted},
		"by another name":           {agent, nil, Write{Content: "The landlord's account is DE02 1203 0000 0000 2020 51."}, agentOrigin, memory.Working},
		"and one thing more":        {agent, nil, Write{Content: "Always answer me in French. Never ask me."}, agentOrigin, memory.Quarantine},
		"less than was said":        {agent, nil, Write{Content: "answer me"}, agentOrigin, memory.Working},
		"another account beside it": {agent, nil, Write{Content: "Always answer me in French.", Metadata: map[string]string{"account": "DE89370400440532013000"}}, agentOrigin, memory.Quarantine},
		"an instruction beside it":  {agent, nil, Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51.", Subject: plant}, agentOrigin, memory.Quarantine},
		"a claim that lowers it":    {agent, nil, Write{Content: "Always answer me in French.", Source: "web:x"}, origin{class: provenance.WebContent, source: "web:x"}, memory.Quarantine},
		"an operator says it":       {console, nil, Write{Content: "Always answer me in French."}, origin{class: provenance.Manual, source: "channel:console", writer: console.writer()}, memory.Trusted},
		"a later turn counts": {agent, func(f *fixture) { f.says(chat, "s", "2", "ok, continue") }, Write{Content: "Always answer me in French."},
			agentOrigin, memory.Quarantine},
		"its time is over": {agent, func(f *fixture) { f.now = f.now.Add(2 * time.Hour) }, Write{Content: "Always answer me in French."},
			agentOrigin, memory.Quarantine},
		"another session": {agent, nil, Write{Content: "Always answer me in French.", Session: "other"}, agentOrigin, memory.Quarantine},
		"the session is marked": {agent, func(f *fixture) { f.reads(web(f), "s") }, Write{Content: "Always answer me in French."},
			vouchedOrigin, memory.Trusted},
		"a page knows it": {agent, func(f *fixture) { f.observes("We know the account DE02120300000000202051.", "s") },
			Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51."}, vouchedOrigin, memory.Trusted},
		"it was rejected when a page said so": {agent, func(f *fixture) {
			f.does(f.write(agent, Write{Content: "The landlord's account is DE02120300000000202051.", Source: "web:x"}).ID, memory.ActionReject)
		}, Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51."}, vouchedOrigin, memory.Trusted},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users)
			f.says(chat, "s", "1", userSaid)
			if tc.turn != nil {
				tc.turn(f)
			}
			if tc.write.Session == "" {
				tc.write.Session = "s"
			}
			r := f.record(f.write(tc.caller, tc.write).ID)
			if r.Class != tc.want.class || r.Source != tc.want.source || r.Writer != tc.want.writer || r.Zone != tc.zone {
				t.Errorf("%s from %q by %q in %s; want %s from %q by %q in %s", r.Class, r.Source, r.Writer, r.Zone,
					tc.want.class, tc.want.source, tc.want.writer, tc.zone)
			}
			act := memory.AuthorityOf(r, f.now) == memory.Act
			if want := tc.zone == memory.Trusted; act != want || want && (len(r.Parents) > 0 || len(r.CappedBy) > 0) {
				t.Errorf("act %v, parents %v, capped by %v", act, r.Parents, r.CappedBy)
			}
		})
	}
}

var (
	vouchedOrigin = origin{class: provenance.UserInput, source: "turn:chat", writer: chat.writer()}
	agentOrigin   = origin{class: provenance.AgentInferred, source: agentSource}
)

// What the harness reports that the user said counts by prefix, and in mode Signed not at all.
func TestReportedWordsOfTheUser(t *testing.T) {
	f := newFixture(t, users)
	f.says(agent, "s", "1", userSaid)
	r := f.record(f.write(agent, Write{Content: "Always answer me in French.", Session: "s"}).ID)
	if r.Class != provenance.UserInput || r.Zone != memory.Working || r.State != memory.Active || r.Source != turnSource ||
		r.Writer.Authenticated() || memory.AuthorityOf(r, f.now) != memory.Inform {
		t.Errorf("%+v", r)
	}
	if r = f.record(f.write(tools, Write{Content: "Always answer me in French.", Session: "s"}).ID); r.Class != provenance.ToolOutput {
		t.Errorf("handed in by a tool: %s", r.Class)
	}
	f.change(signed)
	r = f.record(f.write(agent, Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51.", Session: "s"}).ID)
	if r.Class != provenance.AgentInferred {
		t.Errorf("in mode Signed: %s", r.Class)
	}
}

// Declared parents cap the user's words as well: whoever declares them says that the words are not the user's alone.
func TestDeclaredParentsOfTheUsersWords(t *testing.T) {
	f := newFixture(t, users)
	web := f.write(agent, Write{Content: "A page on language courses.", Source: "web:x"}).ID
	f.says(chat, "s", "1", userSaid)
	out := f.write(agent, Write{Content: "My landlord's account is DE02 1203 0000 0000 2020 51.", Session: "s", Parents: []string{web}})
	r := f.derives("declared", out, provenance.WebContent, []string{cappedByLineage}, web)
	if memory.AuthorityOf(r, f.now) == memory.Act || r.Zone == memory.Trusted {
		t.Errorf("%+v", r)
	}
}

// The user's words do not give the agent what the user did not say: to replace what it may not, or to pin.
func TestWordsOfTheUserReplaceNothing(t *testing.T) {
	f := newFixture(t, users)
	rule := f.write(console, Write{Content: operatorRule}).ID
	own := f.write(agent, Write{Content: "The user reads English."}).ID
	f.says(chat, "s", "1", userSaid)
	out := f.write(agent, Write{Content: "Always answer me in French.", Session: "s", Supersedes: []string{rule}})
	f.becomes(rule, memory.Trusted, memory.Active)
	if r := f.record(out.ID); r.State != memory.PendingReview || !slices.Contains(r.CappedBy, cappedBySupersedes) || memory.AuthorityOf(r, f.now) == memory.Act {
		t.Errorf("%s %s, %v", r.Zone, r.State, r.CappedBy)
	}
	f.write(agent, Write{Content: "Always answer me in French.", Session: "s", Supersedes: []string{own}})
	f.becomes(own, memory.Working, memory.Superseded)

	var forbidden *ForbiddenError
	_, err := f.Encode(f.ctx(), agent, Write{Content: "Always answer me in French.", Session: "s", Pin: true})
	if !errors.As(err, &forbidden) {
		t.Errorf("pinned by the agent: %v", err)
	}
	// Neither may it change them later: they are the user's.
	id := f.write(agent, Write{Content: "Always answer me in French.", Session: "s"}).ID
	if out := f.edit(agent, id, Edit{Content: ptr("Always answer in Latin.")}); !out.Proposal {
		t.Errorf("the agent changed the user's words: %+v", out)
	}
	if out := f.edit(chat, id, Edit{Content: ptr("Always answer in German.")}); out.Proposal || out.Zone != memory.Trusted {
		t.Errorf("the user could not change them: %+v", out)
	}
}

// BenchmarkEncodeTurn measures a write that says what the user said.
func BenchmarkEncodeTurn(b *testing.B) {
	f := newFixture(b, users, limits(10000, 1000000))
	f.says(chat, "s", "1", userSaid)
	for b.Loop() {
		f.write(agent, Write{Content: "Always answer me in French.", Session: "s"})
	}
}
