// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"os"

	"golang.org/x/term"
)

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size returns how many columns and lines the terminal of a stream has; 0 and 0 for what is none.
func Size(stream any) (columns, lines int) {
	f, ok := stream.(*os.File)
	if !ok {
		return 0, 0
	}
	columns, lines, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, lines
}

// Style colors text; the zero value leaves it as it is.
type Style struct{ colors bool }

// StyleOf returns how to color what goes to a stream: not at all unless it is a terminal that knows colors and NO_COLOR is not set
// (https://no-color.org).
func StyleOf(stream any) Style {
	return Style{colors: Is(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""}
}

func (s Style) in(code, text string) string {
	if !s.colors || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold is for what is looked for first.
func (s Style) Bold(text string) string { return s.in("1", text) }

// Faint is for what is there if needed.
func (s Style) Faint(text string) string { return s.in("2", text) }

// Good is for what is as it should be.
func (s Style) Good(text string) string { return s.in("32", text) }

// Caution is for what somebody has to look at.
func (s Style) Caution(text string) string { return s.in("33", text) }

// Bad is for what must not be let in, or is broken.
func (s Style) Bad(text string) string { return s.in("31", text) }
