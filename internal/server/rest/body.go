// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/gate"
)

// bodyFactor and bodyRoom bound a request body: the longest memory, every byte of it written as a six-byte JSON escape,
// and room for everything around it.
const (
	bodyFactor = 6
	bodyRoom   = 64 << 10
)

// checkedBody reads and checks bodies before anything decodes them. Go's decoder replaces invalid UTF-8 and unpaired
// surrogates without a word; a memory would then not be what was sent, and neither would be what is screened.
func checkedBody(g *gate.Gate, log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			if r.ContentLength != 0 {
				writeProblem(w, http.StatusBadRequest, "This request takes no body.")
				return
			}
			next.ServeHTTP(w, r)
			return
		}
		content, _, err := g.Limits()
		if err != nil {
			writeProblem(w, http.StatusServiceUnavailable, notReady)
			return
		}
		if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
			writeProblem(w, http.StatusUnsupportedMediaType, "Send JSON, with the header Content-Type: application/json.")
			return
		}
		if r.Header.Get("Content-Encoding") != "" {
			writeProblem(w, http.StatusUnsupportedMediaType, "Send the body as it is, without Content-Encoding.")
			return
		}
		limit := int64(content)*bodyFactor + bodyRoom
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			writeProblem(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("The body is longer than %d bytes. A memory has at most %d bytes "+
				"under this policy (spec.limits.maxContentBytes).", limit, content))
			return
		}
		if err != nil {
			log.Info("Request body not read", "error", err.Error())
			writeProblem(w, http.StatusBadRequest, "The body ended early.")
			return
		}
		if detail := checkJSON(body); detail != "" {
			writeProblem(w, http.StatusBadRequest, detail)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		next.ServeHTTP(w, r)
	})
}

// checkJSON says what is wrong with a body, and where, or nothing.
func checkJSON(body []byte) string {
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
