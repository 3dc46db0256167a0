// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"fmt"
	"strings"
	"unicode"

	"memorytrust.dev/operator/internal/memory"
)

// contextBlock renders memories for a prompt, one line each. Whatever a memory holds, it cannot begin a line of its own or
// hide from a reader: control characters, line separators, bidirectional controls and invisible tags are escaped.
func contextBlock(memories []Delivered) string {
	var b strings.Builder
	for _, m := range memories {
		b.WriteString("- [")
		switch m.Boundary {
		case memory.Safe:
		case memory.RequiresReview:
			b.WriteString(reviewLabel(m.State))
		case memory.Blocked:
			b.WriteString("not trusted, ")
		}
		fmt.Fprintf(&b, "%s, %s, ", m.Zone, m.Class)
		// A bracket in the source must not close the label early.
		writeEscaped(&b, strings.NewReplacer("[", "(", "]", ")").Replace(m.Source))
		b.WriteString("] ")
		writeEscaped(&b, m.Content)
		b.WriteByte('\n')
	}
	return b.String()
}

// reviewLabel says why a memory is marked for review.
func reviewLabel(state memory.State) string {
	switch state {
	case memory.Disputed:
		return "disputed, "
	case memory.Superseded:
		return "replaced by another, "
	case memory.Active, memory.Approved, memory.Stale: // under the policy in force, if its state does not say so yet
		return "not fresh, "
	case memory.PendingReview, memory.Rejected, memory.Forgotten:
	}
	return "pending review, "
}

// writeEscaped writes s with the characters escaped that could forge or hide a line.
func writeEscaped(b *strings.Builder, s string) {
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff && unsafeRune(r):
			fmt.Fprintf(b, `\U%08x`, r)
		case unsafeRune(r):
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) ||
		(r >= 0xe0000 && r <= 0xe007f)
}
