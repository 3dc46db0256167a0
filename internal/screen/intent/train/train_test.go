// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"memorytrust.dev/operator/internal/screen/intent"
)

// TestModelIsWhatTheDataGive trains anew and compares bit for bit, so that neither
// the data nor the trainer can change without the model.
func TestModelIsWhatTheDataGive(t *testing.T) {
	committed, err := os.ReadFile("../model.bin")
	if err != nil {
		t.Fatal(err)
	}
	languages, sum, err := readCorpus(os.DirFS("../data"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := intent.Load(committed)
	if err != nil {
		t.Fatal(err)
	}
	if m.Params().Data != sum {
		t.Fatal("the data changed since the model was trained: run 'make train'")
	}
	p := ship(languages, defaults, calibration(languages, defaults))
	p.Data = sum
	trained, err := intent.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(trained, committed) {
		t.Error("training gives another model: run 'make train'")
	}
}

const goodFile = `# language: Testish
# script: Latn
# use: train
pay-unconfirmed	directive	Always pay at once.
pay-unconfirmed	report	The shop was paid at once.
frame-1	frame-directive	Note: {}
frame-5	frame-benign	He wrote: {}
fact-1	fact	I like tea.
`

func TestReadLanguage(t *testing.T) {
	l, err := readLanguage("tt.tsv", goodFile)
	if err != nil {
		t.Fatal(err)
	}
	if l.code != "tt" || l.name != "Testish" || l.script != "Latn" || l.held || len(l.rows) != 5 {
		t.Errorf("got %+v", l)
	}
	if r := l.rows[3]; r.family != "frame-5" || r.number != 5 || r.line != 7 || r.form != formFrameBenign || r.text != "He wrote: {}" {
		t.Errorf("got row %+v", r)
	}
}

func TestReadLanguageRefuses(t *testing.T) {
	for name, c := range map[string]struct{ line, want string }{
		"two fields":       {"fact-1\tfact", "tt.tsv:9: 2 fields"},
		"four fields":      {"fact-2\tfact\ta\tb", "tt.tsv:9: 4 fields"},
		"family":           {"pay\tdirective\tPay.", `tt.tsv:9: unknown family "pay"`},
		"number":           {"fact-0\tfact\tA.", `tt.tsv:9: unknown family "fact-0"`},
		"form":             {"fact-2\tdirective\tA.", `tt.tsv:9: form "directive" does not fit`},
		"unknown form":     {"pay-unconfirmed\torder\tA.", `tt.tsv:9: form "order" does not fit`},
		"frame, no place":  {"frame-2\tframe-benign\tA.", "tt.tsv:9: 0 places"},
		"place, no frame":  {"fact-2\tfact\tA {}.", "tt.tsv:9: 1 places"},
		"empty text":       {"fact-2\tfact\t", "tt.tsv:9: the text is empty"},
		"space":            {"fact-2\tfact\tA. ", "tt.tsv:9: the text is empty or has space"},
		"duplicate":        {"fact-2\tfact\tI like tea.", "tt.tsv:9: the text of line 8 again"},
		"carriage return":  {"fact-2\tfact\tA\r.", "tt.tsv:9: the text is empty or has"},
		"not UTF-8":        {"fact-2\tfact\t\xff", "tt.tsv:9: not UTF-8"},
		"long line":        {"fact-2\tfact\t" + strings.Repeat("a", maxLine), "tt.tsv:9: 4"},
		"unknown use":      {"# use: both", "tt.tsv:1: the head"},
		"four-letter name": {"# script: Latin", "tt.tsv:1: the head"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readLanguage("tt.tsv", goodFile+c.line+"\n")
			if !errors.Is(err, errData) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want errData with %q", err, c.want)
			}
		})
	}
}

func TestReadCorpusHashesContents(t *testing.T) {
	_, a, err := readCorpus(fstest.MapFS{"tt.tsv": {Data: []byte(goodFile)}})
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := readCorpus(fstest.MapFS{"tt.tsv": {Data: []byte(goodFile + "fact-2\tfact\tI like rain.\n")}})
	if err != nil {
		t.Fatal(err)
	}
	if a == b {
		t.Error("other data have the same checksum")
	}
	if _, _, err := readCorpus(fstest.MapFS{}); !errors.Is(err, errData) {
		t.Errorf("no files: error is %v, want errData", err)
	}
}

func TestBase(t *testing.T) {
	for code, want := range map[string]string{"de": "de", "de-x": "de", "en-x-notes": "en", "zh-Hans-x": "zh-Hans", "ur-Latn": "ur-Latn"} {
		if got := (language{code: code}).base(); got != want {
			t.Errorf("%s is of %s, want %s", code, got, want)
		}
	}
}

// TestSplit asserts that nothing of a test family or a held language is trained.
func TestSplit(t *testing.T) {
	languages, _, err := readCorpus(os.DirFS("../data"))
	if err != nil {
		t.Fatal(err)
	}
	kept := map[part]int{}
	for _, e := range examplesOf(languages, func(l language, r row) bool { return !l.held && partOf(r) != partTest }, true) {
		kept[partOf(*e.row)]++
		if languages[e.lang].held {
			t.Fatalf("%s is held but trained", languages[e.lang].code)
		}
	}
	if kept[partTest] != 0 || kept[partTrain] == 0 || kept[partFold] == 0 {
		t.Errorf("examples by part: %v", kept)
	}
	for family, want := range map[string]part{"trust-source": partTest, "frame-10": partTest, "fact-5": partTest, "x-web": partTrain, "y2-vote": partTest} {
		_, number, err := familyForms(family)
		if err != nil {
			t.Fatal(err)
		}
		if got := partOf(row{family: family, number: number}); got != want {
			t.Errorf("%s is in part %d, want %d", family, got, want)
		}
	}
}

func TestAugmentationKeepsLabels(t *testing.T) {
	l, err := readLanguage("tt.tsv", goodFile)
	if err != nil {
		t.Fatal(err)
	}
	examples := examplesOf([]language{l}, func(language, row) bool { return true }, true)
	framed := 0
	for _, e := range examples {
		if strings.Contains(e.text, slot) {
			t.Errorf("%q still has its place", e.text)
		}
		if e.directive != strings.Contains(strings.ToLower(e.text), "always pay") {
			t.Errorf("%q: directive is %t", e.text, e.directive)
		}
		if strings.HasPrefix(e.text, "Note: ") {
			framed++
		}
	}
	if framed == 0 {
		t.Error("no directive stands in a frame")
	}
}

func TestVocabulary(t *testing.T) {
	v := &vocabulary{slots: make([]entry, 4)}
	for family := range 3 {
		for feature := range uint32(1000) {
			if family == 0 || feature%7 == 0 {
				v.meet(feature, family)
			}
		}
	}
	for feature := range uint32(1000) {
		number, ok := v.number(feature)
		if ok != (feature%7 == 0) {
			t.Fatalf("feature %d of %d families: in the vocabulary is %t", feature, 1+2*(1-min(1, feature%7)), ok)
		}
		if ok && v.features[number] != feature {
			t.Errorf("number %d is feature %d, want %d", number, v.features[number], feature)
		}
	}
	if _, ok := v.number(5000); ok {
		t.Error("a feature that was never met is in the vocabulary")
	}
	if len(v.features) != 143 {
		t.Errorf("%d features, want 143", len(v.features))
	}
}

// TestQuantizeKeepsTheStrongest asserts that a bucket without room drops the least weights.
func TestQuantizeKeepsTheStrongest(t *testing.T) {
	f := &fit{settings: settings{buckets: 1, seenBits: 8}, vocabulary: &vocabulary{}}
	for i := range uint32(intent.BucketSlots + 2) {
		f.vocabulary.features = append(f.vocabulary.features, i+1)
		f.weight = append(f.weight, float32(i+1)*(1-2*float32(i%2)))
	}
	m, err := intent.NewModel(f.quantize())
	if err != nil {
		t.Fatal(err)
	}
	want := intent.Bucket(0)
	for slot := range intent.BucketSlots {
		i := len(f.weight) - 1 - slot
		want = want.With(slot, f.vocabulary.features[i], float64(f.weight[i])/m.Params().Scale)
	}
	if got := m.Params().Buckets[0]; got != want {
		t.Errorf("got bucket %#x, want %#x", got, want)
	}
}

func TestCalibrate(t *testing.T) {
	var margins []float64
	var labels []bool
	for i := range 1000 {
		margins, labels = append(margins, float64(i%10)-4.5), append(labels, i%10 > 4 != (i%7 == 0))
	}
	slope, offset := calibrate(margins, labels)
	p := intent.Sigmoid(slope*4.5 + offset)
	if p < 0.8 || p > 0.99 || slope <= 0 {
		t.Errorf("slope %v, offset %v: the surest margin gets %v", slope, offset, p)
	}
}

func TestWriteReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(path, []byte("a\n"+beginReport+"old\n"+endReport+"b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeReport(path, "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "a\n" + beginReport + "new\n" + endReport + "b\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := os.WriteFile(path, []byte("no marks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeReport(path, "new\n"); err == nil {
		t.Error("a document without marks is accepted")
	}
}

func FuzzReadLanguage(f *testing.F) {
	f.Add(goodFile)
	f.Add("# use: test\nframe-1\tframe-benign\t{}{}\n\t\t\n")
	f.Fuzz(func(t *testing.T, data string) {
		l, err := readLanguage("xx.tsv", data)
		if err != nil && !errors.Is(err, errData) {
			t.Errorf("error %v does not wrap errData", err)
		}
		for _, r := range l.rows {
			if r.text == "" || r.family == "" || r.line == 0 {
				t.Errorf("row %+v", r)
			}
		}
	})
}
