// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"sync"

	"github.com/google/uuid"

	"memorytrust.dev/operator/internal/memory"
)

// maxWatched bounds how many memories one generation of a headWatch remembers, with 24 bytes for each.
const maxWatched = 1 << 16

// headWatch remembers which version of each memory was the newest when it was last written or verified. A tag proves that a
// version was made, and only the audit log that no newer one was; nothing in the file proves that the log was not cut back
// together with the row. While the screener runs, this does. What is too long ago is forgotten, and so is everything at a
// restart; then a cut shows at the published checkpoint.
type headWatch struct {
	mu          sync.Mutex
	young, aged map[uuid.UUID]uint64
}

// saw notes versions that are known to have been the newest.
func (h *headWatch) saw(records ...memory.Record) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range records {
		id, err := uuid.Parse(r.ID)
		if err != nil || r.Seq <= h.young[id] {
			continue
		}
		if len(h.young) >= maxWatched {
			h.aged, h.young = h.young, nil
		}
		if h.young == nil {
			h.young = map[uuid.UUID]uint64{}
		}
		h.young[id] = r.Seq
	}
}

// passed reports whether a newer version than this was seen.
func (h *headWatch) passed(id string, seq uint64) bool {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return seq < max(h.young[parsed], h.aged[parsed])
}
