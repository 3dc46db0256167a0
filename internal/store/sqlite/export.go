// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/tables"
	"memorytrust.dev/operator/internal/store/words"
)

const (
	exporting = "moving the memory"
	// exportBytes bounds what is read of a table at once.
	exportBytes = 4 << 20
)

// ErrExporting says that the memory is being moved already.
var ErrExporting = errors.New("the memory is being moved already")

// Export is a move of the memory to another store, while this one goes on serving. Which rows change meanwhile is noted by triggers of
// the writing connection, in memory: they end with the process, and so does the move. It is used by one goroutine.
type Export struct{ store *Store }

// Export begins to note what changes. End it with MarkMoved or Abort. It returns ErrExporting if another move goes on.
func (s *Store) Export(ctx context.Context) (*Export, error) {
	if !s.exporting.CompareAndSwap(false, true) {
		return nil, ErrExporting
	}
	e := &Export{s}
	err := e.write(ctx, func(w *writer) error {
		for _, t := range tables.All {
			if err := w.script(noteChanges(t)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.exporting.Store(false)
		return nil, err
	}
	return e, nil
}

// write runs a write that no hold keeps back.
func (e *Export) write(ctx context.Context, run func(*writer) error) error {
	return e.store.writer.doAlways(ctx, exporting, run)
}

// script runs statements without parameters.
func (w *writer) script(text string) error {
	_, err := w.conn.ExecContext(context.Background(), text)
	return err
}

// noteChanges are the statements that make rows that change be noted by their keys. No conflict clause is used: that of the
// statement that fires a trigger would override it.
func noteChanges(t tables.Table) string {
	var b strings.Builder
	key := keyNames(t)
	fmt.Fprintf(&b, "CREATE TEMP TABLE changed_%s (%s, PRIMARY KEY (%s)) WITHOUT ROWID;\n", t.Name, strings.Join(key, ", "), strings.Join(key, ", "))
	note := func(row string) string {
		same := make([]string, len(key))
		for i, k := range key {
			same[i] = fmt.Sprintf("%s = %s.%s", k, row, k)
		}
		return fmt.Sprintf("INSERT INTO changed_%s SELECT %s.%s WHERE NOT EXISTS (SELECT 1 FROM changed_%s WHERE %s);",
			t.Name, row, strings.Join(key, ", "+row+"."), t.Name, strings.Join(same, " AND "))
	}
	for event, rows := range map[string]string{"INSERT": note("NEW"), "DELETE": note("OLD"), "UPDATE": note("OLD") + note("NEW")} {
		fmt.Fprintf(&b, "CREATE TEMP TRIGGER changed_%s_%s AFTER %s ON main.%s BEGIN %s END;\n", t.Name, event, event, t.Name, rows)
	}
	return b.String()
}

func keyNames(t tables.Table) []string { return strings.Split(t.Names("", t.Keys), ", ") }

// Changed returns the keys of the rows of a table that were written or deleted since they were last asked for, and forgets them if
// clear is set.
func (e *Export) Changed(ctx context.Context, t tables.Table, clear bool) (keys []tables.Row, err error) {
	key := tables.Table{Name: t.Name, Columns: t.Columns[:t.Keys], Keys: t.Keys}
	err = e.write(ctx, func(w *writer) error {
		rows, err := w.conn.QueryContext(context.Background(), fmt.Sprintf("SELECT %s FROM changed_%s", key.Names("", key.Keys), t.Name))
		if err != nil {
			return err
		}
		keys = nil
		for rows.Next() {
			r, err := scanRow(key, rows.Scan)
			if err != nil {
				return errors.Join(err, rows.Close())
			}
			keys = append(keys, r)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || !clear {
			return err
		}
		return w.script("DELETE FROM changed_" + t.Name)
	})
	return keys, err
}

// selectRows reads the rows of a table.
func selectRows(t tables.Table) string {
	list := t.Names("", len(t.Columns))
	if t.Name == "contradictions" {
		list = strings.Replace(list, "low, high", "min(a, b) AS low, max(a, b) AS high", 1)
	}
	return "SELECT " + list + " FROM " + t.Name
}

// Rows returns rows of a table in the order of their keys: those after a key (nil: from the first), at most limit and at least one if
// there is one. Fewer than limit need not be the last.
func (e *Export) Rows(ctx context.Context, t tables.Table, after tables.Row, limit int) (out []tables.Row, err error) {
	key := t.Names("", t.Keys)
	query, args := selectRows(t), []any(nil)
	if after != nil {
		query += fmt.Sprintf(" WHERE (%s) > (%s)", key, placeholders(t.Keys))
		args = append(args, after...)
	}
	query += fmt.Sprintf(" ORDER BY %s LIMIT ?", key)
	size := 0
	_, err = collect(ctx, e.store.reader, exporting, query, append(args, limit), func(scan func(...any) error) (struct{}, error) {
		if size > exportBytes {
			return struct{}{}, errEnough
		}
		r, err := scanRow(t, scan)
		if err == nil {
			out = append(out, r)
			size += r.Size()
		}
		return struct{}{}, err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return out, nil
}

// errEnough ends a read.
var errEnough = errors.New("enough")

// Find returns the rows with these keys, those that there are.
func (e *Export) Find(ctx context.Context, t tables.Table, keys []tables.Row) (out []tables.Row, err error) {
	query := selectRows(t) + " WHERE " + strings.Join(keyNames(t), " = ? AND ") + " = ?"
	err = e.store.reader.snapshot(ctx, exporting, func(conn *readConn) error {
		for _, k := range keys {
			found, err := collect(ctx, conn, exporting, query, k, func(scan func(...any) error) (tables.Row, error) { return scanRow(t, scan) })
			if err != nil {
				return err
			}
			out = append(out, found...)
		}
		return nil
	})
	return out, err
}

// Entries are the words of one record in the full-text index.
type Entries struct {
	RID   int64
	Words []string
}

// selectEntries reads what the words of a record are made of: its newest version.
const selectEntries = `SELECT r.rid, v.indexed, coalesce(c.content, '') FROM records r
	JOIN versions v ON v.seq = (SELECT max(seq) FROM versions WHERE record_id = r.id) JOIN contents c ON c.seq = v.content_seq`

// Entries returns the words of records in the order of their numbers, of at most limit after one.
func (e *Export) Entries(ctx context.Context, after int64, limit int) ([]Entries, error) {
	return collect(ctx, e.store.reader, exporting, selectEntries+" WHERE r.rid > ? ORDER BY r.rid LIMIT ?", []any{after, limit}, scanEntries)
}

// EntriesOf returns the words of these records.
func (e *Export) EntriesOf(ctx context.Context, rids []int64) ([]Entries, error) {
	var out []Entries
	for chunk := range slices.Chunk(rids, headBatch) {
		args := make([]any, len(chunk))
		for i, rid := range chunk {
			args[i] = rid
		}
		query := selectEntries + " WHERE r.rid IN (" + placeholders(len(chunk)) + ")"
		found, err := collect(ctx, e.store.reader, exporting, query, args, scanEntries)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func scanEntries(scan func(...any) error) (Entries, error) {
	var (
		e                Entries
		indexed, content string
	)
	if err := scan(&e.RID, &indexed, &content); err != nil {
		return e, scanError(err)
	}
	if indexed != "" {
		e.Words = fulltext.Entries(indexed, words.Of(content))
	}
	return e, nil
}

// Count counts the rows of a table.
func (e *Export) Count(ctx context.Context, t tables.Table) (int64, error) {
	return one(ctx, e.store.reader, exporting, "SELECT count(*) FROM "+t.Name, nil, value[int64])
}

// Rows is how many rows there are to move.
func (s *Store) Rows(ctx context.Context) (int64, error) {
	if err := s.written(ctx); err != nil {
		return 0, err
	}
	counts := make([]string, len(tables.All))
	for i, t := range tables.All {
		counts[i] = "(SELECT count(*) FROM " + t.Name + ")"
	}
	return one(ctx, s.reader, exporting, "SELECT "+strings.Join(counts, " + "), nil, value[int64])
}

// Checkpoint is the head of the audit log.
func (e *Export) Checkpoint(ctx context.Context) (memory.Checkpoint, error) {
	return e.store.Checkpoint(ctx)
}

// Hold makes writes fail with memory.ErrUnavailable from now on. When it returns, none is on its way any more, and all that was
// acknowledged is in the tables.
func (e *Export) Hold(ctx context.Context) error {
	if err := e.store.behind.hold(ctx, errHeld); err != nil {
		return fmt.Errorf("%s: %w", exporting, err)
	}
	return e.write(ctx, func(w *writer) error {
		w.refuse = errHeld
		return nil
	})
}

// hold makes entries fail, or with nil be taken again. When it returns, those before it are in the store.
func (b *behind) hold(ctx context.Context, err error) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	b.refuse = err
	b.mu.Unlock()
	if err == nil {
		return nil
	}
	return b.flush(ctx)
}

// Abort ends the move; the store goes on.
func (e *Export) Abort(ctx context.Context) error {
	err := e.write(ctx, func(w *writer) error {
		var b strings.Builder
		for _, t := range tables.All {
			for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
				fmt.Fprintf(&b, "DROP TRIGGER temp.changed_%s_%s;\n", t.Name, event)
			}
			fmt.Fprintf(&b, "DROP TABLE temp.changed_%s;\n", t.Name)
		}
		if err := w.script(b.String()); err != nil {
			return err
		}
		w.refuse = nil
		return nil
	})
	if err == nil {
		err = e.store.behind.hold(ctx, nil)
		e.store.exporting.Store(false)
	}
	return err
}

// MarkMoved says in the file, durably, that the memory is elsewhere. From then on the file takes no writes and is not opened any more.
// This is the moment at which the memory moves: with an error it has not, as far as the file says when it is opened next.
func (e *Export) MarkMoved(ctx context.Context, run, outcome string) error {
	err := e.write(ctx, func(w *writer) error {
		_, err := w.conn.ExecContext(context.Background(), "INSERT INTO moved (id, run, at, outcome) VALUES (1, ?, ?, ?)",
			run, time.Now().UnixMicro(), outcome)
		return err
	})
	if err != nil {
		// Whether a transaction whose end failed is in the file can be read there.
		var moved *MovedError
		err = errors.Join(err, e.store.reader.snapshot(context.WithoutCancel(ctx), exporting, func(conn *readConn) error { return checkMoved(ctx, conn) }))
		if !errors.As(err, &moved) || moved.Run != run {
			return err
		}
	}
	return e.write(context.WithoutCancel(ctx), func(w *writer) error {
		w.refuse = errMoved
		return nil
	})
}

// scanRow reads a row as the columns of its table say.
func scanRow(t tables.Table, scan func(...any) error) (tables.Row, error) {
	row := make(tables.Row, len(t.Columns))
	raw := make([]any, len(t.Columns))
	for i := range raw {
		raw[i] = new(any)
	}
	if err := scan(raw...); err != nil {
		return nil, err
	}
	for i, c := range t.Columns {
		v, ok := columnValue(c.Kind, *raw[i].(*any)) //nolint:forcetypeassert // made above
		if !ok {
			return nil, fmt.Errorf("%w: table %s has a value of a wrong type in column %s", ErrCorrupt, t.Name, c.Name)
		}
		row[i] = v
	}
	return row, nil
}

// columnValue makes what a Row has of what the driver gives.
func columnValue(kind tables.Kind, from any) (any, bool) {
	if from == nil {
		return nil, true
	}
	switch kind {
	case tables.Text:
		v, ok := from.(string)
		return v, ok
	case tables.Int:
		v, ok := from.(int64)
		return v, ok
	case tables.Bool:
		v, ok := from.(int64)
		return v != 0, ok
	case tables.Float:
		v, ok := from.(float64)
		return v, ok
	case tables.Bytes:
		if text, isText := from.(string); isText {
			return []byte(text), true
		}
		v, ok := from.([]byte)
		return slices.Clone(v), ok
	case tables.Ints:
		v, ok := from.([]byte)
		return unpackInts(v), ok && len(v)%featureBytes == 0
	}
	return nil, false
}

// unpackInts are features as signed numbers.
func unpackInts(packed []byte) []int64 {
	out := make([]int64, 0, len(packed)/featureBytes)
	for ; len(packed) >= featureBytes; packed = packed[featureBytes:] {
		out = append(out, int64(binary.BigEndian.Uint64(packed))) // #nosec G115 -- bits
	}
	return out
}
