// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// MERIDIAN's signed sources, as its own tests describe them: "<base>#mac=<tag>", an HMAC-SHA256 by a key of the agent, kept as
// hexadecimal text, over the agent's id, the base source and the SHA-256 of the content. How the three are put together is
// not part of what it documents, so that the layout is given by a template, and some that are likely are tried without one.
const (
	// minMeridianKeyBytes is the least key MERIDIAN takes.
	minMeridianKeyBytes = 16
	// maxMeridianKeyBytes bounds a key; it makes keys of 32 bytes.
	maxMeridianKeyBytes = 256
	// maxMeridianAgent bounds an agent's id.
	maxMeridianAgent = 256
	// maxMeridianLayout bounds a template.
	maxMeridianLayout = 256
)

// ErrMeridian says that a key, agent or layout cannot be used. Its text never holds key material.
var ErrMeridian = errors.New("invalid MERIDIAN key")

// The places of a template.
const (
	meridianAgent  = "{agent}"
	meridianSource = "{source}"
	meridianHex    = "{sha256}"    // of the content, lower-case hexadecimal
	meridianRaw    = "{sha256raw}" // of the content, 32 bytes
)

// MeridianLayouts are the templates that are tried where none is given. For one agent no message of one is a message of
// another, nor of another source or content, so that trying them all accepts nothing that one alone would not.
var MeridianLayouts = []string{
	meridianAgent + "\n" + meridianSource + "\n" + meridianHex,
	meridianAgent + "\x00" + meridianSource + "\x00" + meridianHex,
	meridianAgent + "|" + meridianSource + "|" + meridianHex,
	meridianAgent + ":" + meridianSource + ":" + meridianHex,
	`["` + meridianAgent + `","` + meridianSource + `","` + meridianHex + `"]`,
	`{"agentId":"` + meridianAgent + `","baseSource":"` + meridianSource + `","contentHash":"` + meridianHex + `"}`,
	meridianAgent + "\n" + meridianSource + "\n" + meridianRaw,
	meridianAgent + "\x00" + meridianSource + "\x00" + meridianRaw,
}

// Meridian checks sources that an agent of MERIDIAN signed. It holds that agent's key, is used for one import and then let go.
// It is safe for concurrent use.
type Meridian struct {
	key     []byte
	agent   string
	layouts []meridianLayout
}

// NewMeridian reads a key file of MERIDIAN, hexadecimal text, and takes the id of the agent that signed. Without a layout those
// of MeridianLayouts are tried. Errors match ErrMeridian.
func NewMeridian(keyFile []byte, agent, layout string) (*Meridian, error) {
	text := bytes.TrimSpace(keyFile)
	if len(text) > 2*maxMeridianKeyBytes {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrMeridian, maxMeridianKeyBytes)
	}
	key := make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(key, text); err != nil { // the error quotes the input
		return nil, fmt.Errorf("%w: not hexadecimal text", ErrMeridian)
	}
	if len(key) < minMeridianKeyBytes {
		return nil, fmt.Errorf("%w: shorter than %d bytes", ErrMeridian, minMeridianKeyBytes)
	}
	if agent == "" || len(agent) > maxMeridianAgent {
		return nil, fmt.Errorf("%w: name the MERIDIAN agent in at most %d bytes", ErrMeridian, maxMeridianAgent)
	}
	m := &Meridian{key: key, agent: agent}
	templates := MeridianLayouts
	if layout != "" {
		templates = []string{layout}
	}
	for _, template := range templates {
		parsed, err := parseMeridianLayout(template)
		if err != nil {
			return nil, err
		}
		m.layouts = append(m.layouts, parsed)
	}
	return m, nil
}

// meridianLayout is a template cut at its places: literal texts and what stands between them.
type meridianLayout struct {
	literals []string // one more than places
	places   []string
}

// parseMeridianLayout reads a template. It must hold agent, source and one form of the hash, each once: with fewer of them, or
// with the source twice, a tag would vouch for more than one origin.
func parseMeridianLayout(template string) (meridianLayout, error) {
	var out meridianLayout
	if len(template) > maxMeridianLayout {
		return out, fmt.Errorf("%w: the layout is longer than %d bytes", ErrMeridian, maxMeridianLayout)
	}
	seen := map[string]int{}
	literal := ""
	for rest := template; rest != ""; {
		place := ""
		for _, p := range []string{meridianAgent, meridianSource, meridianHex, meridianRaw} {
			if strings.HasPrefix(rest, p) {
				place = p
			}
		}
		if place == "" {
			literal, rest = literal+rest[:1], rest[1:]
			continue
		}
		seen[place]++
		out.literals, out.places = append(out.literals, literal), append(out.places, place)
		literal, rest = "", rest[len(place):]
	}
	out.literals = append(out.literals, literal)
	if seen[meridianAgent] != 1 || seen[meridianSource] != 1 || seen[meridianHex]+seen[meridianRaw] != 1 {
		return out, fmt.Errorf("%w: the layout must hold %s, %s and one of %s and %s, each once",
			ErrMeridian, meridianAgent, meridianSource, meridianHex, meridianRaw)
	}
	return out, nil
}

func (l meridianLayout) message(agent, source string, sum [sha256.Size]byte) []byte {
	var out []byte
	for i, place := range l.places {
		out = append(out, l.literals[i]...)
		switch place {
		case meridianAgent:
			out = append(out, agent...)
		case meridianSource:
			out = append(out, source...)
		case meridianHex:
			out = hex.AppendEncode(out, sum[:])
		case meridianRaw:
			out = append(out, sum[:]...)
		}
	}
	return append(out, l.literals[len(l.places)]...)
}

// Verify reports whether the tag of a source was made by the agent's key over this base source and content, in constant time
// for each layout. A source without a tag, or with one that is not whole, does not verify; base is what stands before the tag.
func (m *Meridian) Verify(source, content string) (base string, ok bool) {
	base, text, tagged := strings.Cut(source, macMark)
	tag, whole := meridianTag(text)
	if !tagged || !whole || base == "" || len(base) > MaxSourceBytes {
		return base, false
	}
	sum := sha256.Sum256([]byte(content))
	for _, layout := range m.layouts {
		mac := hmac.New(sha256.New, m.key)
		mac.Write(layout.message(m.agent, base, sum))
		if hmac.Equal(tag, mac.Sum(nil)) {
			ok = true
		}
	}
	return base, ok
}

// meridianTag reads the text of a tag, which must be a whole HMAC-SHA256: hexadecimal or base64, as Node.js writes them.
func meridianTag(text string) ([]byte, bool) {
	var tag []byte
	var err error
	switch len(text) {
	case hex.EncodedLen(sha256.Size):
		tag, err = hex.DecodeString(text)
	case base64.RawURLEncoding.EncodedLen(sha256.Size):
		tag, err = tagEncoding.DecodeString(text)
	case base64.StdEncoding.EncodedLen(sha256.Size):
		tag, err = base64.StdEncoding.Strict().DecodeString(text)
	default:
		return nil, false
	}
	return tag, err == nil && len(tag) == sha256.Size
}
