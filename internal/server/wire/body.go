// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// bodyFactor and bodyRoom bound a request body: the longest memory, every byte of it written as a six-byte JSON escape,
// and room for everything around it.
const (
	bodyFactor = 6
	bodyRoom   = 64 << 10
)

// MaxStreamBytes bounds a body that is read line by line, such as an import.
const MaxStreamBytes = 1 << 30

// Routed is what stands before an API: requests without a route get a problem before anything is read of their bodies, and
// bodies are read and checked before anything decodes them. Go's decoder replaces invalid UTF-8 and unpaired surrogates
// without a word; a memory would then not be what was sent, and neither would be what is screened.
type Routed struct {
	mux        *http.ServeMux
	operations map[string]*huma.Operation // by pattern of the mux
	limit      func() (contentBytes int, err error)
	log        *slog.Logger
}

// NewRouted returns the handler of an API whose operations are registered with mux. The longest memory of the policy in
// force bounds bodies.
func NewRouted(mux *http.ServeMux, api huma.API, limit func() (contentBytes int, err error), log *slog.Logger) *Routed {
	h := &Routed{mux: mux, operations: map[string]*huma.Operation{}, limit: limit, log: log}
	for _, item := range api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Put, item.Delete} {
			if op != nil {
				h.operations[op.Method+" "+op.Path] = op
			}
		}
	}
	return h
}

// ServeHTTP implements http.Handler.
func (h *Routed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fallback, pattern := h.mux.Handler(r)
	if pattern == "" {
		noRoute(w, r, fallback)
		return
	}
	op := h.operations[pattern]
	switch {
	case op == nil || op.RequestBody == nil:
		if r.ContentLength != 0 {
			Write(w, http.StatusBadRequest, "This request takes no body.")
			return
		}
	case !h.acceptable(w, r, op):
		return
	case op.RequestBody.Content[NDJSON] != nil:
		r.Body = http.MaxBytesReader(w, r.Body, MaxStreamBytes)
	case !h.checked(w, r, op):
		return
	}
	h.mux.ServeHTTP(w, r)
}

// acceptable checks what kind of body it is.
func (h *Routed) acceptable(w http.ResponseWriter, r *http.Request, op *huma.Operation) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || op.RequestBody.Content[mediaType] == nil {
		Write(w, http.StatusUnsupportedMediaType, "Send the header Content-Type: "+
			strings.Join(slices.Sorted(maps.Keys(op.RequestBody.Content)), " or ")+".")
		return false
	}
	if r.Header.Get("Content-Encoding") != "" {
		Write(w, http.StatusUnsupportedMediaType, "Send the body as it is, without Content-Encoding.")
		return false
	}
	return true
}

// checked reads and checks a JSON body.
func (h *Routed) checked(w http.ResponseWriter, r *http.Request, op *huma.Operation) bool {
	content, err := h.limit()
	if err != nil {
		Write(w, http.StatusServiceUnavailable, NotReady)
		return false
	}
	room, _ := op.Metadata[roomFor].(int)
	limit := int64(max(content, room))*bodyFactor + bodyRoom
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		Write(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is longer than %d bytes. A memory has at most %d bytes "+
			"under this policy (spec.limits.maxContentBytes).", limit, content))
		return false
	}
	if err != nil {
		h.log.Info("Request body not read", "error", err.Error())
		Write(w, http.StatusBadRequest, "The body ended early.")
		return false
	}
	if detail := CheckJSON(body); detail != "" {
		Write(w, http.StatusBadRequest, detail)
		return false
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return true
}

// noRoute answers what the mux has no route for. The mux knows whether it is the path or the method that is wrong; only its
// words are replaced.
func noRoute(w http.ResponseWriter, r *http.Request, fallback http.Handler) {
	probe := &statusProbe{header: http.Header{}, status: http.StatusOK}
	fallback.ServeHTTP(probe, r)
	if probe.status == http.StatusMethodNotAllowed {
		allow := probe.header.Get("Allow")
		w.Header().Set("Allow", allow)
		Write(w, http.StatusMethodNotAllowed, "This path takes "+allow+".")
		return
	}
	Write(w, http.StatusNotFound, "There is nothing at this path; "+OpenAPIPath+" lists what there is.")
}

// statusProbe keeps the status and headers of an answer and drops the rest.
type statusProbe struct {
	header http.Header
	status int
}

func (p *statusProbe) Header() http.Header         { return p.header }
func (p *statusProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *statusProbe) WriteHeader(status int)      { p.status = status }

// CheckJSON says what is wrong with a body, and where, or nothing. A body that passes decodes to exactly what was sent.
func CheckJSON(body []byte) string {
	if len(bytes.TrimSpace(body)) == 0 {
		return "The body is empty; send a JSON object."
	}
	if at := invalidUTF8(body); at >= 0 {
		return "The body is not valid UTF-8, at " + position(body, at) + "."
	}
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		at := len(body)
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			at = max(int(syntax.Offset)-1, 0)
		}
		return "The body is not valid JSON, at " + position(body, at) + "."
	}
	if at := loneSurrogate(body); at >= 0 {
		return "The body holds half of a surrogate pair, which is no character, at " + position(body, at) + "."
	}
	return ""
}

// position gives a byte offset as people and programs look for it.
func position(body []byte, at int) string {
	at = min(at, len(body))
	line := 1 + bytes.Count(body[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(body[:at], '\n')
	return fmt.Sprintf("byte %d (line %d, column %d)", at, line, column)
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for at := 0; at < len(b); {
		r, size := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
	return -1
}

// loneSurrogate returns the offset of the first \u escape of half a surrogate pair, or -1. The body is valid JSON, so a
// backslash occurs in strings only and is followed by what JSON allows.
func loneSurrogate(b []byte) int {
	for at := bytes.IndexByte(b, '\\'); at >= 0 && at < len(b); {
		if b[at] != '\\' {
			next := bytes.IndexByte(b[at:], '\\')
			if next < 0 {
				return -1
			}
			at += next
			continue
		}
		first, ok := escapedUnit(b[at:])
		switch {
		case !ok:
			at += 2
		case !utf16.IsSurrogate(first):
			at += 6
		default:
			second, ok := escapedUnit(b[at+6:])
			if !ok || utf16.DecodeRune(first, second) == utf8.RuneError {
				return at
			}
			at += 12
		}
	}
	return -1
}

// escapedUnit reads a \uXXXX at the start of b.
func escapedUnit(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(unit), err == nil
}
