// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "memorytrust.dev/operator/internal/screen/intent"

// vocabulary numbers the features that occur in two families at least: one of a single
// family tells its topic, not its mood.
type vocabulary struct {
	features []uint32 // by number
	slots    []entry  // a hash table with open addressing; its length is a power of two
	used     int      // places in it
}

// entry is a feature in the table of a vocabulary.
type entry struct {
	feature uint32
	family  int32  // it was met in first, from 1; 0 is a free place
	number  uint32 // from 1; 0: of one family only
}

// firstSlots is the size that the table begins with.
const firstSlots = 1 << 16

func vocabularyOf(examples []example) *vocabulary {
	v := &vocabulary{slots: make([]entry, firstSlots)}
	var r intent.Reader
	for _, e := range examples {
		r.Reset(e.text)
		for r.Next() {
			for _, f := range r.Chars() {
				v.meet(f, e.family)
			}
			for _, f := range r.Words() {
				v.meet(f, e.family)
			}
		}
	}
	return v
}

// find returns the place of a feature, or the free one where it belongs.
func (v *vocabulary) find(feature uint32) *entry {
	mask := uint32(len(v.slots) - 1) //nolint:gosec // small
	for at := feature & mask; ; at = (at + 1) & mask {
		if e := &v.slots[at]; e.family == 0 || e.feature == feature {
			return e
		}
	}
}

func (v *vocabulary) meet(feature uint32, family int) {
	e, now := v.find(feature), int32(family+1) //nolint:gosec // small
	switch {
	case e.family == 0:
		*e = entry{feature: feature, family: now}
		if v.used++; v.used > len(v.slots)/2 {
			v.grow()
		}
	case e.family != now && e.number == 0:
		v.features = append(v.features, feature)
		e.number = uint32(len(v.features)) //nolint:gosec // small
	}
}

// grow doubles the table.
func (v *vocabulary) grow() {
	before := v.slots
	v.slots = make([]entry, 2*len(before))
	for _, e := range before {
		if e.family != 0 {
			*v.find(e.feature) = e
		}
	}
}

// number returns the number of a feature, from 0.
func (v *vocabulary) number(feature uint32) (uint32, bool) {
	e := v.find(feature)
	return e.number - 1, e.number > 0
}
