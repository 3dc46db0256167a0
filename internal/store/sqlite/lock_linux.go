// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Commands of fcntl for locks that belong to the open file and not to the process (fcntl_locking(2), "open file description
// locks").
const (
	getLock = 36 // F_OFD_GETLK
	setLock = 37 // F_OFD_SETLK
)

// Bytes of the journal that are locked. No lock outlives its process, and none keeps anybody from reading or writing the bytes.
const (
	ownerByte = 1 << 40 // held by the process that has the journal
	guestByte = ownerByte + 1
)

// lock takes the journal for this process, as long as the file is open.
func lock(file *os.File) error { return lockByte(file, syscall.F_WRLCK, ownerByte) }

// visit tells the process that has the journal that another one works with the store, as long as the file is open.
func visit(file *os.File) error { return lockByte(file, syscall.F_RDLCK, guestByte) }

func lockByte(file *os.File, kind int16, at int64) error {
	l := syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: at, Len: 1}
	err := syscall.FcntlFlock(file.Fd(), setLock, &l)
	switch {
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES):
		return errJournalHeld
	case err != nil:
		return errors.Join(errNoLocks, err)
	}
	return nil
}

// visited reports whether another process works with the store.
func visited(file *os.File) bool {
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: guestByte, Len: 1}
	return syscall.FcntlFlock(file.Fd(), getLock, &l) != nil || l.Type != syscall.F_UNLCK
}
