// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/gate"
)

// reading is what an upstream said, taken apart into the texts that an agent would read. Texts are unique: the same words in
// content and in structuredContent are one text.
type reading struct {
	doc    document
	texts  []gate.UpstreamText
	index  map[string]int
	server *server // whose fields are known; nil for none
}

// document is JSON with the places of its texts.
type document struct {
	raw   []byte
	units []unit
}

// unit is a place in a document.
type unit struct {
	start, end int
	text       int       // index of the text
	nested     *document // the text is JSON itself
	base64     bool      // the text, or the digest that stands for it, is written in base64
	name       bool      // of a member
}

// shape says which parts of a message are the protocol's, whose constants are no texts.
type shape bool

const (
	protocol shape = true  // content blocks, resources, prompts
	free     shape = false // whatever the server likes
)

// Texts that are no words: what names things and kinds of things.
var (
	identifier = regexp.MustCompile(`^[A-Za-z0-9_$@.:/+-]{1,64}$`)
	constant   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.+-]{0,40}(/[A-Za-z0-9_.+-]{1,60})?$`)
	machine    = regexp.MustCompile(`^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-f]{24,128}|[0-9A-HJKMNP-TV-Z]{26}|` +
		`-?[0-9]{1,20}(?:\.[0-9]{1,20})?|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{5,15}(?:Z|[+-][0-9:]{4,6})?)?)$`)
)

// read takes a message apart. It fails on what cannot be judged: what is no JSON, too deep or in too many pieces.
func read(raw []byte, as shape, of *server) (*reading, error) {
	r := &reading{doc: document{raw: raw}, index: map[string]int{}, server: of}
	return r, r.take(&r.doc, as, 0)
}

// readWhole takes a message apart like read, but leaves what is JSON within a text as the one text it is.
func readWhole(raw []byte, as shape) (*reading, error) {
	r := &reading{doc: document{raw: raw}, index: map[string]int{}}
	return r, r.take(&r.doc, as, maxNested)
}

// take finds the texts of a document.
func (r *reading) take(d *document, as shape, depth int) error {
	return visit(d.raw, func(l literal) error {
		if len(d.units) >= maxTexts || len(r.texts) >= maxTexts {
			return errTooMany
		}
		text, err := decode(d.raw[l.start:l.end])
		if err != nil || text == "" {
			return err
		}
		u := unit{start: l.start, end: l.end, name: l.name}
		part := as
		if len(l.path) > 0 && (l.path[0] == "structuredContent" || l.path[0] == "_meta") {
			part = free
		}
		if l.name {
			return r.takeName(d, u, text)
		}
		field := lastName(l.path)
		if part == protocol && r.takeProtocol(d, u, field, text) {
			return nil
		}
		if r.server.saying(text) {
			return nil
		}
		if nested := strings.TrimLeft(text, " \t\r\n"); depth < maxNested && nested != "" && strings.ContainsRune("{[", rune(nested[0])) &&
			json.Valid([]byte(text)) {
			u.nested = &document{raw: []byte(text)}
			d.units = append(d.units, u)
			return r.take(d.units[len(d.units)-1].nested, free, depth+1)
		}
		r.add(d, u, text, machine.MatchString(text) || part == free && r.server.metadata(field) || part == protocol && metadataOfProtocol[field])
		return nil
	})
}

// takeName takes the name of a member: names are what a server makes of what it was told just as well, but those of fields that
// everybody has are no news.
func (r *reading) takeName(d *document, u unit, text string) error {
	if !namesOfProtocol[text] && !r.server.field(text) {
		r.add(d, u, text, true)
	}
	return nil
}

// Names of the protocol, in results that this package hands on.
var (
	namesOfProtocol = set("content", "structuredContent", "isError", "_meta", "type", "text", "data", "mimeType", "annotations", "audience",
		"priority", "lastModified", "resource", "uri", "blob", "name", "title", "description", "size", "icons", "src", "sizes", "theme",
		"contents", "resources", "resourceTemplates", "uriTemplate", "prompts", "arguments", "required", "messages", "role", "nextCursor",
		"completion", "values", "total", "hasMore", "result", "resultType", "ttlMs", "cacheScope", "progress", "message", "level", "logger",
		"code", "error")
	metadataOfProtocol  = set("uri", "uriTemplate", "nextCursor", "lastModified", "src", "sizes", "theme", "logger")
	constantsOfProtocol = set("type", "mimeType", "role", "audience", "resultType", "cacheScope", "theme")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// takeProtocol takes what the protocol gives a meaning of its own.
func (r *reading) takeProtocol(d *document, u unit, field, text string) bool {
	switch {
	case constantsOfProtocol[field] && constant.MatchString(text):
		return true
	case field == "uri":
		return r.takeURI(d, u, text)
	case field != "data" && field != "blob":
		return false
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return false // it is no data, so it is a text
	}
	u.base64 = true
	if utf8.Valid(content) && !bytes.ContainsRune(content, 0) {
		r.add(d, u, string(content), false)
		return true
	}
	// Nothing can be said about a picture but that it is there.
	sum := sha256.Sum256(content)
	r.add(d, u, fmt.Sprintf("data:sha256:%s:%d", hex.EncodeToString(sum[:]), len(content)), false)
	return true
}

// takeURI takes an address that has words written into it as these words.
func (r *reading) takeURI(d *document, u unit, text string) bool {
	_, rest, _ := strings.Cut(text, ":")
	words, err := url.PathUnescape(strings.TrimLeft(rest, "/"))
	if err != nil || !strings.ContainsAny(words, " \t\n") || !utf8.ValidString(words) {
		return false
	}
	r.add(d, u, words, false)
	return true
}

func lastName(path []string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] != elements {
			return path[i]
		}
	}
	return ""
}

// add notes a text.
func (r *reading) add(d *document, u unit, text string, metadata bool) {
	i, ok := r.index[text]
	if !ok {
		i = len(r.texts)
		r.index[text] = i
		r.texts = append(r.texts, gate.UpstreamText{Text: text, Metadata: metadata})
	} else if !metadata {
		r.texts[i].Metadata = false
	}
	u.text = i
	d.units = append(d.units, u)
}

// words returns the texts.
func (r *reading) words() []string {
	out := make([]string, 0, len(r.texts))
	for _, t := range r.texts {
		out = append(out, t.Text)
	}
	return out
}

// rebuilt returns the message with texts replaced; without any, it is the very same.
func (r *reading) rebuilt(replaced map[int]string) []byte {
	if len(replaced) == 0 {
		return r.doc.raw
	}
	names := 0
	return r.doc.rebuilt(replaced, &names)
}

// rebuilt replaces the texts of one document. Names of members stay different from each other.
func (d *document) rebuilt(replaced map[int]string, names *int) []byte {
	var parts []splice
	for _, u := range d.units {
		if u.nested != nil {
			inner := u.nested.rebuilt(replaced, names)
			if !bytes.Equal(inner, u.nested.raw) {
				parts = append(parts, splice{start: u.start, end: u.end, with: encode(string(inner))})
			}
			continue
		}
		with, ok := replaced[u.text]
		switch {
		case !ok:
			continue
		case u.name:
			*names++
			with += " " + strconv.Itoa(*names)
		case u.base64:
			with = base64.StdEncoding.EncodeToString([]byte(with))
		}
		parts = append(parts, splice{start: u.start, end: u.end, with: encode(with)})
	}
	return spliced(d.raw, parts)
}

// pieces takes a text of several entries apart: into its paragraphs, or where it is one paragraph into its lines. Joined with the
// separator they are the text again. A text of one entry has no pieces.
func pieces(text string) (parts []string, separator string) {
	for _, separator := range []string{"\n\n", "\n"} {
		if parts := strings.Split(text, separator); len(parts) > 1 {
			return parts, separator
		}
	}
	return nil, ""
}
