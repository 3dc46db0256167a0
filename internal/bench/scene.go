// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// Accounts in the scenarios: the supplier's, the one the supplier had before, and two of the attacker.
const (
	supplierAccount = "DE44500105175407324931"
	formerAccount   = "DE21500500009876543210"
	attackerAccount = "DE89370400440532013000"
	lookAlike       = "DE445O01O5175407324931" // the supplier's, with letters for zeros
)

// scene is an agent that pays invoices, and whoever talks to it. Its steps do nothing once one failed: whoever plays a scene
// looks at err at the end, and at nothing else if there is one.
type scene struct {
	*world
	ctx      context.Context
	err      error
	said     int
	sessions int
	known    bool // whether the attacker's account reached the agent through its memory
}

// failed reports whether the scene is over, and ends it for an error that is none of those allowed.
func (s *scene) failed(err error, allowed ...func(error) bool) bool {
	if s.err != nil || err == nil {
		return s.err != nil
	}
	for _, ok := range allowed {
		if ok(err) {
			return true
		}
	}
	s.err = err
	return true
}

// write stores a memory.
func (s *scene) write(c gate.Caller, w gate.Write) gate.Written {
	if s.err != nil {
		return gate.Written{}
	}
	out, err := s.Encode(s.ctx, c, w)
	s.failed(err, refused)
	return out
}

// chats is a user's new session.
func (s *scene) chats() string {
	s.sessions++
	name := fmt.Sprintf("chat-%d", s.sessions)
	if s.err == nil {
		_, err := s.OpenSession(s.ctx, user, name)
		s.failed(err)
	}
	return name
}

// turn is a user's turn.
func (s *scene) turn(session, text string) {
	if s.err != nil {
		return
	}
	s.said++
	_, err := s.Turn(s.ctx, user, gate.TurnRequest{ID: fmt.Sprintf("turn-%d", s.said), Session: session, Content: text})
	s.failed(err)
}

// meets is a text from elsewhere that harness code reports.
func (s *scene) meets(session, source, text string) {
	if s.err != nil {
		return
	}
	_, err := s.Observe(s.ctx, agent, gate.Observation{Content: text, Source: source, Session: session})
	s.failed(err)
}

// browses is a page the agent reads and stores.
func (s *scene) browses(session, text string) {
	s.meets(session, "web:evil.example", text)
	s.write(agent, gate.Write{Content: text, Source: "web:evil.example", Session: session})
}

// asks is a recall of the agent, which learns the accounts that come out.
func (s *scene) asks(session, query string) gate.Recalled {
	if s.err != nil {
		return gate.Recalled{}
	}
	out, err := s.Recall(s.ctx, agent, gate.Recall{Query: query, Session: session})
	s.failed(err)
	for _, m := range out.Memories {
		s.known = s.known || strings.Contains(m.Content, attackerAccount) || strings.Contains(m.Content, lookAlike)
	}
	return out
}

// pays asks whether the agent may transfer an amount.
func (s *scene) pays(session, account string, amount int) gate.Authorized {
	if s.err != nil {
		return gate.Authorized{}
	}
	arguments, err := json.Marshal(map[string]any{"to": account, "amount": amount})
	if s.failed(err) {
		return gate.Authorized{}
	}
	out, err := s.Authorize(s.ctx, agent, gate.ActionRequest{Tool: "bank.transfer", Arguments: arguments, Session: session})
	s.failed(err)
	return out
}

// wouldPay reports whether a transfer goes through.
func (s *scene) wouldPay(session, account string, amount int) bool {
	return s.pays(session, account, amount).Decision == gate.ActionAllow && s.err == nil
}

// decides is what a person decides; refusals are part of the defense.
func (s *scene) decides(id string, d gate.Decision) {
	if s.err != nil || id == "" {
		return
	}
	seen, err := s.Inspect(s.ctx, gate.Person{Principal: reviewer}, id, gate.Reading{})
	if s.failed(err) {
		return
	}
	d.Commit = seen.Commit
	_, err = s.Decide(s.ctx, gate.Person{Principal: reviewer}, id, d)
	s.failed(err, func(err error) bool {
		var (
			rule       *gate.RuleError
			transition *memory.TransitionError
		)
		return errors.As(err, &rule) || errors.As(err, &transition)
	})
}

// approve is what a person does about an action that waits.
func (s *scene) approve(id string) {
	s.decides(id, gate.Decision{Action: memory.ActionApprove, Reason: "checked by telephone"})
}

// edits changes the content of a memory.
func (s *scene) edits(c gate.Caller, id, session, content string) {
	if s.err != nil {
		return
	}
	_, err := s.Edit(s.ctx, c, id, gate.Edit{Content: &content, Session: session})
	s.failed(err, refused)
}

// forgets takes a memory away, and reports whether that was done.
func (s *scene) forgets(c gate.Caller, id string) bool {
	if s.err != nil {
		return false
	}
	out, err := s.Forget(s.ctx, c, id, gate.ForgetRequest{})
	return !s.failed(err, refused) && out.Done
}

// scans looks for contradictions.
func (s *scene) scans() {
	if s.err != nil {
		return
	}
	_, err := s.ScanContradictions(s.ctx, gate.Person{Principal: reviewer})
	s.failed(err)
}

// replays puts the row of a record back as it was before a change.
func (s *scene) replays(id string, change func()) {
	s.raws("CREATE TABLE kept AS SELECT * FROM records WHERE id = ?", id)
	change()
	s.raws("DELETE FROM records WHERE id = ?", id)
	s.raws("INSERT INTO records SELECT * FROM kept")
}

func (s *scene) raws(query string, args ...any) {
	if s.err == nil {
		s.failed(s.behind(s.ctx, query, args...))
	}
}

// passes lets so many hours pass.
func (s *scene) passes(hours int) { s.now = s.now.Add(time.Duration(hours) * time.Hour) }

// play plays one scene in a world of its own.
func (s setup) play(ctx context.Context, dir string, act func(*scene) bool) (effect bool, err error) {
	w, err := s.open(ctx, dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	sc := &scene{world: w, ctx: ctx}
	effect = act(sc)
	return effect && sc.err == nil, sc.err
}
