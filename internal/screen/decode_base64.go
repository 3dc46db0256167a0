// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// minBase64 is the shortest run of base64 looked at, in characters: 12 bytes, two
	// or three words.
	minBase64 = 16
	// minWrapped is the shortest line, in characters, that may go on in the next one.
	minWrapped = 24
	// maxJoins is how often lines that go on are joined in vain, from the next line on
	// each time: what stands before encoded lines may look like one of them.
	maxJoins = 3
	// probeBase64 is how many characters of a run are decoded to see whether it is
	// text at all. A multiple of four.
	probeBase64 = 88
)

// findBase64 decodes runs of base64 that give readable text, as sentences of their
// own.
func findBase64(s *splicer) {
	lines, tries := 0, 0 // the end of the lines last joined in vain, and how often
	for i := 0; i < len(s.src); {
		if !isBase64(s.src[i]) {
			i++
			continue
		}
		end, mixed := base64Run(s.src, i)
		if end-i < minBase64 || !mixed {
			i = end
			continue
		}
		if i >= lines {
			tries = 0
		}
		if tries == maxJoins {
			// Each line by itself.
		} else if stop := wrappedRun(s.src, i, end); stop > end {
			lines, tries = stop, tries+1
			if text, ok := decodeBase64(unwrap(s.src[i:stop]), s.decoder.budget); ok {
				if !s.replace(i, stop, paragraph(text)) {
					return
				}
				i = stop
				continue
			}
		}
		if text, ok := decodeBase64(s.src[i:end], s.decoder.budget); ok && !s.replace(i, end, paragraph(text)) {
			return
		}
		i = end
	}
}

// base64Run returns the end of the run at i, and whether it mixes small letters with
// capitals or digits, as encoded text does and words do not.
func base64Run(s string, i int) (end int, mixed bool) {
	small, other := false, false
	for end = i; end < len(s) && isBase64(s[end]); end++ {
		if c := s[end]; c >= 'a' && c <= 'z' {
			small = true
		} else if isLetter(c) || c >= '0' && c <= '9' {
			other = true
		}
	}
	return end, small && other
}

// wrappedRun returns the end of the run that goes on over lines.
func wrappedRun(s string, from, end int) int {
	for end-from >= minWrapped && end < len(s) {
		next, newline := end, false
		for next < len(s) && (s[next] == '\n' || s[next] == ' ' || s[next] == '\t' || s[next] == '>') {
			newline = newline || s[next] == '\n'
			next++
		}
		if !newline || next == len(s) || !isBase64(s[next]) {
			return end
		}
		from = next
		end, _ = base64Run(s, next)
	}
	return end
}

func unwrap(lines string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == ' ' || r == '\t' || r == '>' {
			return -1
		}
		return r
	}, lines)
}

func isBase64(c byte) bool {
	return isLetter(c) || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '-' || c == '_'
}

// decodeBase64 decodes a run when the result is readable. What goes beyond limit
// bytes is left out. A last character that cannot belong to the run is dropped.
func decodeBase64(run string, limit int) (string, bool) {
	encoding := base64.RawStdEncoding
	if strings.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	probe, ok := decodeText(encoding, run[:min(len(run), probeBase64)])
	if !ok || len(run) <= probeBase64 {
		return probe, ok
	}
	return decodeText(encoding, run[:min(len(run), limit/3*4)])
}

func decodeText(encoding *base64.Encoding, run string) (string, bool) {
	data, err := encoding.DecodeString(run)
	if err != nil {
		return "", false
	}
	data = narrow(data)
	data = wholeRunes(data)
	if !readable(data) {
		return "", false
	}
	return string(data), true
}

// narrow turns UTF-16 (little endian, as PowerShell encodes commands) into UTF-8.
func narrow(data []byte) []byte {
	if len(data) < 4 || data[1] != 0 || data[3] != 0 || data[0] == 0 {
		return data
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i]) | uint16(data[2*i+1])<<8
	}
	return []byte(string(utf16.Decode(units)))
}

// wholeRunes cuts the last character off when it is incomplete.
func wholeRunes(data []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if c := data[len(data)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(data[len(data)-n:]) {
				return data[:len(data)-n]
			}
			return data
		}
	}
	return data
}
