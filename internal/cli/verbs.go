// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import "slices"

// verb is a decision about a memory.
type verb struct {
	name, done, short, long string
	undo                    string // the verb that takes it back; empty: nothing does
	flags                   string // of the example
}

// decisions about memories. Each is a subresource of memories, and a verb under RBAC.
var decisions = []verb{
	{name: "approve", done: "Approved", short: "Let a memory stay", long: "Out of Quarantine it goes to Working. Approval never raises trust.", undo: "quarantine"},
	{name: "reject", done: "Rejected", short: "Take a memory out", long: "No recall delivers it; what it held up is released.", undo: "reopen"},
	{name: "promote", done: "Promoted", short: "Raise a memory by one zone",
		long: "Into Trusted, memories of low classes need evidence and independent memories that say the same.", undo: "quarantine",
		flags: " --evidence-source TICKET-7 --evidence-file letter.pdf"},
	{name: "attest", done: "Attested", short: "Let a memory count under your name",
		long: "In trust mode Signed it counts then though no authenticated channel vouches for it, as information; zone and class stay.", undo: "quarantine"},
	{name: "quarantine", done: "Quarantined", short: "Put a memory out of reach until it is decided about", undo: "approve"},
	{name: "reopen", done: "Reopened", short: "Put what was rejected or forgotten into the queue again", long: "It waits in Quarantine.", undo: "reject"},
	{name: "forget", done: "Forgot", short: "Take a memory out of every recall", long: "Its history stays.", undo: "reopen"},
	{name: verbPurge, done: "Purged", short: "Erase the content of a memory",
		long: "From every version; the hashes stay. There is no way back, so that --yes is needed.", flags: " --yes"},
}

// Verbs that take flags of their own.
const (
	verbPromote = "promote"
	verbPurge   = "purge"
)

// approvalVerbs are the decisions about a tool call that waits. One that was forgotten is asked about again by the agent.
var approvalVerbs = []verb{
	{name: "approve", done: "Approved", short: "Let the agent make exactly this call, once", undo: "forget"},
	{name: "reject", done: "Rejected", short: "Deny the agent this call until the request expires", undo: "reopen"},
	{name: "reopen", done: "Reopened", short: "Take a rejection back", long: "The request waits again.", undo: "reject"},
	{name: "forget", done: "Forgot", short: "Take an approval back", long: "The agent has to ask again."},
}

// verbNamed returns a decision about memories by its name.
func verbNamed(name string) verb {
	i := slices.IndexFunc(decisions, func(v verb) bool { return v.name == name })
	if i < 0 {
		panic("there is no decision " + name)
	}
	return decisions[i]
}
