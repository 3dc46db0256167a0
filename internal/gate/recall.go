// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// Bounds of a recall.
const (
	DefaultRecallResults = 10
	MaxQueryBytes        = 8192
)

// Recall is a question to memory. Zero fields do not narrow.
type Recall struct {
	Query   string        // free text; empty asks for the most recent memories, pinned ones first
	Session string        // session of the agent; may be empty
	Limit   int           // 0: DefaultRecallResults; never more than the policy's maxRecallResults
	Zones   []memory.Zone // empty: all; what is in Quarantine is reported and not delivered
	Kinds   []string
	Tags    []string  // memories that carry all of them
	Since   time.Time // written at or after
	Until   time.Time // written before
	Tokens  int       // budget of the context, in tokens as memory.Tokens estimates them; 0: none
	XRay    bool      // explain the answer
}

// Recalled is the answer to a Recall.
type Recalled struct {
	Context       string      `json:"context" doc:"The memories as a block for a prompt, one line each; control characters are escaped"`
	Memories      []Delivered `json:"memories" nullable:"false" doc:"The memories, best first"`
	Withheld      []Withheld  `json:"withheld" nullable:"false" doc:"What matched and was kept back"`
	Receipts      []Receipt   `json:"receipts" nullable:"false" doc:"What each memory is worth, in the order of memories; without content"`
	XRay          *XRay       `json:"xray,omitempty" doc:"Why each memory came or did not; where it was asked for"`
	PendingReview int64       `json:"pendingReview" doc:"How many items wait for a person"`
	Tokens        int         `json:"tokens" doc:"Length of the context in tokens, as an estimate"`
	Degraded      bool        `json:"degraded" doc:"Whether the answer is less than the policy means it to be"`
	Message       string      `json:"message" doc:"What was done and what to do about it"`
	Caution       string      `json:"caution,omitempty" doc:"How to treat what was delivered"`
}

// Withheld names a memory that was kept back.
type Withheld struct {
	ID     string `json:"id" doc:"Id of the memory"`
	Reason Reason `json:"reason" enum:"Quarantined,Directive,Expired,KeyUnavailable,Tampered,Unreadable" doc:"Why"`
}

// Recall finds, checks, ranks, logs and returns memories. It returns ErrNotReady, a *memory.FieldError, or an error of the
// store; memories that cannot be verified or read are withheld one by one and are no error.
func (g *Gate) Recall(ctx context.Context, c Caller, q Recall) (Recalled, error) {
	defer g.metrics.time("recall")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Recalled{}, err
	}
	if err := q.check(); err != nil {
		return Recalled{}, err
	}
	now := g.now()
	chosen, err := g.choose(ctx, s, namespace, q, now)
	if err != nil {
		return Recalled{}, err
	}
	d := g.deliver(s, namespace, q.Session, now)
	out := Recalled{Withheld: []Withheld{}, Receipts: []Receipt{}}
	for _, w := range chosen.reported {
		if d.refuses(w.Reason) {
			out.Withheld = append(out.Withheld, w)
		}
	}
	for _, pick := range chosen.picked {
		if d.full(len(pick.record.Content)) {
			d.truncated = true
			break
		}
		d.hand(pick.verified, pick.Score)
	}
	if out.PendingReview, err = g.pending.items(ctx, namespace); err != nil {
		return Recalled{}, err
	}
	if err := d.finish(ctx); err != nil {
		return Recalled{}, err
	}
	for i, item := range d.delivered { // once all of them were looked at together
		out.Receipts = append(out.Receipts, receipt(item, chosen.picked[i]))
	}
	d.overBudget = chosen.overBudget()
	out.Memories, out.Context = d.delivered, d.context()
	out.Tokens = memory.Tokens(out.Context)
	out.Degraded, out.Message, out.Caution = d.degraded(), d.message(), d.caution()
	if q.XRay {
		x := agentXRay(s.Runtime, q, chosen, len(d.delivered), now)
		out.XRay = &x
	}
	return out, nil
}

// check returns a *memory.FieldError for a question that is none.
func (q Recall) check() error {
	if len(q.Query) > MaxQueryBytes {
		return &memory.FieldError{Field: "query", Fix: fmt.Sprintf("ask in at most %d bytes", MaxQueryBytes)}
	}
	if q.Tokens < 0 {
		return &memory.FieldError{Field: "tokens", Fix: "use a positive number, or 0 for no budget"}
	}
	for _, z := range q.Zones {
		if !slices.Contains(zones, z) {
			return errZone("zones")
		}
	}
	return checkSession(q.Session)
}

// blank reports whether the question names no words: it asks for the most recent memories.
func (q Recall) blank() bool { return strings.TrimSpace(q.Query) == "" }

func recallLimit(r *policy.Runtime, asked int) int {
	if asked <= 0 {
		asked = DefaultRecallResults
	}
	return min(asked, r.MaxRecallResults)
}

func checkSession(session string) error {
	if len(session) > memory.MaxSessionBytes || !utf8.ValidString(session) || strings.ContainsFunc(session, unicode.IsControl) {
		return &memory.FieldError{Field: "session",
			Fix: fmt.Sprintf("use at most %d bytes of valid UTF-8 without control characters", memory.MaxSessionBytes)}
	}
	return nil
}
