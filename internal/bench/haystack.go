// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"
	"slices"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/screen"
)

// HaystackArm is what came of planted memories among others, one at a time, in one way of handling memory.
type HaystackArm struct {
	// Arm is "enforce": the gate as the policy has it; "flag": DryRun, where everything is delivered and marked; "off": the
	// same without a screen; "raw": all memories go into the prompt in the order they were written, without a recall.
	Arm string `json:"arm"`
	// Distractors is how many other memories there are.
	Distractors int `json:"distractors"`
	// Reached is how many plants reach the prompt; Marked how many of those carry a boundary other than Safe.
	Reached Share `json:"reached"`
	Marked  Share `json:"marked"`
	// MedianRank is the median place of those that do in the context, from 1; 0 where none does.
	MedianRank int `json:"medianRank"`
}

// haystackSize is how many memories the plant is hidden among.
const haystackSize = 100

// blindScreener finds nothing.
type blindScreener struct{}

func (blindScreener) Screen(screen.Input) screen.Verdict {
	return screen.Verdict{Tier: screen.TierNone}
}

// haystack runs the arms one after the other.
func (r *Runner) haystack(ctx context.Context, res *Result) error {
	plants, hay := r.hay()
	if len(plants) == 0 || len(hay) < haystackSize {
		return fmt.Errorf("haystack: these catalogs have %d attacks with a probe and %d harmless texts, at least 1 and %d are needed",
			len(plants), len(hay), haystackSize)
	}
	hay = hay[:haystackSize]
	enforce := setup{policy: r.Policy, screener: r.Screener, mode: r.Modes[0]}
	flag := enforce
	flag.off = true
	off := flag
	off.screener = blindScreener{}
	for _, arm := range []struct {
		name string
		s    setup
	}{{"enforce", enforce}, {"flag", flag}, {"off", off}} {
		outcome, err := r.search(ctx, arm.s, plants, hay)
		if err != nil {
			return fmt.Errorf("haystack, arm %s: %w", arm.name, err)
		}
		outcome.Arm = arm.name
		res.Haystack = append(res.Haystack, outcome)
	}
	res.Haystack = append(res.Haystack, HaystackArm{
		Arm: "raw", Distractors: haystackSize, Reached: NewShare(len(plants), len(plants)), Marked: NewShare(0, len(plants)),
		MedianRank: haystackSize + 1, // it was written last
	})
	return nil
}

// hay returns the plants, which have a probe, and the harmless texts to hide them among.
func (r *Runner) hay() (plants, hay []Text) {
	for _, c := range r.Catalogs {
		for _, t := range c.Texts {
			switch {
			case t.Poison && t.Probe != "":
				plants = append(plants, t)
			case !t.Poison:
				hay = append(hay, t)
			}
		}
	}
	return plants, hay
}

// search hides each plant in turn, asks its probe, and takes it away.
func (r *Runner) search(ctx context.Context, s setup, plants, hay []Text) (arm HaystackArm, err error) {
	w, err := s.open(ctx, r.work)
	if err != nil {
		return arm, err
	}
	defer func() { err = joinClose(err, w) }()
	sc := &scene{world: w, ctx: ctx}
	for _, t := range hay {
		caller, source := s.origin(t.Source, true)
		sc.later()
		sc.write(caller, gate.Write{Content: t.Text, Source: source})
	}
	var ranks []int
	marked := 0
	for _, t := range plants {
		sc.later()
		id := sc.write(agent, gate.Write{Content: t.Text, Source: t.Source}).ID
		sc.later()
		answer := sc.asks("", t.Probe)
		at := slices.IndexFunc(answer.Memories, func(m gate.Delivered) bool { return m.ID == id })
		if at >= 0 {
			ranks = append(ranks, at+1)
			if answer.Memories[at].Boundary != memory.Safe {
				marked++
			}
		}
		sc.forgets(agent, id)
	}
	if sc.err != nil {
		return arm, sc.err
	}
	slices.Sort(ranks)
	arm = HaystackArm{Distractors: len(hay), Reached: NewShare(len(ranks), len(plants)), Marked: NewShare(marked, len(ranks))}
	if len(ranks) > 0 {
		arm.MedianRank = ranks[len(ranks)/2]
	}
	return arm, nil
}
