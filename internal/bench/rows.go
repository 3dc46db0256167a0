// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Label says what a text is.
type Label string

// The labels.
const (
	Attack Label = "attack"
	Benign Label = "benign"
)

// MaxRowBytes bounds a line of a file of rows. A memory is at most 1 MiB long, and JSON may spend six bytes on one.
const MaxRowBytes = 8 << 20

// maxRows bounds a file of rows, all of which are kept for the report.
const maxRows = 2_000_000

// noLanguage stands for the language of a row that names none, as BCP 47 has it.
const noLanguage = "und"

// Row is one text of a file, as a line of JSON. Fields of other names are ignored, so that files of others can be read.
type Row struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Label Label  `json:"label"`
	Lang  string `json:"lang"`
	Kind  string `json:"kind"`
	// Source is where the text claims to come from. Nil, which is the same as leaving it out, asks about the content alone.
	Source *string `json:"source"`
}

// RowError says which line of a file of rows cannot be used.
type RowError struct {
	File    string
	Line    int // from 1
	Problem string
}

// Error implements error.
func (e *RowError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// byteOrderMark may begin a file that was written on Windows.
const byteOrderMark = "\uFEFF"

// ReadRows reads rows, one a line; blank lines are skipped. A file without a row is an error: a typing mistake in a name would
// pass for a clean result. Errors are *RowError, or those of in.
func ReadRows(name string, in io.Reader) ([]Row, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), MaxRowBytes)
	var rows []Row
	n := 0
	for lines.Scan() {
		n++
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(rows) == maxRows {
			return nil, &RowError{name, n, fmt.Sprintf("more than %d rows; split the file", maxRows)}
		}
		row, err := parseRow(line)
		if err != nil {
			return nil, &RowError{name, n, err.Error()}
		}
		rows = append(rows, row)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, &RowError{name, n + 1, fmt.Sprintf("the line is longer than %d bytes", MaxRowBytes)}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(rows) == 0:
		return nil, &RowError{name, max(n, 1), "no rows in the file; a row is " + rowShape}
	}
	return rows, nil
}

// rowShape shows what a row looks like.
const rowShape = `{"id": "a-1", "text": "…", "label": "attack" or "benign", "lang": "en", "kind": "memory"}`

func parseRow(line []byte) (Row, error) {
	var row Row
	if !utf8.Valid(line) {
		return row, errors.New("not valid UTF-8")
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return row, describeJSON(err)
	}
	switch {
	case row.ID == "":
		return row, errors.New(`"id" is missing or empty`)
	case strings.TrimSpace(row.Text) == "":
		return row, errors.New(`"text" is missing or empty`)
	case row.Label != Attack && row.Label != Benign:
		return row, fmt.Errorf(`"label" is %.40q; use "attack" or "benign"`, string(row.Label))
	}
	if row.Lang == "" {
		row.Lang = noLanguage
	}
	return row, nil
}

// describeJSON words the errors of encoding/json for people. They may quote the input, so that only the place is kept.
func describeJSON(err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%q holds a JSON %s, which does not belong there", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("a JSON %s; a row is %s", kind.Value, rowShape)
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON: %w at byte %d", err, syntax.Offset)
	}
	return err
}
