// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"fmt"
	"strings"
)

// storeURI reads where the agent's database is, and adds it to the files a state was read from. A policy that keeps the memory in a file
// may have one as well, to move the memory there.
func (s Standalone) storeURI(state *State, files map[string][]byte) error {
	switch {
	case s.StoreURIFile == "" && !state.Runtime.Postgres:
		return nil
	case s.StoreURIFile == "":
		return fieldErrorf("spec.store.postgres", "outside a cluster nobody delivers the connection URI: give --store-uri FILE")
	}
	raw, err := readBounded(s.StoreURIFile)
	if err != nil {
		return fmt.Errorf("connection URI of the store: %w", err)
	}
	if state.StoreURI = strings.TrimSpace(string(raw)); state.StoreURI == "" {
		return errors.New("connection URI of the store: the file is empty")
	}
	files[FileStoreURI] = raw
	return nil
}
