// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package sqlite

import (
	"strconv"
	"strings"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/store/sqlite/words"
)

// putIndex notes how the words of the index change; most changes of a record leave them as they are.
func (c *commit) putIndex() error {
	p := c.previous
	same := c.indexed == p.indexed && c.contentSeq == p.contentSeq
	if p.indexed != "" && !same {
		var old string
		if err := c.row(c.stmts.content, int64(p.contentSeq)).Scan(&old); err != nil { // #nosec G115
			return err
		}
		c.reindex = append(c.reindex, indexing{c.stmts.unindex, c.rid, indexText(p.indexed, words.Of(old))})
	}
	if c.indexed != "" && !same {
		c.reindex = append(c.reindex, indexing{c.stmts.index, c.rid, indexText(c.indexed, c.words)})
	}
	return nil
}

// Letters that stand for zones in the index. What an agent gets to see is one place to look for words, and of that the
// trusted part is another.
const (
	keyQuarantine = "q"
	keyDelivered  = "d" // Working and Trusted
	keyTrusted    = "t"
)

// indexKey is one of the things that stand before the words of a record in the index: the number of the namespace and a
// letter. Nothing a text holds can stand in for it, since whatever the text holds comes after.
func indexKey(namespace int64, letter string) string {
	return strconv.FormatInt(namespace, 10) + letter
}

// indexKeys are the keys of a record, with spaces between them.
func indexKeys(namespace int64, zone memory.Zone) string {
	switch zone {
	case memory.Trusted:
		return indexKey(namespace, keyDelivered) + " " + indexKey(namespace, keyTrusted)
	case memory.Working:
		return indexKey(namespace, keyDelivered)
	case memory.Quarantine:
	}
	return indexKey(namespace, keyQuarantine)
}

// indexText is what the index gets to see of a record.
func indexText(keys string, list []string) string {
	var b strings.Builder
	for key := range strings.FieldsSeq(keys) {
		for _, word := range list {
			b.WriteString(key)
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	return b.String()
}
