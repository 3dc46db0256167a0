// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errData says that a data file is not in the documented format.
var errData = errors.New("invalid training data")

// form is what a text does, other things being equal.
type form string

const (
	formDirective      form = "directive"
	formReport         form = "report"
	formQuestion       form = "question"
	formHabit          form = "habit"
	formPast           form = "past"
	formMention        form = "mention"
	formRequest        form = "request"
	formFact           form = "fact"
	formFrameDirective form = "frame-directive"
	formFrameBenign    form = "frame-benign"
)

// contentForms are the forms that a content family may have.
var contentForms = []form{formDirective, formReport, formQuestion, formHabit, formPast, formMention, formRequest, formFact}

// numbered are the families that are counted up, with the forms they may have.
var numbered = map[string][]form{
	"frame": {formFrameDirective, formFrameBenign}, "request": {formRequest}, "fact": {formFact},
}

// contentFamilies are the things that a directive may want, each in matched forms.
var contentFamilies = []string{
	"override-rules", "pay-unconfirmed", "forward-copies", "reveal-secrets", "hide-from-user", "skip-checks", "preapproved",
	"redirect-payee", "trust-source", "authority-claim", "persona-unrestricted", "refuse-service", "delete-logs", "run-code",
	"standing-style", "memory-write", "prefer-rule", "false-fact-instruction", "tool-misuse", "delay-trigger",
}

// slot is where a frame takes a sentence.
const slot = "{}"

// maxLine bounds a line of a data file, in bytes.
const maxLine = 4096

// row is one line of a data file.
type row struct {
	line   int
	family string // as written, "frame-7"
	number int    // of a numbered family, else 0
	form   form
	text   string
}

// language is one data file.
type language struct {
	code, name, script string
	held               bool // the whole language is for tests
	rows               []row
}

// base returns the tag of the language without what tells its files apart: private
// use, behind "-x".
func (l language) base() string {
	base, _, _ := strings.Cut(l.code+"-", "-x-")
	return strings.TrimSuffix(base, "-")
}

// readCorpus reads all data files, sorted by name, and returns them with the SHA-256
// of their names and contents. The errors, joined, wrap errData and name file and line.
func readCorpus(dir fs.FS) ([]language, [sha256.Size]byte, error) {
	names, err := fs.Glob(dir, "*.tsv")
	if err != nil {
		return nil, [sha256.Size]byte{}, err
	}
	slices.Sort(names)
	hash := sha256.New()
	var languages []language
	var problems []error
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, [sha256.Size]byte{}, err
		}
		fmt.Fprintf(hash, "%s %d\n", name, len(data))
		hash.Write(data)
		l, err := readLanguage(name, string(data))
		if err != nil {
			problems = append(problems, err)
		}
		languages = append(languages, l)
	}
	if len(names) == 0 {
		problems = append(problems, fmt.Errorf("%w: no .tsv files", errData))
	}
	return languages, [sha256.Size]byte(hash.Sum(nil)), errors.Join(problems...)
}

// readLanguage reads one data file. What it can read it returns beside the error.
func readLanguage(name, data string) (language, error) {
	l := language{code: strings.TrimSuffix(path.Base(name), ".tsv")}
	var problems []error
	problem := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w: %s:%d: %s", errData, name, line, fmt.Sprintf(format, args...)))
	}
	seen := map[string]int{}
	number, use := 0, ""
	for line := range strings.Lines(data) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if field, ok := strings.CutPrefix(line, "# "); ok {
			key, value, _ := strings.Cut(field, ": ")
			switch key {
			case "language":
				l.name = value
			case "script":
				l.script = value
			case "use":
				use = value
			}
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := readRow(line)
		if err != nil {
			problem(number, "%v", err)
			continue
		}
		r.line = number
		if before := seen[r.text]; before > 0 {
			problem(number, "the text of line %d again", before)
			continue
		}
		seen[r.text] = number
		l.rows = append(l.rows, r)
	}
	l.held = use == "test"
	if l.name == "" || len(l.script) != 4 || use != "train" && use != "test" {
		problem(1, "the head must give language, script (4 letters) and use (train or test)")
	}
	return l, errors.Join(problems...)
}

func readRow(line string) (row, error) {
	if len(line) > maxLine {
		return row{}, fmt.Errorf("%d bytes, at most %d", len(line), maxLine)
	}
	if !utf8.ValidString(line) {
		return row{}, errors.New("not UTF-8")
	}
	fields := strings.Split(line, "\t")
	if len(fields) != 3 {
		return row{}, fmt.Errorf("%d fields, want family, form and text", len(fields))
	}
	r := row{family: fields[0], form: form(fields[1]), text: fields[2]}
	if r.text == "" || strings.TrimSpace(r.text) != r.text || strings.ContainsRune(r.text, '\r') {
		return row{}, errors.New("the text is empty or has space around it")
	}
	allowed, number, err := familyForms(r.family)
	if err != nil {
		return row{}, err
	}
	r.number = number
	if !slices.Contains(allowed, r.form) {
		return row{}, fmt.Errorf("form %q does not fit family %q", r.form, r.family)
	}
	frame := r.form == formFrameDirective || r.form == formFrameBenign
	if n := strings.Count(r.text, slot); frame && n != 1 || !frame && n != 0 {
		return row{}, fmt.Errorf("%d places for a sentence", n)
	}
	return r, nil
}

// addedFamilies are the prefixes of content families that files add freely.
var addedFamilies = []string{"x-", "y2-", "y3-"}

// familyForms returns the forms that a family may have, and its number.
func familyForms(family string) ([]form, int, error) {
	if slices.Contains(contentFamilies, family) {
		return contentForms, 0, nil
	}
	for _, prefix := range addedFamilies {
		if strings.HasPrefix(family, prefix) {
			return contentForms, 0, nil
		}
	}
	kind, digits, _ := strings.Cut(family, "-")
	number, err := strconv.Atoi(digits)
	if forms := numbered[kind]; forms != nil && err == nil && number > 0 {
		return forms, number, nil
	}
	return nil, 0, fmt.Errorf("unknown family %q", family)
}
