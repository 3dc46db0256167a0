// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Bounds of a catalog.
const (
	MaxCatalogBytes = 16 << 20
	maxVectors      = 20000
	maxIDBytes      = 128
	maxMembers      = 50
)

// CatalogFormat is what "format" says in a catalog of our own format.
const CatalogFormat = "memorytrust.dev/mempoisonbench-catalog/v1"

// ReadCatalog reads a catalog: one of our own format, or the public one. Errors are *CatalogError.
func ReadCatalog(name string, data []byte) (*Catalog, error) {
	r := &catalogReader{name: name, data: data, seen: map[string]bool{}}
	if err := r.read(); err != nil {
		return nil, err
	}
	r.out.Ref.SHA256, r.out.Ref.Vectors = digest(data), r.out.count()
	return &r.out, nil
}

// catalogReader reads the object of a catalog key by key and its lists item by item, so that it can tell the line of each.
type catalogReader struct {
	name    string
	data    []byte
	decoder *json.Decoder
	line    int // of the item that is read
	place   int // up to which line counts
	seen    map[string]bool
	out     Catalog
}

// head is how a file says what it is.
type head struct {
	Format  string `json:"format"`
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (r *catalogReader) read() error {
	r.line = 1
	switch {
	case len(r.data) > MaxCatalogBytes:
		return r.fail("the catalog is longer than %d bytes", MaxCatalogBytes)
	case !utf8.Valid(r.data):
		return r.fail("not valid UTF-8")
	}
	r.data = bytes.TrimPrefix(r.data, []byte(byteOrderMark))
	var h head
	if err := json.Unmarshal(r.data, &h); err != nil {
		return r.failJSON(err)
	}
	read, err := r.formatOf(h)
	if err != nil {
		return err
	}
	if err := r.object(read); err != nil {
		return err
	}
	if r.out.count() == 0 {
		return r.fail("there are no vectors in the catalog")
	}
	return nil
}

// lists read the lists of a format, item by item.
type lists map[string]func(decode) error

// decode decodes the item that is read.
type decode func(into any) error

func (r *catalogReader) formatOf(h head) (lists, error) {
	r.out.Ref = CatalogRef{Name: h.Name, Version: h.Version}
	switch {
	case h.Format == CatalogFormat:
		if h.Name == "" || h.Version == "" {
			return nil, r.fail(`"name" and "version" are required`)
		}
		return r.ownLists(), nil
	case h.Format == "" && strings.HasPrefix(h.Version, "3."):
		r.out.Ref.Name = "mempoisonbench-v3"
		return r.publicLists(), nil
	case h.Format == "":
		return nil, r.fail(`neither "format": %q nor version 3 of the public catalog`, CatalogFormat)
	}
	return nil, r.fail(`"format" is %.80q; this release reads %q`, h.Format, CatalogFormat)
}

// object reads the object of the file. Its syntax was checked before.
func (r *catalogReader) object(read lists) error {
	r.decoder = json.NewDecoder(bytes.NewReader(r.data))
	if _, err := r.decoder.Token(); err != nil {
		return r.failJSON(err)
	}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return r.failJSON(err)
		}
		key := fmt.Sprint(token)
		r.moveTo(r.decoder.InputOffset())
		item, known := read[key]
		if !known {
			if err := r.skip(key, read); err != nil {
				return err
			}
			continue
		}
		if err := r.list(key, item); err != nil {
			return err
		}
	}
	return nil
}

// plainKeys are the keys of our format that hold no list.
var plainKeys = map[string]bool{"format": true, "name": true, "version": true, "about": true, "license": true}

// skip passes over a key that holds no vectors. In our format an unknown one is a typing mistake, whose vectors would be
// missing.
func (r *catalogReader) skip(key string, read lists) error {
	if _, own := read["texts"]; own && !plainKeys[key] {
		return r.fail("unknown key %.40q", key)
	}
	var ignored json.RawMessage
	if err := r.decoder.Decode(&ignored); err != nil {
		return r.failJSON(err)
	}
	return nil
}

func (r *catalogReader) list(key string, item func(decode) error) error {
	if token, err := r.decoder.Token(); err != nil || token != json.Delim('[') {
		return r.fail("%q must be a list", key)
	}
	for r.decoder.More() {
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return r.failJSON(err)
		}
		start := r.decoder.InputOffset() - int64(len(raw))
		r.moveTo(start)
		if len(r.seen) >= maxVectors {
			return r.fail("more than %d vectors", maxVectors)
		}
		if err := item(func(into any) error { return r.strict(raw, into, start, key) }); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

// strict decodes an item. The public catalog may say more than is read of it; ours may not.
func (r *catalogReader) strict(raw []byte, into any, start int64, key string) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, public := into.(publicItem); !public {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			r.moveTo(start + kind.Offset)
		}
		return r.fail("%s: %v", key, describeJSON(err))
	}
	return nil
}

// moveTo sets the line to that of an offset, which only grows but for the beginning of an item.
func (r *catalogReader) moveTo(offset int64) {
	at := min(int(offset), len(r.data))
	if at < r.place {
		r.place, r.line = 0, 1
	}
	r.line += bytes.Count(r.data[r.place:at], []byte{'\n'})
	r.place = at
}

func (r *catalogReader) fail(format string, args ...any) error {
	return &CatalogError{File: r.name, Line: r.line, Problem: fmt.Sprintf(format, args...)}
}

func (r *catalogReader) failJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		r.moveTo(syntax.Offset)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		r.moveTo(int64(len(r.data)))
		return r.fail("the JSON ends too early")
	}
	return r.fail("%v", describeJSON(err))
}

// id checks an id, which every vector has for itself.
func (r *catalogReader) id(id string) error {
	switch {
	case id == "" || len(id) > maxIDBytes:
		return r.fail(`"id" must have 1 to %d bytes`, maxIDBytes)
	case r.seen[id]:
		return r.fail("the id %q was used before", id)
	}
	r.seen[id] = true
	return nil
}

// need fails unless all of the named fields are there: name, value, name, value.
func (r *catalogReader) need(id string, pairs ...string) error {
	if err := r.id(id); err != nil {
		return err
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) == "" {
			return r.fail("%s: %q is missing or empty", id, pairs[i])
		}
	}
	return nil
}
