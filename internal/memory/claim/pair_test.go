// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// signed is a pair of texts and the sign that they cannot both hold, if there is one.
type signed struct{ sign, a, b string }

func pairs(t testing.TB) []signed {
	t.Helper()
	data, err := os.ReadFile("testdata/contradictions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []signed
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			t.Fatalf("%q has not three parts", line)
		}
		sign, yes := strings.CutPrefix(parts[0], "yes ")
		if !yes {
			sign = ""
		}
		out = append(out, signed{sign, parts[1], parts[2]})
	}
	return out
}

// signs are those of both kinds. What they count for texts that are not about the same thing is not known here.
func signs(a, b string) []string {
	p := Compare(a, b)
	out := p.Signs()
	if len(out) == 0 && p.NamesDiffer() {
		return []string{SignNames}
	}
	return out
}

func TestPairsOfManyLanguages(t *testing.T) {
	found, none := 0, 0
	for _, tc := range pairs(t) {
		var want []string
		if tc.sign != "" {
			want = []string{tc.sign}
			found++
		} else {
			none++
		}
		if got := signs(tc.a, tc.b); !slices.Equal(got, want) {
			t.Errorf("%s / %s: %v, want %v\n%+v\n%+v", tc.a, tc.b, got, want, Read(tc.a), Read(tc.b))
		}
		if got := signs(tc.b, tc.a); !slices.Equal(got, want) {
			t.Errorf("the other way round: %s / %s: %v, want %v", tc.b, tc.a, got, want)
		}
	}
	if found < 80 || none < 90 {
		t.Errorf("%d pairs to find and %d to leave are too few", found, none)
	}
}

func TestPair(t *testing.T) {
	for name, tc := range map[string]struct {
		a, b   string
		share  float64
		shared bool
		names  bool
	}{
		"nothing":             {"", "", 0, false, false},
		"the same":            {"Alice likes olives.", "Alice likes olives.", 1, true, false},
		"half":                {"Alice likes olives.", "Alice likes bread.", .5, true, false},
		"no capitals":         {"the refund limit", "the refund limits", 1, false, false},
		"others":              {"refund limit", "office hours", 0, false, false},
		"two names":           {"The CEO of Acme is Alice Meyer.", "The CEO of Acme is Bob Stone.", 2. / 6, true, true},
		"beyond what is read": {strings.Repeat(" ", 4096) + "olives", strings.Repeat(" ", 4096) + "olives", 0, false, false},
	} {
		p := Compare(tc.a, tc.b)
		if p.Share() != tc.share || p.SharedNames() != tc.shared || p.NamesDiffer() != tc.names {
			t.Errorf("%s: share %v, shared names %v, names differ %v", name, p.Share(), p.SharedNames(), p.NamesDiffer())
		}
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string][2]string{
		"Customers of Acme get 500 EUR by 5 pm from Acme.": {"customers acme get", "customers acme"},
		"5 500 2026-01-01": {"", ""},
		"":                 {"", ""},
		"办公室下午5点关门。":       {"办公室 关门", ""},
		"Офис не закрывается в 5 часов.": {"офис закрывается", "офис"},
	} {
		c := Read(text)
		if topics, names := strings.Join(c.Topics(), " "), strings.Join(c.Names(), " "); topics != want[0] || names != want[1] {
			t.Errorf("%s: %q, names %q, want %q", text, topics, names, want)
		}
	}
}

// Signs are words of the system, whatever the texts are, and the same in both orders.
func FuzzCompare(f *testing.F) {
	for _, tc := range pairs(f) {
		f.Add(tc.a, tc.b)
	}
	f.Add("\xff5", "17h\xff")
	f.Add("ceo a: \xff", "ceo a = Dr. J.")
	f.Add("는 는 는", "由由由由批准")
	f.Add("0", "0:0") // a time at the very end
	f.Add("1-1-1", "1:1:1")
	f.Add("١٧:٠٠ #", "5 5 5 5 5 5 5 5 5 5 5-5-5")
	f.Fuzz(func(t *testing.T, a, b string) {
		found, back := signs(a, b), signs(b, a)
		if len(found) > 1 || !slices.Equal(found, back) {
			t.Errorf("%q and %q: %v, and %v the other way round", a, b, found, back)
		}
		for _, s := range found {
			if s != SignDenial && s != SignOpposites && s != SignNames && !strings.HasSuffix(s, " differ") {
				t.Errorf("%q is no sign", s)
			}
		}
		if share := Compare(a, b).Share(); !(share >= 0 && share <= 1) {
			t.Errorf("%q and %q share %v", a, b, share)
		}
	})
}
