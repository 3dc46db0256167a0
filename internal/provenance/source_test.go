// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadClaim(t *testing.T) {
	type want struct {
		class   Class
		trusted bool
	}
	for claimed, want := range map[string]want{
		"":                             {"", false},
		"   ":                          {"", false},
		"#mac=AAAA":                    {"", false},
		"operator":                     {Manual, true},
		"operator:console":             {Manual, true},
		"operator:":                    {Manual, true},
		"cli":                          {Manual, true},
		"meridian:cli":                 {Manual, true},
		"meridian:cli:tty":             {Manual, true},
		"meridian:telegram:42":         {UserInput, true},
		"meridian:gateway":             {SystemMemory, true},
		"meridian:system:boot":         {SystemMemory, true},
		"telegram:trusted:42":          {UserInput, true},
		"dream":                        {SystemMemory, true},
		"automation:nightly":           {SystemMemory, true},
		"operator:console#mac=AQAAAAE": {Manual, true},
		"operator:josé":                {Manual, true},
		"operator:田中":                  {Manual, true},
		"operator:Иван":                {Manual, true},
		"operator:expublic":            {Manual, true},
		"operator-imposter":            {Unknown, false},
		"operators":                    {Unknown, false},
		"operator console":             {Unknown, false},
		"operator/console":             {Unknown, false},
		" operator":                    {Unknown, false},
		"x:operator":                   {Unknown, false},
		"x:turn-injected":              {Unknown, false},
		"meridian":                     {Unknown, false},
		"meridian:telegramx":           {Unknown, false},
		"telegram":                     {Unknown, false},
		"telegram:42":                  {Unknown, false},
		"Operator":                     {Unknown, false},
		"оperator":                     {Unknown, false}, // Cyrillic o
		"operatоr:console":             {Unknown, false},
		"ｏｐｅｒａｔｏｒ":                     {Unknown, false}, // fullwidth
		"operator：console":             {Unknown, false}, // fullwidth colon
		"operator:public":              {Unknown, false},
		"operator:PUBLIC line":         {Unknown, false},
		"operator:ｐｕｂｌｉｃ":              {Unknown, false},
		"operator:pub\u0301lic":        {Unknown, false},
		"operator:рublic":              {Unknown, false}, // Cyrillic р
		"operator:publıc":              {Unknown, false}, // dotless i
		"operator:𝓅𝓊𝒷𝓁𝒾𝒸":              {Unknown, false},
		"cli:anon_7":                   {Unknown, false},
		"telegram:trusted:anonymous":   {Unknown, false},
		"voice:public":                 {Unknown, false},
		"voice:caller":                 {Unknown, false},
		"unknown":                      {Unknown, false},
		"mcp:search":                   {ToolOutput, false},
		"MCP:search":                   {ToolOutput, false},
		"mcp:external":                 {ToolOutput, false},
		"mcp_search":                   {ToolOutput, false},
		"tool:calc":                    {ToolOutput, false},
		"mcp":                          {Unknown, false},
		"web:example.org":              {WebContent, false},
		"web:public-site":              {WebContent, false},
		"ingest:web":                   {WebContent, false},
		"ingest:web:example.org":       {WebContent, false},
		"ingest:mail":                  {Unknown, false},
		"subagent:planner":             {SubagentTrace, false},
		"subagent":                     {Unknown, false},
		"subagent:external":            {Unknown, false},
		"agent":                        {AgentInferred, false},
		"agent:summary":                {AgentInferred, false},
		"agent:unknown":                {Unknown, false},
		"agentic":                      {Unknown, false},
		"nonsense":                     {Unknown, false},
		"🫒":                            {Unknown, false},
	} {
		t.Run(claimed, func(t *testing.T) {
			got, err := ReadClaim(claimed, DefaultFormats)
			if err != nil || got.Class != want.class || got.TrustedPrefix != want.trusted {
				t.Errorf("got %+v, error %v, want %+v", got, err, want)
			}
			base, _, _ := strings.Cut(claimed, "#mac=")
			if got.Class != "" && got.Base != base {
				t.Errorf("base %q, want %q", got.Base, base)
			}
		})
	}
}

func TestReadClaimRefuses(t *testing.T) {
	for name, claimed := range map[string]string{
		"too long":        strings.Repeat("x", MaxSourceBytes+1),
		"endless":         strings.Repeat("x", 1<<20),
		"endless tag":     "operator#mac=" + strings.Repeat("A", 1<<20),
		"newline":         "operator\nexternal",
		"NUL":             "operator\x00",
		"escape":          "operator:\x1b[2J",
		"zero width":      "operator:ex\u200bternal",
		"bidi":            "operator:\u202elanretxe",
		"soft hyphen":     "operator:pub\u00adlic",
		"line separator":  "operator\u2028",
		"not UTF-8":       "operator:\xff",
		"tag characters":  "operator:\U000e0070",
		"private use":     "operator:\ue000",
		"next line (NEL)": "operator:\u0085",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadClaim(claimed, DefaultFormats)
			if !errors.Is(err, ErrInvalidSource) || got != (Claim{}) {
				t.Errorf("got %+v, error %v, want ErrInvalidSource", got, err)
			}
		})
	}
	if _, err := ReadClaim(strings.Repeat("x", MaxSourceBytes), nil); err != nil {
		t.Errorf("the longest source: %v", err)
	}
}

func TestReadClaimWithFormatsOfAPolicy(t *testing.T) {
	formats := []TrustedFormat{
		{Prefix: "desk", Class: Manual}, {Prefix: "desk:user", Class: UserInput},
		{Prefix: "web:console", Class: Manual}, {Prefix: "low", Class: WebContent}, {Prefix: "", Class: Manual},
	}
	for claimed, want := range map[string]Claim{
		"desk:7":        {Manual, true, "desk:7"},
		"desk:user:7":   {UserInput, true, "desk:user:7"}, // the longest format wins
		"desk:username": {Manual, true, "desk:username"},
		"operator":      {Unknown, false, "operator"},       // the default list does not apply
		"web:console":   {WebContent, false, "web:console"}, // no policy raises these
		"low:7":         {Unknown, false, "low:7"},          // a format gives a high class or none
		":x":            {Unknown, false, ":x"},             // the empty prefix is no format
	} {
		if got, err := ReadClaim(claimed, formats); err != nil || got != want {
			t.Errorf("%s: got %+v, want %+v, error %v", claimed, got, want, err)
		}
	}
}

// Whatever is read, a trusted claim begins literally with a trusted format, holds none of the words of outsiders, and
// base is bounded, printable and free of a tag.
func FuzzReadClaim(f *testing.F) {
	for _, seed := range []string{"operator:console#mac=x", "mcp:external", "ｏperator", "cli:anon", "operator:\u200b", "agent"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, claimed string) {
		got, err := ReadClaim(claimed, DefaultFormats)
		if err != nil {
			if got != (Claim{}) {
				t.Fatalf("claim %+v beside an error", got)
			}
			return
		}
		if len(got.Base) > MaxSourceBytes || !utf8.ValidString(got.Base) || strings.Contains(got.Base, "#mac=") {
			t.Fatalf("base %q", got.Base)
		}
		if got.Class != "" && !got.Class.Valid() {
			t.Fatalf("class %q", got.Class)
		}
		if got.TrustedPrefix != got.Class.High() || got.Class == "" && got.TrustedPrefix {
			t.Fatalf("%+v: high without a trusted prefix, or the other way round", got)
		}
		if !got.TrustedPrefix {
			return
		}
		matched := false
		for _, format := range DefaultFormats {
			matched = matched || got.Base == format.Prefix || strings.HasPrefix(got.Base, format.Prefix+":")
		}
		if !matched {
			t.Fatalf("%q matches no format", got.Base)
		}
		for word := range outsideWords {
			if strings.HasSuffix(strings.ToLower(got.Base), ":"+word) {
				t.Fatalf("%q is trusted", got.Base)
			}
		}
	})
}

func BenchmarkReadClaim(b *testing.B) {
	for b.Loop() {
		if _, err := ReadClaim("telegram:trusted:42", DefaultFormats); err != nil {
			b.Fatal(err)
		}
	}
}
