// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"strconv"
	"strings"
	"testing"
)

// countedText is a text and how many tokens a real vocabulary needs for it.
type countedText struct {
	name, text string
	tokens     int
}

func countedTexts(t testing.TB) []countedText {
	t.Helper()
	var out []countedText
	for _, line := range lines(t, "testdata/tokens.txt") {
		parts := strings.SplitN(line, " ", 3)
		n, err := strconv.Atoi(parts[0])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, countedText{parts[1], parts[2], n})
	}
	return out
}

// The estimate is not far below what was counted, and not far above.
func TestTokens(t *testing.T) {
	for _, c := range countedTexts(t) {
		got := Tokens(c.text)
		if ratio := float64(got) / float64(c.tokens); ratio < .9 || ratio > 2 {
			t.Errorf("%s: %d for %d, %.2f", c.name, got, c.tokens, ratio)
		}
	}
}

func TestTokensOfLittle(t *testing.T) {
	for text, want := range map[string]int{"": 0, " ": 0, "a": 1, "it": 1, "it is": 2, "!": 1, "中": 2, "1234": 3} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Whatever the text, the estimate stays in proportion to it.
func FuzzTokens(f *testing.F) {
	for _, seed := range []string{"The office closes at 5 pm.", "办公室", "a1B2c3", "\xff", "é", strings.Repeat("x", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		signs := 0
		for _, r := range text {
			if r != ' ' {
				signs++
			}
		}
		if got := Tokens(text); got < signs/6 || got > 4*signs {
			t.Errorf("%q: %d tokens for %d signs", text, got, signs)
		}
	})
}
