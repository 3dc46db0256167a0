// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

const (
	resourceStores = "stores"

	phaseDone, phaseFailed = "Done", "Failed"
	storePostgres          = "Postgres"

	// migrationPatience is for how long a screener may not answer while a move is looked at: it starts again with the other store.
	migrationPatience = 2 * time.Minute
	// progressEvery is how often a phase that goes on is told of.
	progressEvery = 5 * time.Second
)

// errNotMoved ends a command whose move failed.
var errNotMoved = errors.New("the memory was not moved")

// migrator follows a move.
type migrator struct {
	*Options
	client           *client
	namespace, agent string
	every            time.Duration // between two looks
	told             time.Time
	phase            string
}

func newMigrateCommand(o *Options) *cobra.Command {
	var dryRun, wait bool
	cmd := o.command("migrate AGENT", "Move an agent's memory to PostgreSQL",
		"Moves the memory of an agent from its pod, or its volume, to the database of its policy, while the agent is served: memories, versions, the\n"+
			"audit log leaf for leaf, deliveries, lineage, sessions and all the rest. Writes are answered with 503 for a moment at the end, when the last\n"+
			"rows are copied. Both sides are compared, by counts and hashes, before the database takes over. If anything fails, the agent goes on with the\n"+
			"memory where it is, and the command can be given again. It needs ClusterRole memorytrust-admin.\n\n"+
			"Before: name the database in spec.store.postgres of the policy, with whatever spec.store.type. An agent with several pods is moved with one.",
		[]string{"migrate concierge -n travel --dry-run", "migrate concierge -n travel", "migrate concierge -n travel -o json"}, exactly("the name of an agent"),
		func(cmd *cobra.Command, args []string) error {
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			m := &migrator{Options: o, client: c, namespace: namespace, agent: bare(args[0]), every: time.Second}
			return m.run(cmd.Context(), dryRun, wait)
		})
	f := cmd.Flags()
	f.BoolVar(&dryRun, "dry-run", false, "say what would be moved, and whether the database takes it, and change nothing")
	f.BoolVar(&wait, "wait", true, "wait until it is done; without, look again by giving the command again")
	return cmd
}

func (m *migrator) run(ctx context.Context, dryRun, wait bool) error {
	out := &memoryv1alpha1.StoreMigration{}
	body := &memoryv1alpha1.StoreMigration{Spec: memoryv1alpha1.StoreMigrationSpec{DryRun: dryRun}}
	if err := m.client.create(ctx, m.namespace, resourceStores, m.agent, "migrate", body, out); err != nil {
		return err
	}
	if wait && !dryRun {
		var err error
		if out, err = m.follow(ctx, out); err != nil {
			return err
		}
	}
	return m.finish(out)
}

// follow looks until the move has ended.
func (m *migrator) follow(ctx context.Context, out *memoryv1alpha1.StoreMigration) (*memoryv1alpha1.StoreMigration, error) {
	answered := time.Now()
	for {
		if ended(out.Status) {
			return out, nil
		}
		m.tell(out.Status)
		select {
		case <-ctx.Done():
			m.note("The move goes on without this command; give it again to look.")
			return nil, ctx.Err()
		case <-time.After(m.every):
		}
		next := &memoryv1alpha1.StoreMigration{}
		switch err := m.client.get(ctx, m.namespace, resourceStores, m.agent, "migrate", next); {
		case err == nil:
			out, answered = next, time.Now()
		case !passing(err) || time.Since(answered) > migrationPatience:
			return nil, err
		}
	}
}

// passing reports whether an error is that of a screener that starts again.
func passing(err error) bool {
	return apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) || apierrors.IsInternalError(err) || unreached(err)
}

func ended(s memoryv1alpha1.StoreMigrationStatus) bool {
	return s.Store == storePostgres || s.Phase == phaseDone || s.Phase == phaseFailed || s.Phase == ""
}

// tell tells of a phase when it begins, and now and then while it goes on.
func (m *migrator) tell(s memoryv1alpha1.StoreMigrationStatus) {
	if s.Phase == m.phase && time.Since(m.told) < progressEvery {
		return
	}
	m.phase, m.told = s.Phase, time.Now()
	text := s.Phase + ": " + fmt.Sprintf("%d of %d rows", s.Copied, s.Total)
	if s.Began != nil && s.Copied > 0 {
		if took := time.Since(s.Began.Time).Seconds(); took >= 1 {
			text += fmt.Sprintf(", %.0f a second", float64(s.Copied)/took)
		}
	}
	m.note("%s", terminal.Escape(text))
}

// finish prints what became of it.
func (m *migrator) finish(out *memoryv1alpha1.StoreMigration) error {
	name := "store." + memoryv1alpha1.GroupName + "/" + m.agent
	err := m.print(out, []string{name}, func(w io.Writer) { m.describe(w, out) })
	if err == nil && out.Status.Phase == phaseFailed {
		return fmt.Errorf("%w: %s", errNotMoved, out.Status.Message)
	}
	return err
}

func (m *migrator) describe(w io.Writer, out *memoryv1alpha1.StoreMigration) {
	columns, _ := terminal.Size(m.Out)
	say := func(text string) { terminal.Paragraph(w, terminal.Escape(text), columns) }
	s := out.Status
	again := Program + " migrate " + terminal.Quote(m.agent) + m.flags(m.namespace)
	switch {
	case out.Spec.DryRun:
		say("Nothing was changed: " + s.Message + ".")
		say("To move it: " + again)
	case s.Phase == phaseFailed:
		say("To try again: " + again)
	case s.Phase != phaseDone && s.Store != storePostgres:
		say(fmt.Sprintf("The memory of agent %s is being moved: %s, %d of %d rows. To look again: %s", m.agent, s.Phase, s.Copied, s.Total, again))
	default:
		m.describeDone(w, s, say)
	}
}

// describeDone says what was compared, and what is left to do.
func (m *migrator) describeDone(w io.Writer, s memoryv1alpha1.StoreMigrationStatus, say func(string)) {
	var rows int64
	for _, t := range s.Rows {
		rows += t.Rows
	}
	say(fmt.Sprintf("The memory of agent %s is in PostgreSQL. Both stores had the same %d rows in %d tables and the same audit log of %d entries; "+
		"writes were held for %d ms.", m.agent, rows, len(s.Rows), s.AuditSize, s.HeldMilliseconds))
	if m.output == formatWide {
		for _, t := range s.Rows {
			fmt.Fprintf(w, "  %-20s %d\n", terminal.Escape(t.Table), t.Rows)
		}
	}
	fmt.Fprintf(w, "Audit root  %s\nRow digest  %s\n", terminal.Escape(s.AuditRoot), terminal.Escape(s.Digest))
	say("Left to do: when all agents of the policy are there (kubectl get stores." + memoryv1alpha1.GroupName + " -n " + terminal.Quote(m.namespace) +
		"), set its spec.store.type to Postgres. New pods of this agent use the database at once.")
	say("There is no way back: what is written from now on is in the database only. The pod's file, or the volume, stays as it was and is not opened any more; " +
		"delete it when you do not need it.")
}
