// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package postgres

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
)

const (
	// keptTransactions is for how long transactions can be looked up, and cleanEvery after how many of them older ones are dropped.
	keptTransactions = time.Hour
	cleanEvery       = 256
	// keptHashes bounds how many hashes of the log are remembered. Appending needs about one of those appended last.
	keptHashes = 4096
	// perStatement is added to the time a step may take for each statement in it, up to maxSteps times what one may take: there
	// can be thousands where many changes are made at once.
	perStatement = 20 * time.Millisecond
	maxSteps     = 12
	// entriesAtOnce bounds the rows of one statement, each of which has a time to be done in.
	entriesAtOnce = 1000
)

// head is the row of an agent in memorytrust.logs: how far its numbers have come.
type head struct {
	size, writes, records, namespaces, deliveries, turns, traces int64
}

// known is what is remembered of the database. Hashes are worth something only while nobody else writes.
type known struct {
	writes     int64 // logs.writes after our last transaction
	hashes     map[int64]audit.Hash
	namespaces map[string]int64
	entities   map[string]int // about how many entities of a namespace have fragments, at least
}

// entry is an entry of the full-text index.
type entry struct {
	word string
	rid  int64
}

// transaction is a batch of requests on its way into the database. What requests write waits in a queue and is sent together with
// what the next one reads, so that a step of a request costs one journey to the server, and the last one commits as well.
//
// A request that fails before it queued anything leaves nothing behind. There are no savepoints: what the server itself refuses
// ends the transaction.
type transaction struct {
	*writer
	conn  *pgx.Conn
	id    []byte // it is looked up by
	queue *pgx.Batch
	err   error // what ended it
	begun bool
	// committing says that COMMIT was sent.
	committing bool
	probe      bool

	head  head
	known known
	// hashes of the audit log that are to be written, and changes of the full-text index: true puts an entry in, false takes it
	// out. They wait for the end of the batch.
	hashes  []audit.StoredHash
	entries map[entry]bool
	now     time.Time

	// of the request that runs
	before  head
	begins  int      // where in the queue what it writes begins
	added   []string // namespaces
	appends []audit.StoredHash
	// fragments of the entities it names, with those it adds
	fragments map[entityKey][]memory.EntityFragment
}

func newTransaction(w *writer, conn *pgx.Conn) *transaction {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	t := &transaction{
		writer: w, conn: conn, id: id, queue: &pgx.Batch{}, known: w.known, entries: map[entry]bool{}, now: time.Now(),
	}
	if t.known.namespaces == nil {
		t.known.namespaces, t.known.entities = map[string]int64{}, map[string]int{}
	}
	return t
}

// lockLog takes the row that every writer of an agent needs. The columns are those of head, and whether there is no memory yet because
// it is being moved here.
const lockLog = `SELECT size, writes, records, namespaces, deliveries, turns, traces, moving FROM memorytrust.logs
	WHERE agent = $1 FOR UPDATE`

func (t *transaction) run(batch []*request) error {
	t.queue.Queue("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
	t.queue.Queue(lockLog, t.agent).QueryRow(func(row pgx.Row) error {
		h := &t.head
		var moving bool
		err := row.Scan(&h.size, &h.writes, &h.records, &h.namespaces, &h.deliveries, &h.turns, &h.traces, &moving)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("%w: the agent has no log", ErrCorrupt)
		case err == nil && moving:
			return ErrMoving
		}
		if h.writes != t.known.writes || t.known.hashes == nil {
			t.known.hashes = map[int64]audit.Hash{}
		}
		t.begun, t.before = true, *h
		return err
	})
	for _, r := range batch {
		if r.err = r.ctx.Err(); r.err != nil {
			continue
		}
		if r.err = t.runOne(r); t.err != nil {
			return t.err
		}
	}
	return t.commit()
}

// runOne runs a request and takes back what it changed in memory if it fails.
func (t *transaction) runOne(r *request) error {
	t.before, t.begins, t.added, t.appends = t.head, t.queue.Len(), nil, nil
	err := r.run(t)
	if err == nil {
		for _, h := range t.appends {
			t.known.hashes[h.Index] = h.Hash
		}
		t.hashes = append(t.hashes, t.appends...)
		return nil
	}
	t.head = t.before
	for _, name := range t.added {
		delete(t.known.namespaces, name)
	}
	t.queue.QueuedQueries = t.queue.QueuedQueries[:t.begins]
	return err
}

// ready makes sure that the log is held and its numbers are known, as they are after every flush.
func (t *transaction) ready() error {
	if t.begun {
		return nil
	}
	return t.flush()
}

// write queues a statement.
func (t *transaction) write(query string, args ...any) { t.queue.Queue(query, args...) }

// read queues a query whose rows are handed to each once flush is called.
func (t *transaction) read(query string, args []any, each func(scan func(...any) error) error) {
	t.queue.Queue(query, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := each(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// flush sends what is queued and waits for all answers. An error ends the transaction.
func (t *transaction) flush() error {
	if t.err != nil {
		return t.err
	}
	queue := t.queue
	t.queue, t.begins = &pgx.Batch{}, 0
	if queue.Len() == 0 {
		return nil
	}
	wait := min(t.lane.timeout+time.Duration(queue.Len())*perStatement, maxSteps*t.lane.timeout)
	ctx, cancel := context.WithTimeout(t.lane.base, wait+time.Second) // the server's own bound comes first
	defer cancel()
	t.err = t.conn.SendBatch(ctx, queue).Close()
	return t.err
}

// commit writes what waited for the end of the batch and commits.
func (t *transaction) commit() error {
	if err := t.ready(); err != nil {
		return err
	}
	t.writeEntries()
	t.writeHashes()
	h := &t.head
	h.writes++
	now := t.now.UnixMicro()
	t.write("INSERT INTO memorytrust.transactions (agent, n, id, at) VALUES ($1, $2, $3, $4)", t.agent, h.writes, t.id, now)
	if h.writes%cleanEvery == 0 {
		t.write("DELETE FROM memorytrust.transactions WHERE agent = $1 AND at < $2 AND n < $3",
			t.agent, t.now.Add(-keptTransactions).UnixMicro(), h.writes-cleanEvery)
	}
	t.write(`UPDATE memorytrust.logs
		SET size = $2, writes = $3, records = $4, namespaces = $5, deliveries = $6, turns = $7, traces = $8, at = CASE WHEN $9 THEN $10 ELSE at END WHERE agent = $1`,
		t.agent, h.size, h.writes, h.records, h.namespaces, h.deliveries, h.turns, h.traces, t.probe, now)
	t.queue.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() != "COMMIT" {
			return fmt.Errorf("%w: the server rolled back", memory.ErrUnavailable)
		}
		return nil
	})
	t.committing = true
	if err := t.flush(); err != nil {
		return err
	}
	t.known.writes = h.writes
	if len(t.known.hashes) > keptHashes {
		t.known.hashes = map[int64]audit.Hash{}
	}
	return nil
}

// isCommitted looks a transaction up. It waits until the transaction is over.
func (t *transaction) isCommitted(ctx context.Context, conn *pgx.Conn) (committed bool, err error) {
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockLog, t.agent); err != nil {
			return err
		}
		var id []byte
		err := tx.QueryRow(ctx, "SELECT id FROM memorytrust.transactions WHERE agent = $1 AND n = $2", t.agent, t.head.writes).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		committed = bytes.Equal(id, t.id)
		return err
	})
	return committed, err
}

// rollBack ends a transaction that failed, with its connection unless that is in order.
func (t *transaction) rollBack() {
	ctx, cancel := context.WithTimeout(t.lane.base, closeWait)
	defer cancel()
	if t.conn.IsClosed() {
		t.lane.drop()
		return
	}
	if t.conn.PgConn().TxStatus() != 'I' {
		_, _ = t.conn.Exec(ctx, "ROLLBACK") // what it did shows in the status
	}
	if t.conn.IsClosed() || t.conn.PgConn().TxStatus() != 'I' || codeOf(t.err) == codeReadOnly {
		t.lane.drop()
	}
}

// isTimeout reports whether the server did not answer in time: another attempt would only wait again.
func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err)
}

// writeEntries brings the full-text index up to date. What comes in is sorted, so that neighbors in the index are written together.
func (t *transaction) writeEntries() {
	var in []entry
	out := map[int64][]string{}
	for e, put := range t.entries {
		if put {
			in = append(in, e)
		} else {
			out[e.rid] = append(out[e.rid], e.word)
		}
	}
	for rid, words := range out {
		for chunk := range slices.Chunk(words, entriesAtOnce) {
			t.write("DELETE FROM memorytrust.words WHERE agent = $1 AND word = ANY($2) AND rid = $3", t.agent, chunk, rid)
		}
	}
	slices.SortFunc(in, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.rid, b.rid))
	})
	for chunk := range slices.Chunk(in, entriesAtOnce) {
		words, rids := make([]string, len(chunk)), make([]int64, len(chunk))
		for i, e := range chunk {
			words[i], rids[i] = e.word, e.rid
		}
		t.write(`INSERT INTO memorytrust.words (agent, word, rid)
			SELECT $1, u.word, u.rid FROM unnest($2::text[], $3::bigint[]) AS u (word, rid) ON CONFLICT DO NOTHING`, t.agent, words, rids)
	}
}

// namespaceID returns the number of a namespace, a new one for its first record. Its name must have been looked up.
func (t *transaction) namespaceID(name string) int64 {
	if id, known := t.known.namespaces[name]; known {
		return id
	}
	t.head.namespaces++
	t.known.namespaces[name] = t.head.namespaces
	t.added = append(t.added, name)
	return t.head.namespaces
}

// lookUpNamespaces queues a query for the numbers of namespaces that are not known yet.
func (t *transaction) lookUpNamespaces(names ...string) {
	var unknown []string
	for _, name := range names {
		if _, known := t.known.namespaces[name]; !known && !slices.Contains(unknown, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return
	}
	t.read("SELECT name, id FROM memorytrust.namespaces WHERE agent = $1 AND name = ANY($2)", []any{t.agent, unknown},
		func(scan func(...any) error) error {
			var (
				name string
				id   int64
			)
			err := scan(&name, &id)
			t.known.namespaces[name] = id
			return err
		})
}

// writeNamespaces queues the namespaces that the request is the first of.
func (t *transaction) writeNamespaces() {
	for _, name := range t.added {
		t.write("INSERT INTO memorytrust.namespaces (agent, name, id) VALUES ($1, $2, $3)", t.agent, name, t.known.namespaces[name])
	}
}
