// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"sigs.k8s.io/yaml"
)

// JSON writes what is not visible in JSON text as escapes, which mean the same to every reader of JSON. Outside of strings JSON holds
// nothing that needs it.
func JSON(raw []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(raw) {
		switch {
		case Visible(r) || r == '\n' || r == '\t': // JSON has these two raw only between tokens
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// YAML turns JSON into YAML. Strings with characters that are not visible are written in double quotes with escapes. Keys of more than a
// thousand bytes, which YAML has not on one line, are an error; those of a memory's metadata have 64 at most.
func YAML(raw []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	// The YAML library knows no escapes of one's own. It gets a word in place of each such string, which nobody can guess who wrote the text.
	var salt [16]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return nil, err
	}
	p := placeholders{prefix: "q" + hex.EncodeToString(salt[:])}
	replaced, err := json.Marshal(p.replace(value))
	if err != nil {
		return nil, err
	}
	out, err := yaml.JSONToYAML(replaced)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(p.pairs...).Replace(string(out))), nil
}

// placeholders are words that stand for strings, and what they stand for.
type placeholders struct {
	prefix string
	pairs  []string
}

func (p *placeholders) replace(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[p.text(key)] = p.replace(item)
		}
		return out
	case []any:
		for i, item := range v {
			v[i] = p.replace(item)
		}
		return v
	case string:
		return p.text(v)
	}
	return value
}

// text returns a string, or the word that stands for it.
func (p *placeholders) text(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !Visible(r) && r != '\n' }) {
		return s
	}
	word := fmt.Sprintf("%s%08xq", p.prefix, len(p.pairs))
	p.pairs = append(p.pairs, word, doubleQuoted(s))
	return word
}

// doubleQuoted is a YAML scalar in double quotes.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case Visible(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
