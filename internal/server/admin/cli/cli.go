// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cli holds the commands with which people look at memory and decide about it through an admin port. How the port is
// reached is up to the program that has the commands.
package cli

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/server/admin"
)

// Config is what the commands work with.
type Config struct {
	// Program is how the commands are typed, for help and hints: "screener admin".
	Program string
	// Connect returns a client that acts for a person, about a namespace (empty: the agent's own).
	Connect func(principal, namespace string) (*admin.Client, error)
}

// Formats of output, the values of --output.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatYAML  = "yaml"
	formatName  = "name"
)

// console is one invocation.
type console struct {
	Config
	as        string
	namespace string
	output    string
}

// New returns a command with one subcommand for each thing a person can do.
func New(c Config) *cobra.Command {
	s := &console{Config: c}
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Look at memory and decide about it",
		Long: "Looks at the memory of an agent through the admin port of its screener, and decides about it. Everything is done in the name of\n" +
			"a person (--as), who stands in the audit log.\n\n" +
			"Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by the rules, 4 not found, 5 the memory changed meanwhile, 6 unavailable.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return Usage("name a command; see --help") },
	}
	f := cmd.PersistentFlags()
	f.StringVar(&s.as, "as", "", "person on whose behalf this is done; the name of the operating system's user by default")
	f.StringVarP(&s.namespace, "namespace", "n", "", "tenant inside the agent; its own by default")
	f.StringVarP(&s.output, "output", "o", formatTable, "table, json, yaml or name")
	cmd.AddCommand(s.queue(), s.list(), s.show(), s.log(), s.pin(true), s.pin(false), s.contradictions(), s.scan(), s.resolve(),
		s.xray(), s.deliveries(), s.export(), s.load(), s.status(), s.trustReport(), s.attest(), s.revoke())
	for _, v := range decisions {
		cmd.AddCommand(s.decision(v))
	}
	return cmd
}

// command makes a subcommand. Its examples are completed with the program's name.
func (s *console) command(use, short, long string, examples []string, args cobra.PositionalArgs, run func(*cobra.Command, []string, *admin.Client) error) *cobra.Command {
	for i, e := range examples {
		examples[i] = "  " + s.Program + " " + e
	}
	return &cobra.Command{
		Use: use, Short: short, Long: strings.TrimSpace(short + ".\n\n" + long), Args: args, Example: strings.Join(examples, "\n"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := s.client()
			if err != nil {
				return err
			}
			defer client.Close()
			return run(cmd, args, client)
		},
	}
}

func (s *console) client() (*admin.Client, error) {
	if !slices.Contains([]string{formatTable, formatJSON, formatYAML, formatName}, s.output) {
		return nil, Usage("--output: use table, json, yaml or name")
	}
	principal := s.as
	if principal == "" {
		principal = osUser()
	}
	if !admin.ValidPrincipal(principal) {
		return nil, Usage("--as: say who you are: 1 to 128 of letters, digits and . _ @ : + / = -, beginning with a letter or digit")
	}
	return s.Connect(principal, s.namespace)
}

// osUser returns the name of the user of the operating system, or nothing.
func osUser() string {
	u, err := user.Current()
	if err != nil {
		return os.Getenv("USER")
	}
	return strings.ReplaceAll(u.Username, "\\", "/") // DOMAIN\user
}

// hint prints advice beside the output of a table; other formats are for programs.
func (s *console) hint(cmd *cobra.Command, format string, args ...any) {
	if s.output == formatTable {
		fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
	}
}

// collect walks pages until limit entries are there. It reports whether there are more.
func collect[T any](ctx context.Context, limit int, fetch func(ctx context.Context, cursor string, limit int) ([]T, string, error)) (out []T, more bool, err error) {
	const most = 100 // entries of a page
	for cursor := ""; len(out) < limit; {
		page, next, err := fetch(ctx, cursor, min(most, limit-len(out)))
		if err != nil {
			return nil, false, err
		}
		out = append(out, page...)
		if next == "" {
			return out, false, nil
		}
		cursor = next
	}
	return out, true, nil
}

func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage(fmt.Sprintf("unexpected argument %q; see --help", args[0]))
	}
	return nil
}

// exactly takes arguments with these names.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return Usage("give " + strings.Join(names, " and ") + ", and nothing else; see --help")
		}
		return nil
	}
}
