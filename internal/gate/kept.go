// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// Bounds of what is kept ready; when there is more, all of it goes.
const (
	maxKept      = 8192
	maxKeptBytes = 16 << 20 // of contents
	maxKeptQueue = 64       // writers whose queue is kept
)

// keptRecords keeps records that were read and verified, and those that are known not to be there, as they were when the audit log
// had the size it has: while no entry is added, no record changes. A row that is changed beneath it is not looked at. The zero value
// is ready to use.
type keptRecords struct {
	mu      sync.Mutex
	size    uint64 // of the log
	bytes   int
	byID    map[keptID]keptRecord
	waiting map[memory.Waiting][]memory.WaitingItem // complete lists
}

type keptID struct{ namespace, id string }

type keptRecord struct {
	record  memory.Record      // what is not there has none
	checked *provenance.Keyset // under which it was found to be what was signed
	agent   string             // whose it was then
}

// at makes it that of a log of this size. The caller holds the lock.
func (k *keptRecords) at(size uint64) {
	if k.byID == nil || k.size != size || len(k.byID) >= maxKept || k.bytes >= maxKeptBytes || len(k.waiting) >= maxKeptQueue {
		k.size, k.bytes, k.byID, k.waiting = size, 0, map[keptID]keptRecord{}, map[memory.Waiting][]memory.WaitingItem{}
	}
}

// find returns what is kept of these ids, and the ids of which nothing is.
func (k *keptRecords) find(s *policy.State, namespace string, ids []string, size uint64) (found map[string]verified, missing []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.at(size)
	found = make(map[string]verified, len(ids))
	for _, id := range ids {
		kept, ok := k.byID[keptID{namespace, id}]
		if !ok {
			missing = append(missing, id)
			continue
		}
		if kept.record.ID == "" {
			continue
		}
		if kept.checked != s.Keyset || kept.agent != s.Runtime.AgentID {
			if checkVersion(s, namespace, kept.record) != "" {
				missing = append(missing, id)
				continue
			}
			kept.checked, kept.agent = s.Keyset, s.Runtime.AgentID
			k.byID[keptID{namespace, id}] = kept
		}
		found[id] = verified{record: kept.record}
	}
	return found, missing
}

// add keeps what was read after the log had a size, unless it has grown since: it may be what was there before or after.
func (k *keptRecords) add(s *policy.State, namespace string, asked []string, read map[string]verified, size uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byID == nil || k.size != size {
		return
	}
	for _, id := range asked {
		v, there := read[id]
		switch {
		case !there:
			k.byID[keptID{namespace, id}] = keptRecord{}
		case v.fault == "" && v.record.Seq <= size:
			k.put(v.record, s.Keyset, s.Runtime.AgentID)
		}
	}
}

func (k *keptRecords) put(r memory.Record, checked *provenance.Keyset, agent string) {
	k.byID[keptID{r.Namespace, r.ID}] = keptRecord{record: r, checked: checked, agent: agent}
	k.bytes += len(r.Content)
}

// saw learns of a commit. What follows on what is kept changes nothing else.
func (k *keptRecords) saw(records ...memory.Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byID == nil {
		return
	}
	for i, r := range records {
		if r.Seq != k.size+1+uint64(i) { // #nosec G115 -- counts entries
			k.byID = nil // somebody else came in between
			return
		}
	}
	k.size += uint64(len(records))
	for _, r := range records {
		k.put(r, nil, "")
		k.requeue(r)
	}
}

// requeue brings the queues up to date.
func (k *keptRecords) requeue(r memory.Record) {
	item := memory.WaitingItem{ID: r.ID, Sketch: memory.Sketch(r.Content), Expiry: r.Expiry}
	for whose, list := range k.waiting {
		if whose.Namespace != r.Namespace {
			continue
		}
		if list = requeued(list, item, queueOf(r) == whose && waits(r)); len(list) >= memory.MaxWaiting-1 {
			delete(k.waiting, whose) // the store would not list all of it
			continue
		}
		k.waiting[whose] = list
	}
}

// queueOf is the queue that a record is in if it waits.
func queueOf(r memory.Record) memory.Waiting {
	return memory.Waiting{Namespace: r.Namespace, Principal: r.Writer.Principal, Class: r.Class}
}

// waits reports whether a record takes a place in its queue.
func waits(r memory.Record) bool {
	return r.State == memory.PendingReview && r.FoldedInto == "" && (r.Writer.Principal != "" || r.Writer.Channel == "")
}

// requeued returns a queue with an item or without it, soonest to expire first.
func requeued(list []memory.WaitingItem, item memory.WaitingItem, in bool) []memory.WaitingItem {
	out := make([]memory.WaitingItem, 0, len(list)+1)
	for _, w := range list {
		if w.ID == item.ID {
			continue
		}
		if in && soonerToExpire(item, w) {
			out, in = append(out, item), false
		}
		out = append(out, w)
	}
	if in {
		out = append(out, item)
	}
	return out
}

func soonerToExpire(a, b memory.WaitingItem) bool {
	if a.Expiry.IsZero() != b.Expiry.IsZero() {
		return b.Expiry.IsZero()
	}
	return cmp.Or(a.Expiry.Compare(b.Expiry), cmp.Compare(a.ID, b.ID)) < 0
}

// queue returns what one writer has waiting, as the store lists it.
func (k *keptRecords) queue(ctx context.Context, store memory.Store, whose memory.Waiting) ([]memory.WaitingItem, error) {
	size, err := store.Size(ctx)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	k.at(size)
	list, known := k.waiting[whose]
	k.mu.Unlock()
	if known {
		return slices.Clone(list), nil
	}
	list, err = store.Waiting(ctx, whose)
	if err != nil || len(list) >= memory.MaxWaiting-1 {
		return list, err
	}
	// What was read is of this size only if the log still has it.
	after, err := store.Size(ctx)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if after == size && k.byID != nil && k.size == size {
		k.waiting[whose] = slices.Clone(list)
	}
	return list, nil
}
