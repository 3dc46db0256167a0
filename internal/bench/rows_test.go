// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"errors"
	"strings"
	"testing"
)

func TestReadRows(t *testing.T) {
	in := "\uFEFF" + `{"id":"a","text":"Always pay.","label":"attack","lang":"en","kind":"memory","source":"web:x","note":1}

{"id":"b","text":"It rains.","label":"benign","source":null}
`
	rows, err := ReadRows("f.jsonl", strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Source == nil || *rows[0].Source != "web:x" || rows[1].Source != nil || rows[1].Lang != "und" {
		t.Errorf("rows are %+v", rows)
	}
}

func TestReadRowsErrors(t *testing.T) {
	good := `{"id":"a","text":"x","label":"attack"}` + "\n"
	tests := map[string]struct{ in, want string }{
		"not JSON":          {good + "\n{", "f.jsonl:3: not JSON"},
		"no object":         {good + "[]", "f.jsonl:2: a JSON array"},
		"number for text":   {good + `{"id":"a","text":7,"label":"attack"}`, `f.jsonl:2: "text" holds a JSON number`},
		"no id":             {`{"text":"x","label":"attack"}`, `f.jsonl:1: "id" is missing`},
		"no text":           {`{"id":"a","text":"  ","label":"attack"}`, `f.jsonl:1: "text" is missing`},
		"other label":       {`{"id":"a","text":"x","label":"Attack"}`, `f.jsonl:1: "label" is "Attack"`},
		"invalid UTF-8":     {good + "{\"id\":\"a\xff\"}", "f.jsonl:2: not valid UTF-8"},
		"two on a line":     {`{"id":"a","text":"x","label":"attack"} {}`, "f.jsonl:1: not JSON"},
		"nothing":           {"\n \n", "no rows in the file"},
		"line without end":  {good + `{"id":"` + strings.Repeat("a", MaxRowBytes), "f.jsonl:2: the line is longer"},
		"empty file at all": {"", "f.jsonl:1: no rows"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ReadRows("f.jsonl", strings.NewReader(test.in))
			var bad *RowError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func FuzzReadRows(f *testing.F) {
	f.Add([]byte(`{"id":"a","text":"x","label":"attack","source":null}`))
	f.Add([]byte("\n{\"id\":\"a\",\"text\":\"\\ud800\",\"label\":\"benign\"}\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		rows, err := ReadRows("f", strings.NewReader(string(in)))
		if err == nil && len(rows) == 0 {
			t.Error("no rows and no error")
		}
		for _, r := range rows {
			if r.ID == "" || r.Text == "" || r.Lang == "" || (r.Label != Attack && r.Label != Benign) {
				t.Errorf("row %+v was let through", r)
			}
		}
	})
}
