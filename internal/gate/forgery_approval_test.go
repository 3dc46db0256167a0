// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// tryApproval has the agent ask for a payment, lets someone forge, and looks whether a call is allowed that no person approved.
func tryApproval(session, args string, forge func(f *fixture, id string)) forgery {
	return func(outer *fixture) (int, []string) {
		f, out := asked(outer.t.(*testing.T)) //nolint:forcetypeassert // TestForgeries is no benchmark
		f.poisoned(session)
		forge(f, out.ApprovalID)
		// A log that was cut takes no more entries, so that asking may fail.
		got, err := f.Authorize(f.ctx(), agent, ActionRequest{Tool: "pay_card", Arguments: json.RawMessage(args), Session: session})
		if err == nil && got.Decision == ActionAllow {
			return 1, []string{"the call " + args + " is allowed by " + got.ApprovalID}
		}
		return 1, nil
	}
}

// rewritten makes everything of a request that needs no key say something else.
func (f *fixture) rewritten(id string, change func(*memory.Record)) {
	f.t.Helper()
	r := f.record(id)
	change(&r)
	f.consistent(r)
	f.exec("UPDATE records SET subject = ? WHERE id = ?", r.Subject, id)
}

// used approves a request, has the agent use it up, and brings the row of the approval back.
func used(f *fixture, id string) (approved memory.Record) {
	f.does(id, memory.ActionApprove)
	approved = f.record(id)
	if out := f.authorize("s", "pay_card", pay); out.Decision != ActionAllow {
		f.t.Fatalf("an approved call: %+v", out)
	}
	f.putRow(id, approved)
	return approved
}

var (
	payMore   = strings.Replace(pay, "120", "9120", 1)
	approveIt = func(r *memory.Record) { r.State, r.ApprovedBy = memory.Approved, reviewer.Principal }
)

// approvalForgeries forge what a person decided about a tool call.
var approvalForgeries = map[string]forgery{
	"approval of a call invented": tryApproval("s", pay, func(f *fixture, id string) { f.rewritten(id, approveIt) }),
	"approval of a call for another amount": tryApproval("s", payMore, func(f *fixture, id string) {
		f.does(id, memory.ActionApprove)
		more := f.authorize("s", "pay_card", payMore)
		wanted := f.record(more.ApprovalID)
		f.does(more.ApprovalID, memory.ActionForget)
		f.rewritten(id, func(r *memory.Record) { r.Content, r.Tags = wanted.Content, wanted.Tags })
		f.exec("UPDATE tags SET tag = ? WHERE rid = (SELECT rid FROM records WHERE id = ?)", wanted.Tags[0], id)
	}),
	"approval of a call from another session": tryApproval("t", pay, func(f *fixture, id string) {
		f.does(id, memory.ActionApprove)
		other := f.authorize("t", "pay_card", pay)
		wanted := f.record(other.ApprovalID)
		f.does(other.ApprovalID, memory.ActionForget)
		f.rewritten(id, func(r *memory.Record) { r.Content, r.Tags, r.Session = wanted.Content, wanted.Tags, "t" })
		f.exec("UPDATE tags SET tag = ? WHERE rid = (SELECT rid FROM records WHERE id = ?)", wanted.Tags[0], id)
	}),
	"approval of a call that has expired": tryApproval("s", pay, func(f *fixture, id string) {
		f.does(id, memory.ActionApprove)
		f.now = f.record(id).Expiry.Add(time.Second)
		f.rewritten(id, func(r *memory.Record) { r.Expiry = f.now.Add(time.Hour) })
	}),
	"rejection of a call taken back": tryApproval("s", pay, func(f *fixture, id string) {
		f.does(id, memory.ActionReject)
		f.rewritten(id, approveIt)
	}),
	"used approval replayed": tryApproval("s", pay, func(f *fixture, id string) { used(f, id) }),
	"used approval replayed, log cut back": tryApproval("s", pay, func(f *fixture, id string) {
		approved := used(f, id)
		f.sql(withoutTriggers+"DELETE FROM audit WHERE record_id = ? AND seq > ?", id, int64(approved.Seq))
		f.sql(withoutTriggers+"DELETE FROM versions WHERE record_id = ? AND seq > ?", id, int64(approved.Seq))
	}),
	"used approval replayed, log given to another memory": tryApproval("s", pay, func(f *fixture, id string) {
		other := f.put(memory.Record{Content: "Water the plants on Mondays."})
		used(f, id)
		var last uint64 // the entry that used it up
		f.query("SELECT max(seq) FROM audit WHERE record_id = ?", []any{id}, &last)
		f.putLeaf(last, other)
	}),
}
