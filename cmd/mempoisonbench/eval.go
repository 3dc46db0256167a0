// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/bench"
)

const aboutEval = `eval reads texts, one JSON object a line:

  {"id": "a-1", "text": "…", "label": "attack" or "benign", "lang": "en", "kind": "memory", "source": "web:example.org"}

A row without a source is judged by its content alone: flagged means that it is a directive. With a source it is
judged as the gate does: flagged means that it is a directive and its source is not trusted. In mode prefix the
structure of the source decides about that; in mode signed a bare label is never trusted.

Abstained counts texts in writing that the engine cannot judge, which wait for a person: friction, never counted as
flagged.`

const exampleEval = `  mempoisonbench eval --in attacks.jsonl --in memories.jsonl
  mempoisonbench eval --in corpora/*.jsonl --mode signed --json result.json
  generate | mempoisonbench eval --in - -o markdown`

// evaluation are the flags of eval.
type evaluation struct {
	subject
	in     []string
	mode   string
	json   string
	output string
}

// stdinName stands for standard input and output on the command line.
const stdinName = "-"

func (p program) evalCommand() *cobra.Command {
	var e evaluation
	cmd := &cobra.Command{
		Use: "eval --in FILE...", Short: "Put your own texts before the screen", Long: aboutEval, Example: exampleEval,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.in = append(e.in, args...) // --in *.jsonl leaves all but the first to the arguments
			if err := e.check(); err != nil {
				return unusable(err)
			}
			return p.eval(cmd.Context(), e)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVar(&e.in, "in", nil, "file with texts, JSON lines; '-' is standard input; repeatable")
	f.StringVar(&e.mode, "mode", "", "trust mode for rows with a source: prefix or signed; that of the policy by default")
	f.StringVar(&e.json, "json", "", "also write everything, row by row, to this file as JSON; '-' is standard output, "+
		"instead of the table")
	f.StringVarP(&e.output, "output", "o", string(bench.FormatTable), "table, json or markdown")
	e.bind(f)
	return cmd
}

func (e *evaluation) check() error {
	if len(e.in) == 0 {
		return errors.New("name files with --in; see --help")
	}
	stdin := 0
	for _, name := range e.in {
		if name == stdinName {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("--in -: standard input can be read once")
	}
	if e.mode != "" {
		if err := oneOf("--mode", e.mode, "prefix", "signed"); err != nil {
			return err
		}
	}
	if err := oneOf("--output", e.output, bench.Formats...); err != nil {
		return err
	}
	return e.subject.check()
}

// eval evaluates the files and writes the result.
func (p program) eval(ctx context.Context, e evaluation) error {
	files, err := p.readFiles(e.in)
	if err != nil {
		return err
	}
	result, err := p.evaluate(ctx, e, files)
	if err != nil {
		return err
	}
	if err := p.report(e, result); err != nil {
		return err
	}
	if n := result.Errors(); n > 0 {
		return &outcomeError{exitIncomplete,
			fmt.Sprintf("%d of %d texts were not answered; the first: %s", n, len(result.Rows), firstError(result))}
	}
	return nil
}

func (p program) evaluate(ctx context.Context, e evaluation, files []bench.File) (*bench.Evaluation, error) {
	pol, err := e.policy()
	if err != nil {
		return nil, err
	}
	mode := pol.Runtime.TrustMode
	if e.mode != "" {
		mode = modes[e.mode]
	}
	progress := newProgress(p.stderr, "texts")
	defer progress.end()
	options := bench.EvalOptions{Workers: 1, Progress: progress.step}
	name, ref := engineName(), pol.Ref()
	external, err := e.external()
	switch {
	case err != nil:
		return nil, err
	case external != nil:
		options.Harness, options.Workers, name, ref = external, e.workers, external.Name(), nil
	default:
		screener, err := p.screener(pol)
		if err != nil {
			return nil, err
		}
		options.Harness = bench.Engine{Screener: screener, Trust: pol.Trust(mode)}
	}
	result, err := bench.Evaluate(ctx, files, options)
	if err != nil {
		return nil, err
	}
	result.Harness, result.Mode, result.Policy = name, strings.ToLower(string(mode)), ref
	return result, nil
}

// report writes the result to where the flags say.
func (p program) report(e evaluation, result *bench.Evaluation) error {
	switch e.json {
	case "":
	case stdinName:
		return result.Write(p.stdout, bench.FormatJSON)
	default:
		err := writeFile(e.json, func(w io.Writer) error { return result.Write(w, bench.FormatJSON) })
		if err != nil {
			return err
		}
	}
	return result.Write(p.stdout, bench.Format(e.output))
}

// readFiles reads all files before anything is judged.
func (p program) readFiles(names []string) ([]bench.File, error) {
	files := make([]bench.File, 0, len(names))
	for _, name := range names {
		rows, err := p.readFile(name)
		if err != nil {
			return nil, unusable(err)
		}
		if name == stdinName {
			name = "standard input"
		}
		files = append(files, bench.File{Name: name, Rows: rows})
	}
	return files, nil
}

func (p program) readFile(name string) (rows []bench.Row, err error) {
	if name == stdinName {
		return bench.ReadRows("standard input", p.stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return bench.ReadRows(name, f)
}

// writeFile writes a file whole.
func writeFile(name string, fill func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return fill(f)
}

func firstError(e *bench.Evaluation) string {
	for _, r := range e.Rows {
		if r.Error != "" {
			return r.File + ", " + r.ID + ": " + r.Error
		}
	}
	return ""
}
