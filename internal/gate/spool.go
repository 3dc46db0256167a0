// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// maxImportBytes bounds an import.
const maxImportBytes = 4 << 30

// Why a file is refused as a whole. Nothing of it was written.
var (
	errCutShort = &memory.FieldError{Field: "body",
		Fix: "send the whole export: its last line, which signs the others, is missing or does not fit them"}
	errLineSize = &memory.FieldError{Field: "body", Fix: fmt.Sprintf("send lines of at most %d bytes", maxLineBytes)}
	errFileSize = &memory.FieldError{Field: "body", Fix: "send at most 4 GiB at a time"}
)

// spool is an import on disk, read to its end and not yet believed. The file has no name, so that nothing is left of it
// when the process ends.
type spool struct {
	file  *os.File
	lines int64 // that hold memories
	skip  int64 // lines before them
	// signed is whether the trailer was made by a key of this agent over exactly these lines.
	signed bool
}

// readSpool copies an import to disk and checks its frame. It returns a *memory.FieldError for one that is to be signed and
// is not whole. Whoever calls it closes the spool.
func readSpool(s *policy.State, dir string, in io.Reader) (sp *spool, err error) {
	file, err := os.CreateTemp(dir, "import-*")
	if err != nil {
		return nil, fmt.Errorf("spooling an import: %w", err)
	}
	sp = &spool{file: file}
	defer func() {
		if err != nil {
			err = errors.Join(err, sp.close())
		}
	}()
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("spooling an import: %w", err)
	}
	return sp, sp.read(s, in)
}

func (sp *spool) close() error { return sp.file.Close() }

// read copies and hashes line by line. The hash is that of all lines but the last.
func (sp *spool) read(s *policy.State, in io.Reader) error {
	out, sum := bufio.NewWriter(sp.file), sha256.New()
	var header exportHeader
	var last []byte
	var n, size int64
	err := eachLine(in, func(line []byte) error {
		if size += int64(len(line)); size > maxImportBytes {
			return errFileSize
		}
		if n++; n == 1 {
			header = headerOf(line)
		}
		sum.Write(last)
		last = append(last[:0], line...)
		_, err := out.Write(line)
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("spooling an import: %w", err)
	}
	trailer, ok := trailerOf(last)
	if sp.lines = n; header.Format != "" {
		sp.skip, sp.lines = 1, n-1
	}
	if ok {
		sp.lines--
	}
	return sp.judge(s, header, trailer, ok, hex.EncodeToString(sum.Sum(nil)))
}

// judge decides whether the file is whole and whether it is ours.
func (sp *spool) judge(s *policy.State, header exportHeader, trailer exportTrailer, ok bool, sum string) error {
	if header.Format == "" && !ok {
		return nil // lines somebody wrote by hand
	}
	if header.Format != exportFormat {
		return &memory.FieldError{Field: "body", Fix: "send an export of format " + exportFormat + ", or lines without a header"}
	}
	if !ok || trailer.SHA256 != sum || trailer.Records != sp.lines {
		return errCutShort
	}
	sp.signed = header.AgentID == s.Runtime.AgentID && s.Keyset.Verify(trailer.MAC, exportMessage(s.Runtime.AgentID, trailer)) == nil
	return nil
}

// each calls f with every line that holds a memory.
func (sp *spool) each(f func(line []byte) error) error {
	if _, err := sp.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading an import again: %w", err)
	}
	var n int64
	return eachLine(sp.file, func(line []byte) error {
		if n++; n <= sp.skip || n > sp.skip+sp.lines {
			return nil
		}
		return f(line)
	})
}

// eachLine calls f with every line of in, with its line end; the last may have none. The line is valid until f returns.
func eachLine(in io.Reader, f func(line []byte) error) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 64<<10), maxLineBytes)
	scanner.Split(wholeLines)
	for scanner.Scan() {
		if err := f(scanner.Bytes()); err != nil {
			return err
		}
	}
	if err := scanner.Err(); errors.Is(err, bufio.ErrTooLong) {
		return errLineSize
	} else if err != nil {
		return fmt.Errorf("reading an import: %w", err)
	}
	return nil
}

// wholeLines splits into lines and keeps their ends, which the hash covers.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// headerOf reads a first line; the zero header says that it is none.
func headerOf(line []byte) (h exportHeader) {
	if json.Unmarshal(line, &h) != nil || h.Format == "" {
		return exportHeader{}
	}
	return h
}

// trailerOf reads a last line.
func trailerOf(line []byte) (t exportTrailer, ok bool) {
	if json.Unmarshal(line, &t) != nil || t.SHA256 == "" {
		return exportTrailer{}, false
	}
	return t, true
}

// errLine says that a line holds no memory.
var errLine = errors.New("not a memory")

// parseLine reads a line that holds a memory.
func parseLine(line []byte) (exportedRecord, error) {
	var e exportedRecord
	if len(line) > maxLineBytes || json.Unmarshal(line, &e) != nil {
		return exportedRecord{}, errLine
	}
	return e, nil
}
