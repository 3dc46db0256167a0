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

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/bench"
)

const aboutRun = `run measures the defense with catalogs of attacks and harmless memories: the public MemPoisonBench catalog, unchanged,
and a larger one. Every vector runs with the defense off (enforcement DryRun) and on.

Content-only figures come from the screen alone. End-to-end figures come from the real gate over a temporary store
with a key that is thrown away: a memory is written as its source would write it and recalled later; what counts is
whether it reaches the agent, or whether an action goes through.

The result must keep to limits, and with --baseline be nowhere worse than an earlier one. With --endpoint another
harness is measured with the vectors that a single text is enough for.`

const exampleRun = `  mempoisonbench run
  mempoisonbench run --policy policy.yaml --mode signed -o markdown
  mempoisonbench run --save-baseline before.json && mempoisonbench run --baseline before.json
  mempoisonbench run --endpoint http://127.0.0.1:9000/judge
  mempoisonbench run --suite haystack`

// benchmark are the flags of run.
type benchmark struct {
	subject
	catalogs     []string
	suites       []string
	mode         string
	output       string
	baseline     string
	saveBaseline string
	termination  string
	dir          string
	limits       bench.Limits
}

func (p program) runCommand() *cobra.Command {
	var b benchmark
	cmd := &cobra.Command{
		Use: "run", Short: "Run the catalogs, with the defense off and on", Long: aboutRun, Example: exampleRun,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unusable(fmt.Errorf("unexpected argument %q; see --help", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := b.check(); err != nil {
				return unusable(err)
			}
			return p.runCatalogs(cmd.Context(), b, cmd.Flags().Changed)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	b.bind(f)
	f.StringArrayVar(&b.catalogs, "catalog", nil, "catalog to run instead of those that come with the program; repeatable")
	f.StringSliceVar(&b.suites, "suite", nil, "suites to run, all but haystack by default: "+suiteNames())
	f.StringVar(&b.mode, "mode", "both", "trust modes to run in: prefix, signed or both")
	f.StringVarP(&b.output, "output", "o", string(bench.FormatTable), "table, json or markdown")
	f.StringVar(&b.baseline, "baseline", "", "JSON of an earlier run: exit 4 when a vector that was right there is wrong now")
	f.StringVar(&b.saveBaseline, "save-baseline", "", "write the JSON of this run to a file, for --baseline")
	f.StringVar(&b.termination, "termination-message", "", "write the figures to this file as JSON of at most 4096 bytes, "+
		"for a Kubernetes Job")
	f.IntVar(&b.limits.AttackSuccess, flagAttackSuccess, bench.DefaultLimits.AttackSuccess,
		"limit: attacks that may reach the agent; by default that of the policy, if it has one")
	f.IntVar(&b.limits.FalsePositives, flagFalsePositives, bench.DefaultLimits.FalsePositives,
		"limit: harmless memories that may be withheld; likewise")
	f.IntVar(&b.limits.Pairs, flagPairs, bench.DefaultLimits.Pairs,
		"limit: pairs of the same content that must come out right; likewise")
	f.StringVar(&b.dir, "temp-dir", "", "directory for temporary stores; that of the system by default")
	return cmd
}

func suiteNames() string {
	names := make([]string, len(bench.Suites))
	for i, s := range bench.Suites {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

func (b *benchmark) check() error {
	if err := oneOf("--mode", b.mode, "both", "prefix", "signed"); err != nil {
		return err
	}
	if err := oneOf("--output", b.output, bench.Formats...); err != nil {
		return err
	}
	for _, l := range []int{b.limits.AttackSuccess, b.limits.FalsePositives, b.limits.Pairs} {
		if l < 0 || l > 1000 {
			return fmt.Errorf("a limit of %d per mille: use 0 to 1000", l)
		}
	}
	if b.baseline != "" && b.saveBaseline != "" {
		return errors.New("--baseline and --save-baseline do not go together")
	}
	return b.subject.check()
}

func (b *benchmark) modes() []v1alpha1.TrustMode {
	if b.mode == "both" {
		return []v1alpha1.TrustMode{v1alpha1.TrustModePrefix, v1alpha1.TrustModeSigned}
	}
	return []v1alpha1.TrustMode{modes[b.mode]}
}

// runCatalogs runs, compares and reports. A limit that no flag gives is that of the policy.
func (p program) runCatalogs(ctx context.Context, b benchmark, given func(flag string) bool) error {
	runner, err := p.runner(b)
	if err != nil {
		return err
	}
	var baseline *bench.Result
	if b.baseline != "" {
		if baseline, err = readBaseline(b.baseline); err != nil {
			return unusable(err)
		}
	}
	progress := newProgress(p.stderr, "steps")
	runner.Progress = progress.step
	result, err := runner.Run(ctx)
	progress.end()
	if err != nil {
		return err
	}
	result.Check(b.effective(runner.Policy.Limits, given))
	if baseline != nil {
		if err := result.Compare(baseline); err != nil {
			return unusable(fmt.Errorf("%s: %w", b.baseline, err))
		}
	}
	if err := p.deliver(b, result); err != nil {
		return err
	}
	return judge(result)
}

// The flags that set limits.
const (
	flagAttackSuccess  = "max-attack-success-per-mille"
	flagFalsePositives = "max-false-positives-per-mille"
	flagPairs          = "min-pairs-per-mille"
)

// effective returns the limits that apply: those that flags give, and those of the policy for the rest.
func (b *benchmark) effective(l bench.Limits, given func(flag string) bool) bench.Limits {
	if given(flagAttackSuccess) {
		l.AttackSuccess = b.limits.AttackSuccess
	}
	if given(flagFalsePositives) {
		l.FalsePositives = b.limits.FalsePositives
	}
	if given(flagPairs) {
		l.Pairs = b.limits.Pairs
	}
	return l
}

// runner makes the runner that the flags ask for.
func (p program) runner(b benchmark) (*bench.Runner, error) {
	suites, err := bench.ParseSuites(b.suites)
	if err != nil {
		return nil, unusable(fmt.Errorf("--suite: %w", err))
	}
	catalogs, err := readCatalogs(b.catalogs)
	if err != nil {
		return nil, err
	}
	pol, err := b.policy()
	if err != nil {
		return nil, err
	}
	r := &bench.Runner{
		Name: engineName(), Catalogs: catalogs, Suites: suites, Modes: b.modes(), Policy: pol, Dir: b.dir,
	}
	external, err := b.external()
	switch {
	case err != nil:
		return nil, err
	case external != nil:
		r.Endpoint, r.Workers, r.Name = external, b.workers, external.Name()
		return r, nil
	}
	r.Screener, err = p.screener(pol)
	return r, err
}

func readCatalogs(names []string) ([]*bench.Catalog, error) {
	if len(names) == 0 {
		return bench.EmbeddedCatalogs()
	}
	out := make([]*bench.Catalog, 0, len(names))
	for _, name := range names {
		data, err := readBounded(name, bench.MaxCatalogBytes)
		if err != nil {
			return nil, unusable(err)
		}
		c, err := bench.ReadCatalog(name, data)
		if err != nil {
			return nil, unusable(err)
		}
		out = append(out, c)
	}
	return out, nil
}

// maxBaselineBytes bounds a baseline, which has a few hundred bytes for each vector.
const maxBaselineBytes = 256 << 20

func readBaseline(name string) (*bench.Result, error) {
	data, err := readBounded(name, maxBaselineBytes)
	if err != nil {
		return nil, err
	}
	r, err := bench.ReadBaseline(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func readBounded(name string, limit int64) (data []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if data, err = io.ReadAll(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, limit)
	}
	return data, nil
}

// deliver writes the result to where the flags say.
func (p program) deliver(b benchmark, result *bench.Result) error {
	if b.termination != "" {
		raw, err := result.Termination()
		if err != nil {
			return err
		}
		// The kubelet made the file and reads it; it may be a device in tests.
		if err := os.WriteFile(b.termination, raw, 0o600); err != nil {
			return err
		}
	}
	if b.saveBaseline != "" {
		err := writeFile(b.saveBaseline, func(w io.Writer) error { return result.Write(w, bench.FormatJSON) })
		if err != nil {
			return err
		}
	}
	return result.Write(p.stdout, bench.Format(b.output))
}

// judge turns a result that is not good enough into an error with its exit code.
func judge(r *bench.Result) error {
	switch {
	case len(r.Missed) > 0:
		return &outcomeError{exitLimits, "limits missed:\n  " + strings.Join(r.Missed, "\n  ")}
	case len(r.Worse) > 0:
		return &outcomeError{exitWorse, "worse than the baseline:\n  " + strings.Join(r.Worse, "\n  ")}
	case r.Errors > 0:
		return &outcomeError{exitIncomplete, fmt.Sprintf("%d vectors came to nothing; the first: %s", r.Errors, firstFailure(r))}
	}
	return nil
}

func firstFailure(r *bench.Result) string {
	for _, o := range r.Outcomes {
		if o.Error != "" {
			return o.String() + ": " + o.Error
		}
	}
	return ""
}
