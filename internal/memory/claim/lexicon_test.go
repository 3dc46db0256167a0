// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package claim

import "testing"

func TestLexiconRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no list": "stop en a b", "no language": "stop: a", "no such list": "stopp en: a", "no pair": "opposite en: a",
	} {
		if _, err := parseLexicon(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, l := range languages {
		if len(l.roles[roleStop]) == 0 || len(l.roles[roleNegation]) == 0 || len(l.opposites) == 0 {
			t.Errorf("%s lacks a list", name)
		}
		if l.name != name {
			t.Errorf("%s is called %s", name, l.name)
		}
	}
	if len(languages) != 14 {
		t.Errorf("%d languages, documents name 14", len(languages))
	}
}

func TestLittleEnglish(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "of": true, "office": false, "der": false, "": false} {
		if got := LittleEnglish(word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}
