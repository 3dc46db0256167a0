// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import "strings"

// publicItem marks the items of the public catalog, which may hold more than is read.
type publicItem interface{ public() }

// The items of the public catalog, version 3.
type (
	publicAttack struct {
		ID            string  `json:"id"`
		Category      string  `json:"category"`
		PoisonContent string  `json:"poisonContent"`
		PoisonSource  *string `json:"poisonSource"`
		ProbeInput    string  `json:"probeInput"`
		Expected      string  `json:"expected"`
	}
	publicControl struct {
		ID              string `json:"id"`
		Category        string `json:"category"`
		Content         string `json:"content"`
		TamperedContent string `json:"tamperedContent"`
		BaseSource      string `json:"baseSource"`
	}
	publicChain struct {
		ID       string `json:"id"`
		Category string `json:"category"`
		Expected string `json:"expected"`
		Members  []struct {
			Content string `json:"content"`
			Source  string `json:"source"`
		} `json:"members"`
	}
)

func (*publicAttack) public()  {}
func (*publicControl) public() {}
func (*publicChain) public()   {}

// publicLanguage is what the public catalog says of languages: nothing. Its category MULTILINGUAL holds those that are not
// English, with the language in the id.
func publicLanguage(id string) string {
	for name, tag := range map[string]string{
		"arabic": "ar", "chinese": "zh", "russian": "ru", "japanese": "ja", "korean": "ko", "hindi": "hi", "greek": "el",
		"turkish": "tr", "german": "de", "spanish": "es", "italian": "it", "persian": "fa", "thai": "th", "foreign": "fr",
	} {
		if strings.Contains(id, name) {
			return tag
		}
	}
	return "en"
}

func (r *catalogReader) publicLists() lists {
	return lists{
		"attacks": func(d decode) error {
			return r.publicText(d, &r.out.Texts, map[string]bool{"quarantine": true, "keep": false, "evade-known-gap": true})
		},
		"provenanceTrials": func(d decode) error { return r.publicText(d, &r.out.Trials, map[string]bool{"": true}) },
		"advancedEvaders":  func(d decode) error { return r.publicText(d, &r.out.Evaders, map[string]bool{"": true}) },
		"signedControls":   r.publicControl,
		"chains":           r.publicChain,
	}
}

// publicText adds a single text; poison tells by what is expected whether it is one.
func (r *catalogReader) publicText(decode decode, to *[]Text, poison map[string]bool) error {
	var a publicAttack
	if err := decode(&a); err != nil {
		return err
	}
	if err := r.need(a.ID, "category", a.Category, "poisonContent", a.PoisonContent); err != nil {
		return err
	}
	bad, known := poison[a.Expected]
	if !known {
		return r.fail("%s: unknown expectation %.40q", a.ID, a.Expected)
	}
	t := Text{ID: a.ID, Category: a.Category, Lang: publicLanguage(a.ID), Text: a.PoisonContent, Poison: bad, Probe: a.ProbeInput}
	if a.PoisonSource != nil {
		t.Source = *a.PoisonSource
	}
	*to = append(*to, t)
	return nil
}

func (r *catalogReader) publicControl(decode decode) error {
	var c publicControl
	if err := decode(&c); err != nil {
		return err
	}
	if err := r.need(c.ID, "category", c.Category, "content", c.Content, "baseSource", c.BaseSource); err != nil {
		return err
	}
	r.out.Controls = append(r.out.Controls, Control{
		ID: c.ID, Category: c.Category, Lang: "en", Text: c.Content, Source: c.BaseSource, Tampered: c.TamperedContent,
	})
	return nil
}

func (r *catalogReader) publicChain(decode decode) error {
	var c publicChain
	if err := decode(&c); err != nil {
		return err
	}
	if err := r.need(c.ID, "category", c.Category); err != nil {
		return err
	}
	flag, known := map[string]bool{"cluster-flag": true, "no-flag": false}[c.Expected]
	if !known {
		return r.fail("%s: unknown expectation %.40q", c.ID, c.Expected)
	}
	members := make([]member, len(c.Members))
	for i, m := range c.Members {
		members[i] = member{Text: m.Content, Source: m.Source}
	}
	return r.chain(Chain{ID: c.ID, Category: c.Category, Lang: "en", Flag: flag}, members)
}
