// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// chat and mail are channels of users, both of alice; guest is another user's.
var (
	chat  = Caller{Channel: policy.Channel{Name: "chat", Class: provenance.UserInput, Principal: "alice"}}
	mail  = Caller{Channel: policy.Channel{Name: "mail", Class: provenance.UserInput, Principal: "alice"}}
	guest = Caller{Channel: policy.Channel{Name: "guest", Class: provenance.UserInput, Principal: "eve"}}
)

// users adds the channels of users to a policy.
func users(s *v1alpha1.MemoryTrustPolicySpec) {
	for _, c := range []Caller{chat, mail, guest} {
		s.Trust.Channels = append(s.Trust.Channels, v1alpha1.Channel{
			Name: c.Channel.Name, Class: v1alpha1.SourceClass(c.Channel.Class), Principal: c.Channel.Principal,
		})
	}
}

// channelChange changes one channel of a policy, or takes it out when to is nil.
func channelChange(name string, to func(*v1alpha1.Channel)) func(*v1alpha1.MemoryTrustPolicySpec) {
	return func(s *v1alpha1.MemoryTrustPolicySpec) {
		var kept []v1alpha1.Channel
		for _, c := range s.Trust.Channels {
			if c.Name == name {
				if to == nil {
					continue
				}
				to(&c)
			}
			kept = append(kept, c)
		}
		s.Trust.Channels = kept
	}
}

func (f *fixture) opens(c Caller, session string) Session {
	f.t.Helper()
	out, err := f.OpenSession(f.ctx(), c, session)
	must(f.t, err)
	return out
}

// reads lets the agent read one memory in a session.
func (f *fixture) reads(id, session string) {
	f.t.Helper()
	_, err := f.Get(f.ctx(), agent, id, Reading{Session: session})
	must(f.t, err)
}

// stands fails the test unless a session has this mark and gives this authority.
func (f *fixture) stands(what, session string, mark provenance.Class, authority memory.Authority) {
	f.t.Helper()
	got, err := f.standingOf(f.ctx(), f.state, testNamespace, session, f.now)
	if err != nil || got.mark != mark || got.authority() != authority {
		f.t.Errorf("%s: session %q has mark %s and gives %s, error %v; want %s and %s", what, session, got.mark, got.authority(), err, mark, authority)
	}
}

func forbidden(t *testing.T, what string, err error) {
	t.Helper()
	var refused *ForbiddenError
	if !errors.As(err, &refused) || refused.Fix == "" {
		t.Errorf("%s: error %v, want a ForbiddenError", what, err)
	}
}

// Only a session that a user opened gives Act, and what the agent names its session makes nothing unread.
func TestMarks(t *testing.T) {
	const later = sessionWindow + time.Second
	tests := map[string]struct {
		does      func(f *fixture, web, rule string)
		session   string
		mark      provenance.Class
		authority memory.Authority
	}{
		"opened":                     {func(*fixture, string, string) {}, "opened", provenance.UserInput, memory.Act},
		"opened, and read the rules": {func(f *fixture, _, rule string) { f.reads(rule, "opened") }, "opened", provenance.Manual, memory.Act},
		"opened, and read a page":    {func(f *fixture, web, _ string) { f.reads(web, "opened") }, "opened", provenance.WebContent, memory.Inform},
		"read a page long ago": {func(f *fixture, web, _ string) {
			f.reads(web, "opened")
			f.now = f.now.Add(100 * 24 * time.Hour)
		}, "opened", provenance.WebContent, memory.Inform},
		"omitted":  {func(f *fixture, web, _ string) { f.reads(web, "opened") }, "", provenance.WebContent, memory.Inform},
		"invented": {func(f *fixture, web, _ string) { f.reads(web, "opened") }, "invented", provenance.WebContent, memory.Inform},
		"invented, half an hour later": {func(f *fixture, web, _ string) {
			f.reads(web, "opened")
			f.now = f.now.Add(later)
		}, "invented", provenance.UserInput, memory.Inform},
		"nothing read at all": {func(*fixture, string, string) {}, "invented", provenance.UserInput, memory.Inform},
		"reused": {func(f *fixture, web, _ string) {
			f.reads(web, "mine")
			f.now = f.now.Add(later)
		}, "mine", provenance.WebContent, memory.Inform},
		"opened after it read a page": {func(f *fixture, web, _ string) {
			f.reads(web, "late")
			f.now = f.now.Add(later)
			f.opens(chat, "late")
		}, "late", provenance.WebContent, memory.Inform},
		"opened again after it read a page": {func(f *fixture, web, _ string) {
			f.reads(web, "opened")
			f.now = f.now.Add(later)
			f.opens(chat, "opened")
		}, "opened", provenance.WebContent, memory.Inform},
		"read a page under no name": {func(f *fixture, web, _ string) { f.reads(web, "") }, "opened", provenance.WebContent, memory.Inform},
		"read a page under another name": {
			func(f *fixture, web, _ string) { f.reads(web, "invented") }, "opened", provenance.WebContent, memory.Inform,
		},
		"read a page under a name opened since": {func(f *fixture, web, _ string) {
			f.reads(web, "invented")
			f.opens(chat, "invented")
		}, "opened", provenance.WebContent, memory.Inform},
		"read a page under another name, half an hour ago": {func(f *fixture, web, _ string) {
			f.reads(web, "invented")
			f.now = f.now.Add(later)
		}, "opened", provenance.UserInput, memory.Act},
		"another user's session read a page": {func(f *fixture, web, _ string) {
			f.opens(guest, "guest's")
			f.reads(web, "guest's")
		}, "opened", provenance.UserInput, memory.Act},
		"opened by the agent":         {func(f *fixture, _, _ string) { f.opens(agent, "mine") }, "mine", provenance.UserInput, memory.Inform},
		"opened by an operator":       {func(f *fixture, _, _ string) { f.opens(console, "mine") }, "mine", provenance.UserInput, memory.Inform},
		"opened in another namespace": {func(f *fixture, _, _ string) { f.opens(Caller{Channel: chat.Channel, Namespace: "neighbor"}, "mine") }, "mine", provenance.UserInput, memory.Inform},
		"the channel is gone":         {func(f *fixture, _, _ string) { f.change(channelChange("chat", nil)) }, "opened", provenance.UserInput, memory.Inform},
		"the channel's class is lower": {func(f *fixture, _, _ string) {
			f.change(channelChange("chat", func(c *v1alpha1.Channel) { c.Class = "Manual" }))
		}, "opened", provenance.UserInput, memory.Inform},
		"the channel is someone else's": {func(f *fixture, _, _ string) {
			f.change(channelChange("chat", func(c *v1alpha1.Channel) { c.Principal = "mallory" }))
		}, "opened", provenance.UserInput, memory.Inform},
		"the key is gone":           {func(f *fixture, _, _ string) { f.load(f.newKey()) }, "opened", provenance.UserInput, memory.Inform},
		"forged: another name":      {func(f *fixture, _, _ string) { f.sql("UPDATE sessions SET id = 'forged'") }, "forged", provenance.UserInput, memory.Inform},
		"forged: another principal": {func(f *fixture, _, _ string) { f.sql("UPDATE sessions SET channel = 'guest', principal = 'eve'") }, "opened", provenance.UserInput, memory.Inform},
		"forged: another namespace": {func(f *fixture, _, _ string) {
			f.opens(Caller{Channel: chat.Channel, Namespace: "neighbor"}, "theirs")
			f.sql("UPDATE sessions SET namespace = ? WHERE id = 'theirs'", testNamespace)
		}, "theirs", provenance.UserInput, memory.Inform},
		"forged: another time": {func(f *fixture, _, _ string) { f.sql("UPDATE sessions SET opened_at = opened_at + 1") }, "opened", provenance.UserInput, memory.Inform},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, users)
			web := f.write(agent, Write{Content: publicFact, Source: "web:example.org"}).ID
			rule := f.write(console, Write{Content: operatorRule}).ID
			f.opens(chat, "opened")
			tt.does(f, web, rule)
			f.stands(name, tt.session, tt.mark, tt.authority)
		})
	}
}

// A session says how it stands; the first opening stands, and belongs to its principal whatever channel they speak through.
func TestOpenSession(t *testing.T) {
	f := newFixture(t, users)
	first := f.opens(chat, "ticket")
	if !first.Clean || first.Mark != provenance.UserInput || !strings.Contains(first.Message, "A user opened this session, and nothing") {
		t.Errorf("opened %+v", first)
	}
	if named := f.opens(chat, ""); !named.Clean || !memory.ValidID(named.Session) {
		t.Errorf("without a name %+v", named)
	}
	f.now = f.now.Add(time.Minute)
	for name, c := range map[string]Caller{"again": chat, "another channel of hers": mail} {
		if again := f.opens(c, "ticket"); !again.Clean {
			t.Errorf("%s: %+v", name, again)
		}
	}
	_, err := f.OpenSession(f.ctx(), guest, "ticket")
	forbidden(t, "another principal", err)
	if strings.Contains(err.Error(), "alice") {
		t.Errorf("it says whose the session is: %v", err)
	}
	opened, err := f.db.OpenedSession(f.ctx(), testNamespace, "ticket")
	must(t, err)
	if diff := cmp.Diff(chat.writer(), opened.Writer); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
	web := f.write(agent, Write{Content: publicFact, Source: "web:example.org"}).ID
	f.reads(web, "ticket")
	if marked := f.opens(agent, "ticket"); marked.Clean || marked.Mark != provenance.WebContent || !strings.Contains(marked.Message, "WebContent") {
		t.Errorf("after reading a page %+v", marked)
	}
	f.load(f.newKey())
	if gone := f.opens(chat, "ticket"); gone.Clean || !strings.Contains(gone.Message, "another name") {
		t.Errorf("under a key that is gone %+v", gone)
	}
	var field *memory.FieldError
	if _, err := f.OpenSession(f.ctx(), chat, "a\nb"); !errors.As(err, &field) {
		t.Errorf("a line in the name: %v", err)
	}
	if counted(t, f.metrics.opened) != 2 {
		t.Errorf("%v sessions counted, want 2", counted(t, f.metrics.opened))
	}
}

// Opening sessions counts as writing.
func TestOpeningIsLimited(t *testing.T) {
	f := newFixture(t, users, func(s *v1alpha1.MemoryTrustPolicySpec) { s.Limits.WritesPerMinute = 60 })
	limited := func(c Caller) error {
		for range 2 * minBurst {
			if _, err := f.OpenSession(f.ctx(), c, ""); err != nil {
				return err
			}
		}
		return nil
	}
	var limit *LimitError
	if err := limited(chat); !errors.As(err, &limit) || limit.RetryAfter < time.Second {
		t.Errorf("error %v", err)
	}
	if err := limited(agent); err != nil {
		t.Errorf("naming a session stores nothing: %v", err)
	}
}

// The class a delivery is logged under is that which its memory can stand for, now and in this version.
func TestDeliveredClass(t *testing.T) {
	rule := func(f *fixture) string { return f.write(console, Write{Content: operatorRule}).ID }
	tests := map[string]struct {
		change []func(*v1alpha1.MemoryTrustPolicySpec)
		plant  func(f *fixture) string
		read   Reading
		want   provenance.Class
	}{
		"through a channel": {plant: rule, want: provenance.Manual},
		"by prefix": {plant: func(f *fixture) string {
			return f.write(agent, Write{Content: operatorRule, Source: "operator:console"}).ID
		}, want: provenance.AgentInferred},
		"approved by a person": {plant: func(f *fixture) string {
			return f.put(memory.Record{Content: publicFact, Class: provenance.Manual, State: memory.Approved, ApprovedBy: "carol",
				Writer: console.writer()}).ID
		}, want: provenance.AgentInferred},
		"stale": {plant: func(f *fixture) string {
			id := rule(f)
			f.now = f.now.Add(48 * time.Hour)
			f.change(func(s *v1alpha1.MemoryTrustPolicySpec) {
				s.Zones.Classes = []v1alpha1.ClassRules{{Class: "Manual", StaleAfterSeconds: 24 * 3600}}
			})
			return id
		}, want: provenance.AgentInferred},
		"agent's own": {plant: func(f *fixture) string { return f.write(agent, Write{Content: publicFact}).ID }, want: provenance.AgentInferred},
		"a page":      {plant: func(f *fixture) string { return f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID }, want: provenance.WebContent},
		"tampered, in DryRun": {
			change: []func(*v1alpha1.MemoryTrustPolicySpec){dryRun},
			plant: func(f *fixture) string {
				id := f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID
				f.sql("UPDATE records SET class = 'Manual', zone = 'Trusted' WHERE id = ?", id)
				return id
			}, want: provenance.Unknown,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, append(tt.change, users)...)
			id := tt.plant(f)
			f.opens(chat, "opened")
			tt.read.Session = "opened"
			_, err := f.Get(f.ctx(), agent, id, tt.read)
			must(t, err)
			log, err := f.db.Deliveries(f.ctx(), memory.DeliveryFilter{RecordID: id, Limit: 10})
			if err != nil || len(log) != 1 || log[0].Class != tt.want {
				t.Errorf("logged %+v, error %v; want %s", log, err, tt.want)
			}
			authority := memory.Inform
			if tt.want.High() {
				authority = memory.Act
			}
			f.stands(name, "opened", tt.want, authority)
		})
	}
}

// An old version is no reason to act, however it was written.
func TestDeliveredClassOfAnOldVersion(t *testing.T) {
	f := newFixture(t, users)
	f.opens(chat, "opened")
	first := f.write(console, Write{Content: operatorRule})
	f.edit(console, first.ID, Edit{Content: ptr("Always answer in German.")})
	_, err := f.Get(f.ctx(), agent, first.ID, Reading{Session: "opened", Commit: first.Commit})
	must(t, err)
	f.stands("an old version", "opened", provenance.AgentInferred, memory.Inform)
}

// counted returns the value of a counter.
func counted(t *testing.T, c prometheus.Collector) (sum float64) {
	t.Helper()
	reg := prometheus.NewRegistry()
	reg.MustRegister(c)
	families, err := reg.Gather()
	must(t, err)
	for _, family := range families {
		for _, m := range family.GetMetric() {
			sum += m.GetCounter().GetValue()
		}
	}
	return sum
}
