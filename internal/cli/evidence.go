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

	"github.com/spf13/pflag"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// Zones, lowest first.
const (
	zoneQuarantine = "Quarantine"
	zoneWorking    = "Working"
	zoneTrusted    = "Trusted"
)

var zones = []string{zoneQuarantine, zoneWorking, zoneTrusted}

// evidence are the flags of a promotion.
type evidence struct {
	zone, source, digest, file string
	corroborators              []string
}

func (e *evidence) bind(f *pflag.FlagSet) {
	f.StringVar(&e.zone, "zone", "", "zone to reach, Working or Trusted; the one above the present one by default")
	f.StringVar(&e.source, "evidence-source", "", "what the evidence is: a ticket, a document, an address")
	f.StringVar(&e.digest, "evidence-sha256", "", "SHA-256 of the evidence, 64 hex digits")
	f.StringVar(&e.file, "evidence-file", "", "file with the evidence, to take its SHA-256 from; it is not sent")
	f.StringSliceVar(&e.corroborators, "corroborator", nil, "names of memories that say the same; they are looked for by default")
}

// check says what is wrong with the flags, but for whether the file can be read.
func (e *evidence) check() error {
	given := e.digest != "" || e.file != ""
	switch {
	case e.zone != "" && !slices.Contains(zones[1:], e.zone):
		return terminal.Usage(fmt.Sprintf("--zone %q cannot be promoted to; use Working or Trusted", e.zone))
	case e.digest != "" && e.file != "":
		return terminal.Usage("give either --evidence-file or --evidence-sha256")
	case e.source != "" && !given:
		return terminal.Usage("--evidence-source needs the evidence as well: give --evidence-file, or --evidence-sha256")
	case e.source == "" && given:
		return terminal.Usage("--evidence-source is missing: say what the evidence is, a ticket, a document or an address")
	}
	return nil
}

// add puts the evidence into a decision about a memory that is in a zone.
func (e *evidence) add(spec *memoryv1alpha1.MemoryDecisionSpec, now string) error {
	spec.Zone = e.zone
	if spec.Zone == "" {
		spec.Zone = zoneTrusted
		if now == zoneQuarantine {
			spec.Zone = zoneWorking
		}
	}
	for _, c := range e.corroborators {
		spec.Corroborators = append(spec.Corroborators, bare(c))
	}
	digest, err := e.sum()
	if err != nil {
		return err
	}
	if digest == "" {
		return nil
	}
	spec.Anchor = &memoryv1alpha1.Anchor{SourceID: e.source, EvidenceSHA256: digest}
	return nil
}

func (e *evidence) sum() (string, error) {
	if e.file == "" {
		return e.digest, nil
	}
	f, err := os.Open(e.file)
	if err != nil {
		return "", terminal.Usage("--evidence-file: " + err.Error())
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}
