// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// none is the undo of what the caller explains itself.
const none = "-"

// verb is a decision about a memory.
type verb struct {
	name, short, long string
	undo              string // the command that takes it back, without reason; empty: nothing does
	flags             string // of the example
}

var decisions = []verb{
	{"approve", "Let a memory stay", "Out of Quarantine it goes to Working. Approval never raises trust.", "quarantine %s", ""},
	{"reject", "Take a memory out", "No recall delivers it; what it held up is released.", "reopen %s", ""},
	{"promote", "Raise a memory by one zone",
		"Into Trusted, memories of low classes need evidence and independent memories that say the same.", "quarantine %s",
		" --evidence-source TICKET-7 --evidence-file letter.pdf"},
	{"quarantine", "Put a memory out of reach until it is decided about", "", "approve %s", ""},
	{"reopen", "Put what was rejected or forgotten into the queue again", "It waits in Quarantine.", "reject %s", ""},
	{"forget", "Take a memory out of every recall", "Its history stays.", "reopen %s", ""},
	{"purge", "Erase the content of a memory", "From every version; the hashes stay. There is no way back, so that --yes is needed.", "", " --yes"},
}

// undoFor is the command that takes a decision about m back. A tool call that was approved is taken back by forgetting it, and
// one that was forgotten is asked about again by the agent.
func (v verb) undoFor(m gate.Inspected) string {
	switch {
	case m.Call == nil:
	case v.name == "approve":
		return "forget %s"
	case v.name == "forget":
		return none
	}
	return v.undo
}

const exampleID = "0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21"

// evidence are the flags of a promotion.
type evidence struct {
	zone, source, digest, file string
	corroborators              []string
}

func (s *console) decision(v verb) *cobra.Command {
	var reason, commit string
	var dryRun, sure bool
	var proof evidence
	cmd := s.command(v.name+" MEMORY", v.short, v.long+"\nThe memory is shown first, and the decision is about that version and no other.",
		[]string{v.name + " " + exampleID + " --reason 'checked with the author'" + v.flags, v.name + " " + exampleID + " --reason 'checked with the author' --dry-run"},
		exactly("the id of a memory"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			if reason == "" {
				return Usage("--reason: say why; it stands in the history")
			}
			if v.name == "purge" && !sure && !dryRun {
				return Usage("purge cannot be undone: give --yes as well, or --dry-run to see what it would do")
			}
			head, err := s.look(cmd, c, args[0], commit)
			if err != nil {
				return err
			}
			request, err := proof.request(v.name, head)
			if err != nil {
				return err
			}
			request.Reason, request.DryRun = reason, dryRun
			decided, err := c.Decide(cmd.Context(), args[0], v.name, head.Commit, request)
			return s.report(cmd, decided, err, v.undoFor(head))
		})
	f := cmd.Flags()
	f.StringVar(&reason, "reason", "", "why; stands in the history (required)")
	f.StringVar(&commit, "commit", "", "the version that was seen; that which the command shows by default")
	f.BoolVar(&dryRun, "dry-run", false, "say what would happen, rule by rule, and change nothing")
	switch v.name {
	case "purge":
		f.BoolVar(&sure, "yes", false, "erase it for good")
	case "promote":
		f.StringVar(&proof.zone, "zone", "", "zone to reach; the one above the present one by default")
		f.StringVar(&proof.source, "evidence-source", "", "what the evidence is: a ticket, a document, an address")
		f.StringVar(&proof.digest, "evidence-sha256", "", "SHA-256 of the evidence, 64 hex digits")
		f.StringVar(&proof.file, "evidence-file", "", "file with the evidence, to take its SHA-256 from; it is not sent")
		f.StringSliceVar(&proof.corroborators, "corroborator", nil, "ids of memories that say the same; they are looked for by default")
	}
	return cmd
}

// look shows the version that is decided about. Where a commit is named, that is the one.
func (s *console) look(cmd *cobra.Command, c *admin.Client, id, commit string) (gate.Inspected, error) {
	m, err := c.Get(cmd.Context(), id, commit, time.Time{})
	if err == nil && s.output == formatTable {
		describe(cmd.OutOrStdout(), m)
		fmt.Fprintln(cmd.OutOrStdout())
	}
	return m, err
}

// request puts a decision together.
func (e evidence) request(verb string, head gate.Inspected) (admin.DecisionRequest, error) {
	var r admin.DecisionRequest
	if verb != "promote" {
		return r, nil
	}
	r.Zone, r.Corroborators = e.zone, e.corroborators
	if r.Zone == "" {
		r.Zone = string(memory.Trusted)
		if head.Zone == memory.Quarantine {
			r.Zone = string(memory.Working)
		}
	}
	digest, err := e.sum()
	if err != nil {
		return r, err
	}
	if e.source != "" || digest != "" {
		r.Anchor = &admin.Anchor{SourceID: e.source, EvidenceSHA256: digest}
	}
	return r, nil
}

func (e evidence) sum() (string, error) {
	if e.file == "" {
		return e.digest, nil
	}
	if e.digest != "" {
		return "", Usage("give either --evidence-file or --evidence-sha256")
	}
	f, err := os.Open(e.file)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// report prints what became of a decision, and how to take it back. What the rules stand against is an error, also when it
// was only tried.
func (s *console) report(cmd *cobra.Command, d gate.Decided, err error, undo string) error {
	var failure *admin.Failure
	if errors.As(err, &failure) && failure.Decided != nil {
		d = *failure.Decided
	} else if err != nil {
		return err
	}
	if printed := s.print(cmd, d, []string{d.ID}, func(w io.Writer) { outcome(w, d) }); printed != nil {
		return printed
	}
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(d.Rules, func(r memory.Rule) bool { return !r.Met }):
		return errRefused
	case d.Done && undo == "":
		s.hint(cmd, "This cannot be undone.")
	case d.Done && undo != none:
		s.hint(cmd, "To undo: %s "+undo+" --reason ...", s.Program, d.ID)
	}
	return nil
}

func (s *console) pin(pinned bool) *cobra.Command {
	var reason, commit string
	name, short, undo := "pin", "Keep a memory from fading", "unpin %s"
	if !pinned {
		name, short, undo = "unpin", "Let a memory fade like others", "pin %s"
	}
	cmd := s.command(name+" MEMORY", short, "A pinned memory comes first. Its trust is not raised by that.",
		[]string{name + " " + exampleID + " --reason 'a standing preference'"}, exactly("the id of a memory"),
		func(cmd *cobra.Command, args []string, c *admin.Client) error {
			if reason == "" {
				return Usage("--reason: say why; it stands in the history")
			}
			head, err := s.look(cmd, c, args[0], commit)
			if err != nil {
				return err
			}
			decided, err := c.Pin(cmd.Context(), args[0], pinned, head.Commit, reason)
			return s.report(cmd, decided, err, undo)
		})
	cmd.Flags().StringVar(&reason, "reason", "", "why; stands in the history (required)")
	cmd.Flags().StringVar(&commit, "commit", "", "the version that was seen; that which the command shows by default")
	return cmd
}
