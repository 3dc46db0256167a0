// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"sorted":                 {`{ "b" : 1, "a" : [ true , null, "x" ] }`, `{"a":[true,null,"x"],"b":1}`},
		"nested":                 {`{"z":{"y":{},"x":[]},"a":{}}`, `{"a":{},"z":{"x":[],"y":{}}}`},
		"numbers as written":     {`[100, 100.0, 1e2, -0, 12345678901234567890.123456789]`, `[100,100.0,1e2,-0,12345678901234567890.123456789]`},
		"escapes that need none": {`"\u0041\/\u00e4"`, `"A/ä"`},
		"escapes that are short": {`"\u0008\u0009\u000a\u000c\u000d\u0022\u005c"`, `"\b\t\n\f\r\"\\"`},
		"control characters":     {`"\u0001\u001F"`, `"\u0001\u001f"`},
		"pairs of surrogates":    {`"\ud83d\ude00"`, `"😀"`},
		// RFC 8785 section 3.2.3: the order is that of UTF-16, in which the emoji comes before U+FB33.
		"order of names": {`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}"},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := Parse([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(Canonical(v)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ in, says string }{
		"nothing":               {"", "not valid JSON"},
		"a name twice":          {`{"to": "bob", "to": "eve"}`, "twice"},
		"a name twice, escaped": {`{"to": "bob", "t\u006f": "eve"}`, "twice"},
		"twice below":           {`{"a": [{"x": 1, "x": 1}]}`, "twice"},
		"half of a pair":        {`"\ud800"`, "surrogate"},
		"the other half":        {`"a\udc00"`, "surrogate"},
		"two first halves":      {`"\ud83d\ud83d"`, "surrogate"},
		"half after a slash":    {`"\\\ud800"`, "surrogate"},
		"invalid UTF-8":         {"\"\xff\"", "UTF-8"},
		"something behind":      {`{} {}`, "not valid JSON"},
		"too deep":              {strings.Repeat("[", 40) + strings.Repeat("]", 40), "deeper"},
		"far too deep":          {strings.Repeat("[", 30000) + strings.Repeat("]", 30000), "not valid JSON"},
		"too long":              {`"` + strings.Repeat("x", MaxBytes) + `"`, "longer"},
		"a long number":         {strings.Repeat("1", 200), "number"},
		"not a number":          {`[NaN]`, "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tt.in))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Problem, tt.says) {
				t.Errorf("error %v, want a *SyntaxError with %q", err, tt.says)
			}
		})
	}
	for _, fine := range []string{`"\\ud800"`, `"\\\\ud800"`, `"\ud83d\ude00\ud83d\ude00"`} {
		if _, err := Parse([]byte(fine)); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
	if _, err := ParseObject([]byte(`[1]`)); err == nil {
		t.Error("a list is taken for an object")
	}
	if got, err := ParseObject([]byte(" ")); err != nil || len(got) != 0 {
		t.Errorf("nothing is %v (%v), want an empty object", got, err)
	}
}

// What is equal has one form, and one form is read back as what it was.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null,"x\u0000"]}`, `"\ud83d\ude00"`, `1e5`, `{"\u00e9":{},"e\u0301":[]}`, `[[[]]]`, `{"a":1,"a":2}`, "\"\u2028\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := Parse(raw)
		if err != nil {
			return
		}
		canonical := Canonical(v)
		if !json.Valid(canonical) {
			t.Fatalf("%q is no JSON", canonical)
		}
		back, err := Parse(canonical)
		if len(canonical) <= MaxBytes && (err != nil || !reflect.DeepEqual(v, back) || string(Canonical(back)) != string(canonical)) {
			t.Fatalf("%q is read back as another value (%v)", canonical, err)
		}
	})
}

// Two calls share a hash only if they are the same.
func FuzzHash(f *testing.F) {
	f.Add([]byte(`{"amount":100}`), []byte(`{"amount":100.0}`))
	f.Add([]byte(`{"a":"b\",\"c\":\"d"}`), []byte(`{"a":"b","c":"d"}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, errX := Parse(a)
		y, errY := Parse(b)
		if errX != nil || errY != nil {
			return
		}
		if same := reflect.DeepEqual(x, y); same != (Hash(x) == Hash(y)) {
			t.Fatalf("%q and %q: the same is %v, hashes say otherwise", a, b, same)
		}
	})
}
