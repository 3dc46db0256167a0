// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/fulltext"
	"memorytrust.dev/operator/internal/store/tables"
	"memorytrust.dev/operator/internal/store/words"
)

const (
	importing = "moving the memory"
	// importTimeout is how long one step of a move may take.
	importTimeout = 30 * time.Second
	// importPatience is for how long a step is tried again while the connection is lost, as in a failover.
	importPatience = 30 * time.Second
	// discardedAtOnce bounds the rows of one statement.
	discardedAtOnce = 20000
)

// Import is a move of another store's memory into the database. Until FinishMove nobody else sees what it writes. It is used by one
// goroutine and holds one connection. A step whose connection is lost is made again for a while.
type Import struct {
	lane       lane
	agent, run string
}

// OpenImport connects, and checks server, role and schema. It returns the errors of Open, and ErrNotEmpty where the agent has a memory
// in the database.
func OpenImport(ctx context.Context, opts Options, run string) (*Import, error) {
	opts.Timeout = max(opts.Timeout, importTimeout)
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", importing, err)
	}
	i := &Import{agent: opts.Agent, run: run}
	i.lane = lane{base: context.WithoutCancel(ctx), connect: connector(opts), timeout: opts.Timeout}
	conn, _, err := i.lane.get(ctx)
	if err == nil {
		if err = checkIn(ctx, conn, i.agent); err == nil {
			err = i.checkEmpty(ctx, conn)
		}
	}
	if err != nil {
		i.Close() //nolint:contextcheck // has a bound of its own
		return nil, mapError(ctx, importing, err)
	}
	return i, nil
}

func (i *Import) checkEmpty(ctx context.Context, conn *pgx.Conn) error {
	s, err := stand(ctx, conn, i.agent)
	if err == nil && s.Holds {
		return ErrNotEmpty
	}
	return err
}

// Close closes the connection.
func (i *Import) Close() { i.lane.drop() }

// Begin says that the memory is being moved, and deletes what a move left behind that came to nothing.
func (i *Import) Begin(ctx context.Context) error {
	return i.do(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		if err := i.checkEmpty(ctx, conn); err != nil {
			return err
		}
		if err := takeMove(ctx, conn, i.agent, i.run); err != nil {
			return err
		}
		return discard(ctx, conn, i.agent, i.run)
	})
}

// takeMove makes a move the one that goes on. The row of the log is held meanwhile, so that no writer of the agent comes in between.
func takeMove(ctx context.Context, conn *pgx.Conn, agent, run string) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO memorytrust.logs (agent, size, writes, records, namespaces, deliveries, turns, traces, at)
			VALUES ($1, 0, 0, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING`, agent)
		if err != nil {
			return err
		}
		var moving bool
		if err := tx.QueryRow(ctx, "SELECT moving FROM memorytrust.logs WHERE agent = $1 FOR UPDATE", agent).Scan(&moving); err != nil {
			return err
		}
		if !moving {
			there, err := holds(ctx, tx.Conn(), agent)
			if err == nil && there {
				err = ErrNotEmpty
			}
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "UPDATE memorytrust.logs SET moving = true WHERE agent = $1", agent); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `INSERT INTO memorytrust.moves (agent, run, at, sealed, outcome) VALUES ($1, $2, $3, false, '')
			ON CONFLICT (agent) DO UPDATE SET run = excluded.run, at = excluded.at, sealed = false, outcome = ''`, agent, run, time.Now().UnixMicro())
		return err
	})
}

// discard deletes all rows of an agent whose move goes on.
func discard(ctx context.Context, conn *pgx.Conn, agent, run string) error {
	for _, t := range append(slices.Clone(tables.All), tables.Words) {
		key := t.Names("", t.Keys)
		for {
			var n int64
			err := inMove(ctx, conn, agent, run, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, fmt.Sprintf(`DELETE FROM memorytrust.%s WHERE agent = $1 AND (%s) IN
					(SELECT %s FROM memorytrust.%[1]s WHERE agent = $1 ORDER BY %[2]s LIMIT %[4]d)`, t.Name, key, key, discardedAtOnce), agent)
				n = tag.RowsAffected()
				return err
			})
			if err != nil {
				return err
			}
			if n < discardedAtOnce {
				break
			}
		}
	}
	return nil
}

// inMove runs a transaction as long as no other move has taken the place of this one.
func inMove(ctx context.Context, conn *pgx.Conn, agent, run string, do func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "UPDATE memorytrust.moves SET at = $3 WHERE agent = $1 AND run = $2", agent, run, time.Now().UnixMicro())
		if err == nil && tag.RowsAffected() == 0 {
			err = ErrOtherMove
		}
		if err != nil {
			return err
		}
		return do(tx)
	})
}

// do runs a step, again while the connection is lost and there is patience. Steps can be run twice.
func (i *Import) do(ctx context.Context, step func(context.Context, *pgx.Conn) error) error {
	end := time.Now().Add(importPatience)
	for {
		conn, _, err := i.lane.get(ctx)
		if err == nil {
			err = step(ctx, conn)
			if err == nil || ctx.Err() != nil || !isLost(err) && !isContention(err) {
				return mapError(ctx, importing, err)
			}
			if isLost(err) {
				i.lane.drop() //nolint:contextcheck // has a bound of its own
			}
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return mapError(ctx, importing, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(restAfterFailure):
		}
	}
}

func (i *Import) change(ctx context.Context, do func(ctx context.Context, tx pgx.Tx) error) error {
	return i.do(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return inMove(ctx, conn, i.agent, i.run, func(tx pgx.Tx) error { return do(ctx, tx) })
	})
}

// Insert adds rows. Those that are there, from an attempt whose end was lost, stay as they are.
func (i *Import) Insert(ctx context.Context, t tables.Table, rows []tables.Row) error {
	return i.change(ctx, func(ctx context.Context, tx pgx.Tx) error { return i.insert(ctx, tx, t, rows) })
}

// Replace deletes the rows with these keys and adds rows in their place.
func (i *Import) Replace(ctx context.Context, t tables.Table, keys, rows []tables.Row) error {
	return i.change(ctx, func(ctx context.Context, tx pgx.Tx) error {
		lists, names := unnested(t, t.Keys, keys)
		_, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM memorytrust.%s WHERE agent = $1 AND (%s) IN (SELECT %s FROM unnest(%s) AS u (%s))",
			t.Name, t.Names("", t.Keys), selected(t, t.Keys), names, t.Names("", t.Keys)), append([]any{i.agent}, lists...)...)
		if err != nil {
			return err
		}
		return i.insert(ctx, tx, t, rows)
	})
}

// ReplaceWords puts rows into the index in the place of all that it has of these records, which it returns.
func (i *Import) ReplaceWords(ctx context.Context, rids []int64, rows []tables.Row) (old []tables.Row, err error) {
	err = i.change(ctx, func(ctx context.Context, tx pgx.Tx) error {
		old = nil
		found, err := tx.Query(ctx, "DELETE FROM memorytrust.words WHERE agent = $1 AND rid = ANY($2) RETURNING word, rid", i.agent, rids)
		if err != nil {
			return err
		}
		defer found.Close()
		for found.Next() {
			r, err := scanTableRow(tables.Words, found.Scan)
			if err != nil {
				return err
			}
			old = append(old, r)
		}
		if err := found.Err(); err != nil {
			return err
		}
		for chunk := range slices.Chunk(rows, discardedAtOnce) {
			if err := i.insert(ctx, tx, tables.Words, chunk); err != nil {
				return err
			}
		}
		return nil
	})
	return old, err
}

func (i *Import) insert(ctx context.Context, tx pgx.Tx, t tables.Table, rows []tables.Row) error {
	if len(rows) == 0 {
		return nil
	}
	n := len(t.Columns)
	lists, names := unnested(t, n, rows)
	_, err := tx.Exec(ctx, fmt.Sprintf("INSERT INTO memorytrust.%s (agent, %s) SELECT $1, %s FROM unnest(%s) AS u (%s) ON CONFLICT DO NOTHING",
		t.Name, t.Names("", n), selected(t, n), names, t.Names("", n)), append([]any{i.agent}, lists...)...)
	return err
}

// unnested makes lists of the first n columns of rows, and the parameters they are passed as, from $2.
func unnested(t tables.Table, n int, rows []tables.Row) (lists []any, parameters string) {
	places := make([]string, n)
	for c := range n {
		list, array := columnList(t.Columns[c].Kind, rows, c)
		lists = append(lists, list)
		places[c] = fmt.Sprintf("$%d::%s", c+2, array)
	}
	return lists, strings.Join(places, ", ")
}

// columnList is a column of rows as an array, and its type. Arrays of arrays cannot be taken apart by rows: lists travel as texts.
func columnList(kind tables.Kind, rows []tables.Row, c int) (list any, array string) {
	switch kind {
	case tables.Int:
		return columnOf[int64](rows, c), "bigint[]"
	case tables.Bool:
		return columnOf[bool](rows, c), "boolean[]"
	case tables.Float:
		return columnOf[float64](rows, c), "double precision[]"
	case tables.Bytes:
		out := make([][]byte, len(rows))
		for at, r := range rows {
			if b, ok := r[c].([]byte); ok {
				out[at] = append([]byte{}, b...) // nil is NULL, which an empty value is not
			}
		}
		return out, "bytea[]"
	case tables.Ints:
		out := make([]string, len(rows))
		for at, r := range rows {
			var b strings.Builder
			b.WriteByte('{')
			for place, n := range r[c].([]int64) { //nolint:forcetypeassert // such a column is never NULL
				if place > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.FormatInt(n, 10))
			}
			b.WriteByte('}')
			out[at] = b.String()
		}
		return out, "text[]"
	case tables.Text:
	}
	return columnOf[string](rows, c), "text[]"
}

func columnOf[T any](rows []tables.Row, c int) []*T {
	out := make([]*T, len(rows))
	for at, r := range rows {
		if v, ok := r[c].(T); ok {
			out[at] = &v
		}
	}
	return out
}

// selected are the first n columns of what was unnested.
func selected(t tables.Table, n int) string {
	list := make([]string, n)
	for c, column := range t.Columns[:n] {
		if list[c] = "u." + column.Name; column.Kind == tables.Ints {
			list[c] += "::bigint[]"
		}
	}
	return strings.Join(list, ", ")
}

// Rows returns the rows of a table whose keys come after one (nil: from the first) and not after another (nil: to the last), at most
// limit, in the order of their keys.
func (i *Import) Rows(ctx context.Context, t tables.Table, after, upTo tables.Row, limit int) ([]tables.Row, error) {
	key := t.Names("", t.Keys)
	where, args := "agent = $1", []any{i.agent}
	bound := func(how string, k tables.Row) {
		if k == nil {
			return
		}
		places := make([]string, len(k))
		for c := range k {
			args = append(args, k[c])
			places[c] = fmt.Sprintf("$%d", len(args))
		}
		where += fmt.Sprintf(" AND (%s) %s (%s)", key, how, strings.Join(places, ", "))
	}
	bound(">", after)
	bound("<=", upTo)
	return i.rows(ctx, t, fmt.Sprintf("SELECT %s FROM memorytrust.%s WHERE %s ORDER BY %s LIMIT %d", t.Names("", len(t.Columns)), t.Name, where, key, limit), args)
}

// Find returns the rows with these keys, those that there are.
func (i *Import) Find(ctx context.Context, t tables.Table, keys []tables.Row) ([]tables.Row, error) {
	lists, names := unnested(t, t.Keys, keys)
	return i.rows(ctx, t, fmt.Sprintf("SELECT %s FROM memorytrust.%s WHERE agent = $1 AND (%s) IN (SELECT %s FROM unnest(%s) AS u (%s))",
		t.Names("", len(t.Columns)), t.Name, t.Names("", t.Keys), selected(t, t.Keys), names, t.Names("", t.Keys)), append([]any{i.agent}, lists...))
}

func (i *Import) rows(ctx context.Context, t tables.Table, query string, args []any) (out []tables.Row, err error) {
	err = i.query(ctx, query, args, func(scan func(...any) error) error {
		r, err := scanTableRow(t, scan)
		out = append(out, r)
		return err
	}, func() { out = nil })
	return out, err
}

// query reads rows, and from the first again after a lost connection, which restart is told of.
func (i *Import) query(ctx context.Context, query string, args []any, each func(scan func(...any) error) error, restart func()) error {
	return i.do(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		restart()
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := each(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

func scanTableRow(t tables.Table, scan func(...any) error) (tables.Row, error) {
	targets := make([]any, len(t.Columns))
	for c, column := range t.Columns {
		targets[c] = target(column.Kind)
	}
	if err := scan(targets...); err != nil {
		return nil, err
	}
	row := make(tables.Row, len(targets))
	for c, target := range targets {
		switch v := target.(type) {
		case **string:
			row[c] = deref(*v)
		case **int64:
			row[c] = deref(*v)
		case **bool:
			row[c] = deref(*v)
		case **float64:
			row[c] = deref(*v)
		case *[]byte:
			if *v != nil {
				row[c] = *v
			}
		case *[]int64:
			row[c] = *v
		}
	}
	return row, nil
}

// target is where a column is scanned into.
func target(kind tables.Kind) any {
	switch kind {
	case tables.Int:
		return new(*int64)
	case tables.Bool:
		return new(*bool)
	case tables.Float:
		return new(*float64)
	case tables.Bytes:
		return new([]byte)
	case tables.Ints:
		return new([]int64)
	case tables.Text:
	}
	return new(*string)
}

func deref[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// selectImportedEntries reads what the words of records are made of: their newest versions.
const selectImportedEntries = `SELECT r.rid, v.indexed, c.content FROM memorytrust.records r
	CROSS JOIN LATERAL (SELECT indexed, content_seq FROM memorytrust.versions WHERE agent = $1 AND record_id = r.id ORDER BY seq DESC LIMIT 1) v
	CROSS JOIN LATERAL (SELECT content FROM memorytrust.contents WHERE agent = $1 AND seq = v.content_seq LIMIT 1) c
	WHERE r.agent = $1 AND r.rid > $2 ORDER BY r.rid LIMIT $3`

// Entries returns the rows that the index should have of at most limit records after one, and the last of these; 0 when there are no
// more.
func (i *Import) Entries(ctx context.Context, after int64, limit int) (rows []tables.Row, last int64, err error) {
	err = i.query(ctx, selectImportedEntries, []any{i.agent, after, limit}, func(scan func(...any) error) error {
		var (
			rid     int64
			indexed string
			content []byte
		)
		if err := scan(&rid, &indexed, &content); err != nil {
			return err
		}
		last = rid
		if indexed == "" {
			return nil
		}
		for _, word := range fulltext.Entries(indexed, words.Of(string(content))) {
			rows = append(rows, tables.Row{word, rid})
		}
		return nil
	}, func() { rows, last = nil, 0 })
	return rows, last, err
}

// Count counts the rows of a table.
func (i *Import) Count(ctx context.Context, t tables.Table) (n int64, err error) {
	err = i.query(ctx, "SELECT count(*) FROM memorytrust."+t.Name+" WHERE agent = $1", []any{i.agent},
		func(scan func(...any) error) error { return scan(&n) }, func() {})
	return n, err
}

// Checkpoint is the head of the audit log, by its hashes.
func (i *Import) Checkpoint(ctx context.Context) (memory.Checkpoint, error) {
	s := Store{agent: i.agent, reader: newReader(i.lane)}
	i.lane.conn = nil
	c, err := s.Checkpoint(ctx)
	i.lane = s.reader.lane
	return c, err
}

// Seal says that all of the memory is here and was compared. FinishMove puts it in force.
func (i *Import) Seal(ctx context.Context, outcome string) error {
	return i.change(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE memorytrust.moves SET sealed = true, outcome = $2 WHERE agent = $1", i.agent, outcome)
		return err
	})
}

// Finish is FinishMove on the connection of the import.
func (i *Import) Finish(ctx context.Context) error {
	return i.do(ctx, func(ctx context.Context, conn *pgx.Conn) error { return finishMove(ctx, conn, i.agent, i.run) })
}
