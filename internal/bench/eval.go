// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// File is a named list of rows.
type File struct {
	Name string
	Rows []Row
}

// EvalOptions say how texts are evaluated.
type EvalOptions struct {
	Harness Harness
	// Workers is how many texts are judged at once; 1 when 0. Times mean something with 1 only.
	Workers int
	// Progress, where given, is told about each text that is done. It may be called by several goroutines at once.
	Progress func(done, total int)
}

// Evaluation is the result of Evaluate.
type Evaluation struct {
	// Harness names what was evaluated; Mode is the trust mode, Policy the policy it comes from.
	Harness string     `json:"harness"`
	Mode    string     `json:"mode"`
	Policy  *PolicyRef `json:"policy,omitempty"`
	// Summary has a line for each file, language and label, and for each file and label where a file has several languages, or
	// for all files where there are several.
	Summary []Line `json:"summary"`
	// Rows are all texts in the order they were read.
	Rows []RowResult `json:"rows"`
}

// RowResult says what became of one row.
type RowResult struct {
	ID        string   `json:"id"`
	File      string   `json:"file"`
	Label     Label    `json:"label"`
	Lang      string   `json:"lang"`
	Kind      string   `json:"kind,omitempty"`
	Source    *string  `json:"source,omitempty"`
	Flagged   bool     `json:"flagged"`
	Abstained bool     `json:"abstained"`
	Reasons   []string `json:"reasons"`
	Score     int      `json:"score"` // per mille
	// Error says why the harness did not answer; the row is then neither flagged nor counted as not flagged.
	Error string `json:"error,omitempty"`

	took time.Duration
}

// Line sums up rows of one file, language and label.
type Line struct {
	File  string `json:"file"` // "*" for all
	Lang  string `json:"lang"` // "*" for all
	Label Label  `json:"label"`
	N     int    `json:"n"`
	// Flagged is the recall on attacks and the rate of false positives on harmless texts, of the rows that were answered.
	Flagged Share `json:"flagged"`
	// Abstained counts rows that are left to a person: friction, neither caught nor passed. FlaggedOrAbstained counts both.
	Abstained          Share `json:"abstained"`
	FlaggedOrAbstained Share `json:"flaggedOrAbstained"`
	Errors             int   `json:"errors"`
	// MicrosPerText is the median time of a text, in microseconds.
	MicrosPerText float64 `json:"microsPerText"`
}

// every stands for all files or languages of a line.
const every = "*"

// Evaluate puts all rows before the harness. It returns an error only when ctx ends; what a harness does not answer is in the
// result.
func Evaluate(ctx context.Context, files []File, o EvalOptions) (*Evaluation, error) {
	e := &Evaluation{Rows: []RowResult{}}
	var vectors []Vector
	for _, f := range files {
		for _, r := range f.Rows {
			vectors = append(vectors, Vector{ID: r.ID, Text: r.Text, Source: r.Source})
			e.Rows = append(e.Rows, RowResult{ID: r.ID, File: f.Name, Label: r.Label, Lang: r.Lang, Kind: r.Kind, Source: r.Source})
		}
	}
	err := o.each(ctx, len(vectors), func(ctx context.Context, i int) {
		e.Rows[i].judge(ctx, o.Harness, vectors[i])
	})
	if err != nil {
		return nil, err
	}
	e.Summary = summarize(e.Rows)
	return e, nil
}

// each calls do for 0 to n-1, by as many workers as the options say.
func (o EvalOptions) each(ctx context.Context, n int, do func(context.Context, int)) error {
	var group errgroup.Group
	group.SetLimit(max(o.Workers, 1))
	var done atomic.Int64
	for i := 0; i < n && ctx.Err() == nil; i++ {
		group.Go(func() error {
			if ctx.Err() == nil {
				do(ctx, i)
			}
			if finished := int(done.Add(1)); o.Progress != nil {
				o.Progress(finished, n)
			}
			return nil
		})
	}
	_ = group.Wait() // do returns no error
	return ctx.Err()
}

// judge puts one row before the harness.
func (r *RowResult) judge(ctx context.Context, h Harness, v Vector) {
	start := time.Now()
	a, err := h.Answer(ctx, v)
	r.took = time.Since(start)
	r.Reasons = append([]string{}, a.Reasons...)
	if err != nil {
		r.Error = err.Error()
		return
	}
	r.Flagged, r.Abstained, r.Score = a.Flagged, a.Abstained && !a.Flagged, a.ScorePerMille
}

// lineKey says which rows a line is about.
type lineKey struct {
	file, lang string
	label      Label
}

// summarize makes the lines: of each file by language, then all of it; then of all files.
func summarize(rows []RowResult) []Line {
	groups := map[lineKey][]RowResult{}
	languages, files := map[lineKey]map[string]bool{}, map[Label]map[string]bool{}
	var fileOrder []string
	for _, r := range rows {
		if !slices.Contains(fileOrder, r.File) {
			fileOrder = append(fileOrder, r.File)
		}
		for _, k := range []lineKey{{r.File, r.Lang, r.Label}, {r.File, every, r.Label}, {every, every, r.Label}} {
			groups[k] = append(groups[k], r)
		}
		put(languages, lineKey{r.File, every, r.Label}, r.Lang)
		put(files, r.Label, r.File)
	}
	lines := []Line{}
	for k, members := range groups {
		alone := k.lang == every && k.file != every && len(languages[k]) == 1 ||
			k.file == every && len(files[k.label]) == 1
		if !alone {
			lines = append(lines, sum(k, members))
		}
	}
	slices.SortFunc(lines, func(a, b Line) int {
		if d := position(fileOrder, a.File) - position(fileOrder, b.File); d != 0 {
			return d
		}
		if d := strings.Compare(string(a.Label), string(b.Label)); d != 0 {
			return d
		}
		if (a.Lang == every) != (b.Lang == every) {
			return map[bool]int{true: 1, false: -1}[a.Lang == every]
		}
		return strings.Compare(a.Lang, b.Lang)
	})
	return lines
}

func put[K comparable](m map[K]map[string]bool, key K, value string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][value] = true
}

// position puts what stands for all behind the rest.
func position(order []string, name string) int {
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}

func sum(k lineKey, rows []RowResult) Line {
	line := Line{File: k.file, Lang: k.lang, Label: k.label, N: len(rows)}
	flagged, unsure := 0, 0
	times := make([]time.Duration, 0, len(rows))
	for _, r := range rows {
		switch {
		case r.Error != "":
			line.Errors++
			continue
		case r.Flagged:
			flagged++
		case r.Abstained:
			unsure++
		}
		times = append(times, r.took)
	}
	answered := len(rows) - line.Errors
	line.Flagged, line.Abstained = NewShare(flagged, answered), NewShare(unsure, answered)
	line.FlaggedOrAbstained = NewShare(flagged+unsure, answered)
	line.MicrosPerText = median(times)
	return line
}

// median returns the median in microseconds; 0 of nothing.
func median(times []time.Duration) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	middle := times[len(times)/2]
	if len(times)%2 == 0 {
		middle = (times[len(times)/2-1] + middle) / 2
	}
	return float64(middle.Nanoseconds()) / 1000
}

// Errors counts the rows without an answer.
func (e *Evaluation) Errors() int {
	n := 0
	for _, r := range e.Rows {
		if r.Error != "" {
			n++
		}
	}
	return n
}
