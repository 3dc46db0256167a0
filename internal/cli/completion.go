// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/terminal"
)

// Bounds of completion: nobody waits long for a key, or reads more.
const (
	completeWithin = 3 * time.Second
	completeAtMost = 200
)

// kubectlCompletion is the program kubectl asks for what to complete after the plugin's name, if it is in PATH as kubectl_complete-memtrust.
const kubectlCompletion = `#!/usr/bin/env sh
exec kubectl-memtrust __complete "$@"
`

func newCompletionCommand(o *Options) *cobra.Command {
	shells := map[string]func(root *cobra.Command) error{
		"bash":       func(root *cobra.Command) error { return root.GenBashCompletionV2(o.Out, true) },
		"zsh":        func(root *cobra.Command) error { return root.GenZshCompletion(o.Out) },
		"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(o.Out, true) },
		"powershell": func(root *cobra.Command) error { return root.GenPowerShellCompletionWithDesc(o.Out) },
		"kubectl": func(*cobra.Command) error {
			_, err := o.Out.Write([]byte(kubectlCompletion))
			return err
		},
	}
	names := slices.Sorted(maps.Keys(shells))
	cmd := o.command("completion SHELL", "Print what completes commands, flags, names of memories and agents",
		"SHELL is "+strings.Join(names, ", ")+". With kubectl it is a program that kubectl finds in PATH as kubectl_complete-memtrust, so that\n"+
			"its own completion goes on behind 'kubectl memtrust'; the others complete kubectl-memtrust.",
		[]string{
			"completion kubectl > ~/.local/bin/kubectl_complete-memtrust && chmod +x ~/.local/bin/kubectl_complete-memtrust",
			"completion bash > ~/.local/share/bash-completion/completions/kubectl-memtrust",
		}, exactly("a shell"),
		func(cmd *cobra.Command, args []string) error {
			generate, ok := shells[args[0]]
			if !ok {
				return terminal.Usage("SHELL is one of " + strings.Join(names, ", "))
			}
			return generate(cmd.Root())
		})
	cmd.ValidArgs = names
	return cmd
}

// completeFlags lets the values of flags be completed.
func (o *Options) completeFlags(root *cobra.Command) {
	fixed := map[string][]string{
		"output": formats, "zone": zones, "state": states, "class": classes,
	}
	asked := map[string]cobra.CompletionFunc{"agent": o.completeAgents, "namespace": o.completeNamespaces, "context": o.completeContexts}
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		for name, values := range fixed {
			if cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
			}
		}
		for name, f := range asked {
			if cmd.Flags().Lookup(name) != nil || cmd.PersistentFlags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name, f)
			}
		}
		for _, sub := range cmd.Commands() {
			each(sub)
		}
	}
	each(root)
}

// completing connects for a completion. What goes wrong completes nothing, and nothing is printed into the line that is typed.
func (o *Options) completing(
	cmd *cobra.Command, ask func(ctx context.Context, c *client, namespace string) ([]cobra.Completion, error),
) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completeWithin)
	defer cancel()
	c, namespace, err := o.connect()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	c.warnings.print = func(string) {}
	found, err := ask(ctx, c, namespace)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeMemories completes names of memories a decision applies to.
func (o *Options) completeMemories(v verb) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var s []selection
		switch v.name {
		case "approve", "reject":
			s = []selection{{fields: [][2]string{{"pending", "true"}}}}
		case "reopen":
			s = []selection{{fields: [][2]string{{"state", "Rejected"}}}, {fields: [][2]string{{"state", "Forgotten"}}}}
		default:
			s = []selection{{}}
		}
		return o.memoriesIn(cmd, args, s)
	}
}

// completeMemory completes the name of any memory, once.
func (o *Options) completeMemory(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return o.memoriesIn(cmd, args, []selection{{}})
}

func (o *Options) memoriesIn(cmd *cobra.Command, given []string, from []selection) ([]cobra.Completion, cobra.ShellCompDirective) {
	return o.completing(cmd, func(ctx context.Context, c *client, namespace string) ([]cobra.Completion, error) {
		var out []cobra.Completion
		for _, s := range from {
			items, _, err := c.listMemories(ctx, namespace, s, completeAtMost)
			if err != nil {
				return nil, err
			}
			for _, m := range items {
				if !slices.Contains(given, m.Name) {
					out = append(out, described(m.Name, m.Status.Agent, m.Status.Zone, m.Status.State, m.Status.Source))
				}
			}
		}
		return out, nil
	})
}

func (o *Options) completeApprovals(cmd *cobra.Command, given []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return o.completing(cmd, func(ctx context.Context, c *client, namespace string) ([]cobra.Completion, error) {
		items, _, err := c.listApprovals(ctx, namespace, selection{}, completeAtMost)
		var out []cobra.Completion
		for _, a := range items {
			if !slices.Contains(given, a.Name) {
				out = append(out, described(a.Name, a.Status.Agent, a.Status.Tool, a.Status.State))
			}
		}
		return out, err
	})
}

func (o *Options) completeContradictions(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return o.completing(cmd, func(ctx context.Context, c *client, namespace string) ([]cobra.Completion, error) {
		items, _, err := c.listContradictions(ctx, namespace, selection{fields: [][2]string{{"open", "true"}}}, completeAtMost)
		var out []cobra.Completion
		for _, pair := range items {
			out = append(out, described(pair.Name, pair.Status.Agent, pair.Status.A.Source, pair.Status.B.Source))
		}
		return out, err
	})
}

// completeResolve completes a contradiction, and then what is decided about it.
func (o *Options) completeResolve(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return o.completeContradictions(cmd, args, typed)
	}
	var out []cobra.Completion
	for _, v := range verdicts {
		out = append(out, cobra.CompletionWithDesc(v.typed, v.means))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (o *Options) completeAgents(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return o.completing(cmd, func(ctx context.Context, c *client, namespace string) ([]cobra.Completion, error) {
		agents, _, err := c.listAgents(ctx, namespace, completeAtMost)
		var out []cobra.Completion
		for _, a := range agents {
			out = append(out, a.Name)
		}
		return out, err
	})
}

func (o *Options) completeNamespaces(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return o.completing(cmd, func(ctx context.Context, c *client, _ string) ([]cobra.Completion, error) {
		raw, err := c.agents.Get().AbsPath("/api/v1/namespaces").Do(ctx).Raw()
		if err != nil {
			return nil, err
		}
		var list struct {
			Items []struct {
				Metadata struct {
					Name string `json:"name"`
				} `json:"metadata"`
			} `json:"items"`
		}
		err = json.Unmarshal(raw, &list)
		var out []cobra.Completion
		for _, n := range list.Items {
			out = append(out, n.Metadata.Name)
		}
		return out, err
	})
}

func (o *Options) completeContexts(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	config, err := o.loader().RawConfig()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Sorted(maps.Keys(config.Contexts)), cobra.ShellCompDirectiveNoFileComp
}

// described is a name with what tells it from others. What others wrote is escaped: shells show it.
func described(name string, about ...string) cobra.Completion {
	var parts []string
	for _, a := range about {
		if a != "" {
			parts = append(parts, terminal.Clip(a, maxCell))
		}
	}
	return cobra.CompletionWithDesc(name, strings.Join(parts, " "))
}
