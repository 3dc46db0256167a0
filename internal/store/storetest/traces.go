// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// highFeature has the highest bit set, as features of identifiers do: a store must not lose it to a sign.
const highFeature = 1<<63 | 7

func observation(session string, class provenance.Class, at time.Time, features ...uint64) memory.Trace {
	return memory.Trace{
		ID: memory.NewID(), Namespace: Namespace, Session: session, Class: class, Source: "web:example.org", At: at, Features: features,
	}
}

func mustObserve(t *testing.T, s memory.Store, traces ...memory.Trace) {
	t.Helper()
	for _, trace := range traces {
		if err := s.Observe(t.Context(), trace); err != nil {
			t.Fatalf("Observe: %v", err)
		}
	}
}

func traced(t *testing.T, s memory.Store, namespace string, limit int, features ...uint64) []memory.TraceMatch {
	t.Helper()
	out, err := s.Traced(t.Context(), namespace, features, limit)
	if err != nil {
		t.Fatalf("Traced: %v", err)
	}
	return out
}

// idsOf are the ids of matches in their order.
func idsOf(matches []memory.TraceMatch) []string {
	out := []string{}
	for _, m := range matches {
		out = append(out, m.ID)
	}
	return out
}

// traceMatch is what Traced returns of a trace that shares these features.
func traceMatch(t memory.Trace, shared ...uint64) memory.TraceMatch {
	m := memory.TraceMatch{Trace: t, Shared: shared, Features: len(t.Features)}
	m.Trace.Features = nil
	return m
}

func testObservations(t *testing.T, target Target) {
	s := target.Open(t)
	page := observation("a", provenance.WebContent, Epoch, 1, 2, 3, highFeature)
	tool := observation("", provenance.ToolOutput, Epoch.Add(time.Minute), 2, 9)
	elsewhere := observation("a", provenance.Unknown, Epoch, 1, 2, 3)
	elsewhere.Namespace = "team-b"
	mustObserve(t, s, page, tool, elsewhere)
	s = target.Reopen(t, s)

	want := []memory.TraceMatch{traceMatch(page, 1, 2, highFeature), traceMatch(tool, 2)}
	if diff := cmp.Diff(want, traced(t, s, Namespace, 10, 1, 2, 50, highFeature)); diff != "" {
		t.Errorf("traced (-want +got):\n%s", diff)
	}
	if got := traced(t, s, "team-c", 10, 1, 2); len(got) != 0 {
		t.Errorf("%d traces of other namespaces", len(got))
	}
	if got := traced(t, s, Namespace, 10); len(got) != 0 {
		t.Errorf("%d traces share nothing", len(got))
	}
	for name, tc := range map[string]struct {
		lowest func() (provenance.Class, bool, error)
		want   provenance.Class
	}{
		"its session": {func() (provenance.Class, bool, error) {
			return s.LowestDelivered(t.Context(), Namespace, "a", time.Time{})
		}, provenance.WebContent},
		"any session": {func() (provenance.Class, bool, error) {
			return s.LowestDelivered(t.Context(), Namespace, "", Epoch.Add(time.Second))
		}, provenance.ToolOutput},
		"outside of sessions": {func() (provenance.Class, bool, error) {
			return s.LowestUnbound(t.Context(), Namespace, time.Time{})
		}, provenance.WebContent},
	} {
		if got, ok, err := tc.lowest(); err != nil || !ok || got != tc.want {
			t.Errorf("lowest class of %s is %q %v, error %v, want %q", name, got, ok, err, tc.want)
		}
	}
	list, err := s.Deliveries(t.Context(), memory.DeliveryFilter{Limit: 10})
	if err != nil || len(list) != 0 {
		t.Errorf("%d observations are in the log of deliveries, error %v", len(list), err)
	}
	mustObserve(t, s, observation("c", provenance.Unknown, Epoch)) // of a text too short to recognize
	if got, ok, err := s.LowestDelivered(t.Context(), Namespace, "c", time.Time{}); err != nil || !ok || got != provenance.Unknown {
		t.Errorf("a short observation counts as %q %v, error %v", got, ok, err)
	}
	names, err := s.Namespaces(t.Context())
	if err != nil || len(names) != 0 {
		t.Errorf("namespaces with records: %v, error %v", names, err)
	}
}

// An observation in a session that a user channel opened does not count outside of it.
func testObservationInSession(t *testing.T, target Target) {
	s := target.Open(t)
	mustOpenSession(t, s, session("opened"))
	mustObserve(t, s, observation("opened", provenance.WebContent, Epoch, 1))
	if got, ok, err := s.LowestUnbound(t.Context(), Namespace, time.Time{}); err != nil || ok {
		t.Errorf("%q counts outside of the session, error %v", got, err)
	}
	if got, _, err := s.LowestDelivered(t.Context(), Namespace, "opened", time.Time{}); err != nil || got != provenance.WebContent {
		t.Errorf("lowest of the session is %q, error %v", got, err)
	}
}

func testObservationsRefuse(t *testing.T, target Target) {
	s := target.Open(t)
	tooMany := make([]uint64, memory.MaxFeatures+1)
	for name, edit := range map[string]func(*memory.Trace){
		"no id":             func(o *memory.Trace) { o.ID = "x" },
		"no namespace":      func(o *memory.Trace) { o.Namespace = "" },
		"no class":          func(o *memory.Trace) { o.Class = "Nonsense" },
		"no time":           func(o *memory.Trace) { o.At = time.Time{} },
		"too many features": func(o *memory.Trace) { o.Features = tooMany },
		"unsorted features": func(o *memory.Trace) { o.Features = []uint64{2, 1} },
		"control character": func(o *memory.Trace) { o.Source = "web:\x00" },
		"long session":      func(o *memory.Trace) { o.Session = string(make([]byte, memory.MaxSessionBytes+1)) },
	} {
		o := observation("a", provenance.WebContent, Epoch, 1)
		edit(&o)
		var refused *memory.FieldError
		if err := s.Observe(t.Context(), o); !errors.As(err, &refused) {
			t.Errorf("%s: got error %v, want a FieldError", name, err)
		}
	}
	r := NewRecord("x")
	c := Create(r)
	c.Trace = tooMany
	var refused *memory.FieldError
	if _, err := s.Commit(t.Context(), c); !errors.As(err, &refused) {
		t.Errorf("commit with too many features: got error %v", err)
	}
	for _, limit := range []int{0, memory.MaxPageSize + 1} {
		if _, err := s.Traced(t.Context(), Namespace, []uint64{1}, limit); !errors.As(err, &refused) {
			t.Errorf("limit %d: got error %v", limit, err)
		}
	}
	if _, err := s.Traced(t.Context(), Namespace, tooMany, 1); !errors.As(err, &refused) {
		t.Errorf("too many features: got error %v", err)
	}
}

// Those that share most come first, then those of the lowest class; of a feature that everything has, the lowest classes are
// looked at however many others there are.
func testTracedOrder(t *testing.T, target Target) {
	s := target.Open(t)
	var agents []memory.Trace
	for i := range 300 {
		agents = append(agents, observation("", provenance.AgentInferred, Epoch, 1, uint64(1000+i))) // #nosec G115
	}
	mustObserve(t, s, agents...)
	web, tool := observation("", provenance.WebContent, Epoch, 1, 5), observation("", provenance.ToolOutput, Epoch, 1, 5)
	most := observation("", provenance.Manual, Epoch, 5, 6, 7)
	mustObserve(t, s, tool, web, most)
	want := []string{most.ID, web.ID, tool.ID}
	if got := idsOf(traced(t, s, Namespace, 3, 1, 5, 6, 7)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := idsOf(traced(t, s, Namespace, 2, 1)); !slices.Equal(got, []string{web.ID, tool.ID}) {
		t.Errorf("of a feature of all got %v", got)
	}
}

func testTracesOfRecords(t *testing.T, target Target) {
	s := target.Open(t)
	r := NewRecord("alpha")
	r.Class = provenance.ToolOutput
	c := Create(r)
	c.Trace = []uint64{1, 2, highFeature}
	first := mustCommit(t, s, c)
	plain := mustCreate(t, s, "untraced", nil)

	want := memory.TraceMatch{
		Trace:    memory.Trace{ID: first.ID, Namespace: Namespace, Record: true, Class: provenance.ToolOutput, At: Epoch},
		Shared:   []uint64{highFeature},
		Features: 3,
	}
	if diff := cmp.Diff([]memory.TraceMatch{want}, traced(t, s, Namespace, 10, highFeature)); diff != "" {
		t.Errorf("after creation (-want +got):\n%s", diff)
	}
	// An edit adds what it says, and takes nothing away of what was said before.
	edit := change(memory.ChangeUpdate, first, func(r *memory.Record) { r.Content, r.Class = "beta", provenance.WebContent })
	edit.Trace = []uint64{2, 3}
	second := mustCommit(t, s, edit)
	late := change(memory.ChangeUpdate, plain, func(r *memory.Record) { r.Content = "traced after all" })
	late.Trace = []uint64{3}
	mustCommit(t, s, late)
	s = target.Reopen(t, s)
	got := traced(t, s, Namespace, 10, 1, 3, highFeature)
	if ids := idsOf(got); !slices.Equal(ids, []string{first.ID, plain.ID}) {
		t.Fatalf("after the edits got %v", ids)
	}
	want.Class, want.Shared, want.Features = provenance.WebContent, []uint64{1, 3, highFeature}, 4
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("after the edit (-want +got):\n%s", diff)
	}
	// What is not said again stays known.
	mustCommit(t, s, change(memory.ChangeReview, second, func(r *memory.Record) { r.Zone = memory.Quarantine }))
	if ids := idsOf(traced(t, s, Namespace, 10, 1)); !slices.Equal(ids, []string{first.ID}) {
		t.Errorf("after a review got %v", ids)
	}
}

func testLongTraces(t *testing.T, target Target) {
	s := target.Open(t)
	features := func(from uint64) []uint64 {
		out := make([]uint64, memory.MaxFeatures)
		for i := range out {
			out[i] = from + uint64(i) // #nosec G115
		}
		return out
	}
	c := Create(NewRecord("long"))
	c.Trace = features(1)
	r := mustCommit(t, s, c)
	edit := change(memory.ChangeUpdate, r, func(r *memory.Record) { r.Content = "as long" })
	edit.Trace = features(10_001)
	mustCommit(t, s, edit)
	got := traced(t, s, Namespace, 10, features(10_001)...)
	if len(got) != 1 || len(got[0].Shared) != memory.MaxFeatures || got[0].Features != memory.MaxFeatures {
		t.Fatalf("the newest content is not all there: %d matches", len(got))
	}
	mustPurge(t, s, r.ID)
	if got := traced(t, s, Namespace, 10, features(1)...); len(got) != 0 {
		t.Errorf("features of an earlier content outlive the purge")
	}
}

// mustPurge erases a record.
func mustPurge(t *testing.T, s memory.Store, id string) {
	t.Helper()
	r, err := s.Get(t.Context(), Namespace, id)
	if err != nil {
		t.Fatal(err)
	}
	mustCommit(t, s, purge(r))
}

func testPurgedTraces(t *testing.T, target Target) {
	s := target.Open(t)
	c := Create(NewRecord("erase me"))
	c.Trace = []uint64{1, 2}
	r := mustCommit(t, s, c)
	other := Create(NewRecord("keep me"))
	other.Trace = []uint64{1, 2}
	kept := mustCommit(t, s, other)
	mustPurge(t, s, r.ID)
	s = target.Reopen(t, s)
	if got := idsOf(traced(t, s, Namespace, 10, 1, 2)); !slices.Equal(got, []string{kept.ID}) {
		t.Errorf("after the purge got %v, want only %s", got, kept.ID)
	}
	mustPurge(t, s, mustCreate(t, s, "never traced", nil).ID)
}

func testTracesOfDeliveries(t *testing.T, target Target) {
	s := target.Open(t)
	r := mustCreate(t, s, "delivered", nil)
	shown := memory.Delivery{Namespace: Namespace, Session: "a", RecordID: r.ID, Seq: r.Seq, Class: r.Class, At: Epoch}
	trace := memory.Trace{ID: r.ID, Namespace: Namespace, Record: true, Class: r.Class, At: Epoch, Features: []uint64{4, 5}}
	again := trace
	again.Class, again.Features = provenance.Unknown, []uint64{6}
	empty := trace
	empty.ID, empty.Features = memory.NewID(), nil
	for _, traces := range [][]memory.Trace{{trace, empty}, {again}, nil} {
		if err := s.LogDeliveries(t.Context(), []memory.Delivery{shown}, traces); err != nil {
			t.Fatal(err)
		}
	}
	s = target.Reopen(t, s)
	if diff := cmp.Diff([]memory.TraceMatch{traceMatch(trace, 4, 5)}, traced(t, s, Namespace, 10, 4, 5, 6)); diff != "" {
		t.Errorf("traced (-want +got):\n%s", diff)
	}
	bad := trace
	bad.ID = "none"
	if err := s.LogDeliveries(t.Context(), []memory.Delivery{shown}, []memory.Trace{bad}); err == nil {
		t.Error("a trace that cannot be kept was taken")
	}
	list, err := s.Deliveries(t.Context(), memory.DeliveryFilter{RecordID: r.ID, Limit: 10})
	if err != nil || len(list) != 3 {
		t.Errorf("%d deliveries, error %v: a delivery without its trace must not be logged", len(list), err)
	}
}

func testForgettingTraces(t *testing.T, target Target) {
	s := target.Open(t)
	for i := range 50 {
		mustObserve(t, s, observation("", provenance.WebContent, Epoch, 1, uint64(100+i))) // #nosec G115
	}
	fresh := observation("", provenance.WebContent, Epoch.Add(time.Hour), 1, 99)
	mustObserve(t, s, fresh)
	c := Create(NewRecord("old record"))
	c.Trace = []uint64{1}
	r := mustCommit(t, s, c)
	if err := s.ForgetTraces(t.Context(), Epoch.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got := idsOf(traced(t, s, Namespace, 100, 1, 120)); !slices.Equal(got, []string{fresh.ID, r.ID}) {
		t.Errorf("%d traces are left, want the fresh one and that of the record", len(got))
	}
	if got, _, err := s.LowestDelivered(t.Context(), Namespace, "", time.Time{}); err != nil || got != provenance.WebContent {
		t.Errorf("a mark forgets with the trace: %q, error %v", got, err)
	}
}

// derive makes a record that goes back to others.
func derive(t *testing.T, s memory.Store, parents ...string) string {
	t.Helper()
	return mustCreate(t, s, "derived", func(r *memory.Record) { r.Parents = parents }).ID
}

func testDescendants(t *testing.T, target Target) {
	s := target.Open(t)
	root, other := mustCreate(t, s, "root", nil).ID, mustCreate(t, s, "other", nil).ID
	left, right := derive(t, s, root), derive(t, s, root, other)
	bottom := derive(t, s, left, right) // a diamond
	leaf := derive(t, s, bottom)
	alone := derive(t, s, memory.NewID()) // of a record that is not here
	s = target.Reopen(t, s)
	for name, tc := range map[string]struct {
		ids   []string
		limit int
		want  map[string]int
	}{
		"all":                   {[]string{root}, 10, map[string]int{left: 1, right: 1, bottom: 2, leaf: 3}},
		"nearest first":         {[]string{root}, 2, map[string]int{left: 1, right: 1}},
		"of several":            {[]string{other, left}, 10, map[string]int{right: 1, bottom: 1, leaf: 2}},
		"not those asked for":   {[]string{root, bottom}, 10, map[string]int{left: 1, right: 1, leaf: 1}},
		"none":                  {[]string{leaf, alone}, 10, map[string]int{}},
		"of nothing":            {nil, 10, map[string]int{}},
		"of what is not here":   {[]string{memory.NewID()}, 10, map[string]int{}},
		"named twice":           {[]string{bottom, bottom}, 10, map[string]int{leaf: 1}},
		"a limit that is large": {[]string{root}, 1 << 30, map[string]int{left: 1, right: 1, bottom: 2, leaf: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := s.Descendants(t.Context(), tc.ids, tc.limit)
			if err != nil {
				t.Fatal(err)
			}
			got, depth := map[string]int{}, 0
			for _, d := range list {
				if d.Depth < depth {
					t.Errorf("depth %d after %d", d.Depth, depth)
				}
				depth = d.Depth
				got[d.ID] = d.Depth
				if _, met := got[d.Parent]; !met && !slices.Contains(tc.ids, d.Parent) {
					t.Errorf("%s comes by a record that was not met", d.ID)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	var refused *memory.FieldError
	if _, err := s.Descendants(t.Context(), []string{root}, 0); !errors.As(err, &refused) {
		t.Errorf("no limit: got error %v", err)
	}
}

func testDeepDescendants(t *testing.T, target Target) {
	s := target.Open(t)
	root := mustCreate(t, s, "root", nil).ID
	const deep, wide = 300, 1500
	id := root
	for range deep {
		id = derive(t, s, id)
	}
	changes := make([]memory.Change, wide)
	for i := range changes {
		r := NewRecord(fmt.Sprint("leaf ", i))
		r.Parents = []string{id}
		changes[i] = Create(r)
	}
	if _, err := s.CommitAll(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	// Lineage can be made to go in circles: a record may name one that comes after it.
	circle := NewRecord("circle")
	back := NewRecord("back")
	circle.Parents, back.Parents = []string{id, back.ID}, []string{circle.ID}
	mustCommit(t, s, Create(circle))
	mustCommit(t, s, Create(back))
	list, err := s.Descendants(t.Context(), []string{root}, 1<<20)
	if err != nil || len(list) != deep+wide+2 || list[len(list)-1].Depth != deep+2 {
		t.Fatalf("%d descendants, error %v, want %d", len(list), err, deep+wide+2)
	}
}
