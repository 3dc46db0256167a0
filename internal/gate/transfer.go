// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance/canon"
)

// exportFormat names the format of an export: NDJSON with a header, one line per memory, and a trailer that signs them.
const exportFormat = "memorytrust.dev/export/v1"

// labelExport names the layout of the message a trailer signs.
const labelExport = "memexport/v1"

// maxLineBytes bounds a line of an export: the longest memory a policy can allow, with every byte escaped, and what is said
// about it.
const maxLineBytes = 8 << 20

// transferPage is how many memories are read or written at a time.
const transferPage = 100

// exportHeader is the first line of an export.
type exportHeader struct {
	Format    string    `json:"format"`
	AgentID   string    `json:"agentID"`
	Namespace string    `json:"namespace"`
	CreatedAt time.Time `json:"createdAt"`
	AuditSize int64     `json:"auditSize"` // of the audit log when the export began
	AuditRoot string    `json:"auditRoot"` // its root hash, hex
}

// exportTrailer is the last line of an export.
type exportTrailer struct {
	Records int64  `json:"records"`
	SHA256  string `json:"sha256"` // of all lines before, with their line ends, hex
	MAC     []byte `json:"mac"`    // by the primary key of the agent, over exportMessage
}

// exportMessage is what a trailer signs.
func exportMessage(agentID string, t exportTrailer) []byte {
	return canon.New(labelExport).String(agentID).Uint(uint64(max(t.Records, 0))).String(t.SHA256).Message() // #nosec G115
}

// exportedRecord is a memory as it stands in an export.
type exportedRecord struct {
	memory.Portable
	Commit string `json:"commit,omitempty"`
}

func exported(r memory.Record) exportedRecord {
	return exportedRecord{Portable: r.Portable(), Commit: commitOf(r)}
}

// Export writes the memories of a namespace as NDJSON: a header, the newest version of every memory, also of rejected,
// replaced and forgotten ones, and a trailer signed by the agent's key. It is no snapshot: memories that change meanwhile may
// come in either version. What is written before an error has no trailer, and Import refuses it.
func (g *Gate) Export(ctx context.Context, p Person, out io.Writer) error {
	defer g.metrics.time("export")()
	s, namespace, err := g.attend(p)
	if err != nil {
		return err
	}
	head, err := g.store.Checkpoint(ctx)
	if err != nil {
		return err
	}
	lines := &exporting{hash: sha256.New(), out: out}
	err = lines.write(exportHeader{
		Format: exportFormat, AgentID: s.Runtime.AgentID, Namespace: namespace, CreatedAt: g.now(),
		AuditSize: head.Size, AuditRoot: hex.EncodeToString(head.Root),
	})
	if err != nil {
		return err
	}
	count, err := g.exportRecords(ctx, s, namespace, lines)
	if err != nil {
		return err
	}
	return lines.sign(s, count)
}

func (g *Gate) exportRecords(ctx context.Context, s *policy.State, namespace string, lines *exporting) (count int64, err error) {
	f := memory.Filter{Namespace: namespace, IncludeForgotten: true, Limit: transferPage}
	for {
		page, err := g.store.List(ctx, f)
		if err != nil {
			return count, err
		}
		checked, err := g.verify(ctx, s, namespace, page)
		if err != nil {
			return count, err
		}
		for _, v := range checked {
			if v.record.Kind == kindAction { // what was asked and decided about one call is of no use elsewhere
				continue
			}
			if err := lines.write(exported(vouched(v))); err != nil {
				return count, err
			}
			count++
		}
		if len(page) < f.Limit {
			return count, nil
		}
		f.After = page[len(page)-1].ID
	}
}

// vouched is a memory as an export may sign for it: without its tag where it is not what was signed, since a tag covers less
// than the file's signature does. One whose key is not loaded keeps its tag, if nothing else is wrong.
func vouched(v verified) memory.Record {
	if v.fault != "" && (v.fault != ReasonKeyUnavailable || !hashes(v.record)) {
		v.record.Tag = nil
	}
	return v.record
}

// exporting writes lines and hashes them.
type exporting struct {
	hash hash.Hash
	out  io.Writer
}

var errLongLine = errors.New("a memory is too long for an export")

func (e *exporting) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	if len(text) >= maxLineBytes {
		return errLongLine
	}
	text = append(text, '\n')
	e.hash.Write(text)
	if _, err := e.out.Write(text); err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	return nil
}

func (e *exporting) sign(s *policy.State, records int64) error {
	t := exportTrailer{Records: records, SHA256: hex.EncodeToString(e.hash.Sum(nil))}
	mac, err := s.Keyset.Sign(exportMessage(s.Runtime.AgentID, t))
	if err != nil {
		return err
	}
	t.MAC = mac
	return e.write(t)
}
