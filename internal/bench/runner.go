// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Runner runs catalogs off and on.
type Runner struct {
	// Name of what is measured.
	Name     string
	Catalogs []*Catalog
	Suites   []Suite
	// Modes are the trust modes to run in, whatever the policy says.
	Modes    []v1alpha1.TrustMode
	Policy   *Policy
	Screener Screener
	// Endpoint, where given, is measured instead. It gets the vectors that a single text is enough for.
	Endpoint Harness
	// Workers is how many requests to Endpoint run at once; 1 when 0.
	Workers int
	// Dir is where temporary stores are made; os.TempDir() when empty.
	Dir string
	// Progress, where given, is told how far the run is. It may be called by several goroutines at once.
	Progress func(done, total int)

	work        string // directory of this run, below Dir
	done, total atomic.Int64
}

// parallel is how many worlds are played at once. They wait for the disk half of the time.
func parallel() int { return max(2, runtime.GOMAXPROCS(0)) }

func (r *Runner) runs(s Suite) bool { return slices.Contains(r.Suites, s) }

func (r *Runner) step() {
	if done := r.done.Add(1); r.Progress != nil {
		r.Progress(int(done), int(r.total.Load()))
	}
}

// Run runs everything. It returns an error where a run is not possible, or ctx ends; a vector that comes to nothing is in the
// result.
func (r *Runner) Run(ctx context.Context) (_ *Result, err error) {
	dir, err := os.MkdirTemp(r.Dir, "mempoisonbench-")
	if err != nil {
		return nil, fmt.Errorf("a directory for the benchmark's memory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r.work = dir
	res := r.result()
	if r.Endpoint != nil {
		err = r.runEndpoint(ctx, res)
	} else {
		err = r.runGate(ctx, res)
	}
	if err != nil {
		return nil, err
	}
	if len(res.Outcomes)+len(res.Haystack) == 0 {
		return nil, errNothing
	}
	res.figures()
	return res, nil
}

func (r *Runner) result() *Result {
	res := &Result{SchemaVersion: ResultSchema, Harness: r.Name, Suites: r.Suites}
	if r.Endpoint == nil {
		res.Policy = r.Policy.Ref()
		res.Enforcement = string(r.Policy.Runtime.Enforcement)
	}
	for _, c := range r.Catalogs {
		res.Catalogs = append(res.Catalogs, c.Ref)
	}
	return res
}

// task is a part of a run that returns its outcomes.
type task func(context.Context) ([]Outcome, error)

// runGate runs what is content-only with the screen, and everything else with the gate.
func (r *Runner) runGate(ctx context.Context, res *Result) error {
	engine := Engine{Screener: r.Screener, Trust: r.Policy.Trust(v1alpha1.TrustModeSigned)}
	vectors := r.contentVectors()
	r.total.Add(int64(len(vectors)))
	tasks := []task{func(ctx context.Context) ([]Outcome, error) { return r.judge(ctx, engine, 1, vectors) }}
	for _, mode := range r.Modes {
		tasks = append(tasks, r.modeTasks(mode)...)
	}
	outcomes := make([][]Outcome, len(tasks))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(parallel())
	for i, t := range tasks {
		group.Go(func() (err error) {
			outcomes[i], err = t(groupCtx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	res.Outcomes = slices.Concat(outcomes...)
	if r.runs(SuiteHaystack) {
		return r.haystack(ctx, res)
	}
	return nil
}

// modeTasks are the parts of a run in one trust mode.
func (r *Runner) modeTasks(mode v1alpha1.TrustMode) []task {
	on := setup{policy: r.Policy, screener: r.Screener, mode: mode}
	off := on
	off.off = true
	var tasks []task
	if all := r.experiments(mode); len(all) > 0 {
		r.total.Add(int64(2 * len(all)))
		tasks = append(tasks, func(ctx context.Context) ([]Outcome, error) { return r.performBoth(ctx, off, on, all) })
	}
	if r.runs(SuiteActions) {
		r.total.Add(int64(4 * len(scenarios)))
		for _, s := range scenarios {
			tasks = append(tasks, func(ctx context.Context) ([]Outcome, error) { return r.act(ctx, off, on, s) })
		}
	}
	if plants := r.dormant(); r.runs(SuiteDormancy) && len(plants) > 0 {
		r.total.Add(2 * dormantSessions)
		tasks = append(tasks, func(ctx context.Context) ([]Outcome, error) { return r.sleep(ctx, off, on, plants) })
	}
	return tasks
}

// performBoth plays experiments in both arms.
func (r *Runner) performBoth(ctx context.Context, off, on setup, all []experiment) ([]Outcome, error) {
	without, failed, err := r.perform(ctx, off, all)
	if err != nil {
		return nil, err
	}
	with, failedOn, err := r.perform(ctx, on, all)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(all))
	for i, e := range all {
		out[i] = e.settle(without[i], with[i])
		if err := errors.Join(failed[i], failedOn[i]); err != nil {
			out[i].Error = err.Error()
		}
	}
	return out, nil
}

// act plays a scenario and its twin in both arms.
func (r *Runner) act(ctx context.Context, off, on setup, s scenario) ([]Outcome, error) {
	out := make([]Outcome, 0, 2)
	for _, half := range []struct {
		name   string
		attack bool
		play   func(*scene) bool
	}{{s.id, true, s.attack}, {s.id + "-twin", false, s.twin}} {
		o := Outcome{Suite: SuiteActions, Mode: modeName(on.mode), ID: half.name, Category: "action", Attack: half.attack}
		open, errOff := off.play(ctx, r.work, half.play)
		r.step()
		effect, errOn := on.play(ctx, r.work, half.play)
		r.step()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o.Open, o.Delivered, o.Right = open, effect, effect != half.attack
		if err := errors.Join(errOff, errOn); err != nil {
			o.Error = err.Error()
		}
		out = append(out, o)
	}
	return out, nil
}
