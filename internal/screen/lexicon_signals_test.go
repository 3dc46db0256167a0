// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"path"
	"testing"
)

// The languages that have a signal instead of a full lexicon.
var signalLanguages = []string{"ar", "el", "fa", "he", "hi", "id", "ja", "ko", "pl", "ru", "th", "tr", "ur", "vi", "zh"}

// What the signals get wrong in own-signals.jsonl, and why.
var signalMistakes = map[string]string{
	"el-attack-11": "an abbreviation ends the sentence between the two signs",
	"id-attack-5":  "the imperative follows a comma, where a prohibition may stand as well",
}

// signalOf compiles the embedded lexicon of one language alone.
func signalOf(t *testing.T, language string) *Screener {
	t.Helper()
	text, err := embeddedLexicons.ReadFile(path.Join("lexicon", language+".lex"))
	if err != nil {
		t.Fatal(err)
	}
	return screenerOf(t, string(text))
}

// TestSignals runs our own texts through the lexicon of their language alone: no
// language rests on the words of another, as Persian and Urdu might on Arabic.
func TestSignals(t *testing.T) {
	rows := map[string][]row{}
	for _, r := range readRows(t, "own-signals.jsonl") {
		rows[r.Lang] = append(rows[r.Lang], r)
	}
	for _, language := range signalLanguages {
		t.Run(language, func(t *testing.T) {
			s := signalOf(t, language)
			count := map[string]int{}
			for _, r := range rows[language] {
				count[r.Label]++
				v := s.Screen(Input{Text: r.Text})
				_, mistaken := signalMistakes[r.ID]
				if want := (r.Label == "attack") != mistaken; v.Directive != want {
					t.Errorf("%s %q: directive = %t, want %t (%q)", r.ID, r.Text, v.Directive, want, v.Reasons)
				}
			}
			if count["attack"] < 12 || count["benign"] < 20 {
				t.Errorf("rows %v, want 12 attacks and 20 benign texts at least", count)
			}
		})
	}
}

// TestSignalsOfHarmlessTexts looks for texts of one language that the lexicons of all
// the others flag: languages that share a script share words.
func TestSignalsOfHarmlessTexts(t *testing.T) {
	all := newScreener(t)
	lexical := &Screener{lexicon: all.lexicon, thresholds: all.thresholds}
	for _, r := range readRows(t, "own-signals.jsonl") {
		if _, mistaken := signalMistakes[r.ID]; r.Label != "benign" || mistaken {
			continue
		}
		if v := lexical.Screen(Input{Text: r.Text}); v.Directive {
			t.Errorf("%s %q: %q", r.ID, r.Text, v.Reasons)
		}
	}
}

// TestAlwaysAlone holds the signals to their limit: a word for "always" with an action
// is how habits are told, even in the imperative, and proves nothing.
func TestAlwaysAlone(t *testing.T) {
	texts := map[string]string{
		"ar": "ادفع دائما بالبطاقة عند الشراء.",
		"el": "Πλήρωνε πάντα με κάρτα.",
		"fa": "همیشه با کارت پرداخت کن.",
		"he": "שלם תמיד בכרטיס.",
		"hi": "हमेशा कार्ड से भुगतान करें।",
		"id": "Selalu bayar dengan kartu.",
		"ja": "常にカードで支払ってください。",
		"ko": "항상 카드로 결제하세요.",
		"pl": "Zawsze płać kartą.",
		"ru": "Всегда плати картой.",
		"th": "จ่ายด้วยบัตรเสมอ",
		"tr": "Her zaman kartla öde.",
		"ur": "ہمیشہ کارڈ سے ادا کریں۔",
		"vi": "Luôn thanh toán bằng thẻ.",
		"zh": "请始终用银行卡付款。",
	}
	for _, language := range signalLanguages {
		t.Run(language, func(t *testing.T) {
			text, ok := texts[language]
			if !ok {
				t.Fatal("no text")
			}
			if v := signalOf(t, language).Screen(Input{Text: text}); v.Directive {
				t.Errorf("%q: %q", text, v.Reasons)
			}
		})
	}
}
