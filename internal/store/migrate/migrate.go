// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migrate moves an agent's memory from its embedded store into PostgreSQL while the embedded store goes on serving. Everything
// is copied in batches, then what changed meanwhile, and compared row by row. For the last of it writes are held for a moment. The
// memory moves with one write to the embedded store, which says durably that it is elsewhere: before that the embedded store is the
// memory and nobody sees the copy, after it the copy is, and the embedded store is not opened any more.
package migrate

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/sqlite"
	"memorytrust.dev/operator/internal/store/tables"
)

// Phase is how far a move has come.
type Phase string

// The phases, in their order; every phase before Done can end in Failed.
const (
	Copying   Phase = "Copying"   // rows are copied; the embedded store serves
	Verifying Phase = "Verifying" // what was copied is compared; the embedded store serves
	Switching Phase = "Switching" // the last rows are copied and compared; writes wait
	Done      Phase = "Done"      // the memory is in the database
	Failed    Phase = "Failed"    // the memory is where it was
)

const (
	// DefaultHold is how long writes are held at most.
	DefaultHold = 15 * time.Second
	// rowsAtOnce is how many rows are copied or compared at once.
	rowsAtOnce = 500
	// maxRounds and fewChanges say when what changes meanwhile is little enough for the rest to be copied while writes are held.
	maxRounds  = 5
	fewChanges = 200
)

// ErrDiffers says that the copy is not the same as the memory. It is deleted before the next attempt.
var ErrDiffers = errors.New("the copy in the database differs from the memory")

// ErrHeldTooLong says that the last of it took longer than writes may be held.
var ErrHeldTooLong = errors.New("the rest could not be copied and compared in the time that writes may be held; nothing was moved, try again when there are fewer")

// Progress is how far a move has come.
type Progress struct {
	Phase Phase
	// Copied and Total are rows; rows that are written meanwhile come on top.
	Copied, Total int64
}

// Outcome is what was found equal in both stores at the moment of the move.
type Outcome struct {
	// Rows are the rows of each table.
	Rows map[string]int64 `json:"rows"`
	// Digest is a sum over SHA-256 of every row, hex.
	Digest string `json:"digest"`
	// AuditSize and AuditRoot, base64, are the head of the audit log.
	AuditSize int64  `json:"auditSize"`
	AuditRoot string `json:"auditRoot"`
	// Held is for how long writes were held, in milliseconds.
	Held int64 `json:"heldMilliseconds"`
}

// Options of a move. Source and Target are needed.
type Options struct {
	Source *sqlite.Store
	Target postgres.Options
	// Hold is how long writes are held at most; DefaultHold when zero.
	Hold time.Duration
	// Progress, unless it is nil, is told of it; it must not wait.
	Progress func(Progress)

	// enter, unless it is nil, is called before each phase; an error ends the move.
	enter func(Phase) error
}

// move is one on its way.
type move struct {
	Options
	run      string
	from     *sqlite.Export
	to       *postgres.Import
	progress Progress
	outcome  Outcome
	digest   tables.Digest
	words    int64 // rows of the index that were compared
}

// Check says what stands against a move, without beginning one: the database has to take the agent's role, and to be empty but for what an
// earlier attempt left. It returns the number of rows that there are to copy.
func Check(ctx context.Context, o Options) (int64, error) {
	to, err := postgres.OpenImport(ctx, o.Target, "")
	if err != nil {
		return 0, err
	}
	to.Close() //nolint:contextcheck // has a bound of its own
	return o.Source.Rows(ctx)
}

// Run moves the memory. Without an error it is in the database, and Source takes no writes any more: close it and open the database, with
// postgres.FinishMove for the run that the file's MovedError names. With an error the memory is where it was, and Source goes on.
func Run(ctx context.Context, o Options) (_ Outcome, err error) {
	if o.Hold <= 0 {
		o.Hold = DefaultHold
	}
	m := &move{Options: o, run: newRun(), outcome: Outcome{Rows: map[string]int64{}}}
	defer func() {
		if err != nil {
			m.tell(Failed, 0)
		}
	}()
	if m.from, err = o.Source.Export(ctx); err != nil {
		return Outcome{}, err
	}
	moved := false
	defer func() {
		if !moved {
			err = errors.Join(err, m.from.Abort(context.WithoutCancel(ctx)))
		}
	}()
	if m.to, err = postgres.OpenImport(ctx, o.Target, m.run); err != nil {
		return Outcome{}, err
	}
	defer m.to.Close() //nolint:contextcheck // has a bound of its own
	for _, step := range []struct {
		phase Phase
		run   func(context.Context) error
	}{{Copying, m.copy}, {Verifying, m.verify}, {Switching, m.finish}} {
		if err := m.begin(step.phase); err != nil {
			return Outcome{}, err
		}
		if err := step.run(ctx); err != nil {
			return Outcome{}, fmt.Errorf("%s: %w", step.phase, err)
		}
	}
	moved = true
	// The memory has moved. That nobody is kept from it any more is said again by whoever opens it, should it fail here.
	_ = m.to.Finish(context.WithoutCancel(ctx))
	m.tell(Done, 0)
	return m.outcome, nil
}

func newRun() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

func (m *move) begin(p Phase) error {
	m.tell(p, 0)
	if m.enter != nil {
		return m.enter(p)
	}
	return nil
}

// tell tells of a phase, and of rows that were copied.
func (m *move) tell(p Phase, rows int) {
	m.progress.Phase = p
	m.progress.Copied += int64(rows)
	if m.Progress != nil {
		m.Progress(m.progress)
	}
}

// copy copies everything, and what changed meanwhile until that is little.
func (m *move) copy(ctx context.Context) (err error) {
	if m.progress.Total, err = m.Source.Rows(ctx); err != nil {
		return err
	}
	m.tell(Copying, 0)
	if err := m.to.Begin(ctx); err != nil {
		return err
	}
	for _, t := range tables.All {
		if err := m.copyTable(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	if err := m.copyWords(ctx); err != nil {
		return err
	}
	return m.catchUp(ctx, false)
}

// catchUp copies what changed meanwhile until that is little.
func (m *move) catchUp(ctx context.Context, compare bool) error {
	for range maxRounds {
		changed, err := m.copyChanges(ctx, compare)
		if err != nil || changed <= fewChanges {
			return err
		}
	}
	return nil
}

func (m *move) copyTable(ctx context.Context, t tables.Table) error {
	var after tables.Row
	for {
		rows, err := m.from.Rows(ctx, t, after, rowsAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := m.to.Insert(ctx, t, rows); err != nil {
			return err
		}
		after = t.Key(rows[len(rows)-1])
		m.tell(Copying, len(rows))
	}
}

// copyWords makes the rows of the index.
func (m *move) copyWords(ctx context.Context) error {
	for after := int64(0); ; {
		entries, err := m.from.Entries(ctx, after, rowsAtOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		if err := m.to.Insert(ctx, tables.Words, wordRows(entries)); err != nil {
			return fmt.Errorf("the index: %w", err)
		}
		after = entries[len(entries)-1].RID
		m.tell(Copying, 0)
	}
}

func wordRows(entries []sqlite.Entries) []tables.Row {
	var rows []tables.Row
	for _, e := range entries {
		for _, word := range e.Words {
			rows = append(rows, tables.Row{word, e.RID})
		}
	}
	return rows
}

// copyChanges copies the rows that changed since they were last asked for, and returns how many did. Once the others were compared, so are
// these.
func (m *move) copyChanges(ctx context.Context, compare bool) (changed int, err error) {
	var rids []int64
	for _, t := range tables.All {
		keys, err := m.from.Changed(ctx, t, true)
		if err != nil {
			return changed, err
		}
		changed += len(keys)
		for len(keys) > 0 {
			chunk := keys[:min(len(keys), rowsAtOnce)]
			keys = keys[len(chunk):]
			if err := m.copyRows(ctx, t, chunk, compare); err != nil {
				return changed, fmt.Errorf("table %s: %w", t.Name, err)
			}
			if t.Name == tables.Records {
				for _, k := range chunk {
					rids = append(rids, k[0].(int64)) //nolint:forcetypeassert // the number of a record
				}
			}
		}
	}
	if len(rids) == 0 {
		return changed, nil
	}
	return changed, m.copyWordsOf(ctx, rids, compare)
}

func (m *move) copyRows(ctx context.Context, t tables.Table, keys []tables.Row, compare bool) error {
	if compare {
		old, err := m.to.Find(ctx, t, keys)
		if err != nil {
			return err
		}
		m.digest.Remove(t, old...)
	}
	rows, err := m.from.Find(ctx, t, keys)
	if err != nil {
		return err
	}
	if err := m.to.Replace(ctx, t, keys, rows); err != nil || !compare {
		return err
	}
	copied, err := m.to.Find(ctx, t, keys)
	if err != nil {
		return err
	}
	if len(different(t, rows, copied)) > 0 {
		return ErrDiffers
	}
	m.digest.Add(t, copied...)
	return nil
}

// copyWordsOf makes the rows of the index anew for some records.
func (m *move) copyWordsOf(ctx context.Context, rids []int64, compare bool) error {
	entries, err := m.from.EntriesOf(ctx, rids)
	if err != nil {
		return err
	}
	rows := wordRows(entries)
	old, err := m.to.ReplaceWords(ctx, rids, rows)
	if err != nil || !compare {
		return err
	}
	copied, err := m.to.Find(ctx, tables.Words, rows)
	if err != nil {
		return err
	}
	if len(different(tables.Words, rows, copied)) > 0 {
		return fmt.Errorf("the index: %w", ErrDiffers)
	}
	m.digest.Remove(tables.Words, old...)
	m.digest.Add(tables.Words, copied...)
	m.words += int64(len(copied) - len(old))
	return nil
}

// finish copies and compares the rest while writes are held, and lets the memory move.
func (m *move) finish(ctx context.Context) error {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, m.Hold, ErrHeldTooLong)
	defer cancel()
	outcome, err := m.finishHeld(ctx, began)
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, ErrHeldTooLong) {
			return cause
		}
		return err
	}
	return m.from.MarkMoved(ctx, m.run, outcome)
}

func (m *move) finishHeld(ctx context.Context, began time.Time) (outcome string, err error) {
	if err := m.from.Hold(ctx); err != nil {
		return "", err
	}
	if _, err := m.copyChanges(ctx, true); err != nil {
		return "", err
	}
	if err := m.compareCounts(ctx); err != nil {
		return "", err
	}
	if err := m.compareLogs(ctx); err != nil {
		return "", err
	}
	m.outcome.Digest = hex.EncodeToString(m.digest[:])
	m.outcome.Held = time.Since(began).Milliseconds()
	encoded, err := json.Marshal(m.outcome)
	if err != nil {
		return "", err
	}
	return string(encoded), m.to.Seal(ctx, string(encoded))
}

func (m *move) compareCounts(ctx context.Context) error {
	for _, t := range tables.All {
		here, err := m.from.Count(ctx, t)
		if err != nil {
			return err
		}
		there, err := m.to.Count(ctx, t)
		if err != nil {
			return err
		}
		if here != there {
			return fmt.Errorf("table %s has %d rows and its copy %d: %w", t.Name, here, there, ErrDiffers)
		}
		m.outcome.Rows[t.Name] = here
	}
	there, err := m.to.Count(ctx, tables.Words)
	if err == nil && there != m.words {
		err = fmt.Errorf("the index has %d rows and its copy %d: %w", m.words, there, ErrDiffers)
	}
	m.outcome.Rows[tables.Words.Name] = there
	return err
}

func (m *move) compareLogs(ctx context.Context) error {
	here, err := m.from.Checkpoint(ctx)
	if err != nil {
		return err
	}
	there, err := m.to.Checkpoint(ctx)
	if err != nil {
		return err
	}
	if !sameHead(here, there) {
		return fmt.Errorf("the audit log: %w", ErrDiffers)
	}
	m.outcome.AuditSize, m.outcome.AuditRoot = here.Size, base64.StdEncoding.EncodeToString(here.Root)
	return nil
}

func sameHead(a, b memory.Checkpoint) bool {
	return a.Size == b.Size && string(a.Root) == string(b.Root)
}
