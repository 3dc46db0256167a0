// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command lifecycle writes what can happen to a memory, diagrams and table, from the transition table of package memory
// into a document, between the two markers it holds.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

const (
	begin = "<!-- generated from internal/memory/lifecycle.go: begin -->\n"
	end   = "<!-- generated from internal/memory/lifecycle.go: end -->\n"
)

func main() {
	out := flag.String("out", "docs/lifecycle.md", "document to write into")
	flag.Parse()
	if err := run(*out); err != nil {
		log.Fatal(err)
	}
}

func run(out string) error {
	document, err := os.ReadFile(out) // #nosec G304 -- a developer's command
	if err != nil {
		return err
	}
	document, err = rewrite(document)
	if err != nil {
		return fmt.Errorf("%s: %w", out, err)
	}
	return os.WriteFile(out, document, 0o644) // #nosec G306 -- a public document
}

// rewrite replaces what is between the markers.
func rewrite(document []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(document, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return nil, fmt.Errorf("the markers are missing:\n%s%s", begin, end)
	}
	return slices.Concat(before, []byte(begin+generated()+end), after), nil
}

func generated() string {
	transitions := reachable(memory.Transitions())
	return diagram("States", edges(transitions, func(s memory.Standing) string { return string(s.State) })) +
		diagram("Zones", edges(transitions, func(s memory.Standing) string { return string(s.Zone) })) +
		table(transitions)
}

// reachable leaves out what no memory ever stands at: it begins with what writes become.
func reachable(all []memory.Transition) []memory.Transition {
	standings := []memory.Standing{
		{Zone: memory.Quarantine, State: memory.PendingReview}, {Zone: memory.Working, State: memory.PendingReview},
		{Zone: memory.Working, State: memory.Active}, {Zone: memory.Trusted, State: memory.Active},
	}
	for i := 0; i < len(standings); i++ {
		for _, t := range all {
			if t.From == standings[i] && t.To != memory.Decided && !slices.Contains(standings, t.To) {
				standings = append(standings, t.To)
			}
		}
	}
	return slices.DeleteFunc(all, func(t memory.Transition) bool { return !slices.Contains(standings, t.From) })
}

// edge is an arrow of a diagram with every action it stands for.
type edge struct {
	from, to string
	actions  []string
}

// edges merges transitions by what of. What goes nowhere, and what a diagram would drown in because it is possible
// everywhere, is in the table only.
func edges(transitions []memory.Transition, of func(memory.Standing) string) []edge {
	var out []edge
	for _, t := range transitions {
		from, to := of(t.From), of(t.To)
		if t.To == memory.Decided || from == to || slices.Contains([]memory.Action{memory.ActionForget, memory.ActionPurge}, t.Action) {
			continue
		}
		i := slices.IndexFunc(out, func(e edge) bool { return e.from == from && e.to == to })
		if i < 0 {
			out = append(out, edge{from: from, to: to})
			i = len(out) - 1
		}
		if !slices.Contains(out[i].actions, string(t.Action)) {
			out[i].actions = append(out[i].actions, string(t.Action))
		}
	}
	return out
}

func diagram(title string, edges []edge) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n\n```mermaid\nstateDiagram-v2\n", title)
	for _, e := range edges {
		fmt.Fprintf(&b, "    %s --> %s: %s\n", e.from, e.to, strings.Join(e.actions, ", "))
	}
	b.WriteString("```\n\n")
	return b.String()
}

// table has a line for each action and target, with every standing it is possible from.
func table(transitions []memory.Transition) string {
	type line struct {
		action memory.Action
		to     string
		from   []string
	}
	var lines []line
	for _, t := range transitions {
		to := name(t.To)
		switch {
		case t.To == memory.Decided:
			to = "as a new write"
		case t.To.Zone == t.From.Zone:
			to = "same zone, " + string(t.To.State)
		}
		i := slices.IndexFunc(lines, func(l line) bool { return l.action == t.Action && l.to == to })
		if i < 0 {
			lines = append(lines, line{action: t.Action, to: to})
			i = len(lines) - 1
		}
		lines[i].from = append(lines[i].from, name(t.From))
	}
	var b strings.Builder
	b.WriteString("| action | from | to |\n|---|---|---|\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.action, strings.Join(compact(l.from), "; "), l.to)
	}
	return b.String() + "\n"
}

func name(s memory.Standing) string { return string(s.Zone) + " " + string(s.State) }

// compact writes the states of one zone behind its name, once.
func compact(standings []string) []string {
	var out []string
	for _, zone := range memory.Zones {
		var states []string
		for _, s := range standings {
			if state, ok := strings.CutPrefix(s, string(zone)+" "); ok {
				states = append(states, state)
			}
		}
		if len(states) > 0 {
			out = append(out, string(zone)+": "+strings.Join(states, ", "))
		}
	}
	return out
}
