// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"memorytrust.dev/operator/internal/terminal"
)

// sheet is a table that can be written in several formats. Cells may hold anything.
type sheet struct {
	title  string
	header []string
	cells  [][]string
	notes  []string // below it
}

func (s *sheet) add(cells ...string) { s.cells = append(s.cells, cells) }

// text writes the table for a terminal.
func (s *sheet) text(w io.Writer) {
	if s.title != "" {
		fmt.Fprintln(w, strings.ToUpper(s.title[:1])+s.title[1:])
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, strings.ToUpper(strings.Join(s.header, "\t")))
	for _, row := range s.cells {
		escaped := make([]string, len(row))
		for i, c := range row {
			escaped[i] = terminal.Escape(c)
		}
		fmt.Fprintln(tab, strings.Join(escaped, "\t"))
	}
	_ = tab.Flush() // standard output is gone if this fails
	for _, n := range s.notes {
		fmt.Fprintln(w, terminal.Escape(n))
	}
	fmt.Fprintln(w)
}

// markdown writes the table for a document.
func (s *sheet) markdown(w io.Writer) {
	if s.title != "" {
		fmt.Fprintf(w, "### %s\n\n", strings.ToUpper(s.title[:1])+s.title[1:])
	}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(s.header, " | "), strings.Repeat("---|", len(s.header)))
	for _, row := range s.cells {
		escaped := make([]string, len(row))
		for i, c := range row {
			escaped[i] = markdownCell(c)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
	}
	for _, n := range s.notes {
		fmt.Fprintf(w, "\n%s\n", markdownCell(n))
	}
	fmt.Fprintln(w)
}

// markdownCell keeps a cell from being markup.
func markdownCell(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`).Replace(terminal.Escape(s))
}

// Format is how a report is written.
type Format string

// The formats.
const (
	FormatTable    Format = "table"
	FormatJSON     Format = "json"
	FormatMarkdown Format = "markdown"
)

// Formats lists them.
var Formats = []Format{FormatTable, FormatJSON, FormatMarkdown}

// write writes sheets in one of the formats for people.
func write(w io.Writer, f Format, sheets []*sheet) {
	for _, s := range sheets {
		if f == FormatMarkdown {
			s.markdown(w)
		} else {
			s.text(w)
		}
	}
}
