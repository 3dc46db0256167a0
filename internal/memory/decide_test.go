// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/provenance"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const fortnight = 14 * 24 * time.Hour

// The rows of the design's table, by name.
var (
	trusted  = Outcome{Zone: Trusted, State: Active, Authority: Act}
	working  = Outcome{Zone: Working, State: Active, Authority: Inform}
	marked   = Outcome{Zone: Working, State: PendingReview, Authority: Inform, Expiry: now.Add(fortnight)}
	withheld = Outcome{Zone: Quarantine, State: PendingReview, Authority: None, Expiry: now.Add(fortnight)}
)

// Every combination of what Decide looks at, against the table spelled out cell by cell.
func TestDecide(t *testing.T) {
	type row struct{ clean, unjudged, directive Outcome }
	high := func(authenticated, prefix bool) row {
		switch {
		case authenticated:
			return row{trusted, trusted, trusted}
		case prefix:
			return row{working, working, working}
		}
		return row{} // as AgentInferred
	}
	inferred := map[bool]row{false: {working, marked, withheld}, true: {working, withheld, withheld}} // by review Withhold
	low := map[bool]row{false: {marked, marked, withheld}, true: {withheld, withheld, withheld}}
	for _, class := range append(provenance.Classes, "", "Nonsense") {
		for bits := range 32 {
			w := Write{
				Class: class, Authenticated: bits&1 != 0, TrustedPrefix: bits&2 != 0, Directive: bits&4 != 0,
				Withhold: bits&8 != 0, Unjudged: bits&16 != 0, PendingExpiry: fortnight, Now: now,
			}
			var want row
			switch class {
			case provenance.UserInput, provenance.Manual, provenance.SystemMemory:
				if want = high(w.Authenticated, w.TrustedPrefix); want == (row{}) {
					want = inferred[w.Withhold]
				}
			case provenance.AgentInferred:
				want = inferred[w.Withhold]
			default:
				want = low[w.Withhold]
			}
			cell := want.clean
			switch {
			case w.Directive:
				cell = want.directive
			case w.Unjudged:
				cell = want.unjudged
			}
			if diff := cmp.Diff(cell, Decide(w)); diff != "" {
				t.Errorf("%+v (-want +got):\n%s", w, diff)
			}
		}
	}
}

// What is decided agrees with what a recaller reads off the record that results.
func TestDecideAgreesWithAuthorityOf(t *testing.T) {
	for _, class := range provenance.Classes {
		for bits := range 32 {
			w := Write{
				Class: class, Authenticated: bits&1 != 0, TrustedPrefix: bits&2 != 0, Directive: bits&4 != 0,
				Withhold: bits&8 != 0, Unjudged: bits&16 != 0, PendingExpiry: fortnight, Now: now,
			}
			out := Decide(w)
			r := Record{Zone: out.Zone, State: out.State, Expiry: out.Expiry, Class: class}
			if w.Authenticated {
				r.Writer = Writer{Channel: "console", Principal: "alice"}
			}
			if got := AuthorityOf(r, now); got != out.Authority {
				t.Errorf("%+v: decided %s, record has %s", w, out.Authority, got)
			}
		}
	}
}

func TestDecideExpiry(t *testing.T) {
	for name, tc := range map[string]struct {
		write Write
		want  time.Duration // 0: never
	}{
		"pending without end":       {Write{Class: provenance.WebContent}, 0},
		"pending":                   {Write{Class: provenance.WebContent, PendingExpiry: fortnight}, fortnight},
		"pending of a short class":  {Write{Class: provenance.WebContent, PendingExpiry: fortnight, ClassExpiry: time.Hour}, time.Hour},
		"pending of a long class":   {Write{Class: provenance.WebContent, PendingExpiry: time.Hour, ClassExpiry: fortnight}, time.Hour},
		"pending, class alone":      {Write{Class: provenance.WebContent, ClassExpiry: time.Hour}, time.Hour},
		"agent":                     {Write{Class: provenance.AgentInferred, PendingExpiry: time.Minute, ClassExpiry: time.Hour}, time.Hour},
		"agent without end":         {Write{Class: provenance.AgentInferred, PendingExpiry: time.Minute}, 0},
		"user by channel":           {Write{Class: provenance.UserInput, Authenticated: true, ClassExpiry: time.Hour}, time.Hour},
		"user by prefix":            {Write{Class: provenance.UserInput, TrustedPrefix: true, ClassExpiry: time.Hour}, time.Hour},
		"in the queue":              {Write{Class: provenance.AgentInferred, Directive: true, ClassExpiry: time.Hour}, 0},
		"in the queue, by withhold": {Write{Class: provenance.ToolOutput, Withhold: true, PendingExpiry: fortnight, ClassExpiry: time.Hour}, fortnight},
		"negative":                  {Write{Class: provenance.WebContent, PendingExpiry: -time.Hour, ClassExpiry: -1}, 0},
	} {
		tc.write.Now = now
		want := time.Time{}
		if tc.want > 0 {
			want = now.Add(tc.want)
		}
		if got := Decide(tc.write).Expiry; !got.Equal(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestStaleAt(t *testing.T) {
	old := Record{Zone: Working, State: Active, CreatedAt: now.Add(-2 * time.Hour)}
	for name, tc := range map[string]struct {
		edit  func(*Record)
		after time.Duration
		want  bool
	}{
		"older":            {func(*Record) {}, time.Hour, true},
		"approved":         {func(r *Record) { r.State = Approved }, time.Hour, true},
		"younger":          {func(*Record) {}, 3 * time.Hour, false},
		"just as old":      {func(*Record) {}, 2 * time.Hour, false},
		"never":            {func(*Record) {}, 0, false},
		"pinned":           {func(r *Record) { r.Pinned = true }, time.Hour, false},
		"pending":          {func(r *Record) { r.State = PendingReview }, time.Hour, false},
		"stale already":    {func(r *Record) { r.State = Stale }, time.Hour, false},
		"forgotten":        {func(r *Record) { r.State = Forgotten }, time.Hour, false},
		"changed just now": {func(r *Record) { r.UpdatedAt = now }, time.Hour, true},
	} {
		r := old
		tc.edit(&r)
		if got := r.StaleAt(tc.after, now); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func TestBoundaryOf(t *testing.T) {
	want := map[State]Boundary{
		Active: Safe, Approved: Safe,
		Stale: RequiresReview, Disputed: RequiresReview, Superseded: RequiresReview, PendingReview: RequiresReview,
		Forgotten: Blocked, Rejected: Blocked, "": Blocked, "Nonsense": Blocked,
	}
	for state, boundary := range want {
		for _, zone := range []Zone{Working, Trusted} {
			if got := BoundaryOf(zone, state); got != boundary {
				t.Errorf("%s %s: %s, want %s", zone, state, got, boundary)
			}
		}
		for _, zone := range []Zone{Quarantine, "", "Nonsense"} {
			if got := BoundaryOf(zone, state); got != Blocked {
				t.Errorf("%s %s: %s, want Blocked", zone, state, got)
			}
		}
	}
}

func TestExpiry(t *testing.T) {
	for name, tc := range map[string]struct {
		expiry time.Time
		want   Boundary
	}{
		"never":  {time.Time{}, Safe},
		"later":  {now.Add(time.Microsecond), Safe},
		"now":    {now, Blocked},
		"before": {now.Add(-time.Hour), Blocked},
	} {
		r := Record{Zone: Trusted, State: Active, Expiry: tc.expiry}
		if got := r.Boundary(now); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func TestAuthorityOf(t *testing.T) {
	act := Record{Zone: Trusted, State: Active, Class: provenance.Manual, Writer: Writer{Channel: "console", Principal: "alice"}}
	for name, tc := range map[string]struct {
		edit func(*Record)
		want Authority
	}{
		"all conditions met":    {func(*Record) {}, Act},
		"approved":              {func(r *Record) { r.State, r.ApprovedBy = Approved, "bob" }, Inform},
		"approved by no one":    {func(r *Record) { r.State = Approved }, Inform},
		"approved before":       {func(r *Record) { r.ApprovedBy = "bob" }, Inform},
		"lower class":           {func(r *Record) { r.Class = provenance.AgentInferred }, Inform},
		"no class":              {func(r *Record) { r.Class = "" }, Inform},
		"by the agent's port":   {func(r *Record) { r.Writer = Writer{} }, Inform},
		"working":               {func(r *Record) { r.Zone = Working }, Inform},
		"disputed":              {func(r *Record) { r.State = Disputed }, Inform},
		"pending":               {func(r *Record) { r.State = PendingReview }, Inform},
		"quarantined":           {func(r *Record) { r.Zone = Quarantine }, None},
		"forgotten":             {func(r *Record) { r.State = Forgotten }, None},
		"expired":               {func(r *Record) { r.Expiry = now }, None},
		"principal, no channel": {func(r *Record) { r.Writer = Writer{Principal: "alice"} }, Inform},
	} {
		r := act
		tc.edit(&r)
		if got := AuthorityOf(r, now); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}
