// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxSourceBytes bounds a base source, the source without its tag.
const MaxSourceBytes = 256

// maxClaimBytes bounds a claim before it is looked at: a base source and room for the longest tag a keyset can make.
const maxClaimBytes = MaxSourceBytes + 256

// ErrInvalidSource says that a claimed source cannot be read at all: too long, not UTF-8, or holding control,
// formatting or line-separating characters, which have no place in an identifier and would hide a word from a reader.
var ErrInvalidSource = errors.New("invalid source")

// TrustedFormat is a source prefix that harness code uses, and the class it stands for.
type TrustedFormat struct {
	Prefix string
	Class  Class
}

// DefaultFormats apply where a policy names none. They are the prefixes of MERIDIAN's prefix trust.
var DefaultFormats = []TrustedFormat{
	{Prefix: "meridian:cli", Class: Manual},
	{Prefix: "meridian:telegram", Class: UserInput},
	{Prefix: "meridian:gateway", Class: SystemMemory},
	{Prefix: "meridian:system", Class: SystemMemory},
	{Prefix: "operator", Class: Manual},
	{Prefix: "cli", Class: Manual},
	{Prefix: "telegram:trusted", Class: UserInput},
	{Prefix: "dream", Class: SystemMemory},
	{Prefix: "automation", Class: SystemMemory},
}

// lowPrefixes give a class below every trusted one to whatever begins with them. They are tried in order and before
// the formats of a policy, so that no policy can raise them.
var lowPrefixes = []TrustedFormat{
	{Prefix: "mcp:", Class: ToolOutput},
	{Prefix: "mcp_", Class: ToolOutput},
	{Prefix: "tool:", Class: ToolOutput},
	{Prefix: "ingest:web", Class: WebContent},
	{Prefix: "web:", Class: WebContent},
}

// outsideWords name an origin that nobody vouches for, wherever in a source they stand.
var outsideWords = map[string]bool{
	"external": true, "public": true, "untrusted": true, "anon": true, "anonymous": true, "unknown": true,
}

// Claim is what a claimed source says structurally. It proves nothing.
type Claim struct {
	// Class the claim stands for; empty when nothing was claimed, so that the class of the way in applies.
	Class Class
	// TrustedPrefix is whether Class comes from a trusted format. It counts in trust mode Prefix only, and never
	// for authority Act.
	TrustedPrefix bool
	// Base is the claim without a tag (#mac=…), as written.
	Base string
}

// ReadClaim reads a claimed source by its structure, after MERIDIAN's prefix trust. In this order: nothing claimed; a prefix of tool output or
// web content keeps that class; any of the words external, public, untrusted, anon, anonymous, unknown makes it
// Unknown; subagent and agent; a trusted format, alone or followed by ':'; everything else is Unknown.
//
// What lowers a claim is looked for in a folded copy (compatibility forms, case and accents removed), what raises it
// in the bytes as written. It returns ErrInvalidSource for a claim that cannot be an identifier.
func ReadClaim(claimed string, formats []TrustedFormat) (Claim, error) {
	base, err := baseSource(claimed)
	if err != nil {
		return Claim{}, err
	}
	if strings.TrimSpace(base) == "" {
		return Claim{}, nil
	}
	claim := Claim{Class: Unknown, Base: base}
	folded := foldSource(base)
	words := sourceWords(folded)
	switch low, isLow := lowClass(folded); {
	case isLow:
		claim.Class = low
	case namesOutside(words):
	case strings.HasPrefix(folded, "subagent:"):
		claim.Class = SubagentTrace
	case folded == "agent" || strings.HasPrefix(folded, "agent:"):
		claim.Class = AgentInferred
	case !plainWords(words):
	default:
		if class, ok := trustedClass(base, formats); ok {
			claim.Class, claim.TrustedPrefix = class, true
		}
	}
	return claim, nil
}

// baseSource strips the tag and checks what is left.
func baseSource(claimed string) (string, error) {
	if len(claimed) > maxClaimBytes {
		return "", fmt.Errorf("%w: longer than %d bytes", ErrInvalidSource, MaxSourceBytes)
	}
	base, _, _ := strings.Cut(claimed, macMark)
	if len(base) > MaxSourceBytes {
		return "", fmt.Errorf("%w: longer than %d bytes", ErrInvalidSource, MaxSourceBytes)
	}
	if !utf8.ValidString(base) {
		return "", fmt.Errorf("%w: not valid UTF-8", ErrInvalidSource)
	}
	for _, r := range base {
		if unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) {
			return "", fmt.Errorf("%w: holds the control or formatting character %U", ErrInvalidSource, r)
		}
	}
	return base, nil
}

// foldSource removes what lets one word be written in several ways: compatibility forms, case, combining marks.
func foldSource(s string) string {
	decomposed := norm.NFKD.String(cases.Fold().String(norm.NFKC.String(s)))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		return r
	}, decomposed)
}

func sourceWords(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func lowClass(folded string) (Class, bool) {
	for _, p := range lowPrefixes {
		if strings.HasPrefix(folded, p.Prefix) {
			return p.Class, true
		}
	}
	return "", false
}

func namesOutside(words []string) bool {
	for _, w := range words {
		if outsideWords[w] {
			return true
		}
	}
	return false
}

// plainWords reports whether no word can be a look-alike of another: each is ASCII, or has no ASCII letter and stays
// within one script. A word that mixes scripts, or Latin letters that folding does not reduce, is a disguise far more
// often than a name, and losing a prefix claim costs only the prefix.
func plainWords(words []string) bool {
	for _, w := range words {
		if !isASCII(w) && !oneScript(w) {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// nameScripts are the scripts other than Latin in which principals are commonly named; the Japanese ones count as one.
var nameScripts = [][]*unicode.RangeTable{
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Hangul}, {unicode.Cyrillic}, {unicode.Greek}, {unicode.Arabic}, {unicode.Hebrew},
	{unicode.Devanagari}, {unicode.Bengali}, {unicode.Tamil}, {unicode.Thai},
}

func oneScript(word string) bool {
	for _, script := range nameScripts {
		if within(word, script) {
			return true
		}
	}
	return false
}

func within(word string, script []*unicode.RangeTable) bool {
	for _, r := range word {
		if unicode.IsLetter(r) && !unicode.In(r, script...) {
			return false
		}
	}
	return true
}

// trustedClass matches the longest trusted format that is all of base or ends before a ':'.
func trustedClass(base string, formats []TrustedFormat) (Class, bool) {
	var best TrustedFormat
	for _, f := range formats {
		rest, ok := strings.CutPrefix(base, f.Prefix)
		if ok && f.Prefix != "" && (rest == "" || rest[0] == ':') && len(f.Prefix) > len(best.Prefix) {
			best = f
		}
	}
	return best.Class, best.Class.High()
}
