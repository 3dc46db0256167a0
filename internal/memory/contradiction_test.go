// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory/claim"
	"memorytrust.dev/operator/internal/provenance"
)

func lines(t testing.TB, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// The pairs of package claim, as memories: nothing but their words tells here that they are about the same thing.
func TestContradictsReadsLanguages(t *testing.T) {
	found, none := 0, 0
	for _, line := range lines(t, "claim/testdata/contradictions.txt") {
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			t.Fatalf("%q has not three parts", line)
		}
		var want []string
		if sign, yes := strings.CutPrefix(parts[0], "yes "); yes {
			want = []string{sign}
			found++
		} else {
			none++
		}
		a, b := Record{Content: parts[1]}, Record{Content: parts[2]}
		if got := Contradicts(a, b); !slices.Equal(got, want) {
			t.Errorf("%s / %s: %v, want %v", a.Content, b.Content, got, want)
		}
		if got := Contradicts(b, a); !slices.Equal(got, want) {
			t.Errorf("the other way round: %s / %s: %v, want %v", b.Content, a.Content, got, want)
		}
	}
	if found < 80 || none < 90 {
		t.Errorf("%d pairs to find and %d to leave are too few", found, none)
	}
}

func TestContradictsNeedsTheSameThing(t *testing.T) {
	limit := func(content string) Record { return Record{Content: content} }
	short := limit("Refund limit: 500 EUR.")
	long := limit("As of the last meeting of the finance board in Lisbon, customers of the premium plan who ask in writing get a " +
		"refund with a limit of 5000 EUR.")
	for name, tc := range map[string]struct {
		edit func(a, b *Record)
		want int
	}{
		"few words in common":        {func(*Record, *Record) {}, 0},
		"the same subject":           {func(a, b *Record) { a.Subject, b.Subject = "Refund Limit", "refund limit" }, 1},
		"another subject":            {func(a, b *Record) { a.Subject, b.Subject = "refund limit", "budget" }, 0},
		"one without a subject":      {func(a, _ *Record) { a.Subject = "refund limit" }, 0},
		"a tag in common":            {func(a, b *Record) { a.Tags, b.Tags = []string{"x", "finance"}, []string{"finance"} }, 1},
		"other tags":                 {func(a, b *Record) { a.Tags, b.Tags = []string{"x"}, []string{"y"} }, 0},
		"a subject in another world": {func(a, b *Record) { a.Subject, b.Subject, b.Namespace = "limit", "limit", "team-b" }, 0},
		"the same text":              {func(a, b *Record) { b.Content = a.Content }, 0},
		"an empty text":              {func(a, b *Record) { a.Subject, b.Subject, b.Content = "limit", "limit", "" }, 0},
		"a name in common, no words": {func(a, b *Record) { a.Content, b.Content = "Alice: 500 EUR", "Alice: 900 EUR" }, 1},
	} {
		a, b := short, long
		tc.edit(&a, &b)
		if got := Contradicts(a, b); len(got) != tc.want {
			t.Errorf("%s: %v, want %d signs", name, got, tc.want)
		}
	}
}

// The bounds of what counts as a name, and names of one holder.
func TestContradictsNames(t *testing.T) {
	ceo := func(name string) Record { return Record{Content: "The CEO of Acme is " + name} }
	for name, tc := range map[string]struct {
		a, b Record
		want string
	}{
		"names":                 {ceo("Alice Meyer"), ceo("Bob Stone"), claim.SignNames},
		"four words":            {ceo("Alice Ann Mary Meyer"), ceo("Bob Stone"), claim.SignNames},
		"five are no name":      {ceo("Alice Ann Mary Eve Meyer"), ceo("Bob Stone"), ""},
		"an abbreviated title":  {ceo("Dr. Alice Meyer."), ceo("Prof. Bob Stone."), claim.SignNames},
		"only another title":    {ceo("Dr. Alice Meyer."), ceo("Prof. Alice Meyer."), ""},
		"in other words spaced": {ceo("AcmeFoods"), ceo("Acme Foods"), ""},
		"in quotes":             {ceo("\"Alice Meyer\""), ceo("“Bob Stone”"), claim.SignNames},
		"a code is no name":     {ceo("Alice Meyer"), ceo("Agent 47"), ""},
		"in another world":      {Record{Content: ceo("Alice Meyer").Content, Namespace: "x"}, ceo("Bob Stone"), ""},
		"too long a text":       {Record{Content: strings.Repeat("The CEO of Acme ", 40) + "is Alice"}, Record{Content: strings.Repeat("The CEO of Acme ", 40) + "is Bob"}, ""},
	} {
		if got := strings.Join(Contradicts(tc.a, tc.b), ","); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestTopics(t *testing.T) {
	for name, tc := range map[string]struct {
		record Record
		want   string
	}{
		"subject, tags, names, words": {Record{Subject: "Refund limit", Tags: []string{"finance"}, Content: "Customers of Acme get 500 EUR by 5 pm."},
			"refund limit finance customers acme get"},
		"nothing but numbers": {Record{Content: "5 500 2026-01-01"}, ""},
		"nothing":             {Record{}, ""},
		"Chinese":             {Record{Content: "办公室下午5点关门。"}, "办公室 关门"},
		"Japanese":            {Record{Content: "オフィスは午後5時に閉まります。"}, "オフィス"},
		"Russian":             {Record{Content: "Офис не закрывается в 5 часов."}, "офис закрывается"},
		"Thai":                {Record{Content: "ร้านปิดวันจันทร์"}, "ร้าน ปิด"},
	} {
		if got := strings.Join(Topics(tc.record), " "); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	if got := len(Topics(Record{Content: strings.Join(distinct(100), " ")})); got != MaxTopics {
		t.Errorf("%d topics, want %d", got, MaxTopics)
	}
}

func TestDue(t *testing.T) {
	decided := Contradiction{A: "a", B: "b", SeqA: 5, SeqB: 6, Verdict: BothValid, DecidedAt: now}
	for name, tc := range map[string]struct {
		edit  func(c *Contradiction, a, b *Record)
		after time.Duration
		want  bool
	}{
		"open":                  {func(c *Contradiction, _, _ *Record) { c.Verdict = "" }, 1000 * day, false},
		"open and edited":       {func(c *Contradiction, a, _ *Record) { c.Verdict, a.Seq = "", 9 }, 0, false},
		"just decided":          {func(*Contradiction, *Record, *Record) {}, 0, false},
		"within the cooldown":   {func(*Contradiction, *Record, *Record) {}, ContradictionCooldown - time.Second, false},
		"after it":              {func(*Contradiction, *Record, *Record) {}, ContradictionCooldown, true},
		"edited":                {func(_ *Contradiction, a, _ *Record) { a.Seq, a.Commit.Change = 9, ChangeUpdate }, day, true},
		"the other edited":      {func(_ *Contradiction, _, b *Record) { b.Seq, b.Commit.Change = 9, ChangeUpdate }, day, true},
		"reverted":              {func(_ *Contradiction, a, _ *Record) { a.Seq, a.Commit.Change = 9, ChangeRevert }, day, true},
		"merged":                {func(_ *Contradiction, a, _ *Record) { a.Seq, a.Commit.Change = 9, ChangeMerge }, day, true},
		"the verdict moved it":  {func(_ *Contradiction, a, _ *Record) { a.Seq, a.Commit.Change = 9, ChangeReview }, day, false},
		"promoted":              {func(_ *Contradiction, a, _ *Record) { a.Seq, a.Commit.Change = 9, ChangePromote }, day, false},
		"signed anew":           {func(_ *Contradiction, a, _ *Record) { *a = resigned(*a) }, day, false},
		"edited before it":      {func(_ *Contradiction, a, _ *Record) { a.Commit.Change = ChangeUpdate }, day, false},
		"another pair":          {func(_ *Contradiction, a, _ *Record) { a.ID = "c" }, 0, true},
		"the other way round":   {func(_ *Contradiction, a, b *Record) { *a, *b = *b, *a }, 0, false},
		"other way, and edited": {func(_ *Contradiction, a, b *Record) { *a, *b = *b, *a; a.Seq, a.Commit.Change = 9, ChangeUpdate }, 0, true},
	} {
		c, a, b := decided, Record{ID: "a", Seq: 5}, Record{ID: "b", Seq: 6}
		tc.edit(&c, &a, &b)
		if got := c.Due(a, b, now.Add(tc.after)); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func resigned(r Record) Record {
	r.Seq, r.Commit.Change, r.Commit.Actor = 9, ChangeUpdate, SystemActor+"rotation"
	return r
}

func TestToDispute(t *testing.T) {
	user := Record{ID: "user", Class: provenance.UserInput, Zone: Trusted, State: Active, Writer: Writer{Channel: "console", Principal: "alice"},
		UpdatedAt: now}
	web := Record{ID: "web", Class: provenance.WebContent, Zone: Working, State: Active, UpdatedAt: now.Add(-day)}
	for name, tc := range map[string]struct {
		a, b Record
		edit func(a, b *Record)
		want string
	}{
		"the lower class, though older": {user, web, func(*Record, *Record) {}, "web"},
		"of the same class the newer":   {web, web, func(_, b *Record) { b.ID, b.UpdatedAt = "newer", now }, "newer"},
		"an edit makes it the newer": {web, web, func(a, b *Record) {
			a.ID, a.CreatedAt, a.UpdatedAt, b.CreatedAt = "old, edited", now.Add(-9*day), now, now.Add(-2*day)
		}, "old, edited"},
		"an approved one stands":           {web, web, func(a, b *Record) { a.ID, a.UpdatedAt, a.State, b.ID = "approved", now, Approved, "other" }, "other"},
		"a tie in time goes by id":         {web, web, func(a, _ *Record) { a.ID = "a" }, "web"},
		"two users disagree":               {user, user, func(_, b *Record) { b.ID, b.Writer.Principal, b.UpdatedAt = "bob's", "bob", now.Add(day) }, "bob's"},
		"a user's change of mind":          {user, user, func(_, b *Record) { b.ID, b.UpdatedAt = "later", now.Add(day) }, ""},
		"a change of mind, as an operator": {user, user, func(_, b *Record) { b.ID, b.Class = "later", provenance.Manual }, ""},
		"by prefix, no one knows who":      {user, user, func(a, b *Record) { a.Writer, b.Writer, b.ID, b.UpdatedAt = Writer{}, Writer{}, "later", now.Add(day) }, "later"},
		"pending already":                  {user, web, func(_, b *Record) { b.State = PendingReview }, ""},
		"the higher one is pending":        {user, web, func(a, _ *Record) { a.State, a.Zone = PendingReview, Quarantine }, ""},
		"disputed already":                 {user, web, func(_, b *Record) { b.State = Disputed }, ""},
		"stale":                            {user, web, func(_, b *Record) { b.State = Stale }, "web"},
		"forgotten":                        {user, web, func(_, b *Record) { b.State = Forgotten }, ""},
		"the higher one is forgotten":      {user, web, func(a, _ *Record) { a.State = Forgotten }, ""},
	} {
		a, b := tc.a, tc.b
		tc.edit(&a, &b)
		for range 2 {
			if id, ok := ToDispute(a, b); id != tc.want || ok != (tc.want != "") {
				t.Errorf("%s: %q %v, want %q", name, id, ok, tc.want)
			}
			a, b = b, a
		}
	}
}

// A lower class never changes the state of a higher one.
func TestToDisputeNeverTouchesTheHigher(t *testing.T) {
	for i, higher := range provenance.Classes {
		for _, lower := range provenance.Classes[i+1:] {
			for _, stateA := range States {
				for _, stateB := range States {
					a := Record{ID: "higher", Class: higher, Zone: Working, State: stateA, UpdatedAt: now}
					b := Record{ID: "lower", Class: lower, Zone: Working, State: stateB}
					if id, _ := ToDispute(a, b); id == "higher" {
						t.Errorf("%s %s is disputed by %s %s", higher, stateA, lower, stateB)
					}
				}
			}
		}
	}
}

// FuzzTopics also tries that what Contradicts finds does not hang on the order.
func FuzzTopics(f *testing.F) {
	f.Add("The office closes at 5 pm.", "办公室下午5点关门。")
	f.Add("The CEO of Acme is Alice Meyer.", "The CEO of Acme is Bob Stone.")
	f.Add("\xff5", "17h\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		if n := len(Topics(Record{Content: a, Subject: b})); n > MaxTopics {
			t.Errorf("%d topics", n)
		}
		signs, back := Contradicts(Record{Content: a}, Record{Content: b}), Contradicts(Record{Content: b}, Record{Content: a})
		if !slices.Equal(signs, back) {
			t.Errorf("%q and %q: %v, and %v the other way round", a, b, signs, back)
		}
	})
}
