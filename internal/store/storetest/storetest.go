// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package storetest is the conformance suite of memory.Store: every implementation passes the same tests.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Target is the implementation under test.
type Target struct {
	// Open returns a store without records that is closed when t ends.
	Open func(t *testing.T) memory.Store
	// Reopen closes a store of Open and opens what it wrote again.
	Reopen func(t *testing.T, s memory.Store) memory.Store
	// Tamper writes an older version, as returned by Commit, over the head row of its record behind the store's back,
	// and nothing else. Nil leaves the tests of tampering out.
	Tamper func(t *testing.T, s memory.Store, older memory.Record)
}

// Namespace of the records the suite writes.
const Namespace = "team-a"

// Epoch is the time of the suite's first record.
var Epoch = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// Run runs the suite.
func Run(t *testing.T, target Target) {
	for name, test := range map[string]func(*testing.T, Target){
		"round trip":                     testRoundTrip,
		"content byte for byte":          testContent,
		"refuses what it cannot keep":    testRefusals,
		"seq and signing":                testSigning,
		"failed signing leaves nothing":  testFailedSigning,
		"conflicts":                      testConflicts,
		"namespaces are apart":           testNamespaces,
		"several changes at once":        testCommitAll,
		"all changes or none":            testCommitAllOrNothing,
		"records acknowledged early":     testCommitBehind,
		"order of early and late":        testCommitBehindOrder,
		"early and late at once":         testCommitBehindConcurrently,
		"a request takes effect once":    testIdempotency,
		"one of many repetitions":        testIdempotencyRace,
		"failures stay apart":            testFailuresStayApart,
		"versions":                       testVersions,
		"versions refuse":                testVersionsRefuse,
		"purging":                        testPurge,
		"purging refuses":                testPurgeRefuses,
		"long histories":                 testLongHistory,
		"paging":                         testPaging,
		"filters":                        testFilters,
		"listing by change":              testChangedAfter,
		"forgetting":                     testForgetting,
		"search finds words":             testSearchWords,
		"search ranks":                   testSearchRanks,
		"search follows edits":           testSearchFollowsEdits,
		"search takes any text":          testSearchAnyText,
		"search without a text":          testSearchRecent,
		"search filters in every script": testSearchFilters,
		"reserved kinds":                 testReservedKinds,
		"recalls are counted":            testRecallCounts,
		"counts":                         testCounts,
		"counts of all namespaces":       testCountsOfAll,
		"waiting":                        testWaiting,
		"roots":                          testRoots,
		"roots of odd lineage":           testRootsOfOddLineage,
		"deliveries":                     testDeliveries,
		"list of deliveries":             testDeliveriesList,
		"opened sessions":                testSessions,
		"one of many openings":           testOpeningRace,
		"deliveries outside of sessions": testUnbound,
		"turns":                          testTurns,
		"ids of turns":                   testTurnIDs,
		"forgetting turns":               testForgettingTurns,
		"observations":                   testObservations,
		"observations in a session":      testObservationInSession,
		"observations refuse":            testObservationsRefuse,
		"order of traces":                testTracedOrder,
		"traces of records":              testTracesOfRecords,
		"long traces":                    testLongTraces,
		"purged traces":                  testPurgedTraces,
		"traces of deliveries":           testTracesOfDeliveries,
		"forgetting traces":              testForgettingTraces,
		"fragments":                      testFragments,
		"fragments of versions":          testFragmentsOfVersions,
		"dropped fragments":              testFragmentsDropped,
		"bounded fragments":              testFragmentsBounded,
		"fragments refuse":               testFragmentsRefuse,
		"descendants":                    testDescendants,
		"deep descendants":               testDeepDescendants,
		"contradictions":                 testContradictions,
		"contradictions refuse":          testContradictionsRefuse,
		"marks":                          testMarks,
		"checkpoint":                     testCheckpoint,
		"canceled context":               testCancelled,
		"concurrent commits":             testConcurrentCommits,
		"one writer wins":                testOneWriterWins,
		"durable":                        testDurable,
		"tampered row":                   testTampered,
	} {
		t.Run(name, func(t *testing.T) { test(t, target) })
	}
}

// NewRecord returns a plain valid record.
func NewRecord(content string) memory.Record {
	return memory.Record{
		ID: memory.NewID(), Namespace: Namespace, Zone: memory.Working, State: memory.Active,
		Class: provenance.AgentInferred, Source: "agent", Content: content, CreatedAt: Epoch, UpdatedAt: Epoch,
	}
}

// Create returns the change that creates r.
func Create(r memory.Record) memory.Change {
	return memory.Change{Type: memory.ChangeCreate, Record: r, Actor: r.Writer.String()}
}

func mustCommit(t *testing.T, s memory.Store, c memory.Change) memory.Record {
	t.Helper()
	r, err := s.Commit(t.Context(), c)
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	return r
}

func mustCreate(t *testing.T, s memory.Store, content string, edit func(*memory.Record)) memory.Record {
	t.Helper()
	r := NewRecord(content)
	if edit != nil {
		edit(&r)
	}
	return mustCommit(t, s, Create(r))
}

func mustSearch(t *testing.T, s memory.Store, q memory.Query) []memory.Candidate {
	t.Helper()
	if q.Namespace == "" {
		q.Namespace = Namespace
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	found, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%q): %v", q.Text, err)
	}
	return found
}

// change returns the change of a record as read, of the given type.
func change(kind memory.ChangeType, r memory.Record, edit func(*memory.Record)) memory.Change {
	seen := r.Seq
	edit(&r)
	r.UpdatedAt = r.UpdatedAt.Add(time.Second)
	return memory.Change{Type: kind, Record: r, Actor: "operator", Reason: "because", ExpectSeq: seen}
}

func contents[T any](items []T, record func(T) memory.Record) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		out = append(out, record(item).Content)
	}
	return out
}

// headOf is the head that a record has after the commit that returned r.
func headOf(r memory.Record) memory.Head {
	return memory.Head{Seq: r.Seq, Commit: [32]byte(r.Commit.Hash)}
}

func ofCandidate(c memory.Candidate) memory.Record { return c.Record }
func ofRecord(r memory.Record) memory.Record       { return r }

// fakeTag stands for a tag of the key with this id; a store looks only at the key id in it.
func fakeTag(key byte) func(memory.Record) ([]byte, error) {
	return func(r memory.Record) ([]byte, error) {
		return append([]byte{1, 0, 0, 0, key}, fmt.Sprintf("%032d", r.Seq)...), nil
	}
}

func background() context.Context { return context.Background() }
