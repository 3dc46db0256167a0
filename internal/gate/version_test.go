// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// history is a Trusted memory of three versions, a minute apart, and their commits, oldest first.
func history(f *fixture) (r memory.Record, commits []string) {
	r = f.put(memory.Record{Content: "The office is in Lyon.", Zone: memory.Trusted, Class: provenance.Manual, Writer: console.writer()})
	commits = append(commits, commitOf(r))
	for _, content := range []string{"The office is in Nice.", "The office is in Paris."} {
		r = f.amend(r, memory.ChangeUpdate, func(r *memory.Record) { r.Content = content })
		commits = append(commits, commitOf(r))
	}
	return r, commits
}

func TestGetOfAVersion(t *testing.T) {
	f := newFixture(t)
	start := f.now
	r, commits := history(f)
	tests := map[string]struct {
		q    Reading
		want string
	}{
		"newest":                {Reading{}, "The office is in Paris."},
		"newest by name":        {Reading{Commit: commits[2]}, "The office is in Paris."},
		"second":                {Reading{Commit: commits[1]}, "The office is in Nice."},
		"first":                 {Reading{Commit: commits[0]}, "The office is in Lyon."},
		"at the first":          {Reading{At: start}, "The office is in Lyon."},
		"just before a change":  {Reading{At: start.Add(time.Minute - time.Microsecond)}, "The office is in Lyon."},
		"at a change":           {Reading{At: start.Add(time.Minute)}, "The office is in Nice."},
		"now":                   {Reading{At: f.now}, "The office is in Paris."},
		"in the future":         {Reading{At: f.now.Add(time.Hour)}, "The office is in Paris."},
		"before it was written": {Reading{At: start.Add(-time.Second)}, ""},
		"no such commit":        {Reading{Commit: strings.Repeat("0", 64)}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.q.Session = name
			d, err := f.Get(f.ctx(), agent, r.ID, tt.q)
			if tt.want == "" {
				if !errors.Is(err, memory.ErrNotFound) {
					t.Errorf("%+v, %v", d, err)
				}
				return
			}
			if err != nil || d.Content != tt.want {
				t.Fatalf("%q, %v", d.Content, err)
			}
			boundary, authority := memory.RequiresReview, memory.Inform // what is outdated justifies nothing
			if d.Commit == commits[2] {
				boundary, authority = memory.Safe, memory.Act
			}
			if d.Boundary != boundary || d.Authority != authority {
				t.Errorf("boundary %s, authority %s", d.Boundary, d.Authority)
			}
			logged, err := f.Deliveries(f.ctx(), Person{Principal: "p"}, DeliveryQuery{Session: name})
			must(t, err)
			version, err := f.db.Versions(f.ctx(), memory.History{Namespace: testNamespace, ID: r.ID, Limit: 10})
			must(t, err)
			var seq uint64
			for _, v := range version {
				if commitOf(v) == d.Commit {
					seq = v.Seq
				}
			}
			if len(logged) != 1 || logged[0].Seq != seq || logged[0].RecordID != r.ID {
				t.Errorf("logged %+v, want seq %d", logged, seq)
			}
		})
	}
	for name, q := range map[string]Reading{
		"commit": {Commit: "xyz"}, "at": {Commit: commits[0], At: f.now}, "session": {Session: "a\nb"},
	} {
		var field *memory.FieldError
		if _, err := f.Get(f.ctx(), agent, r.ID, q); !errors.As(err, &field) || field.Field != name {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := f.Get(f.ctx(), agent, r.ID, Reading{Commit: strings.ToUpper(commits[0])}); err == nil {
		t.Error("a commit has two names")
	}
}

// Once a memory is withheld, so is all of its history.
func TestHistoryOfAWithheldMemoryIsOutOfReach(t *testing.T) {
	changes := map[string]func(f *fixture, r memory.Record){
		"quarantined": func(f *fixture, r memory.Record) {
			f.amend(r, memory.ChangeReview, func(r *memory.Record) { r.Zone, r.State = memory.Quarantine, memory.PendingReview })
		},
		"forgotten": func(f *fixture, r memory.Record) {
			f.amend(r, memory.ChangeDelete, func(r *memory.Record) { r.State = memory.Forgotten })
		},
		"rejected": func(f *fixture, r memory.Record) {
			f.amend(r, memory.ChangeReview, func(r *memory.Record) { r.State = memory.Rejected })
		},
		"expired": func(f *fixture, r memory.Record) {
			f.amend(r, memory.ChangeReview, func(r *memory.Record) { r.Expiry = f.now })
		},
		"purged": func(f *fixture, r memory.Record) {
			f.amend(r, memory.ChangePurge, func(r *memory.Record) {
				sum := sha256.Sum256([]byte(r.Content))
				r.Content, r.Erased, r.State = "", sum[:], memory.Forgotten
			})
		},
		"tampered": func(f *fixture, r memory.Record) { f.sql("UPDATE records SET zone = 'Working' WHERE id = ?", r.ID) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			start := f.now
			r, commits := history(f)
			change(f, r)
			reads := map[string]Reading{"newest": {}, "at": {At: start}}
			for _, c := range commits {
				reads[c] = Reading{Commit: c}
			}
			for which, q := range reads {
				q.Session = "s"
				if d, err := f.Get(f.ctx(), agent, r.ID, q); !errors.Is(err, memory.ErrNotFound) || err.Error() != memory.ErrNotFound.Error() {
					t.Errorf("%s: %+v, %v", which, d, err)
				}
			}
			if l, err := f.Log(f.ctx(), agent, r.ID, LogQuery{Session: "s"}); !errors.Is(err, memory.ErrNotFound) || len(l.Commits) > 0 {
				t.Errorf("log: %+v, %v", l, err)
			}
			if logged, err := f.Deliveries(f.ctx(), Person{Principal: "p"}, DeliveryQuery{ID: r.ID}); err != nil || len(logged) > 0 {
				t.Errorf("logged %+v, %v", logged, err)
			}
		})
	}
}

// A version that was Blocked, or that does not pass the screen of today, stays out of reach when the newest is delivered.
func TestBadVersionsOfAGoodMemory(t *testing.T) {
	f := newFixture(t)
	quarantined := f.put(memory.Record{Content: plant, Zone: memory.Quarantine, State: memory.PendingReview, Class: provenance.WebContent})
	directive := f.put(memory.Record{Content: plant, Class: provenance.WebContent})
	folded := f.put(memory.Record{Content: publicFact, State: memory.PendingReview, FoldedInto: quarantined.ID, Zone: memory.Quarantine})
	expired := f.put(memory.Record{Content: publicFact, State: memory.PendingReview, Expiry: f.now.Add(time.Second)})
	for name, r := range map[string]memory.Record{"quarantined": quarantined, "directive": directive, "folded": folded, "expired": expired} {
		f.amend(r, memory.ChangeReview, func(r *memory.Record) {
			r.Content, r.Zone, r.State, r.FoldedInto, r.Expiry = "A plain fact.", memory.Working, memory.Active, "", time.Time{}
		})
		if _, err := f.Get(f.ctx(), agent, r.ID, Reading{}); err != nil {
			t.Errorf("%s: the newest version: %v", name, err)
		}
		if d, err := f.Get(f.ctx(), agent, r.ID, Reading{Commit: commitOf(r)}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// An old version that was changed in the database, with a hash to match, is not the one the version after was made from.
func TestTamperedVersions(t *testing.T) {
	f := newFixture(t)
	r, commits := history(f)
	f.sql("DROP TRIGGER IF EXISTS versions_stay; DROP TRIGGER IF EXISTS contents_stay; "+
		"UPDATE contents SET content = 'The office is in Rome.' WHERE seq IN (SELECT seq FROM versions WHERE record_id = ? ORDER BY seq LIMIT 1)", r.ID)
	if d, err := f.Get(f.ctx(), agent, r.ID, Reading{Commit: commits[0]}); err == nil {
		t.Errorf("changed content is delivered: %+v", d)
	}
	if _, err := f.Get(f.ctx(), agent, r.ID, Reading{Commit: commits[1]}); err != nil {
		t.Errorf("the version after it: %v", err)
	}
}

// One that was rewritten consistently, hash and all, is not reached either: the version after it names another.
func TestSlippedInVersion(t *testing.T) {
	f := newFixture(t)
	r, commits := history(f)
	f.sql("DROP TRIGGER IF EXISTS versions_stay; UPDATE versions SET body = json_set(body, '$.kind', 'rule') WHERE record_id = ? AND hash = ?",
		r.ID, r.Commit.Parents[0])
	forged, err := f.db.Versions(f.ctx(), memory.History{Namespace: testNamespace, ID: r.ID, Before: r.Seq, Limit: 1})
	must(t, err)
	hash := forged[0].CommitHash()
	if forged[0].Kind != "rule" {
		t.Fatalf("the version was not changed: %+v", forged[0])
	}
	f.sql("UPDATE versions SET hash = ? WHERE record_id = ? AND hash = ?", hash[:], r.ID, r.Commit.Parents[0])
	for _, q := range []Reading{{Commit: commits[1]}, {Commit: hex.EncodeToString(hash[:])}, {At: forged[0].UpdatedAt}, {Commit: commits[0]}} {
		if d, err := f.Get(f.ctx(), agent, r.ID, q); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%+v: %+v, %v", q, d, err)
		}
	}
	if _, err := f.Get(f.ctx(), agent, r.ID, Reading{}); err != nil {
		t.Errorf("the newest version: %v", err)
	}
}

// Long histories are walked to their beginning.
func TestLongHistory(t *testing.T) {
	f := newFixture(t)
	r := f.put(memory.Record{Content: "Version 0."})
	first := commitOf(r)
	for range 3 * versionPage {
		r = f.amend(r, memory.ChangeUpdate, func(r *memory.Record) { r.Content += "." })
	}
	if d, err := f.Get(f.ctx(), agent, r.ID, Reading{Commit: first}); err != nil || d.Content != "Version 0." {
		t.Errorf("%+v, %v", d, err)
	}
}
