// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

// outcomes say what each decision did and how to undo it.
var outcomes = map[memory.Action]string{
	memory.ActionApprove:    "Approved: recalls deliver it from now on, as information. Undo it with Quarantine.",
	memory.ActionReject:     "Rejected: no recall delivers it. Undo it with Reopen.",
	memory.ActionPromote:    "Promoted by one zone; it still justifies no action. Undo it with Quarantine.",
	memory.ActionAttest:     "Attested: it counts under your name also where only authenticated origins do, as information. Undo it with Quarantine.",
	memory.ActionQuarantine: "In Quarantine: no recall delivers it until a person approves it. Undo it with Approve.",
	memory.ActionReopen:     "Waiting in Quarantine again. Undo it with Reject.",
	memory.ActionForget:     "Forgotten: no recall delivers it, its history stays. Undo it with Reopen.",
	memory.ActionPurge:      "Purged: its content is erased from every version and its hashes stay. This cannot be undone.",
	actionPin:               "Pinned: it does not fade. Undo it by unpinning.",
	actionUnpin:             "Not pinned any more: it fades as its class does. Undo it by pinning.",
	actionResolve:           "Decided. Undo it by bringing back what was superseded: Quarantine, then Approve.",
}

func decidedMessage(d Decided) string {
	return strings.TrimSpace(outcomes[d.Action] + affectedMessage(d))
}

func affectedMessage(d Decided) string {
	counts := map[string]int{}
	for _, a := range d.Affected {
		counts[a.Why]++
	}
	var parts []string
	for _, why := range []string{whySuperseded, whyForgotten, whyFolded, whyReleased, whyFulfilled, whyCopy, whyMerged} {
		if counts[why] > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", why, counts[why]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	m := " Other memories changed with it (" + strings.Join(parts, ", ") + ")."
	if counts[whySuperseded] > 0 {
		m += " What it replaced comes back by Quarantine and then Approve."
	}
	return m
}

func previewMessage(d Decided) string {
	return fmt.Sprintf("A preview: nothing was changed. It would be %s in %s, and %s would change with it.",
		d.State, d.Zone, count(len(d.Affected)))
}

func unmetMessage(rules []memory.Rule) string {
	var parts []string
	for _, rule := range memory.Unmet(rules) {
		parts = append(parts, rule.Name+": "+rule.Explain)
	}
	return "Nothing was changed, because not all rules are met. " + strings.Join(parts, ". ") + "."
}
