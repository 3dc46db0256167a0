// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memorytrust.dev/operator/internal/memory"
)

// applicationID marks our files in the SQLite header: "MTST".
const applicationID = 0x4d545354

const (
	fileMode = 0o600
	dirMode  = 0o700

	// Offsets in the SQLite file header (https://www.sqlite.org/fileformat.html, section 1.3).
	headerSize          = 100
	offsetApplicationID = 68
	headerMagic         = "SQLite format 3\x00"
)

// prepareFile makes directory and file where they are missing, tightens the file's mode, and refuses files that are not
// ours before SQLite touches them. fresh is true when the file is still empty.
func prepareFile(path string) (fresh bool, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, dirMode); err != nil { // #nosec G703 -- the operator's own flag
		return false, fileError(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode) // #nosec G304 G703 -- the operator's own flag
	if err != nil {
		return false, fileError(err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return false, fileError(err)
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%w: not a regular file", ErrForeign)
	}
	if err := tightenMode(file, info.Mode()); err != nil {
		return false, err
	}
	if info.Size() == 0 {
		return true, checkFresh(path, dir)
	}
	return false, checkHeader(file)
}

// tightenMode takes group and others off the file. A volume that the kubelet hands to a group may not let us, which is
// tolerated as long as others have no access.
func tightenMode(file *os.File, mode fs.FileMode) error {
	if mode.Perm()&0o077 == 0 {
		return nil
	}
	if err := file.Chmod(fileMode); err != nil && mode.Perm()&0o007 != 0 {
		return fmt.Errorf("the memory store is open to every user of its volume: %w", fileError(err))
	}
	return nil
}

// checkFresh makes the file's name durable. An empty file beside a write-ahead log is not a new store but one that lost
// its content.
func checkFresh(path, dir string) error {
	if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 { // #nosec G703 -- the operator's own flag
		return fmt.Errorf("%w: the file is empty and its write-ahead log is not", ErrCorrupt)
	}
	parent, err := os.Open(dir) // #nosec G304 G703 -- the operator's own flag
	if err != nil {
		return fileError(err)
	}
	return errors.Join(fileError(parent.Sync()), parent.Close())
}

// checkHeader reads the header itself: opening a database runs recovery, which would write to a file that is not ours.
// The application id is written in the same transaction as the first schema, before write-ahead logging begins, and so
// is always in the file.
func checkHeader(file io.ReaderAt) error {
	header := make([]byte, headerSize)
	n, err := file.ReadAt(header, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fileError(err)
	}
	if string(header[:min(n, len(headerMagic))]) != headerMagic[:min(n, len(headerMagic))] {
		return fmt.Errorf("%w: not a SQLite database", ErrForeign)
	}
	if n < headerSize {
		return fmt.Errorf("%w: cut off within its header", ErrCorrupt)
	}
	if binary.BigEndian.Uint32(header[offsetApplicationID:]) != applicationID {
		return fmt.Errorf("%w: a SQLite database of another application", ErrForeign)
	}
	return nil
}

// fileError marks failures of the volume as such.
func fileError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", memory.ErrUnavailable, err)
}
