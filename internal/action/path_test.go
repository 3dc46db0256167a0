// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func paths(t testing.TB, list ...string) []Path {
	t.Helper()
	var out []Path
	for _, text := range list {
		p, err := ParsePath(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out = append(out, p)
	}
	return out
}

func TestLeaves(t *testing.T) {
	const args = `{"to": "bob", "cc": ["x", "y"], "items": [{"iban": "DE1", "n": 2}, {"iban": "DE2"}], "a": {"b": {"c": true}}, "e": {}, "l": []}`
	for name, tt := range map[string]struct {
		args  string
		paths []string
		want  []string
	}{
		"one":                         {args, []string{"to"}, []string{"to"}},
		"elements":                    {args, []string{"items[*].iban"}, []string{"items[0].iban", "items[1].iban"}},
		"every argument":              {args, nil, []string{"a.b.c", "cc[0]", "cc[1]", "e", "items[0].iban", "items[0].n", "items[1].iban", "l", "to"}},
		"a whole list":                {args, []string{"cc"}, []string{"cc[0]", "cc[1]"}},
		"a whole object":              {args, []string{"a"}, []string{"a.b.c"}},
		"of some elements":            {args, []string{"items[*].n"}, []string{"items[0].n"}},
		"twice":                       {args, []string{"to", "to", "cc[*]", "cc"}, []string{"to", "cc[0]", "cc[1]"}},
		"absent":                      {args, []string{"bcc", "a.x"}, nil},
		"nothing at all":              {`{}`, nil, nil},
		"a value where an object was": {`{"a": "x"}`, []string{"a.b"}, []string{"a"}},
		"a list where an object was":  {`{"a": [{"b": 1, "x": 1}, {"b": 2}]}`, []string{"a.b"}, []string{"a[0].b", "a[1].b"}},
		"an object where a list was":  {`{"items": {"iban": "DE1", "x": 1}}`, []string{"items[*].iban"}, []string{"items.iban", "items.x"}},
		"an element for a list":       {`{"items": "DE1"}`, []string{"items[*].iban"}, []string{"items"}},
		"a list of lists":             {`{"m": [[1, 2], [3]]}`, []string{"m[*][*]"}, []string{"m[0][0]", "m[0][1]", "m[1][0]"}},
		"another case":                {`{"TO": "eve", "to": "bob", "To": "mal"}`, []string{"to"}, []string{"TO", "To", "to"}},
		"a name that looks like two":  {`{"a.b": 1, "ä": 2, "": 3}`, nil, []string{`[""]`, `["a.b"]`, `["\u00e4"]`}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, leaf := range Leaves(object(t, tt.args), paths(t, tt.paths...)) {
				got = append(got, leaf.Path)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("leaves differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLeavesAreBounded(t *testing.T) {
	args := object(t, `{"a": [`+strings.Repeat("1,", 9999)+`1], "`+strings.Repeat("k", 5000)+`": 1}`)
	leaves := Leaves(args, nil)
	if len(leaves) != MaxLeaves+1 {
		t.Errorf("%d leaves, want one more than the limit of %d", len(leaves), MaxLeaves)
	}
	long := Leaves(args, nil)[0]
	if leaves := Leaves(map[string]any{strings.Repeat("k", 5000): "x"}, nil); len(leaves[0].Path) > maxShownPath+3 {
		t.Errorf("a path of %d bytes", len(long.Path))
	}
}

func TestParsePathRefuses(t *testing.T) {
	for _, text := range []string{
		"", ".", "a.", ".a", "a..b", "[*]", "[*].a", "a[0]", "a[*]b", "a[", "a]", "*", "a.*", "a\nb", "a\xff", strings.Repeat("a", 129),
	} {
		if _, err := ParsePath(text); err == nil {
			t.Errorf("%q is taken for a path", text)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{"to", "items[*].iban", "a.b[*][*].c", "[*]", "ä.ſ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			return
		}
		if len(p.steps) == 0 || p.steps[0] == stepElements {
			t.Fatalf("%q names nothing", text)
		}
		for _, leaf := range Leaves(map[string]any{text: "x", "a": []any{map[string]any{"b": "y"}}}, []Path{p}) {
			if leaf.Path == "" {
				t.Fatalf("%q finds a value without a name", text)
			}
		}
	})
}
