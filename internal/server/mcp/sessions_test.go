// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"net/http"
	"strings"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// chat is an authenticated channel of users.
var chat = gate.Caller{Channel: policy.Channel{Name: "chat", Class: provenance.UserInput, Principal: "alice"}}

func users(s *v1alpha1.MemoryTrustPolicySpec) {
	s.Trust.Channels = append(s.Trust.Channels, v1alpha1.Channel{
		Name: "chat", Class: "UserInput", Principal: "alice", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "chat-token"},
	})
}

// A user opens the session that the URL will name; whatever the agent reads in it marks that session, and a session of the
// protocol opens none.
func TestTheURLNamesTheSessionAUserOpened(t *testing.T) {
	for name, legacy := range map[string]bool{"sessions": true, "no sessions": false} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users)
			stands := func(what, session string, clean bool, mark provenance.Class) {
				t.Helper()
				out, err := f.gate.OpenSession(t.Context(), gate.Caller{}, session) // asks, as the agent's port opens nothing
				if err != nil || out.Clean != clean || out.Mark != mark {
					t.Errorf("%s: session %q is clean %v with mark %s, error %v", what, session, out.Clean, out.Mark, err)
				}
			}
			web, err := f.gate.Encode(t.Context(), gate.Caller{}, gate.Write{Content: "The office in Lyon closes at five.", Source: "web:example.org"})
			must(t, err)
			opened, err := f.gate.OpenSession(t.Context(), chat, "ticket")
			if err != nil || !opened.Clean {
				t.Fatalf("%+v, %v", opened, err)
			}
			other, err := f.gate.OpenSession(t.Context(), chat, "another")
			must(t, err)
			s := f.client("?session=ticket", legacy)
			stands("the agent is there", "ticket", true, provenance.UserInput)
			if legacy {
				stands("the session of the protocol", s.ID(), false, provenance.UserInput)
			}
			called(t, s, "show", args{"id": web.ID})
			if n := f.deliveries("ticket", web.ID); n != 1 {
				t.Errorf("%d deliveries to the session of the URL", n)
			}
			stands("it read a page", "ticket", false, provenance.WebContent)
			stands("in the session of a user", other.Session, true, provenance.UserInput)
		})
	}
}

// A session that the URL names stays, whatever later requests name.
func TestASessionKeepsItsMemorySession(t *testing.T) {
	f := newFixture(t)
	open := func(query string) map[string]string {
		resp, _ := f.post(query, initialize("2025-06-18"), nil)
		return map[string]string{sessionHeader: resp.Header.Get(sessionHeader)}
	}
	named, unnamed := open("?session=ticket"), open("")
	for name, tt := range map[string]struct {
		query   string
		headers map[string]string
	}{"another": {"?session=mine", named}, "one where there was none": {"?session=mine", unnamed}} {
		if resp, body := f.post(tt.query, rawCall, tt.headers); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "session") {
			t.Errorf("%s: %s %s", name, resp.Status, body)
		}
	}
	for _, query := range []string{"", "?session=ticket"} {
		if _, body := f.post(query, rawCall, named); !strings.Contains(body, "Stored") {
			t.Errorf("%q: %s", query, body)
		}
	}
	for _, r := range f.list(t, "agents") {
		if r.Session != "ticket" {
			t.Errorf("stored in session %q", r.Session)
		}
	}
}
