// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/memory"
)

// The journal is the file beside the store that holds what sessions met and what is not in the store yet. A write to it is in the
// hands of the kernel when it returns, so that a process that is killed loses nothing. It has a header, then entries: the length
// of each, its CRC-32C, and the entry.
const (
	journalSuffix = "-met"
	journalMagic  = "MTMET\x00\x00\x02"
	// journalMagic1 is of versions that put no records into it.
	journalMagic1 = "MTMET\x00\x00\x01"
	journalHeader = 64 // magic, the boot that the file was begun in, and the last visit of another process
	visitAt       = 56
	visitBytes    = journalHeader - visitAt
	frameHeader   = 8
	// maxEntryBytes bounds one entry; what is longer goes to the store at once.
	maxEntryBytes = 8 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var (
	// errJournalHeld says that another process has the journal.
	errJournalHeld = errors.New("another process holds the journal of the memory store")
	// errNoLocks says that the volume, or the system, has no locks by which that could be told.
	errNoLocks = errors.New("no locks")
)

// Bounds of waiting for the process that has the journal to bring what is in it into the store.
const (
	guestWait = 5 * time.Second
	guestPoll = linger / 2
	// guestQuiet is how often in a row the journal has to be empty: what was being written to it as the other process learned of
	// this one is in the store by then.
	guestQuiet = 3
)

// journal is the open file. Its methods are not safe for concurrent use.
type journal struct {
	file *os.File
	size int64
	boot string // the machine runs since; empty where that is not known
}

// leftBehind is what a process left in the journal that did not close the store.
type leftBehind struct {
	entries []entry
	// lost reports whether there may have been more: the machine went down, and with it what the kernel had not written.
	lost bool
}

// openJournal opens the journal of the store at path, makes it where there is none, and reads what is in it. It returns
// errJournalHeld while another process has it.
func openJournal(path, boot string) (*journal, leftBehind, error) {
	file, err := openJournalFile(path)
	if err != nil {
		return nil, leftBehind{}, err
	}
	j := &journal{file: file, boot: boot}
	left, err := j.open()
	if err != nil {
		return nil, leftBehind{}, errors.Join(err, file.Close())
	}
	return j, left, nil
}

func openJournalFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path+journalSuffix, os.O_RDWR|os.O_CREATE|os.O_APPEND, fileMode) // #nosec G304 G703 -- the operator's own flag
	return file, fileError(err)
}

// announce leaves a new number in the journal, by which the process that has it learns that there was another one, also after that has
// gone. Where nobody has begun it, nobody remembers anything.
func announce(path string) error {
	file, err := os.OpenFile(path+journalSuffix, os.O_WRONLY, fileMode) // #nosec G304 G703 -- the operator's own flag
	if err != nil {
		return fileError(err)
	}
	info, err := file.Stat()
	if err == nil && info.Size() >= journalHeader {
		number := make([]byte, visitBytes)
		_, _ = rand.Read(number) // never fails
		_, err = file.WriteAt(number, visitAt)
	}
	return fileError(errors.Join(err, file.Close()))
}

// lastVisit returns what the last visit left.
func (j *journal) lastVisit() (number [visitBytes]byte, err error) {
	_, err = j.file.ReadAt(number[:], visitAt)
	return number, fileError(err)
}

// visitJournal opens the journal that another process has, which writes to the store at once from then on, and waits until what it
// wrote to the journal before is in the store.
func visitJournal(ctx context.Context, path string) (io.Closer, error) {
	file, err := openJournalFile(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, guestWait)
	defer cancel()
	err = visit(file)
	for quiet := 0; err == nil; {
		info, failed := file.Stat()
		if err = fileError(failed); err != nil {
			break
		}
		if quiet++; info.Size() > journalHeader {
			quiet = 0
		}
		if quiet == guestQuiet {
			if err = announce(path); err != nil {
				break
			}
			return file, nil
		}
		select {
		case <-ctx.Done():
			err = fmt.Errorf("%w: %w", memory.ErrUnavailable, errJournalHeld)
		case <-time.After(guestPoll):
		}
	}
	if errors.Is(err, errNoLocks) {
		return file, nil // nobody has a journal then
	}
	return nil, errors.Join(err, file.Close())
}

func (j *journal) open() (leftBehind, error) {
	info, err := j.file.Stat()
	if err != nil {
		return leftBehind{}, fileError(err)
	}
	if !info.Mode().IsRegular() {
		return leftBehind{}, fmt.Errorf("%w: its journal is not a regular file", ErrForeign)
	}
	if err := tightenMode(j.file, info.Mode()); err != nil {
		return leftBehind{}, err
	}
	if err := lock(j.file); err != nil {
		return leftBehind{}, err
	}
	raw, err := io.ReadAll(io.NewSectionReader(j.file, 0, 1<<62))
	if err != nil {
		return leftBehind{}, fileError(err)
	}
	// An empty file is a new one, or was left by a process that closed the store: the header is on disk before the first entry is
	// taken.
	if len(raw) == 0 {
		return leftBehind{}, nil
	}
	left := leftBehind{lost: true}
	if len(raw) >= journalHeader && slices.Contains([]string{journalMagic, journalMagic1}, string(raw[:len(journalMagic)])) {
		then := string(bytes.TrimRight(raw[len(journalMagic):visitAt], "\x00"))
		left.lost = j.boot == "" || then != j.boot
		left.entries = decodeFrames(raw[journalHeader:])
	}
	j.size = int64(len(raw))
	return left, nil
}

// begin makes the journal an empty one of this boot, on disk.
func (j *journal) begin() error {
	if err := j.file.Truncate(0); err != nil {
		return fileError(err)
	}
	header := make([]byte, journalHeader)
	copy(header[copy(header, journalMagic):], j.boot)
	if _, err := j.file.Write(header); err != nil {
		return fileError(err)
	}
	if err := j.file.Sync(); err != nil {
		return fileError(err)
	}
	dir, err := os.Open(filepath.Dir(j.file.Name())) // #nosec G304 G703 -- the operator's own flag
	if err != nil {
		return fileError(err)
	}
	j.size = journalHeader
	return errors.Join(fileError(dir.Sync()), dir.Close())
}

// append adds an entry, on disk if sync is set. What could be written of one that fails is taken back.
func (j *journal) append(frame []byte, sync bool) error {
	_, err := j.file.Write(frame)
	if err == nil && sync {
		err = j.file.Sync()
	}
	if err != nil {
		return fileError(errors.Join(err, j.file.Truncate(j.size)))
	}
	j.size += int64(len(frame))
	return nil
}

// clear drops the entries: all of them are in the store.
func (j *journal) clear() error {
	if j.size == journalHeader {
		return nil
	}
	if err := j.file.Truncate(journalHeader); err != nil {
		return fileError(err)
	}
	j.size = journalHeader
	return nil
}

// close closes the file. One of which nothing is needed any more is left empty: then nothing was left behind.
func (j *journal) close(done bool) error {
	var err error
	if done {
		err = fileError(j.file.Truncate(0))
	}
	return errors.Join(err, j.file.Close())
}

// frame is an entry as the journal holds it.
func (e entry) frame() []byte {
	payload := e.encode(make([]byte, frameHeader, 256))
	binary.BigEndian.PutUint32(payload, uint32(len(payload)-frameHeader)) // #nosec G115 -- at most maxEntryBytes, or it is not written
	binary.BigEndian.PutUint32(payload[4:], crc32.Checksum(payload[frameHeader:], castagnoli))
	return payload
}

// decodeFrames reads entries up to the first that is not whole. Of those, the last may have been cut off by the end of the process.
func decodeFrames(raw []byte) []entry {
	var out []entry
	for len(raw) >= frameHeader {
		size, sum := binary.BigEndian.Uint32(raw), binary.BigEndian.Uint32(raw[4:])
		if size > maxEntryBytes || uint64(len(raw)-frameHeader) < uint64(size) { // #nosec G115 -- not negative
			break
		}
		payload := raw[frameHeader : frameHeader+int(size)]
		if crc32.Checksum(payload, castagnoli) != sum {
			break
		}
		e, err := decodeEntry(payload)
		if err != nil {
			break
		}
		out = append(out, e)
		raw = raw[frameHeader+int(size):]
	}
	return out
}

// bootFile names the boot that the machine runs since.
const bootFile = "/proc/sys/kernel/random/boot_id"

// currentBoot returns it; empty where there is no telling.
func currentBoot() string {
	raw, err := os.ReadFile(bootFile)
	if err != nil || len(raw) > visitAt-len(journalMagic) {
		return ""
	}
	return string(bytes.TrimSpace(raw))
}

// recover brings what a process left behind into the store.
func (w *writer) recover(ctx context.Context, left leftBehind) (last uint64, err error) {
	err = w.do(ctx, "recovering what sessions met", func(w *writer) error {
		var done int64
		err := w.conn.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM marks WHERE name = ?), 0)", metMark).Scan(&done)
		if err != nil {
			return err
		}
		last = uint64(done) // #nosec G115 -- bits, as they were written
		entries := slices.DeleteFunc(left.entries, func(e entry) bool { return e.n <= last })
		if err := w.addMet(entries); err != nil {
			return err
		}
		if len(entries) > 0 {
			last = entries[len(entries)-1].n
		}
		if !left.lost {
			return nil
		}
		return w.lowerAll()
	})
	return last, err
}

// lowerAll lets every session that there was count as one that met something of which nobody knows where it came from, and whatever
// was met in the last half hour with them: what they met last may be lost.
func (w *writer) lowerAll() error {
	const known = `SELECT namespace, session FROM delivered UNION SELECT namespace, id FROM sessions UNION SELECT namespace, '' FROM sessions`
	for _, statement := range []string{
		"INSERT INTO delivered (namespace, session, class, last_at) SELECT namespace, session, ?1, ?2 FROM (" + known + ") WHERE true " +
			"ON CONFLICT (namespace, session, class) DO UPDATE SET last_at = max(last_at, excluded.last_at)",
		"INSERT INTO delivered_unbound (namespace, class, last_at) SELECT DISTINCT namespace, ?1, ?2 FROM (" + known + ") WHERE true " +
			"ON CONFLICT (namespace, class) DO UPDATE SET last_at = max(last_at, excluded.last_at)",
	} {
		if _, err := w.conn.ExecContext(context.Background(), statement, string(lowestClass), time.Now().UnixMicro()); err != nil {
			return err
		}
	}
	return nil
}
