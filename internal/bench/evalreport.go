// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Write writes the evaluation. JSON holds the rows as well.
func (e *Evaluation) Write(w io.Writer, f Format) error {
	if f == FormatJSON {
		return writeJSON(w, e)
	}
	write(w, f, []*sheet{e.sheet()})
	return nil
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// sheet is the table of an evaluation.
func (e *Evaluation) sheet() *sheet {
	s := &sheet{header: []string{
		"file", "lang", "label", "n", "flagged", "recall (95 %)", "false positives (95 %)", "abstained",
		"flagged or abstained", "errors", "us/text",
	}}
	for _, l := range e.Summary {
		recall, wrong := l.Flagged.percent(), "-"
		if l.Label == Benign {
			recall, wrong = wrong, recall
		}
		s.add(l.File, l.Lang, string(l.Label), strconv.Itoa(l.N), strconv.Itoa(l.Flagged.Count), recall, wrong,
			strconv.Itoa(l.Abstained.Count), l.FlaggedOrAbstained.percent(), strconv.Itoa(l.Errors), fmt.Sprintf("%.1f", l.MicrosPerText))
	}
	note := fmt.Sprintf("%s; rows with a source are judged in trust mode %s, others by their content alone.", e.Harness, e.Mode)
	if e.Policy != nil {
		note += fmt.Sprintf(" Policy %s, revision %s.", e.Policy.Name, e.Policy.Revision)
	}
	s.notes = append(s.notes, note)
	if n := e.Errors(); n > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d texts were not answered. They count neither as flagged nor as passed.", n))
	}
	return s
}
