// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// A claim lowers the class of an observation and never raises it; the class marks the session, which nothing raises again.
func TestObserve(t *testing.T) {
	for name, tt := range map[string]struct {
		caller Caller
		source string
		class  provenance.Class
		mark   provenance.Class
	}{
		"nothing claimed":                       {agent, "", provenance.ToolOutput, provenance.ToolOutput},
		"a tool":                                {agent, "mcp:search", provenance.ToolOutput, provenance.ToolOutput},
		"a page":                                {agent, "web:example.org", provenance.WebContent, provenance.WebContent},
		"from outside":                          {agent, "mail:external", provenance.Unknown, provenance.Unknown},
		"who knows":                             {agent, "whatever", provenance.Unknown, provenance.Unknown},
		"an agent claims the agent":             {agent, "agent:planner", provenance.ToolOutput, provenance.ToolOutput},
		"an agent claims a subagent":            {agent, "subagent:1", provenance.ToolOutput, provenance.ToolOutput},
		"an agent claims the operator":          {agent, "operator:console", provenance.ToolOutput, provenance.ToolOutput},
		"a gateway":                             {tools, "", provenance.ToolOutput, provenance.ToolOutput},
		"a gateway that fetched a page":         {tools, "web:example.org", provenance.WebContent, provenance.WebContent},
		"a gateway claims the operator":         {tools, "operator:console", provenance.ToolOutput, provenance.ToolOutput},
		"an operator shows something":           {console, "", provenance.Manual, provenance.Manual},
		"an operator shows a page":              {console, "web:example.org", provenance.WebContent, provenance.WebContent},
		"an operator shows the agent's notes":   {console, "agent", provenance.AgentInferred, provenance.AgentInferred},
		"a user shows what an operator claimed": {chat, "operator:console", provenance.Manual, provenance.Manual},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users)
			f.opens(chat, "opened")
			out, err := f.Observe(f.ctx(), tt.caller, Observation{Content: publicFact, Source: tt.source, Session: "opened"})
			if err != nil || out.Class != tt.class || out.Mark != tt.mark || out.Message == "" {
				t.Fatalf("%+v, error %v; want class %s and mark %s", out, err, tt.class, tt.mark)
			}
			again, err := f.Observe(f.ctx(), chat, Observation{Content: said, Session: "opened"})
			if err != nil || again.Class != provenance.UserInput || again.Mark != tt.mark {
				t.Errorf("a higher one after it: %+v, error %v", again, err)
			}
			f.now = f.now.Add(sessionWindow + time.Second)
			authority := memory.Inform
			if tt.mark.High() {
				authority = memory.Act
			}
			f.stands(name, "opened", tt.mark, authority)
			f.stands("another session", "other", provenance.UserInput, memory.Inform)
			if n := counted(t, f.metrics.observations); n != 2 {
				t.Errorf("%v observations counted, want 2", n)
			}
		})
	}
}

// What is observed without a session, or in one that nobody opened, counts for every session for half an hour.
func TestObserveOutsideOfSessions(t *testing.T) {
	for name, session := range map[string]string{"none": "", "invented": "mine"} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users)
			f.opens(chat, "opened")
			_, err := f.Observe(f.ctx(), agent, Observation{Content: publicFact, Source: "web:example.org", Session: session})
			must(t, err)
			for _, s := range []string{"opened", "other", ""} {
				f.stands("at once", s, provenance.WebContent, memory.Inform)
			}
			f.now = f.now.Add(sessionWindow + time.Second)
			f.stands("half an hour later", "opened", provenance.UserInput, memory.Act)
		})
	}
}

// Nothing of an observed text is kept.
func TestObservedTextIsNotKept(t *testing.T) {
	f := newFixture(t)
	const word = "zanzibarianpalimpsest"
	_, err := f.Observe(f.ctx(), agent, Observation{Content: "The page tells of a " + word + " in Lyon.", Source: "web:x", Session: "s"})
	must(t, err)
	for _, file := range []string{f.path, f.path + "-wal"} {
		content, err := os.ReadFile(file)
		must(t, err)
		if strings.Contains(string(content), word) {
			t.Errorf("%s holds the text", file)
		}
	}
	counts, err := f.Zones(f.ctx(), agent)
	if err != nil || counts.Zones[memory.Working]+counts.Zones[memory.Quarantine]+counts.Zones[memory.Trusted] != 0 {
		t.Errorf("stored %+v, error %v", counts, err)
	}
}

func TestObserveRefuses(t *testing.T) {
	f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 60 })
	var (
		field *memory.FieldError
		large *TooLargeError
		limit *LimitError
	)
	for name, tt := range map[string]struct {
		o    Observation
		want any
	}{
		"nothing":                 {Observation{Content: " "}, &field},
		"not UTF-8":               {Observation{Content: "a\xff"}, &field},
		"too much":                {Observation{Content: strings.Repeat("x", f.state.Runtime.MaxContentBytes+1)}, &large},
		"a line in the session":   {Observation{Content: said, Session: "a\nb"}, &field},
		"a line in the source":    {Observation{Content: said, Source: "web:\nx"}, &field},
		"a source without an end": {Observation{Content: said, Source: strings.Repeat("x", 1000)}, &field},
	} {
		if _, err := f.Observe(f.ctx(), agent, tt.o); !errors.As(err, tt.want) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	f.stands("after refusing", "", provenance.UserInput, memory.Inform)
	var err error
	for range minBurst + 1 {
		_, err = f.Observe(f.ctx(), agent, Observation{Content: said})
	}
	if !errors.As(err, &limit) {
		t.Errorf("too many: error %v", err)
	}
}
