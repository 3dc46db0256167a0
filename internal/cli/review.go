// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

func newReviewCommand(o *Options) *cobra.Command {
	var c choice
	c.pending = true
	cmd := o.command("review", "Go through what waits for a person",
		"Shows one memory after the other and asks what to do with it. Decisions are about the version that is shown; each needs a reason, which may\n"+
			"stand behind the command: approve checked with the author. Commands can be shortened to their first letter, and be piped in, one a line;\n"+
			"then the review ends at the first line that cannot be carried out, with its exit code.\n\n"+strings.Trim(reviewHelp, "\n"),
		[]string{"review -n travel", "review -A --class WebContent", "review -n travel --agent concierge < decisions.txt"}, noArgs,
		func(cmd *cobra.Command, _ []string) error {
			if o.output != formatTable {
				return terminal.Usage("--output: review is for people; list --pending has the same for programs")
			}
			s, err := c.selection()
			if err != nil {
				return err
			}
			api, namespace, err := o.connect()
			if err != nil {
				return err
			}
			items, more, err := api.listMemories(cmd.Context(), c.in(namespace), s, shown)
			if err != nil {
				return err
			}
			if len(items) == 0 {
				fmt.Fprintln(o.Out, "Nothing waits"+where(c)+".")
				return nil
			}
			r := newReview(cmd.Context(), o, api, items, more)
			return r.run(cmd.Context())
		})
	c.bind(cmd.Flags())
	return cmd
}

// waiting is a memory of the queue.
type waiting struct{ namespace, id string }

// made is a decision of this review that can be undone.
type made struct {
	of     waiting
	verb   verb
	commit string // of the version it made
}

// review is a walk through what waits.
type review struct {
	*Options
	client *client
	lines  *lines
	style  terminal.Style

	queue   []waiting // the first one is at hand
	more    bool      // others wait that are not in the queue
	seen    view      // what was shown of the first one
	decided []made
	last    waiting // that something was done with
	undone  int
	skipped int
	failed  error // the first decision that was not made
}

func newReview(ctx context.Context, o *Options, c *client, items []memoryv1alpha1.Memory, more bool) *review {
	r := &review{Options: o, client: c, style: o.style(), more: more, lines: newLines(ctx, o.In, o.Out)}
	for _, m := range items {
		r.queue = append(r.queue, waiting{m.Namespace, m.Name})
	}
	return r
}

// errChanged says that what was to be decided does not wait any more.
var errChanged = errors.New("it changed since the list was made; nothing was decided about it")

// errQuit ends a review.
var errQuit = errors.New("quit")

// run goes through the queue until it is empty or the person has enough, and says what was done.
func (r *review) run(ctx context.Context) error {
	err := r.walk(ctx)
	r.sum()
	switch {
	case err != nil && !errors.Is(err, errQuit) && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled):
		return err
	case r.lost():
		return r.failed
	}
	return nil
}

func (r *review) walk(ctx context.Context) error {
	for len(r.queue) > 0 {
		waits, err := r.show(ctx)
		if err != nil {
			return err
		}
		if !waits {
			r.queue = r.queue[1:]
		}
		for again := !waits; !again; {
			if again, err = r.step(ctx); err != nil {
				return err
			}
			if r.lost() {
				return nil
			}
		}
		if r.lost() {
			return nil
		}
	}
	return nil
}

// show prints the memory at hand as it is now. It reports whether it still waits.
func (r *review) show(ctx context.Context) (bool, error) {
	at := r.queue[0]
	v, err := r.client.look(ctx, at.namespace, at.id)
	switch {
	case apierrors.IsNotFound(err):
		fmt.Fprintf(r.Out, "\nMemory %s is gone.\n", terminal.Escape(at.id))
		r.wrong(errChanged)
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		fmt.Fprintf(r.Out, "\n%s memory %s cannot be shown, and is left out: %s\n", r.style.Bad("error:"), terminal.Escape(at.id), terminal.Escape(explain(err)))
		r.wrong(err)
		return false, nil
	case v.status.State != "PendingReview" && v.status.State != "Disputed":
		fmt.Fprintf(r.Out, "\nMemory %s does not wait any more: %s.\n", terminal.Escape(at.id), terminal.Escape(madeBy(v.status)))
		if r.last != at { // it was not this review that decided
			r.wrong(errChanged)
		}
		return false, nil
	}
	r.seen = v
	columns, height := terminal.Size(r.Out)
	plus := ""
	if r.more {
		plus = "+"
	}
	fmt.Fprintf(r.Out, "\n%s\n", r.style.Faint(fmt.Sprintf("── %d%s to decide ──", len(r.queue), plus)))
	headline(r.Out, r.style, v)
	terminal.Fields(r.Out, columns, v.origin(strings.Join(v.status.Reasons, "; "))...)
	if says(r.Out, r.style, v, columns, linesFor(height)) > 0 {
		fmt.Fprintln(r.Out, r.style.Faint("  content shows all of it"))
	}
	return true, nil
}

// linesFor is how much of a text is shown at first, so that what is known of it stays in sight.
func linesFor(height int) int {
	const around, least = 15, 6
	if height == 0 {
		return 40
	}
	return max(height-around, least)
}

const choices = "approve reject promote | skip next | why neighbors content | undo help quit"

// step asks for one command and does it. It reports whether the memory at hand has to be shown again.
func (r *review) step(ctx context.Context) (again bool, err error) {
	line, err := r.lines.ask(ctx, r.style.Faint(choices)+"\n"+r.style.Bold("review>")+" ")
	if err != nil {
		return false, err
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	c, err := commandNamed(word)
	if err != nil {
		fmt.Fprintln(r.Out, terminal.Escape(err.Error()))
		r.wrong(err)
		return false, nil
	}
	return c.do(ctx, r, rest)
}

// wrong notes that a line could not be carried out, or that something does not wait any more. A person sees that and goes on. What is piped
// in ends there: the lines that follow were meant for what somebody saw before.
func (r *review) wrong(err error) { r.failed = cmp.Or(r.failed, err) }

// lost reports whether what is piped in has to end.
func (r *review) lost() bool { return r.failed != nil && !r.lines.interactive }

// sum says what was done, and how to take it back later.
func (r *review) sum() {
	counts := map[string]int{}
	for _, d := range r.decided {
		counts[strings.ToLower(d.verb.done)]++
	}
	var parts []string
	for _, v := range decisions {
		if n := counts[strings.ToLower(v.done)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(v.done)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing decided"}
	}
	if r.undone > 0 {
		parts = append(parts, fmt.Sprintf("%d undone", r.undone))
	}
	if r.skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", r.skipped))
	}
	fmt.Fprintf(r.Out, "\n%s: %s; %d left.\n", r.style.Bold("Review"), strings.Join(parts, ", "), len(r.queue))
	for _, d := range slices.Backward(r.decided) {
		m := r.maker(d.of)
		r.tellUndo([]string{m.line(d.verb.undo, d.of.id, "undo "+d.verb.name)})
	}
	if r.more {
		fmt.Fprintln(r.Out, "More wait than were looked at; review again.")
	}
}

func (r *review) maker(w waiting) maker {
	return maker{Options: r.Options, client: r.client, about: aboutMemories, namespace: w.namespace}
}

func (r *review) tellUndo(commands []string) { r.maker(waiting{}).tellUndo(commands) }
