// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// dataLink is the symbolic link through which the kubelet swaps all files of a projected volume at once.
const dataLink = "..data"

// Bounds of a configuration directory. A Secret or ConfigMap holds at most 1 MiB.
const (
	maxFileBytes = 1 << 20
	maxFiles     = 128
)

// snapshotAttempts is how often a directory that changes while it is read is tried again.
const snapshotAttempts = 5

// errMoved says that the directory was swapped while it was read.
var errMoved = errors.New("the files changed while they were read")

// LoadDir reads a screener's configuration directory: the layout of the File… constants, as the kubelet projects
// it. All files are from the same generation of the volume, and nothing is returned unless all of them are good.
// Errors name files and fields and hold nothing of keys or tokens.
func LoadDir(dir string) (*State, error) {
	files, err := snapshot(dir)
	if err != nil {
		return nil, err
	}
	s, err := parseState(files)
	if err != nil {
		return nil, err
	}
	s.fingerprint = fingerprint(files)
	return s, nil
}

// snapshot reads the files of one generation of dir.
func snapshot(dir string) (map[string][]byte, error) {
	var err error
	for range snapshotAttempts {
		var files map[string][]byte
		if files, err = readGeneration(dir); err == nil {
			return files, nil
		}
		// A generation that is swapped out is removed, so that any error of reading it may be the swap.
		if !errors.Is(err, errMoved) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return nil, fmt.Errorf("read configuration: %w", err)
}

func readGeneration(dir string) (map[string][]byte, error) {
	link := filepath.Join(dir, dataLink)
	before, linkErr := os.Readlink(link)
	source := dir
	if linkErr == nil {
		source = filepath.Join(dir, before)
	}
	files, err := readFiles(source)
	if err != nil {
		return nil, err
	}
	if after, err := os.Readlink(link); (err == nil) != (linkErr == nil) || after != before {
		return nil, errMoved
	}
	return files, nil
}

// readFiles returns the files of a directory that a screener knows, by name.
func readFiles(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if !known(e.Name()) || e.IsDir() {
			continue
		}
		if len(files) == maxFiles {
			return nil, fmt.Errorf("more than %d files", maxFiles)
		}
		data, err := readBounded(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files[e.Name()] = data
	}
	return files, nil
}

func known(name string) bool {
	switch name {
	case FilePolicy, FileChannels, FileIssuer, FileJudgeKey, FileStoreURI, FileAgentID, FilePrimary, FileTLSCert, FileTLSKey, FileCA:
		return true
	}
	return strings.HasPrefix(name, KeyPrefix) && strings.HasSuffix(name, KeySuffix) || strings.HasPrefix(name, fileCredentialPrefix)
}

// readBounded reads a file of at most maxFileBytes.
func readBounded(path string) (data []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if data, err = io.ReadAll(io.LimitReader(f, maxFileBytes+1)); err != nil {
		return nil, err
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s is longer than %d bytes", filepath.Base(path), maxFileBytes)
	}
	return data, nil
}

// fingerprint changes when a name or a byte of the files does.
func fingerprint(files map[string][]byte) [sha256.Size]byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, part := range [][]byte{[]byte(name), files[name]} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			h.Write(part)
		}
	}
	return [sha256.Size]byte(h.Sum(nil))
}
