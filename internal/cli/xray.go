// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

func newXRayCommand(o *Options) *cobra.Command {
	var query, session string
	cmd := o.command("xray MEMORY", "Show why a recall would deliver a memory or not",
		"By default of a recall that asks for just this memory. A query of your own needs the right to read memories, and stands in the audit log\nof the API server. "+
			"Nothing is delivered by asking.",
		[]string{"xray " + exampleID + " -n travel", "xray " + exampleID + " --query 'opening hours' --session s-17"}, exactly("the name of a memory"),
		func(cmd *cobra.Command, args []string) error {
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			x, err := c.xray(cmd.Context(), namespace, bare(args[0]), query, session)
			if err != nil {
				return err
			}
			return o.print(x, []string{memoryName(x.Name)}, func(w io.Writer) {
				columns, _ := terminal.Size(o.Out)
				describeXRay(w, o.style(), x, columns)
			})
		})
	cmd.Flags().StringVar(&query, "query", "", "what a recall would ask for; what the memory says by default")
	cmd.Flags().StringVar(&session, "session", "", "list what was delivered of it to this session")
	cmd.ValidArgsFunction = o.completeMemory
	return cmd
}

// describeXRay writes what a recall makes of a memory, and what is known of it.
func describeXRay(w io.Writer, s terminal.Style, x *memoryv1alpha1.MemoryXRay, columns int) {
	st := x.Status
	fmt.Fprintln(w, s.Bold("Memory "+terminal.Escape(x.Name)))
	fmt.Fprintf(w, "%s, %s: %s\n", paint(s, terminal.Escape(st.Zone)), paint(s, terminal.Escape(st.State)), paint(s, terminal.Escape(st.Boundary)))
	terminal.Fields(w, columns, "Agent", x.Namespace+"/"+st.Agent, "Source", st.Source, "Class", cappedClass(st), "Authority", st.Authority, "Fault", st.Fault)
	explainXRay(w, s, x, columns)
}

// explainXRay writes what a recall makes of a memory, and why.
func explainXRay(w io.Writer, s terminal.Style, x *memoryv1alpha1.MemoryXRay, columns int) {
	outcome := terminal.Escape(x.Outcome)
	switch x.Outcome {
	case "Delivered":
		outcome = s.Good(outcome)
	case "Withheld":
		outcome = s.Bad(outcome)
	default:
		outcome = s.Caution(outcome)
	}
	fmt.Fprintf(w, "A recall: %s\n", outcome)
	score := "the query does not find it"
	if p := x.Score; p != nil {
		score = fmt.Sprintf("%d = relevance %d × trust %d × decay %d, per mille", p.ScorePerMille, p.RelevancePerMille, p.TrustPerMille, p.DecayPerMille)
	}
	trust := x.Band
	if x.TrustPerMille > 0 {
		trust = fmt.Sprintf("%s, %d per mille", x.Band, x.TrustPerMille)
	}
	terminal.Fields(w, columns, "Why", x.Why, "Query", x.Query, "Evidence", x.Evidence, "Trust", trust, "Score", score)
	if x.Session == "" {
		return
	}
	fmt.Fprintf(w, "Delivered to session %s: %d times\n", terminal.Escape(x.Session), len(x.Deliveries))
	for _, d := range x.Deliveries {
		fmt.Fprintf(w, "  %s  counted as %s, score %d per mille\n", when(&metav1.Time{Time: d.At.Time}), terminal.Escape(d.Class), d.ScorePerMille)
	}
}

// xray asks what a recall makes of a memory.
func (c *client) xray(ctx context.Context, namespace, id, query, session string) (*memoryv1alpha1.MemoryXRay, error) {
	x := &memoryv1alpha1.MemoryXRay{}
	return x, c.get(ctx, namespace, resourceMemories, id, "xray", x, "query", query, "session", session)
}
