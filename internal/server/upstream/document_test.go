// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/gate"
)

func TestVisit(t *testing.T) {
	var got []string
	must(t, visit([]byte(` { "a" : [ "x", {"b\u0063":"y\n"}, 1, true, null, [] ], "d":{} , "e":"" } `), func(l literal) error {
		text := strings.Join(l.path, "/")
		if l.name {
			text += "!"
		}
		got = append(got, text)
		return nil
	}))
	want := []string{"!", "a/[*]", "a/[*]!", "a/[*]/bc", "!", "!", "e"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for name, raw := range map[string]string{
		"nothing": "", "half": `{"a":`, "two": `{} {}`, "no UTF-8": "\"\xff\"", "too deep": strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2),
	} {
		if err := visit([]byte(raw), func(literal) error { return nil }); err == nil {
			t.Errorf("%s was taken for a document", name)
		}
	}
}

func TestReading(t *testing.T) {
	reference := known()[0]
	for name, tt := range map[string]struct {
		raw      string
		free     shape
		of       *server
		words    []string // * before metadata
		withhold string
		want     string
	}{
		"text":       {raw: `{"content":[{"type":"text","text":"hello there"}]}`, words: []string{"hello there"}, withhold: "hello there", want: `{"content":[{"type":"text","text":"X"}]}`},
		"odd type":   {raw: `{"content":[{"type":"do as I say","text":"a b"}]}`, words: []string{"do as I say", "a b"}},
		"odd field":  {raw: `{"content":[{"type":"text","text":"a","hint":"do it"}]}`, words: []string{"a", "*hint", "do it"}, withhold: "do it", want: `{"content":[{"type":"text","text":"a","hint":"X"}]}`},
		"odd name":   {raw: `{"structuredContent":{"do it now":1}}`, words: []string{"*do it now"}, withhold: "do it now", want: `{"structuredContent":{"X 1":1}}`},
		"two alike":  {raw: `{"content":[{"type":"text","text":"a b"}],"structuredContent":{"result":"a b"}}`, words: []string{"a b"}, withhold: "a b", want: `{"content":[{"type":"text","text":"X"}],"structuredContent":{"result":"X"}}`},
		"JSON":       {raw: `{"content":[{"type":"text","text":"{\n  \"name\": \"a \\\"b\\\"\",\n  \"n\": 1.10\n}"}]}`, words: []string{`a "b"`, "*n"}, withhold: `a "b"`, want: `{"content":[{"type":"text","text":"{\n  \"name\": \"X\",\n  \"n\": 1.10\n}"}]}`},
		"JSON twice": {raw: `{"content":[{"type":"text","text":"{\"result\":\"[\\\"a b\\\"]\"}"}]}`, words: []string{"a b"}, withhold: "a b", want: `{"content":[{"type":"text","text":"{\"result\":\"[\\\"X\\\"]\"}"}]}`},
		"known fields": {raw: `{"structuredContent":{"entities":[{"name":"Ada","entityType":"person","observations":["likes tea"]}]}}`, of: reference,
			words: []string{"Ada", "person", "likes tea"}},
		"known words": {raw: `{"content":[{"type":"text","text":"Entities deleted successfully"}],"structuredContent":{"success":true,"message":"Entities deleted successfully"}}`, of: reference},
		"machine made": {raw: `{"structuredContent":{"result":["0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21","2026-11-30T10:00:00Z","3.14","01HXE2B1234567890ABCDEFGHJ"]}}`,
			words: []string{"*0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21", "*2026-11-30T10:00:00Z", "*3.14", "*01HXE2B1234567890ABCDEFGHJ"}},
		"picture": {raw: `{"content":[{"type":"image","mimeType":"image/png","data":"iVBORwAB"}]}`, words: []string{"data:sha256:"}},
		"blob of text": {raw: `{"contents":[{"uri":"a:b","mimeType":"text/plain","blob":"ZG8gaXQgbm93"}]}`, words: []string{"*a:b", "do it now"}, withhold: "do it now",
			want: `{"contents":[{"uri":"a:b","mimeType":"text/plain","blob":"WA=="}]}`},
		"no data":        {raw: `{"content":[{"type":"image","data":"do it now"}]}`, words: []string{"do it now"}},
		"meta":           {raw: `{"_meta":{"type":"text","data":"AAAA"}}`, words: []string{"text", "AAAA"}},
		"link":           {raw: `{"content":[{"type":"resource_link","uri":"u:1","name":"n m","title":"t u","description":"d e"}]}`, words: []string{"*u:1", "n m", "t u", "d e"}},
		"words in a URI": {raw: `{"content":[{"type":"resource_link","uri":"u://do%20it%20now","name":"n"}]}`, words: []string{"do it now", "n"}},
		"free":           {raw: `{"message":"a b","data":"AAAA"}`, free: true, words: []string{"a b", "AAAA"}},
		"empty texts":    {raw: `{"content":[{"type":"text","text":""}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := read([]byte(tt.raw), !tt.free, tt.of)
			must(t, err)
			var words []string
			for _, text := range r.texts {
				if text.Metadata {
					text.Text = "*" + text.Text
				}
				words = append(words, text.Text)
			}
			for i, w := range words {
				if strings.HasPrefix(w, "data:sha256:") && strings.HasSuffix(w, ":6") { // digest and length of what it stands for
					words[i] = "data:sha256:"
				}
			}
			if !slices.Equal(words, tt.words) {
				t.Errorf("%q, want %q", words, tt.words)
			}
			if got := string(r.rebuilt(nil)); got != tt.raw {
				t.Errorf("untouched it is %s", got)
			}
			if tt.withhold != "" {
				if got := string(r.rebuilt(map[int]string{r.index[tt.withhold]: "X"})); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			}
		})
	}
}

func TestWithMembers(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                         `{"_meta":{"k":1}}`,
		` {"a":1.10} `:               ` {"_meta":{"k":1},"a":1.10} `, //nolint:gocritic // white space around a document stays as it is
		`{"_meta":{"k":2},"a":1}`:    `{"_meta":{"k":2},"a":1}`,
		`{"_meta":{"x":[]},"a":1}`:   `{"_meta":{"k":1,"x":[]},"a":1}`,
		`{"_meta":null,"a":"_meta"}`: `{"_meta":null,"a":"_meta"}`,
		`[]`:                         `[]`,
	} {
		got, err := withMembers([]byte(raw), map[string]any{"_meta": map[string]any{"k": 1}})
		must(t, err)
		if string(got) != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

// Whatever is in a text that is too long for the gate is in one of its parts, and orders are not cut in two.
func TestWindows(t *testing.T) {
	long := strings.Repeat("é", 500) + " do as I say " + strings.Repeat("ü", 700)
	parts, of := windows([]gate.UpstreamText{{Text: "short", Metadata: true}, {Text: long}}, 200)
	var found int
	for i, p := range parts {
		if len(p.Text) > 200 || !utf8.ValidString(p.Text) {
			t.Errorf("part %d: %d bytes", i, len(p.Text))
		}
		if strings.Contains(p.Text, "do as I say") {
			found++
		}
	}
	if of[0] != 0 || !parts[0].Metadata || found == 0 || slices.Contains(of[1:], 0) {
		t.Errorf("%d parts, of %v, found %d times", len(parts), of, found)
	}
	if !strings.HasSuffix(long, parts[len(parts)-1].Text) {
		t.Error("the end is missing")
	}
}

func TestContents(t *testing.T) {
	paths := func(texts ...string) (out []argumentPath) {
		for _, text := range texts {
			p, err := parsePath(text)
			must(t, err)
			out = append(out, p)
		}
		return out
	}
	for name, tt := range map[string]struct {
		effect effect
		args   string
		want   []string
	}{
		"everything":               {args: `{"a":"x y","b":["z w",{"c":"v u"}],"d":1,"e":"x y","f":""}`, want: []string{"x y", "z w", "v u"}},
		"odd names":                {args: `{"remember this":1,"fine_name":2}`, want: []string{"remember this"}},
		"control":                  {effect: effect{control: paths("user_id", "items[*].id")}, args: `{"user_id":"u1","items":[{"id":"i1","text":"a b"}],"other":"c"}`, want: []string{"a b", "c"}},
		"control that is none":     {effect: effect{control: paths("user_id")}, args: `{"user_id":"always do it"}`, want: []string{"always do it"}},
		"control elsewhere":        {effect: effect{control: paths("user_id")}, args: `{"x":{"user_id":"u1"}}`, want: []string{"u1"}},
		"content":                  {effect: effect{content: paths("text", "items[*].body")}, args: `{"text":"a","items":[{"body":"b","id":"c"}],"tag":"d e"}`, want: []string{"a", "b"}},
		"content of another shape": {effect: effect{content: paths("text", "items[*].body")}, args: `{"text":{"x":["a"]},"items":{"k":"b"}}`, want: []string{"a", "b"}},
		"content in capitals":      {effect: effect{content: paths("text")}, args: `{"Text":"a"}`, want: []string{"a"}},
		"items that are a text":    {effect: effect{content: paths("items[*].body")}, args: `{"items":"a b"}`, want: []string{"a b"}},
		"nothing":                  {args: `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.effect.contents(json.RawMessage(tt.args))
			must(t, err)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// FuzzContents: whatever the arguments, what is taken for content is all strings but those that are named otherwise, and taking them
// apart does not fail on what is JSON and not too much.
func FuzzContents(f *testing.F) {
	for _, seed := range []string{`{"a":"b"}`, `{"items":[{"text":"x","id":"1"}],"user_id":"u v"}`, `[]`, `"x"`, `{"a":{"a":{"a":["\u0000","\ud83d\ude00"]}}}`} {
		f.Add(seed, "items[*].text", "user_id")
	}
	f.Fuzz(func(t *testing.T, raw, content, control string) {
		var e effect
		if p, err := parsePath(content); err == nil {
			e.content = append(e.content, p)
		}
		if p, err := parsePath(control); err == nil {
			e.control = append(e.control, p)
		}
		some, err := e.contents(json.RawMessage(raw))
		all, errAll := effect{}.contents(json.RawMessage(raw))
		if (err == nil) != (errAll == nil) {
			t.Fatalf("%v, and for everything %v", err, errAll)
		}
		if err != nil && json.Valid([]byte(raw)) && utf8.ValidString(raw) && len(raw) < maxDepth {
			t.Fatalf("%q: %v", raw, err)
		}
		for _, text := range some {
			if !slices.Contains(all, text) && !identifier.MatchString(text) {
				t.Errorf("%q is content, and nowhere in the arguments", text)
			}
		}
	})
}

// FuzzRead: an answer that nobody touches stays as it is; one of which everything is replaced is still JSON, of the same shape,
// and holds nothing of the texts.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		awkward, rawTools, `{"content":[{"type":"text","text":"{\"a\":\"b c\"}"}]}`, `{"contents":[{"uri":"a:b","blob":"ZG8gaXQgbm93"}]}`, `{"":{"":""}}`,
		`{"content":[{"type":"image","data":"iVBORwAB"}],"_meta":{"a":["b"]}}`, `[1,"\\u2028",{"a\"b":"c"}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := read([]byte(raw), protocol, known()[0])
		if err != nil {
			return
		}
		if got := r.rebuilt(nil); string(got) != raw {
			t.Fatalf("%q became %q", raw, got)
		}
		replaced := map[int]string{}
		for i := range r.texts {
			replaced[i] = "X"
		}
		got := r.rebuilt(replaced)
		if !json.Valid(got) {
			t.Fatalf("%q became %q", raw, got)
		}
		again, err := read(got, protocol, known()[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range again.texts {
			if !strings.HasPrefix(text.Text, "X") && !strings.HasPrefix(text.Text, "data:sha256:") {
				t.Fatalf("%q is left of %q in %q", text.Text, raw, got)
			}
		}
	})
}

// FuzzPage: of a list, nothing but tools is taken away.
func FuzzPage(f *testing.F) {
	f.Add(rawTools)
	f.Add(`{"tools":[1,{"name":"a"},{"name":"a"},[]],"nextCursor":"x"}`)
	f.Fuzz(func(t *testing.T, raw string) {
		p, err := readPage([]byte(raw), "tools")
		if err != nil {
			return
		}
		all := map[string]definition{}
		for _, item := range p.items {
			all[item.name] = definition{pin: gate.Pin{State: gate.PinPinned}}
		}
		none := p.without(nil)
		left, err := readPage(none, "tools")
		if err != nil || len(left.items) != 0 {
			t.Fatalf("%q: %d tools are left, %v", none, len(left.items), err)
		}
		if some := p.without(all); !json.Valid(some) || bytes.Count(some, []byte("nextCursor")) > bytes.Count([]byte(raw), []byte("nextCursor")) {
			t.Fatalf("%q became %q", raw, some)
		}
	})
}
