// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"io"
	"strings"
)

// gap is between two columns.
const gap = 2

// Table writes rows under a header in columns that line up in every script. Cells must be escaped; paint, if not nil, colors a cell
// without changing its width.
func Table(w io.Writer, header []string, rows [][]string, paint func(column int, cell string) string) {
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	line := func(row []string, paint func(int, string) string) {
		var b strings.Builder
		for i, cell := range row {
			shown := cell
			if paint != nil {
				shown = paint(i, cell)
			}
			b.WriteString(shown)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-Width(cell)+gap))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	if len(header) > 0 {
		line(header, nil)
	}
	for _, row := range rows {
		line(row, paint)
	}
}

// Fields writes names and values in pairs, one pair a line, and leaves out those without a value. Values are escaped, and broken into
// lines of the width of the terminal (0: not at all).
func Fields(w io.Writer, columns int, pairs ...string) {
	indent := 0
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			indent = max(indent, Width(pairs[i])+1+gap)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		lines := []string{Escape(pairs[i+1])}
		if columns > 0 {
			lines = Wrap(lines[0], columns-indent)
		}
		fmt.Fprintf(w, "%s:%s%s\n", pairs[i], strings.Repeat(" ", indent-Width(pairs[i])-1), lines[0])
		for _, more := range lines[1:] {
			fmt.Fprintf(w, "%s%s\n", strings.Repeat(" ", indent), more)
		}
	}
}

// Block writes text of others with a bar before each line, so that it can pass for nothing else. It shows at most this many lines (0: all),
// and returns how many it left out.
func Block(w io.Writer, text string, columns, lines int) (left int) {
	const bar = "  | "
	n := 0
	for line := range strings.Lines(text) {
		parts := []string{Escape(strings.TrimSuffix(line, "\n"))}
		if columns > 0 {
			parts = Wrap(parts[0], columns-len(bar))
		}
		for _, part := range parts {
			if n++; lines > 0 && n > lines {
				left++
				continue
			}
			fmt.Fprintln(w, strings.TrimRight(bar+part, " "))
		}
	}
	return left
}

// Paragraph writes a sentence or two, escaped, in lines of the width of the terminal (0: in one).
func Paragraph(w io.Writer, text string, columns int) {
	lines := []string{Escape(text)}
	if columns > 0 {
		lines = Wrap(lines[0], columns)
	}
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}
