// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// view is a version of a memory as a person sees it before deciding.
type view struct {
	meta   metav1.ObjectMeta
	status memoryv1alpha1.MemoryStatus
	text   memoryv1alpha1.Text
	reason string // its maker gave; known of versions from the log only
	// hidden is why there is no text; nil if there is.
	hidden error
}

// look reads a memory and what it says, both of the same version. Whoever may not read what it says sees the rest.
func (c *client) look(ctx context.Context, namespace, id string) (view, error) {
	const tries = 3 // it may change between the two requests
	for try := 0; ; try++ {
		var m memoryv1alpha1.Memory
		if err := c.get(ctx, namespace, resourceMemories, id, "", &m); err != nil {
			return view{}, err
		}
		var content memoryv1alpha1.MemoryContent
		err := c.get(ctx, namespace, resourceMemories, id, "content", &content)
		switch {
		case apierrors.IsForbidden(err):
			return view{meta: m.ObjectMeta, status: m.Status, hidden: err}, nil
		case err != nil:
			return view{}, err
		case content.Commit == m.Status.Commit:
			return view{meta: m.ObjectMeta, status: m.Status, text: content.Text}, nil
		case try == tries:
			return view{}, fmt.Errorf("memory %s changes faster than it can be read; try again", id)
		}
	}
}

// versionAt reads an older version of a memory out of its log.
func (c *client) versionAt(ctx context.Context, namespace, id, commit string) (view, error) {
	for after := ""; ; {
		var log memoryv1alpha1.MemoryLog
		if err := c.get(ctx, namespace, resourceMemories, id, "log", &log, "limit", "100", "continue", after); err != nil {
			return view{}, err
		}
		for _, v := range log.Versions {
			if v.Status.Commit == commit {
				return view{meta: log.ObjectMeta, status: v.Status, text: v.Text, reason: v.Reason}, nil
			}
		}
		if after = log.Continue; after == "" {
			return view{}, terminal.Usage("--commit: the memory has no such version; log " + id + " lists them")
		}
	}
}

func newShowCommand(o *Options) *cobra.Command {
	var commit string
	cmd := o.command("show MEMORY", "Show one memory with what it says", "As it is, or one version of it. JSON and YAML are a MemoryLog of this one version.",
		[]string{"show " + exampleID + " -n travel", "show " + exampleID + " -o yaml"}, exactly("the name of a memory"),
		func(cmd *cobra.Command, args []string) error {
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			id := bare(args[0])
			var v view
			if commit == "" {
				v, err = c.look(cmd.Context(), namespace, id)
			} else {
				v, err = c.versionAt(cmd.Context(), namespace, id, commit)
			}
			if err != nil {
				return err
			}
			return o.printView(v)
		})
	cmd.Flags().StringVar(&commit, "commit", "", "the version with this commit")
	cmd.ValidArgsFunction = o.completeMemory
	return cmd
}

func (o *Options) printView(v view) error {
	log := &memoryv1alpha1.MemoryLog{ObjectMeta: v.meta, Versions: []memoryv1alpha1.MemoryVersion{{Status: v.status, Text: v.text, Reason: v.reason}}}
	if err := o.print(log, []string{memoryName(v.meta.Name)}, func(w io.Writer) {
		columns, _ := terminal.Size(o.Out)
		describe(w, o.style(), v, columns)
	}); err != nil {
		return err
	}
	if v.hidden != nil && o.output != formatTable && o.output != formatWide {
		fmt.Fprintln(o.Err, "warning: without what it says: "+terminal.Escape(explain(v.hidden)))
	}
	return nil
}

// describe writes a version of a memory with all that is known of it, for a terminal of so many columns (0: no terminal).
func describe(w io.Writer, s terminal.Style, v view, columns int) {
	st := v.status
	headline(w, s, v)
	terminal.Fields(w, columns, append(v.origin(strings.Join(v.text.Reasons, "; ")),
		"Authority", st.Authority, "Writer", st.Writer, "Key", st.KeyID, "Version", madeBy(st), "Why", v.reason, "Commit", st.Commit)...)
	says(w, s, v, columns, 0)
}

// headline names a memory, and says how far it is let in.
func headline(w io.Writer, s terminal.Style, v view) {
	fmt.Fprintln(w, s.Bold("Memory "+terminal.Escape(v.meta.Name)))
	fmt.Fprintf(w, "%s, %s: %s\n", paint(s, terminal.Escape(v.status.Zone)), paint(s, terminal.Escape(v.status.State)), paint(s, terminal.Escape(v.status.Boundary)))
}

// origin are names and values of where a memory came from and what speaks for and against it. Reasons are what screening found; those without
// quotes where there are none.
func (v view) origin(reasons string) []string {
	st := v.status
	verdict := st.Verdict
	if reasons == "" {
		reasons = strings.Join(st.Reasons, "; ")
	}
	if reasons != "" {
		verdict += ": " + reasons
	}
	return []string{
		"Agent", v.meta.Namespace + "/" + st.Agent, "Source", st.Source, "Class", cappedClass(st), "Screening", verdict, "Hidden", hidden(v.text.Content),
		"Fault", st.Fault, "Session", v.text.Session, "Kind", st.Kind, "Subject", v.text.Subject, "Tags", strings.Join(v.text.Tags, ", "),
		"Metadata", pairs(v.text.Metadata), "Derived from", strings.Join(st.Parents, ", "), "Replaces", strings.Join(st.Supersedes, ", "),
		"Folded into", st.FoldedInto, "Pinned", yes(st.Pinned), "Approved by", st.ApprovedBy, "Written", when(&v.meta.CreationTimestamp), "Expires", when(st.Expiry),
	}
}

// hidden says how much of a text does not show.
func hidden(text string) string {
	n := 0
	for _, r := range text {
		if !terminal.Visible(r) && r != '\n' && r != '\t' {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d characters that do not show or act on a terminal; they are written as escapes", n)
}

// says writes what a memory says, at most so many lines of it (0: all). It returns how many it left out.
func says(w io.Writer, s terminal.Style, v view, columns, lines int) (left int) {
	switch {
	case v.hidden != nil:
		fmt.Fprintln(w, s.Faint("What it says is not shown: you have no right to get memories/content."))
		return 0
	case v.status.Purged:
		fmt.Fprintln(w, s.Faint("What it said was erased."))
		return 0
	}
	fmt.Fprintln(w, "It says:")
	if left = terminal.Block(w, v.text.Content, columns, lines); left > 0 {
		fmt.Fprintln(w, s.Faint(fmt.Sprintf("  … %d more lines", left)))
	}
	return left
}

func cappedClass(st memoryv1alpha1.MemoryStatus) string {
	if len(st.CappedBy) == 0 {
		return st.Class
	}
	return st.Class + ", lowered by " + strings.Join(st.CappedBy, ", ")
}

func madeBy(st memoryv1alpha1.MemoryStatus) string {
	if st.Change == "" {
		return ""
	}
	return strings.TrimSpace(st.Change + " by " + st.Actor + " at " + when(st.UpdatedAt))
}

// yes is a field that matters when it is so.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
