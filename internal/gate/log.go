// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of a log.
const (
	DefaultLog = 50
	MaxLog     = memory.MaxHistory
)

// LogQuery asks for a page of a memory's history.
type LogQuery struct {
	Session string // session of the agent; may be empty
	Cursor  string // Next of the page before
	Limit   int    // 0: DefaultLog; at most MaxLog
}

// Logged is one page of a memory's history.
type Logged struct {
	ID      string        `json:"id" doc:"Id of the memory"`
	Commits []CommitEntry `json:"commits" nullable:"false" doc:"Its versions, newest first"`
	Next    string        `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
	Message string        `json:"message" doc:"What is shown"`
}

// CommitEntry is one change of a memory: that it was made, and nothing of what the memory said.
type CommitEntry struct {
	Commit  string            `json:"commit" doc:"Names the version"`
	Parents []string          `json:"parents" nullable:"false" doc:"Versions it was made from"`
	Change  memory.ChangeType `json:"change" doc:"What was done"`
	Actor   string            `json:"actor" enum:"agent,channel,person,system" doc:"Who did it"`
	At      time.Time         `json:"at" doc:"When"`
	Zone    memory.Zone       `json:"zone" enum:"Quarantine,Working,Trusted" doc:"Zone since then"`
	State   memory.State      `json:"state" doc:"State since then"`
	Class   provenance.Class  `json:"class" doc:"Source class"`
	Current bool              `json:"current" doc:"Whether it is the newest version"`
}

// Log returns a page of the history of a memory: when it was changed, and how, and never what it said. It is a recall of the
// newest version, and logged like one; for whatever Get would not deliver it returns memory.ErrNotFound.
func (g *Gate) Log(ctx context.Context, c Caller, id string, q LogQuery) (Logged, error) {
	defer g.metrics.time("log")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Logged{}, err
	}
	if err := checkSession(q.Session); err != nil {
		return Logged{}, err
	}
	limit, err := pageLimit(q.Limit, DefaultLog, MaxLog)
	if err != nil {
		return Logged{}, err
	}
	before, err := readSeqCursor(q.Cursor, "log", namespace, id)
	if err != nil {
		return Logged{}, err
	}
	head, err := g.head(ctx, s, namespace, id)
	if err != nil {
		return Logged{}, err
	}
	if _, err := g.deliver(s, namespace, q.Session, g.now()).one(ctx, head); err != nil {
		return Logged{}, err
	}
	versions, err := g.store.Versions(ctx, memory.History{Namespace: namespace, ID: id, Before: before, Limit: limit})
	if err != nil {
		return Logged{}, err
	}
	out := Logged{ID: id, Commits: make([]CommitEntry, len(versions)),
		Message: "When the memory was changed, newest first. Name a commit to read the memory as it was."}
	for i, v := range versions {
		out.Commits[i] = commitEntry(v, head.record.Seq)
	}
	if len(versions) == limit {
		out.Next = nextCursor(strconv.FormatUint(versions[limit-1].Seq, 10), "log", namespace, id)
	}
	return out, nil
}

// commitEntry tells of a version that may be tampered with only what the system knows.
func commitEntry(v memory.Record, head uint64) CommitEntry {
	entry := CommitEntry{
		Commit: commitOf(v), Parents: make([]string, len(v.Commit.Parents)), Change: memory.ChangeUpdate,
		Actor: coarseActor(v.Commit.Actor), At: v.UpdatedAt, Zone: memory.Quarantine, State: memory.PendingReview, Class: provenance.Unknown, Current: v.Seq == head,
	}
	for i, parent := range v.Commit.Parents {
		entry.Parents[i] = hex.EncodeToString(parent)
	}
	if slices.Contains(changeTypes, v.Commit.Change) {
		entry.Change = v.Commit.Change
	}
	if slices.Contains(memory.Zones, v.Zone) && slices.Contains(memory.States, v.State) {
		entry.Zone, entry.State = v.Zone, v.State
	}
	if v.Class.Valid() {
		entry.Class = v.Class
	}
	return entry
}

var changeTypes = []memory.ChangeType{
	memory.ChangeCreate, memory.ChangeUpdate, memory.ChangeDelete, memory.ChangeReview, memory.ChangePromote, memory.ChangePurge,
	memory.ChangeMerge, memory.ChangeRevert,
}

// coarseActor says what kind of actor made a change, and not which: names of people and principals are not for the agent.
func coarseActor(actor string) string {
	kind, _, _ := strings.Cut(actor, "/")
	switch kind {
	case "agent", "channel", "person":
		return kind
	}
	return "system"
}
