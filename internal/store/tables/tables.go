// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tables describes what every store keeps, so that all of it can be moved from one to another and compared there. The
// tables of the stores have the same names and columns, and mean the same.
package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
)

// Kind is what a column holds.
type Kind int

// The kinds, with what a Row has of each.
const (
	Text  Kind = iota // string
	Int               // int64
	Bytes             // []byte
	Bool              // bool
	Float             // float64
	Ints              // []int64
)

// Column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Table is one that is moved row by row.
type Table struct {
	Name string
	// Columns begin with those of the key.
	Columns []Column
	// Keys is how many of the columns are the key.
	Keys int
}

// Row holds a value for each column, or for each column of the key: nil, or what the column's Kind says.
type Row []any

// Key is the key of a row.
func (t Table) Key(r Row) Row { return r[:t.Keys:t.Keys] }

// Append writes values so that different ones never come out the same: each with its kind and length.
func (r Row) Append(to []byte) []byte {
	number := func(kind byte, n uint64) { to = binary.BigEndian.AppendUint64(append(to, kind), n) }
	for _, value := range r {
		switch v := value.(type) {
		case nil:
			to = append(to, 'n')
		case string:
			number('t', uint64(len(v)))
			to = append(to, v...)
		case []byte:
			number('b', uint64(len(v)))
			to = append(to, v...)
		case int64:
			number('i', uint64(v)) // #nosec G115 -- bits
		case bool:
			number('o', map[bool]uint64{true: 1}[v])
		case float64:
			number('f', math.Float64bits(v))
		case []int64:
			number('l', uint64(len(v)))
			for _, n := range v {
				to = binary.BigEndian.AppendUint64(to, uint64(n)) // #nosec G115 -- bits
			}
		default:
			panic(fmt.Sprintf("a row holds a %T", value))
		}
	}
	return to
}

// String names a row by its values, for use as a key of maps.
func (r Row) String() string { return string(r.Append(nil)) }

// Equal reports whether two rows hold the same.
func (r Row) Equal(other Row) bool { return bytes.Equal(r.Append(nil), other.Append(nil)) }

// Size is about how many bytes a row takes.
func (r Row) Size() int {
	n := 0
	for _, value := range r {
		n += 8
		switch v := value.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		case []int64:
			n += 8 * len(v)
		}
	}
	return n
}

// Digest is a sum over rows that does not depend on their order: SHA-256 of each row with the name of its table, added up modulo
// 2^256. Rows can be taken out again.
type Digest [sha256.Size]byte

// Add puts rows of a table in.
func (d *Digest) Add(t Table, rows ...Row) {
	for _, r := range rows {
		d.add(sum(t, r), false)
	}
}

// Remove takes rows out that were put in.
func (d *Digest) Remove(t Table, rows ...Row) {
	for _, r := range rows {
		d.add(sum(t, r), true)
	}
}

func sum(t Table, r Row) [sha256.Size]byte { return sha256.Sum256(r.Append(Row{t.Name}.Append(nil))) }

func (d *Digest) add(h [sha256.Size]byte, negative bool) {
	carry := 0
	if negative {
		for i := range h {
			h[i] = ^h[i]
		}
		carry = 1
	}
	for i := len(d) - 1; i >= 0; i-- {
		carry += int(d[i]) + int(h[i])
		d[i] = byte(carry) // #nosec G115 -- the lowest eight bits
		carry >>= 8
	}
}
