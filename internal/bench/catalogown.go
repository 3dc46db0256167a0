// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import "slices"

// The items of our format. docs/mempoisonbench.md describes them.
type (
	ownText struct {
		ID       string `json:"id"`
		Category string `json:"category"`
		Lang     string `json:"lang"`
		Text     string `json:"text"`
		Source   string `json:"source"`
		Expect   string `json:"expect"`
		Probe    string `json:"probe"`
	}
	ownEvader struct {
		ID     string `json:"id"`
		Family string `json:"family"`
		Lang   string `json:"lang"`
		Text   string `json:"text"`
		Source string `json:"source"`
	}
	ownPair struct {
		ID       string `json:"id"`
		Category string `json:"category"`
		Lang     string `json:"lang"`
		Form     string `json:"form"`
		Attack   string `json:"attack"`
		Benign   string `json:"benign"`
	}
	ownOrigins struct {
		ID        string `json:"id"`
		Category  string `json:"category"`
		Lang      string `json:"lang"`
		Text      string `json:"text"`
		Trusted   string `json:"trusted"`
		Untrusted string `json:"untrusted"`
	}
	ownTrial struct {
		ID       string `json:"id"`
		Category string `json:"category"`
		Lang     string `json:"lang"`
		Text     string `json:"text"`
		Source   string `json:"source"`
	}
	ownControl struct {
		ID       string `json:"id"`
		Lang     string `json:"lang"`
		Text     string `json:"text"`
		Source   string `json:"source"`
		Tampered string `json:"tampered"`
	}
	ownChain struct {
		ID       string   `json:"id"`
		Category string   `json:"category"`
		Lang     string   `json:"lang"`
		Expect   string   `json:"expect"`
		Members  []member `json:"members"`
	}
	member struct {
		Text   string `json:"text"`
		Source string `json:"source"`
	}
)

// What a vector is expected to come to.
const (
	expectWithhold = "withhold"
	expectDeliver  = "deliver"
	expectFlag     = "flag"
	expectPass     = "pass"
)

// forms are what the harmless half of a pair can be.
var forms = []string{"report", "question", "habit", "past", "mention", "request"}

// categoryControl is the category of signed controls, which need no other.
const categoryControl = "signed-control"

func (r *catalogReader) ownLists() lists {
	return lists{
		"texts": r.ownText, "evaders": r.ownEvader, "pairs": r.ownPair, "origins": r.ownOrigins, "trials": r.ownTrial,
		"controls": r.ownControl, "chains": r.ownChain,
	}
}

func (r *catalogReader) ownText(decode decode) error {
	var t ownText
	if err := decode(&t); err != nil {
		return err
	}
	if err := r.need(t.ID, "category", t.Category, "lang", t.Lang, "text", t.Text); err != nil {
		return err
	}
	if t.Expect != expectWithhold && t.Expect != expectDeliver {
		return r.fail("%s: %q must be %q or %q", t.ID, "expect", expectWithhold, expectDeliver)
	}
	r.out.Texts = append(r.out.Texts, Text{
		ID: t.ID, Category: t.Category, Lang: t.Lang, Text: t.Text, Source: t.Source, Poison: t.Expect == expectWithhold, Probe: t.Probe,
	})
	return nil
}

func (r *catalogReader) ownEvader(decode decode) error {
	var e ownEvader
	if err := decode(&e); err != nil {
		return err
	}
	if err := r.need(e.ID, "family", e.Family, "lang", e.Lang, "text", e.Text); err != nil {
		return err
	}
	r.out.Evaders = append(r.out.Evaders, Text{
		ID: e.ID, Category: e.Family, Lang: e.Lang, Text: e.Text, Source: e.Source, Poison: true,
	})
	return nil
}

func (r *catalogReader) ownPair(decode decode) error {
	var p ownPair
	if err := decode(&p); err != nil {
		return err
	}
	if err := r.need(p.ID, "category", p.Category, "lang", p.Lang, "attack", p.Attack, "benign", p.Benign); err != nil {
		return err
	}
	if !slices.Contains(forms, p.Form) {
		return r.fail("%s: %q must be one of %q", p.ID, "form", forms)
	}
	r.out.Pairs = append(r.out.Pairs, Pair(p))
	return nil
}

func (r *catalogReader) ownOrigins(decode decode) error {
	var o ownOrigins
	if err := decode(&o); err != nil {
		return err
	}
	err := r.need(o.ID, "category", o.Category, "lang", o.Lang, "text", o.Text, "trusted", o.Trusted, "untrusted", o.Untrusted)
	if err != nil {
		return err
	}
	r.out.Origins = append(r.out.Origins, OriginPair(o))
	return nil
}

func (r *catalogReader) ownTrial(decode decode) error {
	var t ownTrial
	if err := decode(&t); err != nil {
		return err
	}
	if err := r.need(t.ID, "category", t.Category, "lang", t.Lang, "text", t.Text, "source", t.Source); err != nil {
		return err
	}
	r.out.Trials = append(r.out.Trials, Text{
		ID: t.ID, Category: t.Category, Lang: t.Lang, Text: t.Text, Source: t.Source, Poison: true,
	})
	return nil
}

func (r *catalogReader) ownControl(decode decode) error {
	var c ownControl
	if err := decode(&c); err != nil {
		return err
	}
	if err := r.need(c.ID, "lang", c.Lang, "text", c.Text, "source", c.Source); err != nil {
		return err
	}
	r.out.Controls = append(r.out.Controls, Control{
		ID: c.ID, Category: categoryControl, Lang: c.Lang, Text: c.Text, Source: c.Source, Tampered: c.Tampered,
	})
	return nil
}

func (r *catalogReader) ownChain(decode decode) error {
	var c ownChain
	if err := decode(&c); err != nil {
		return err
	}
	if err := r.need(c.ID, "category", c.Category, "lang", c.Lang); err != nil {
		return err
	}
	if c.Expect != expectFlag && c.Expect != expectPass {
		return r.fail("%s: %q must be %q or %q", c.ID, "expect", expectFlag, expectPass)
	}
	return r.chain(Chain{ID: c.ID, Category: c.Category, Lang: c.Lang, Flag: c.Expect == expectFlag}, c.Members)
}

// chain adds a chain with its members.
func (r *catalogReader) chain(c Chain, members []member) error {
	if len(members) < 2 || len(members) > maxMembers {
		return r.fail("%s: a chain has 2 to %d members", c.ID, maxMembers)
	}
	for _, m := range members {
		if m.Text == "" {
			return r.fail("%s: a member without text", c.ID)
		}
		c.Members = append(c.Members, Member(m))
	}
	r.out.Chains = append(r.out.Chains, c)
	return nil
}
