// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	for in, want := range map[string]int{
		"": 0, "abc": 3, "日本": 4, "é": 1, "e\u0301": 1, "ｶ": 1, "Ａ": 2, "❤\ufe0f": 1, "한글": 4, "العربية": 7, "🙂": 2,
	} {
		if got := Width(in); got != want {
			t.Errorf("%q takes %d columns, not %d", in, want, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for name, tt := range map[string]struct {
		in      string
		columns int
		want    []string
	}{
		"fits":             {"a b", 3, []string{"a b"}},
		"empty":            {"", 10, []string{""}},
		"at blanks":        {"one two three", 7, []string{"one two", "three"}},
		"blank at the end": {"one two three", 8, []string{"one two", "three"}},
		"a long word":      {"abcdefgh", 3, []string{"abc", "def", "gh"}},
		"wide":             {"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		"leading blanks":   {"   abcdef", 5, []string{"   ab", "cdef"}},
		"escapes":          {`abc\u001bxyz`, 7, []string{"abc", `\u001bx`, "yz"}},
		"only an escape":   {`\u001b\u001b`, 4, []string{`\u00`, "1b", `\u00`, "1b"}},
		"too narrow":       {"日本", 0, []string{"日", "本"}},
	} {
		if got := Wrap(tt.in, tt.columns); strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%s: %q, not %q", name, got, tt.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5)
	f.Add("日本語 \u0301x  y", 3)
	f.Fuzz(func(t *testing.T, s string, columns int) {
		columns = 2 + columns&63
		line := Escape(s)
		lines := Wrap(line, columns)
		for _, l := range lines {
			if Width(l) > columns {
				t.Fatalf("%q is wider than %d", l, columns)
			}
		}
		if strings.ReplaceAll(strings.Join(lines, ""), " ", "") != strings.ReplaceAll(line, " ", "") {
			t.Fatalf("%q became %q", line, lines)
		}
		if got := Clip(s, columns); Width(got) > columns {
			t.Fatalf("clipped to %q, which is wider than %d", got, columns)
		}
	})
}

func TestTable(t *testing.T) {
	var b bytes.Buffer
	Table(&b, []string{"NAME", "SOURCE", "AGE"}, [][]string{{"a", "web:日本", "1s"}, {"bcdef", "x", ""}}, func(column int, cell string) string {
		if column == 1 {
			return "<" + cell + ">" // stands for colors, which take no room
		}
		return cell
	})
	if want := "NAME   SOURCE    AGE\na      <web:日本>  1s\nbcdef  <x>\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestFields(t *testing.T) {
	var b bytes.Buffer
	Fields(&b, 20, "A", "one two three four", "Empty", "", "Long", "\x1b[2J")
	if want := "A:     one two three\n       four\nLong:  \\u001b[2J\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestBlock(t *testing.T) {
	var b bytes.Buffer
	if left := Block(&b, "first\nreview> approved\r\n\nlast one", 12, 0); left != 0 {
		t.Errorf("%d are left out", left)
	}
	if want := "  | first\n  | review>\n  | approved\n  | \\r\n  |\n  | last one\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	if left := Block(&b, "1\n2\n3\n4", 0, 2); left != 2 || b.String() != "  | 1\n  | 2\n" {
		t.Errorf("%d are left out of %q", left, b.String())
	}
	b.Reset()
	Paragraph(&b, "one\n two", 5)
	if want := "one\\n\ntwo\n"; b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

// What goes to a file or a pipe has no colors, and no size.
func TestNoTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // empty
	t.Setenv("TERM", "xterm")
	for _, stream := range []any{f, &bytes.Buffer{}, nil} {
		s := StyleOf(stream)
		if columns, lines := Size(stream); Is(stream) || columns != 0 || lines != 0 || s.Bold(s.Faint(s.Good(s.Caution(s.Bad("x"))))) != "x" {
			t.Errorf("%T passes for a terminal", stream)
		}
	}
	if got := (Style{colors: true}).Bad("x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("colored %q", got)
	}
}
