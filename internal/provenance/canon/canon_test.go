// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package canon

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// Messages that only a careless encoding would confuse.
func TestDifferentSequencesDiffer(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seen := map[string]string{}
	for name, e := range map[string]*Encoder{
		"nothing":               New("l"),
		"other label":           New("m"),
		"ab c":                  New("l").String("ab").String("c"),
		"a bc":                  New("l").String("a").String("bc"),
		"abc":                   New("l").String("abc"),
		"abc and nothing":       New("l").String("abc").String(""),
		"bytes":                 New("l").Bytes([]byte("abc")),
		"list of one":           New("l").Strings([]string{"abc"}),
		"list of two":           New("l").Strings([]string{"ab", "c"}),
		"list of two, shifted":  New("l").Strings([]string{"a", "bc"}),
		"list, string":          New("l").Strings([]string{"ab"}).String("c"),
		"empty list":            New("l").Strings(nil),
		"list of an empty one":  New("l").Strings([]string{""}),
		"zero":                  New("l").Uint(0),
		"one":                   New("l").Uint(1),
		"false":                 New("l").Bool(false),
		"true":                  New("l").Bool(true),
		"no time":               New("l").Time(time.Time{}),
		"1970":                  New("l").Time(time.Unix(0, 0)),
		"now":                   New("l").Time(at),
		"a microsecond later":   New("l").Time(at.Add(time.Microsecond)),
		"a string of the parts": New("l").String("s\x00\x00\x00\x00\x00\x00\x00\x03abc"),
	} {
		m := string(e.Message())
		if other, ok := seen[m]; ok {
			t.Errorf("%s and %s share a message", name, other)
		}
		seen[m] = name
	}
}

func TestTimesOfOneInstantAreOne(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if !bytes.Equal(New("l").Time(at).Message(), New("l").Time(at.In(time.FixedZone("x", 3600))).Message()) {
		t.Error("the time zone counts")
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add(New("l").String("a").Bytes([]byte("b")).Uint(3).Time(time.Unix(1, 0)).Message())
	f.Add(New("l").String("").Bytes(nil).Uint(0).Time(time.Time{}).Message())
	f.Add([]byte("s\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Open("l", data)
		s, b, n, at := d.String(), d.Bytes(), d.Uint(), d.Time()
		if err := d.Close(); err != nil {
			if !errors.Is(err, ErrMalformed) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if !bytes.Equal(New("l").String(s).Bytes(b).Uint(n).Time(at).Message(), data) {
			t.Fatal("two encodings of one sequence")
		}
	})
}
