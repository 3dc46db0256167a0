// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// user is the writer behind a channel of users.
var user = memory.Writer{Channel: "chat", Principal: "alice"}

func session(id string) memory.OpenedSession {
	return memory.OpenedSession{Namespace: Namespace, ID: id, Writer: user, OpenedAt: Epoch, Tag: []byte("tag of " + id)}
}

func mustOpenSession(t *testing.T, s memory.Store, o memory.OpenedSession) memory.OpenedSession {
	t.Helper()
	out, err := s.OpenSession(t.Context(), o)
	if err != nil {
		t.Fatalf("OpenSession: %v", err)
	}
	return out
}

func testSessions(t *testing.T, target Target) {
	s := target.Open(t)
	first := session("a")
	if diff := cmp.Diff(first, mustOpenSession(t, s, first)); diff != "" {
		t.Errorf("opened (-want +got):\n%s", diff)
	}
	again := first
	again.Writer, again.OpenedAt, again.Tag = memory.Writer{Channel: "chat", Principal: "bob"}, Epoch.Add(time.Hour), []byte("another")
	if diff := cmp.Diff(first, mustOpenSession(t, s, again)); diff != "" {
		t.Errorf("the first opening does not stand (-want +got):\n%s", diff)
	}
	elsewhere := again
	elsewhere.Namespace = "team-b"
	mustOpenSession(t, s, elsewhere)
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		namespace, id string
		want          memory.OpenedSession
	}{
		"kept":              {Namespace, "a", first},
		"another namespace": {"team-b", "a", elsewhere},
		"nobody opened it":  {Namespace, "b", memory.OpenedSession{}},
		"no name":           {Namespace, "", memory.OpenedSession{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := s.OpenedSession(t.Context(), tc.namespace, tc.id)
			if (tc.want.ID == "") != errors.Is(err, memory.ErrNotFound) || tc.want.ID != "" && err != nil {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for name, edit := range map[string]func(*memory.OpenedSession){
		"no namespace":    func(o *memory.OpenedSession) { o.Namespace = "" },
		"no name":         func(o *memory.OpenedSession) { o.ID = "" },
		"a long name":     func(o *memory.OpenedSession) { o.ID = strings.Repeat("x", memory.MaxSessionBytes+1) },
		"a line in it":    func(o *memory.OpenedSession) { o.ID = "a\nb" },
		"by nobody":       func(o *memory.OpenedSession) { o.Writer = memory.Writer{} },
		"at no time":      func(o *memory.OpenedSession) { o.OpenedAt = time.Time{} },
		"without any tag": func(o *memory.OpenedSession) { o.Tag = nil },
	} {
		bad := session("bad")
		edit(&bad)
		var field *memory.FieldError
		if _, err := s.OpenSession(t.Context(), bad); !errors.As(err, &field) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Of many who open a session at once one does, and all learn who.
func testOpeningRace(t *testing.T, target Target) {
	s := target.Open(t)
	const openers = 8
	opened := make([]memory.OpenedSession, openers)
	var group sync.WaitGroup
	for i := range openers {
		group.Go(func() {
			mine := session("contended")
			mine.Writer.Principal = fmt.Sprint("user-", i)
			var err error
			if opened[i], err = s.OpenSession(background(), mine); err != nil {
				t.Errorf("opener %d: %v", i, err)
			}
		})
	}
	group.Wait()
	for i, o := range opened {
		if o.Writer != opened[0].Writer {
			t.Errorf("opener %d learns of %v, opener 0 of %v", i, o.Writer, opened[0].Writer)
		}
	}
}

func testUnbound(t *testing.T, target Target) {
	s := target.Open(t)
	mustOpenSession(t, s, session("opened"))
	elsewhere := session("elsewhere")
	elsewhere.Namespace = "team-b"
	mustOpenSession(t, s, elsewhere)
	deliver := func(namespace, session string, class provenance.Class, at time.Time) {
		t.Helper()
		d := memory.Delivery{Namespace: namespace, Session: session, RecordID: memory.NewID(), Seq: 1, Class: class, At: at}
		if err := s.LogDeliveries(t.Context(), []memory.Delivery{d}, nil); err != nil {
			t.Fatal(err)
		}
	}
	lowest := func(what string, since time.Time, want provenance.Class) {
		t.Helper()
		got, ok, err := s.LowestUnbound(t.Context(), Namespace, since)
		if err != nil || ok != (want != "") || got != want {
			t.Errorf("%s: got %q %v, error %v, want %q", what, got, ok, err, want)
		}
	}
	lowest("nothing yet", time.Time{}, "")
	deliver(Namespace, "opened", provenance.WebContent, Epoch)
	lowest("to a session that was opened", time.Time{}, "")
	deliver("team-b", "x", provenance.Unknown, Epoch)
	lowest("in another namespace", time.Time{}, "")
	deliver(Namespace, "elsewhere", provenance.SubagentTrace, Epoch)
	lowest("to a session that was opened in another namespace only", Epoch, provenance.SubagentTrace)
	deliver(Namespace, "", provenance.ToolOutput, Epoch.Add(time.Minute))
	lowest("without a session", Epoch, provenance.ToolOutput)
	lowest("later", Epoch.Add(time.Hour), "")
	deliver(Namespace, "later", provenance.Class("Nonsense"), Epoch.Add(2*time.Minute))
	mustOpenSession(t, s, session("later"))
	s = target.Reopen(t, s)
	lowest("to a session before it was opened", Epoch.Add(2*time.Minute), provenance.Unknown)
	deliver(Namespace, "later", provenance.WebContent, Epoch.Add(time.Hour))
	lowest("to it afterwards", Epoch.Add(time.Hour), "")
	deliver(Namespace, "", provenance.Unknown, Epoch.Add(-time.Hour))
	lowest("logged late", Epoch.Add(time.Hour), "")
	if got, ok, err := s.LowestDelivered(t.Context(), Namespace, "opened", time.Time{}); err != nil || !ok || got != provenance.WebContent {
		t.Errorf("of the session itself: %q %v, error %v", got, ok, err)
	}
}

func turn(session, id, content string) memory.Turn {
	return memory.Turn{
		Namespace: Namespace, Session: session, ID: id, Writer: user, Content: content, At: Epoch, Tag: []byte("tag of " + id),
	}
}

func reported(t memory.Turn) memory.Turn {
	t.Writer = memory.Writer{}
	return t
}

func mustPutTurn(t *testing.T, s memory.Store, turn memory.Turn) {
	t.Helper()
	if err := s.PutTurn(t.Context(), turn); err != nil {
		t.Fatalf("PutTurn: %v", err)
	}
}

// wantTurn fails the test unless the current turn of a session is this one; the zero Turn stands for none.
func wantTurn(t *testing.T, what string, s memory.Store, session string, authenticated bool, want memory.Turn) {
	t.Helper()
	got, err := s.CurrentTurn(t.Context(), Namespace, session, authenticated)
	if want.ID == "" && !errors.Is(err, memory.ErrNotFound) || want.ID != "" && err != nil {
		t.Errorf("%s: error %v", what, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func testTurns(t *testing.T, target Target) {
	s := target.Open(t)
	wantTurn(t, "nothing said", s, "a", true, memory.Turn{})
	first, second := turn("a", "1", "Pay Lyon. <b>\u2028お茶"), turn("a", "2", "No, pay Nice.")
	mustPutTurn(t, s, first)
	wantTurn(t, "the first", s, "a", true, first)
	wantTurn(t, "nothing reported", s, "a", false, memory.Turn{})
	mustPutTurn(t, s, second)
	other := turn("b", "3", "Something else.")
	other.Writer.Principal = "bob"
	mustPutTurn(t, s, other)
	heard := reported(turn("a", "1", "The user says to pay."))
	mustPutTurn(t, s, heard)
	s = target.Reopen(t, s)
	wantTurn(t, "the newest", s, "a", true, second)
	wantTurn(t, "what was reported", s, "a", false, heard)
	wantTurn(t, "another session", s, "b", true, other)
	wantTurn(t, "no session", s, "", true, memory.Turn{})
	if _, err := s.CurrentTurn(t.Context(), "team-b", "a", true); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("another namespace: error %v", err)
	}
}

func testTurnIDs(t *testing.T, target Target) {
	s := target.Open(t)
	first := turn("a", "1", "Pay Lyon.")
	mustPutTurn(t, s, first)
	again := turn("a", "1", "Pay Nice.")
	for name, session := range map[string]string{"same session": "a", "another session": "b"} {
		again.Session = session
		if err := s.PutTurn(t.Context(), again); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%s: error %v, want ErrConflict", name, err)
		}
	}
	wantTurn(t, "after refusing", s, "a", true, first)
	for name, edit := range map[string]func(*memory.Turn){
		"another principal": func(t *memory.Turn) { t.Writer.Principal = "bob" },
		"another channel":   func(t *memory.Turn) { t.Writer.Channel = "mail" },
		"another namespace": func(t *memory.Turn) { t.Namespace = "team-b" },
		"reported":          func(t *memory.Turn) { t.Writer = memory.Writer{} },
	} {
		own := again
		edit(&own)
		if err := s.PutTurn(t.Context(), own); err != nil {
			t.Errorf("%s may use the id as well: %v", name, err)
		}
	}
	for name, edit := range map[string]func(*memory.Turn){
		"no namespace":   func(t *memory.Turn) { t.Namespace = "" },
		"no session":     func(t *memory.Turn) { t.Session = "" },
		"no id":          func(t *memory.Turn) { t.ID = "" },
		"a long id":      func(t *memory.Turn) { t.ID = strings.Repeat("x", memory.MaxTurnIDBytes+1) },
		"a line in it":   func(t *memory.Turn) { t.ID = "a\nb" },
		"nothing said":   func(t *memory.Turn) { t.Content = " \n" },
		"too much said":  func(t *memory.Turn) { t.Content = strings.Repeat("x", memory.MaxTurnBytes+1) },
		"not UTF-8":      func(t *memory.Turn) { t.Content = "a\xff" },
		"at no time":     func(t *memory.Turn) { t.At = time.Time{} },
		"without a tag":  func(t *memory.Turn) { t.Tag = nil },
		"a long session": func(t *memory.Turn) { t.Session = strings.Repeat("x", memory.MaxSessionBytes+1) },
	} {
		bad := turn("a", "bad", "Something.")
		edit(&bad)
		var field *memory.FieldError
		if err := s.PutTurn(t.Context(), bad); !errors.As(err, &field) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Contents go when their time is over and ids some time later; a content that is gone brings none before it back.
func testForgettingTurns(t *testing.T, target Target) {
	s := target.Open(t)
	early, late := turn("a", "1", "Pay Lyon."), turn("a", "2", "Pay Nice.")
	late.At = Epoch.Add(time.Minute)
	mustPutTurn(t, s, early)
	mustPutTurn(t, s, late)
	kept := turn("b", "3", "Pay Metz.")
	kept.At = Epoch.Add(time.Hour)
	mustPutTurn(t, s, kept)
	forget := func(contents, turns time.Time) {
		t.Helper()
		if err := s.ForgetTurns(t.Context(), contents, turns); err != nil {
			t.Fatal(err)
		}
	}
	forget(Epoch, Epoch)
	wantTurn(t, "of its time", s, "a", true, late)
	forget(Epoch.Add(time.Hour), Epoch)
	s = target.Reopen(t, s)
	wantTurn(t, "its time is over", s, "a", true, memory.Turn{})
	wantTurn(t, "a later one", s, "b", true, kept)
	if err := s.PutTurn(t.Context(), late); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("the id of a turn without content: error %v, want ErrConflict", err)
	}
	forget(Epoch.Add(time.Hour), Epoch.Add(time.Hour))
	mustPutTurn(t, s, late)
	wantTurn(t, "a forgotten id", s, "a", true, late)
}
