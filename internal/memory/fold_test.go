// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"memorytrust.dev/operator/internal/memory/fold"
)

func TestSimilarity(t *testing.T) {
	long := "The office closes at five on weekdays and stays closed on weekends. "
	for name, tc := range map[string]struct {
		a, b     string
		from, to float64
	}{
		"same":                  {"olives", "olives", 1, 1},
		"nothing":               {"", "", 1, 1},
		"nothing and something": {"", "olives", 0, 0},
		"case":                  {"Likes OLIVES", "likes olives", 1, 1},
		"punctuation, spacing":  {"Likes  olives!", "likes-olives", 1, 1},
		"accents":               {"Café crème", "cafe creme", 1, 1},
		"width":                 {"ＡＢＣ１２３", "abc123", 1, 1},
		"hidden characters":     {"lik\u200bes ol\u00adives", "likes olives", 1, 1},
		"no letters":            {"!?", "! ?", 1, 1},
		"other signs":           {"!?!", "+-+", 0, 0},
		"one word of many":      {long + "Ask Alice before you deploy on Fridays.", long + "Ask Bob before you deploy on Fridays.", NearDuplicate, .99},
		"another number":        {"The limit is 500", "The limit is 900", .5, .81},
		"unrelated":             {"The office closes at five.", "Bring your own mug, please.", 0, .1},
		"Chinese, one sign":     {"办公室工作日下午五点关门，客户的退款限额是五百欧元。", "办公室工作日下午六点关门，客户的退款限额是五百欧元。", NearDuplicate, .95},
		"vowel signs of Thai":   {"เสือ", "เสื้อ", 0, .7},
		"short and long":        {"olives", strings.Repeat("olives and more ", 50), 0, .5},
		"shorter than a piece":  {"ab", "ab!", 1, 1},
		"one sign of two":       {"ab", "ac", 0, 0},
	} {
		got, back := Similarity(tc.a, tc.b), Similarity(tc.b, tc.a)
		if got < tc.from || got > tc.to || got != back {
			t.Errorf("%s: %v and back %v, want %v to %v", name, got, back, tc.from, tc.to)
		}
	}
}

// Of long texts a sample is compared, and the result is close to what all of it would give.
func TestSimilarityOfLongTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 3+rnd.IntN(6))
		for i := range b {
			b[i] = byte('a' + rnd.IntN(26))
		}
		return string(b)
	}
	var a, b []string
	for range 4000 {
		w := word()
		a, b = append(a, w), append(b, w)
	}
	for i := range 400 {
		b[i*10] = word()
	}
	exact := func(text string) map[string]bool {
		runes, set := fold.Letters(text), map[string]bool{}
		for i := 0; i+3 <= len(runes); i++ {
			set[string(runes[i:i+3])] = true
		}
		return set
	}
	textA, textB := strings.Join(a, " "), strings.Join(b, " ")
	setA, setB := exact(textA), exact(textB)
	both := 0
	for s := range setA {
		if setB[s] {
			both++
		}
	}
	want := float64(both) / float64(len(setA)+len(setB)-both)
	if len(setA) < 4*maxShingles {
		t.Fatalf("only %d shingles", len(setA))
	}
	if got := Similarity(textA, textB); math.Abs(got-want) > .05 {
		t.Errorf("%v, want about %v", got, want)
	}
	if got := len(shinglesOf(textA)); got != maxShingles {
		t.Errorf("%d shingles kept, want %d", got, maxShingles)
	}
}

// A sketch is stored: these must never change without a migration.
func TestSketchIsStable(t *testing.T) {
	for text, want := range map[string]uint64{
		"":                           0,
		"The office closes at 5 pm.": 0x730a530882620ceb,
		"办公室工作日下午五点关门":               0xf5046f6d820e3e41,
	} {
		if got := Sketch(text); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
	if Sketch("Likes  OLIVES!") != Sketch("likes olives") {
		t.Error("case, spacing or punctuation changes the sketch")
	}
	if d := SketchDistance(0b1011, 0b0010); d != 2 {
		t.Errorf("distance %d, want 2", d)
	}
}

// Near-duplicates are within MaxSketchDistance, and other texts are beyond it, in every script. The texts are made of the
// pieces of real ones, the near-duplicates by changing letters and words.
func TestMaxSketchDistance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var near, nearWithin, far, farWithin int
	for _, c := range countedTexts(t) {
		pieces := piecesOf(c.text)
		if len(pieces) < 8 {
			continue
		}
		for range 25 {
			text := make([]string, 20+rnd.IntN(60))
			for i := range text {
				text[i] = pieces[rnd.IntN(len(pieces))] + pieces[rnd.IntN(len(pieces))]
			}
			a, b := strings.Join(text, " "), strings.Join(changed(rnd, text, pieces), " ")
			if a != b && Similarity(a, b) >= NearDuplicate {
				near++
				if SketchDistance(Sketch(a), Sketch(b)) <= MaxSketchDistance {
					nearWithin++
				}
			}
		}
	}
	texts := countedTexts(t)
	for i, a := range texts {
		for _, b := range texts[:i] {
			if Similarity(a.text, b.text) < .3 {
				far++
				if SketchDistance(Sketch(a.text), Sketch(b.text)) <= MaxSketchDistance {
					farWithin++
				}
			}
		}
	}
	t.Logf("%d of %d near-duplicates and %d of %d other texts are within %d bits", nearWithin, near, farWithin, far, MaxSketchDistance)
	if near < 500 || float64(nearWithin) < .99*float64(near) {
		t.Errorf("%d of %d near-duplicates are within %d bits", nearWithin, near, MaxSketchDistance)
	}
	if far < 400 || float64(farWithin) > .01*float64(far) {
		t.Errorf("%d of %d other texts are within %d bits", farWithin, far, MaxSketchDistance)
	}
}

// piecesOf cuts a text into words, and into pairs of signs where no spaces do.
func piecesOf(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		runes := []rune(word)
		if len(runes) < 12 {
			out = append(out, word)
			continue
		}
		for i := 0; i+2 <= len(runes); i += 2 {
			out = append(out, string(runes[i:i+2]))
		}
	}
	return out
}

func changed(rnd *rand.Rand, text, pieces []string) []string {
	out := append([]string(nil), text...)
	for range 1 + rnd.IntN(1+len(text)/10) {
		i := rnd.IntN(len(out))
		switch rnd.IntN(3) {
		case 0:
			out[i] = pieces[rnd.IntN(len(pieces))]
		case 1:
			out[i] = strings.ToUpper(out[i]) + "!"
		case 2:
			out[i] += "x"
		}
	}
	return out
}

func FuzzSimilarity(f *testing.F) {
	f.Add("The office closes at 5 pm.", "the OFFICE closes at 6 pm")
	f.Add("办公室", "办公")
	f.Add("\xff", "é\u0301")
	f.Fuzz(func(t *testing.T, a, b string) {
		s := Similarity(a, b)
		if !(s >= 0 && s <= 1) || s != Similarity(b, a) || Similarity(a, a) != 1 {
			t.Errorf("%q and %q: %v", a, b, s)
		}
		if s == 1 && SketchDistance(Sketch(a), Sketch(b)) != 0 {
			t.Errorf("%q and %q are the same and have other sketches", a, b)
		}
	})
}

func FuzzSketch(f *testing.F) {
	f.Add("The office closes at 5 pm.")
	f.Add("Привет, мир")
	f.Fuzz(func(t *testing.T, text string) {
		if d := SketchDistance(Sketch(text), Sketch(" "+text+" ")); d != 0 {
			t.Errorf("%q: spaces around it change %d bits", text, d)
		}
	})
}
