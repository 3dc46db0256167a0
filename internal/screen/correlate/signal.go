// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package correlate

// Signals are what a text carries, as bits. Stores keep them, so that a bit never changes its meaning.
type Signals uint16

// The signals. Those of capability are kinds of actions, too; Act is any action that is none of the other kinds.
const (
	Money    Signals = 1 << iota // pay, wire, refund, invoice
	Disclose                     // send, forward, share, export
	Access                       // log in, unlock, credentials
	Delete                       // delete, cancel, disable
	Act                          // release, process, execute, proceed
	Waive                        // nobody needs to be asked: pre-approved, without confirmation
	Trust                        // weak: trusted, reliable, never a problem
	Routine                      // weak: automatically, as usual, normal
	WaiveMoney
	WaiveDisclose
	WaiveAccess
	WaiveDelete
)

// Groups of signals.
const (
	// Consequential are the actions that cannot be taken back.
	Consequential = Money | Disclose | Access | Delete
	// Capability is everything that says what could be done.
	Capability = Consequential | Act
	// Autonomy is everything that says that nobody needs to be asked.
	Autonomy = Waive | Trust | Routine
	// All are the signals that there are.
	All = Capability | Autonomy | waived

	waived = WaiveMoney | WaiveDisclose | WaiveAccess | WaiveDelete
	// waiveShift leads from a consequential action to the bit that says that the same sentence waives asking about it.
	waiveShift = 8
)

// Fragment reports whether a text with these signals carries a part of a plan.
func (s Signals) Fragment() bool { return s&(Capability|Autonomy) != 0 }

// sections are the names that sections of a lexicon give to signals.
var sections = map[string]Signals{
	"money": Money, "disclose": Disclose, "access": Access, "delete": Delete, "act": Act,
	"waive": Waive, "trust": Trust, "routine": Routine,
}
