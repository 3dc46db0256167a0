// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fulltext ranks records by the words of a question. It is what all stores have in common, so that the same records
// give the same results wherever they are kept: a store has the inverted index, and says which records have a word.
package fulltext

import (
	"slices"
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/memory"
)

// Index is the inverted index of a store, during one search. Records are known by numbers; a newer one has a higher number.
type Index interface {
	// Newest returns for each expression the newest records that match, at most limit of them, newest first.
	Newest(list []Expression, limit int) ([][]int64, error)
	// Count returns for each expression how many records match, counting no further than limit.
	Count(list []Expression, limit int) ([]int, error)
}

// Expression matches records that have a word of every group. Words are those of the index, with their keys.
type Expression [][]string

// And matches records that match both.
func (e Expression) And(other Expression) Expression { return slices.Concat(e, other) }

func (e Expression) String() string {
	var b strings.Builder
	for _, group := range e {
		b.WriteString(strings.Join(group, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// Letters that stand for zones in the index. What an agent gets to see is one place to look for words, and of that the
// trusted part is another.
const (
	keyQuarantine = "q"
	keyDelivered  = "d" // Working and Trusted
	keyTrusted    = "t"
)

// key is one of the things that stand before the words of a record in the index: the number of the namespace and a
// letter. Nothing a text holds can stand in for it, since whatever the text holds comes after.
func key(namespace int64, letter string) string { return strconv.FormatInt(namespace, 10) + letter }

// Keys are the keys of a record, with spaces between them.
func Keys(namespace int64, zone memory.Zone) string {
	switch zone {
	case memory.Trusted:
		return key(namespace, keyDelivered) + " " + key(namespace, keyTrusted)
	case memory.Working:
		return key(namespace, keyDelivered)
	case memory.Quarantine:
	}
	return key(namespace, keyQuarantine)
}

// Entries are what the index holds of a record: each of its words with each of its keys.
func Entries(keys string, words []string) []string {
	var out []string
	for key := range strings.FieldsSeq(keys) {
		for _, word := range words {
			out = append(out, key+word)
		}
	}
	return out
}

// searchKeys are the keys under which records of these zones are found; no zones are all.
func searchKeys(namespace int64, zones []memory.Zone) (keys []string) {
	has := func(zone memory.Zone) bool { return len(zones) == 0 || slices.Contains(zones, zone) }
	switch {
	case has(memory.Working):
		keys = append(keys, key(namespace, keyDelivered))
	case has(memory.Trusted):
		keys = append(keys, key(namespace, keyTrusted))
	}
	if has(memory.Quarantine) {
		keys = append(keys, key(namespace, keyQuarantine))
	}
	return keys
}

// withKeys are the entries of one word.
func withKeys(keys []string, word string) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = key + word
	}
	return out
}
