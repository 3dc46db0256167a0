// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package canon encodes a sequence of typed fields as bytes, injectively: two different sequences never have the same
// encoding. What is signed or hashed is encoded with it, so that no field can be shifted into its neighbor and no
// value of one type passes for another.
//
// Every field is a type byte followed by its value; values of variable length carry their length first, as eight
// bytes big-endian. The first field of every message is a label that names its layout.
package canon

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// The type bytes. They are part of what is signed and must never change their meaning.
const (
	typeString  = 's'
	typeBytes   = 'b'
	typeUint    = 'u'
	typeBool    = 'f'
	typeTime    = 't'
	typeNoTime  = 'z'
	typeStrings = 'l'
)

// ErrMalformed says that bytes are not the encoding a Decoder was asked for.
var ErrMalformed = errors.New("malformed canonical encoding")

// Encoder appends fields. The zero value is not usable; start with New.
type Encoder struct{ buf []byte }

// New starts a message whose first field is label.
func New(label string) *Encoder {
	e := &Encoder{buf: make([]byte, 0, 512)}
	return e.String(label)
}

// String appends a string.
func (e *Encoder) String(s string) *Encoder {
	e.head(typeString, uint64(len(s)))
	e.buf = append(e.buf, s...)
	return e
}

// Bytes appends a byte string.
func (e *Encoder) Bytes(b []byte) *Encoder {
	e.head(typeBytes, uint64(len(b)))
	e.buf = append(e.buf, b...)
	return e
}

// Uint appends an unsigned integer.
func (e *Encoder) Uint(n uint64) *Encoder {
	e.head(typeUint, n)
	return e
}

// Bool appends a truth value.
func (e *Encoder) Bool(v bool) *Encoder {
	var n uint64
	if v {
		n = 1
	}
	e.head(typeBool, n)
	return e
}

// Time appends a point in time with microsecond precision; the zero time has an encoding of its own.
func (e *Encoder) Time(t time.Time) *Encoder {
	if t.IsZero() {
		e.head(typeNoTime, 0)
		return e
	}
	e.head(typeTime, uint64(t.UnixMicro())) // #nosec G115 -- two's complement, undone by the decoder
	return e
}

// Strings appends a list of strings; its order counts.
func (e *Encoder) Strings(list []string) *Encoder {
	e.head(typeStrings, uint64(len(list)))
	for _, s := range list {
		e.String(s)
	}
	return e
}

// Message returns the encoding. The encoder must not be used afterwards.
func (e *Encoder) Message() []byte { return e.buf }

// Sum returns the SHA-256 of the encoding.
func (e *Encoder) Sum() [sha256.Size]byte { return sha256.Sum256(e.buf) }

func (e *Encoder) head(kind byte, n uint64) {
	e.buf = append(e.buf, kind)
	e.buf = binary.BigEndian.AppendUint64(e.buf, n)
}

// Decoder reads fields back in order. After the first error every read returns a zero value; Close reports it.
type Decoder struct {
	rest []byte
	err  error
}

// Open starts reading a message that must begin with label.
func Open(label string, message []byte) *Decoder {
	d := &Decoder{rest: message}
	if got := d.String(); d.err == nil && got != label {
		d.err = fmt.Errorf("%w: not a %s message", ErrMalformed, label)
	}
	return d
}

// String reads a string.
func (d *Decoder) String() string { return string(d.variable(typeString)) }

// Bytes reads a byte string; the result does not share memory with the message.
func (d *Decoder) Bytes() []byte { return append([]byte(nil), d.variable(typeBytes)...) }

// Uint reads an unsigned integer.
func (d *Decoder) Uint() uint64 { _, n := d.head(typeUint); return n }

// Time reads a point in time, in UTC.
func (d *Decoder) Time() time.Time {
	kind, n := d.head(typeTime, typeNoTime)
	switch {
	case kind == typeTime:
		t := time.UnixMicro(int64(n)).UTC() // #nosec G115 -- undoes Encoder.Time
		if t.IsZero() {
			d.err = ErrMalformed // the zero time has only one encoding
			return time.Time{}
		}
		return t
	case n != 0 && d.err == nil:
		d.err = ErrMalformed
	}
	return time.Time{}
}

// Close returns the first error, or ErrMalformed when bytes are left over.
func (d *Decoder) Close() error {
	if d.err == nil && len(d.rest) > 0 {
		d.err = fmt.Errorf("%w: bytes after the last field", ErrMalformed)
	}
	return d.err
}

func (d *Decoder) head(kinds ...byte) (kind byte, n uint64) {
	if d.err != nil {
		return 0, 0
	}
	if len(d.rest) < 9 {
		d.err = fmt.Errorf("%w: too short", ErrMalformed)
		return 0, 0
	}
	for _, k := range kinds {
		if d.rest[0] == k {
			n = binary.BigEndian.Uint64(d.rest[1:9])
			d.rest = d.rest[9:]
			return k, n
		}
	}
	d.err = fmt.Errorf("%w: field of another type", ErrMalformed)
	return 0, 0
}

func (d *Decoder) variable(kind byte) []byte {
	_, n := d.head(kind)
	if d.err != nil {
		return nil
	}
	if n > uint64(len(d.rest)) {
		d.err = fmt.Errorf("%w: field longer than the message", ErrMalformed)
		return nil
	}
	v := d.rest[:n]
	d.rest = d.rest[n:]
	return v
}
