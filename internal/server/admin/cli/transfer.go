// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/terminal"
)

func (s *console) xray() *cobra.Command {
	var q admin.ExplainRequest
	var zones []string
	var markdown bool
	var since, until time.Time
	cmd := s.command("xray QUERY", "Explain a recall, memory by memory", "Nothing is delivered to the agent, and nothing logged as such.",
		[]string{"xray 'which units does the user prefer'", "xray units --markdown > xray.md"}, exactly("a query"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			q.Query, q.Since, q.Until = args[0], since, until
			for _, z := range zones {
				q.Zones = append(q.Zones, memory.Zone(z))
			}
			if s.output == formatTable {
				form := admin.Text
				if markdown {
					form = admin.Markdown
				}
				text, err := c.XRayText(cmd.Context(), q, form)
				if err != nil {
					return err
				}
				fmt.Fprint(cmd.OutOrStdout(), terminal.EscapeLines(text))
				return nil
			}
			x, err := c.XRay(cmd.Context(), q)
			if err != nil {
				return err
			}
			names := make([]string, len(x.Items))
			for i, item := range x.Items {
				names[i] = item.ID
			}
			return s.print(cmd, x, names, nil)
		})
	f := cmd.Flags()
	f.BoolVar(&markdown, "markdown", false, "as Markdown")
	f.IntVar(&q.Limit, "limit", 0, "most memories to return; 10 by default")
	f.StringSliceVar(&zones, "zone", nil, "look in these zones only")
	f.StringSliceVar(&q.Kinds, "kind", nil, "only memories of one of these kinds")
	f.StringSliceVar(&q.Tags, "tag", nil, "only memories with all of these tags")
	f.Var(whenFlag{&since}, "since", "only memories written since then: a time, a date, or 24h for a day ago")
	f.Var(whenFlag{&until}, "until", "only memories written before then")
	f.IntVar(&q.Tokens, "tokens", 0, "most tokens that the context may take")
	return cmd
}

// stdio is the name of standard input and output.
const stdio = "-"

func (s *console) export() *cobra.Command {
	return s.command("export FILE", "Write all memories to a file, signed", "With content and history; - is standard output. The file is whole or not there.",
		[]string{"export backup.ndjson", "export - | gzip > backup.ndjson.gz"}, exactly("a file"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			if args[0] == stdio {
				return c.Export(cmd.Context(), cmd.OutOrStdout())
			}
			if _, err := os.Lstat(args[0]); !errors.Is(err, fs.ErrNotExist) {
				return Usage(args[0] + " is there already: name another file, or remove it")
			}
			f, err := os.CreateTemp(filepath.Dir(args[0]), ".export-*") // mode 0600: it holds what people said
			if err != nil {
				return err
			}
			err = c.Export(cmd.Context(), f)
			if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
				err = os.Rename(f.Name(), args[0])
			}
			if err != nil {
				return errors.Join(err, os.Remove(f.Name()))
			}
			s.hint(cmd, "Written to %s; nothing in the store was changed. '%s import %s' reads it.", terminal.Escape(args[0]), s.Program, terminal.Escape(args[0]))
			return nil
		})
}

// maxKeyFileBytes bounds a key file of MERIDIAN.
const maxKeyFileBytes = 4 << 10

// meridianKey reads what checks sources that an agent of MERIDIAN signed.
func meridianKey(file string, m admin.MeridianKey) (admin.MeridianKey, error) {
	if file == "" {
		if m != (admin.MeridianKey{}) {
			return m, Usage("--meridian-key-file: name the file with the agent's key as well")
		}
		return m, nil
	}
	if m.Agent == "" {
		return m, Usage("--meridian-agent: name the agent that signed")
	}
	f, err := os.Open(file)
	if err != nil {
		return m, err
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxKeyFileBytes))
	if err = errors.Join(err, f.Close()); err != nil {
		return m, err
	}
	m.Key = strings.TrimSpace(string(raw))
	if _, err := provenance.NewMeridian([]byte(m.Key), m.Agent, m.Layout); err != nil {
		return m, Usage("--meridian-key-file: " + err.Error())
	}
	return m, nil
}

func (s *console) load() *cobra.Command {
	var meridian admin.MeridianKey
	var keyFile string
	cmd := s.command("import FILE", "Read memories from an export",
		"What this agent signed comes back as it was; everything else is of unknown origin and waits for review. - is standard input.\n"+
			"Lines whose source an agent of MERIDIAN signed count as their source says, where its key is given: it is used this once and not kept.",
		[]string{"import backup.ndjson", "import - < backup.ndjson",
			"import cortex.ndjson --meridian-key-file provenance-key --meridian-agent arlo"}, exactly("a file"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			meridian, err := meridianKey(keyFile, meridian)
			if err != nil {
				return err
			}
			in := cmd.InOrStdin()
			if args[0] != stdio {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer func() { _ = f.Close() }() // only read
				in = f
			}
			done, err := c.ImportMeridian(cmd.Context(), in, meridian)
			if err != nil {
				return err
			}
			if err := s.print(cmd, done, nil, func(w io.Writer) {
				origin := "by no key of this agent: what it holds is of unknown origin and waits for review"
				if done.Signed {
					origin = "by a key of this agent"
				}
				fmt.Fprintf(w, "Restored %d memories, left %d alone that are there already, refused %d lines. Signed %s.\n",
					done.Restored, done.Present, done.Refused, origin)
				if meridian.Key != "" {
					fmt.Fprintf(w, "The source of %d verified with the MERIDIAN key.\n", done.Verified)
				}
			}); err != nil {
				return err
			}
			if done.Restored == 0 {
				s.hint(cmd, "Nothing was changed; there is nothing to undo.")
				return nil
			}
			s.hint(cmd, "To undo, forget what was restored: '%s queue' and '%s list' show it.", s.Program, s.Program)
			return nil
		})
	f := cmd.Flags()
	f.StringVar(&keyFile, "meridian-key-file", "", "key of the MERIDIAN agent that signed the sources, a file with hexadecimal text")
	f.StringVar(&meridian.Agent, "meridian-agent", "", "id of that agent")
	f.StringVar(&meridian.Layout, "meridian-layout", "", "what was signed: a template with {agent}, {source} and {sha256} or {sha256raw}; usual ones are tried by default")
	return cmd
}
