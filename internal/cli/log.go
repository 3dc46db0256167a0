// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

func newLogCommand(o *Options) *cobra.Command {
	var limit int
	cmd := o.command("log MEMORY", "Show the versions of a memory", "Newest first: what changed it, who, and why. show --commit shows one of them with what it says.",
		[]string{"log " + exampleID + " -n travel"}, exactly("the name of a memory"),
		func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return terminal.Usage("--limit: give a number of versions from 1 on")
			}
			c, namespace, err := o.connect()
			if err != nil {
				return err
			}
			log := &memoryv1alpha1.MemoryLog{}
			for first := true; first || log.Continue != "" && len(log.Versions) < limit; first = false {
				var next memoryv1alpha1.MemoryLog
				size := strconv.Itoa(min(limit-len(log.Versions), 100))
				if err := c.get(cmd.Context(), namespace, resourceMemories, bare(args[0]), "log", &next, "limit", size, "continue", log.Continue); err != nil {
					return err
				}
				next.Versions = append(log.Versions, next.Versions...)
				log = &next
			}
			if err := o.printLog(log); err != nil {
				return err
			}
			if log.Continue != "" {
				o.note("Only the newest %d; --limit shows more.", len(log.Versions))
			}
			return nil
		})
	cmd.Flags().IntVar(&limit, "limit", 50, "show at most this many")
	cmd.ValidArgsFunction = o.completeMemory
	return cmd
}

func (o *Options) printLog(log *memoryv1alpha1.MemoryLog) error {
	names, rows := make([]string, len(log.Versions)), make([][]string, len(log.Versions))
	for i, v := range log.Versions {
		names[i] = v.Status.Commit
		rows[i] = o.cells([]string{v.Status.Commit, v.Status.Change, v.Status.Zone, v.Status.State, v.Status.Actor, when(v.Status.UpdatedAt), v.Reason})
	}
	return o.print(log, names, func(w io.Writer) {
		o.table(w, []string{"COMMIT", "CHANGE", "ZONE", "STATE", "BY", "AT", "WHY"}, rows)
	})
}

// pairs writes what a writer said about a memory, in order of the names.
func pairs(m map[string]string) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+"="+strconv.Quote(m[name]))
	}
	return strings.Join(parts, ", ")
}
