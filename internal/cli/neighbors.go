// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// Bounds of looking for neighbors.
const (
	neighborsAmong = 2000 // memories of the agent
	neighborsShown = 12
)

// neighbor is a memory that has to do with another one.
type neighbor struct {
	memory   memoryv1alpha1.Memory
	relation string
	rank     int // the closest first
}

// relation says what a memory has to do with another one, and how close that is; nothing if nothing.
func relation(to view, m memoryv1alpha1.Memory) (string, int) {
	st := m.Status
	switch {
	case m.Name == to.meta.Name:
		return "", 0
	case slices.Contains(to.status.Parents, m.Name):
		return "it was derived from", 1
	case slices.Contains(st.Parents, to.meta.Name):
		return "derived from it", 2
	case slices.Contains(to.status.Supersedes, m.Name):
		return "it replaces", 3
	case slices.Contains(st.Supersedes, to.meta.Name):
		return "replaces it", 4
	case st.FoldedInto == to.meta.Name, to.status.FoldedInto == m.Name:
		return "says nearly the same", 5
	case st.Source != "" && st.Source == to.status.Source:
		return "same source", 6
	case len(st.Parents) > 0 && slices.ContainsFunc(st.Parents, func(p string) bool { return slices.Contains(to.status.Parents, p) }):
		return "derived from the same", 7
	}
	return "", 0
}

// neighbors prints what has to do with the memory at hand, closest first, and how each of them begins.
func (r *review) neighbors(ctx context.Context) error {
	at := r.queue[0]
	items, more, err := r.client.listMemories(ctx, at.namespace, selection{fields: [][2]string{{"agent", r.seen.status.Agent}}}, neighborsAmong)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		fmt.Fprintln(r.Out, "Its neighbors are not known: "+terminal.Escape(explain(err)))
		return nil
	}
	var found []neighbor
	for _, m := range items {
		if what, rank := relation(r.seen, m); rank > 0 {
			found = append(found, neighbor{m, what, rank})
		}
	}
	slices.SortStableFunc(found, func(a, b neighbor) int { return cmp.Compare(a.rank, b.rank) })
	if len(found) == 0 {
		fmt.Fprintln(r.Out, "It has no neighbors: it came from no other memory, none came from it, and\nnothing else has its source.")
	}
	columns, _ := terminal.Size(r.Out)
	for _, n := range found[:min(len(found), neighborsShown)] {
		st := n.memory.Status
		fmt.Fprintf(r.Out, "%s %s\n  %s, %s, %s, %s\n", terminal.Escape(n.memory.Name), r.style.Bold(n.relation), paint(r.style, terminal.Escape(st.Zone)),
			paint(r.style, terminal.Escape(st.State)), terminal.Escape(st.Class), terminal.Clip(st.Source, maxCell))
		var content memoryv1alpha1.MemoryContent
		if err := r.client.get(ctx, at.namespace, resourceMemories, n.memory.Name, "content", &content); err == nil {
			terminal.Block(r.Out, content.Text.Content, max(columns, 40), 1)
		}
	}
	if left := len(found) - neighborsShown; left > 0 {
		fmt.Fprintf(r.Out, "and %d more\n", left)
	}
	if more {
		fmt.Fprintf(r.Out, "Looked for among the first %d memories of the agent.\n", neighborsAmong)
	}
	return nil
}
