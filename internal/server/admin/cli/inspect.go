// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

func limitFlag(f *pflag.FlagSet, limit *int) {
	f.IntVar(limit, "limit", 100, "most entries to show")
}

// whenFlag is a time: RFC 3339, a date, or how long ago.
type whenFlag struct{ at *time.Time }

func (w whenFlag) String() string { return "" }
func (w whenFlag) Type() string   { return "time" }

func (w whenFlag) Set(s string) error {
	if ago, err := time.ParseDuration(s); err == nil && ago >= 0 {
		*w.at = time.Now().Add(-ago)
		return nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, s); err == nil {
			*w.at = at
			return nil
		}
	}
	return fmt.Errorf("give a time such as 2026-11-29T08:00:00Z, 2026-11-29, or 24h for a day ago")
}

func (s *console) queue() *cobra.Command {
	var limit int
	cmd := s.command("queue", "Show what waits to be decided", "Oldest first. A memory that near-duplicates are folded into stands for all of them.",
		[]string{"queue", "queue -o name"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			var total int64
			items, more, err := collect(cmd.Context(), limit, func(ctx context.Context, cursor string, n int) ([]gate.ReviewItem, string, error) {
				page, err := c.Queue(ctx, cursor, n)
				total = page.Total
				return page.Items, page.Next, err
			})
			if err != nil {
				return err
			}
			names, cells := make([]string, len(items)), make([][]string, len(items))
			for i, item := range items {
				m := item.Memory
				names[i] = m.ID
				cells[i] = []string{terminal.Escape(m.ID), string(m.Zone), string(m.State), string(m.Class), terminal.Shorten(m.Source, 24), strconv.Itoa(item.FoldedCount),
					strconv.Itoa(len(item.Contradictions)), when(m.CreatedAt), summary(m, 60)}
			}
			if err := s.print(cmd, gate.Reviewed{Items: items, Total: total}, names, func(w io.Writer) {
				rows(w, []string{"MEMORY", "ZONE", "STATE", "CLASS", "SOURCE", "FOLDED", "DISPUTES", "WRITTEN", "CONTENT"}, cells)
			}); err != nil {
				return err
			}
			s.hint(cmd, "%d of %d. Look with '%s show MEMORY', then approve, reject or promote it.", len(items), total, s.Program)
			s.hintMore(cmd, more)
			return nil
		})
	limitFlag(cmd.Flags(), &limit)
	return cmd
}

func (s *console) hintMore(cmd *cobra.Command, more bool) {
	if more {
		s.hint(cmd, "There are more; raise --limit to see them.")
	}
}

func (s *console) list() *cobra.Command {
	var b gate.Browsing
	var zone, class string
	var states []string
	var limit int
	cmd := s.command("list", "List memories, without their content", "All but rejected and forgotten ones, unless --state names them.",
		[]string{"list --zone Quarantine", "list --state Rejected,Forgotten --since 24h", "list --class WebContent -o json"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			b.Zone, b.Class = memory.Zone(zone), provenance.Class(class)
			for _, state := range states {
				b.States = append(b.States, memory.State(state))
			}
			found, more, err := collect(cmd.Context(), limit, func(ctx context.Context, cursor string, n int) ([]gate.Inspected, string, error) {
				b.Cursor, b.Limit = cursor, n
				page, err := c.List(ctx, b)
				return page.Memories, page.Next, err
			})
			if err != nil {
				return err
			}
			names, cells := make([]string, len(found)), make([][]string, len(found))
			for i, m := range found {
				names[i] = m.ID
				cells[i] = []string{terminal.Escape(m.ID), string(m.Zone), string(m.State), string(m.Class), string(m.Authority), terminal.Shorten(m.Source, 24),
					terminal.Shorten(m.Kind, 16), terminal.Shorten(strings.Join(m.Tags, ","), 24), when(m.CreatedAt)}
			}
			if err := s.print(cmd, gate.Page{Memories: found}, names, func(w io.Writer) {
				rows(w, []string{"MEMORY", "ZONE", "STATE", "CLASS", "AUTHORITY", "SOURCE", "KIND", "TAGS", "WRITTEN"}, cells)
			}); err != nil {
				return err
			}
			s.hintMore(cmd, more)
			return nil
		})
	f := cmd.Flags()
	f.StringVar(&zone, "zone", "", "only this zone: Quarantine, Working or Trusted")
	f.StringSliceVar(&states, "state", nil, "only these states, for example PendingReview,Disputed")
	f.StringVar(&class, "class", "", "only this source class, for example WebContent")
	f.StringSliceVar(&b.Kinds, "kind", nil, "only these kinds")
	f.StringSliceVar(&b.Tags, "tag", nil, "only memories with all of these tags")
	f.StringVar(&b.Subject, "subject", "", "only memories about exactly this")
	f.Var(whenFlag{&b.Since}, "since", "only memories written since then: a time, a date, or 24h for a day ago")
	f.Var(whenFlag{&b.Until}, "until", "only memories written before then")
	limitFlag(f, &limit)
	return cmd
}

func (s *console) show() *cobra.Command {
	var commit string
	var at time.Time
	cmd := s.command("show MEMORY", "Show one memory with its content", "As it is, as it was at a time, or one version of it.",
		[]string{"show 0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21", "show 0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21 --at 24h"}, exactly("the id of a memory"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			m, err := c.Get(cmd.Context(), args[0], commit, at)
			if err != nil {
				return err
			}
			return s.print(cmd, m, []string{m.ID}, func(w io.Writer) { describe(w, m) })
		})
	cmd.Flags().StringVar(&commit, "commit", "", "the version with this commit")
	cmd.Flags().Var(whenFlag{&at}, "at", "as it was then: a time, a date, or 24h for a day ago")
	return cmd
}

func (s *console) log() *cobra.Command {
	var limit int
	cmd := s.command("log MEMORY", "Show the versions of a memory", "Newest first; 'show --commit' shows one of them.",
		[]string{"log 0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21"}, exactly("the id of a memory"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			found, more, err := collect(cmd.Context(), limit, func(ctx context.Context, cursor string, n int) ([]gate.Inspected, string, error) {
				page, err := c.Log(ctx, args[0], cursor, n)
				return page.Versions, page.Next, err
			})
			if err != nil {
				return err
			}
			names, cells := make([]string, len(found)), make([][]string, len(found))
			for i, m := range found {
				names[i] = m.Commit
				cells[i] = []string{terminal.Escape(m.Commit), string(m.Change), string(m.Zone), string(m.State), terminal.Shorten(m.Actor, 32), when(m.UpdatedAt), terminal.Shorten(m.Reason, 48)}
			}
			if err := s.print(cmd, admin.History{Versions: found}, names, func(w io.Writer) {
				rows(w, []string{"COMMIT", "CHANGE", "ZONE", "STATE", "BY", "AT", "WHY"}, cells)
			}); err != nil {
				return err
			}
			s.hintMore(cmd, more)
			return nil
		})
	limitFlag(cmd.Flags(), &limit)
	return cmd
}

func (s *console) deliveries() *cobra.Command {
	var session, id string
	var limit int
	cmd := s.command("deliveries", "Show what was delivered to the agent", "Which memory was shown to which session, newest first.",
		[]string{"deliveries --session ticket-4711", "deliveries --memory 0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			found, err := c.Deliveries(cmd.Context(), session, id, limit)
			if err != nil {
				return err
			}
			names, cells := make([]string, len(found.Deliveries)), make([][]string, len(found.Deliveries))
			for i, d := range found.Deliveries {
				names[i] = d.Memory
				cells[i] = []string{when(d.At), terminal.Shorten(d.Session, 40), terminal.Escape(d.Memory), string(d.Class), strconv.FormatFloat(d.Score, 'f', 3, 64)}
			}
			return s.print(cmd, found, names, func(w io.Writer) {
				rows(w, []string{"AT", "SESSION", "MEMORY", "CLASS", "SCORE"}, cells)
			})
		})
	cmd.Flags().StringVar(&session, "session", "", "only to this session")
	cmd.Flags().StringVar(&id, "memory", "", "only of this memory")
	limitFlag(cmd.Flags(), &limit)
	return cmd
}

func (s *console) status() *cobra.Command {
	return s.command("status", "Show the state of the screener", "Policy, keys, counts and the head of the audit log.",
		[]string{"status"}, noArgs,
		func(cmd *cobra.Command, _ []string, c *admin.Client) error {
			st, err := c.Status(cmd.Context())
			if err != nil {
				return err
			}
			return s.print(cmd, st, []string{st.AgentID}, func(w io.Writer) {
				fields(w, "Agent", st.Namespace+"/"+st.Agent, "Agent id", st.AgentID, "Version", st.Version, "Policy", st.PolicyRevision,
					"Rejected", st.PolicyRejected, "Primary key", st.PrimaryKeyID, "Keys", strings.Join(st.KeyIDs, ", "), "Zones", counts(st.Zones),
					"States", counts(st.States), "Pending", strconv.FormatInt(st.PendingReview, 10), "To decide", strconv.FormatInt(st.Items, 10),
					"Losing trust", counts(st.TrustLoss),
					"Audit log", strconv.FormatInt(st.AuditSize, 10)+" entries, root "+st.AuditRoot)
			})
		})
}

func counts(m map[string]int64) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+" "+strconv.FormatInt(m[name], 10))
	}
	return strings.Join(parts, ", ")
}
