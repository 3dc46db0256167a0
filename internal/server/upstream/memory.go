// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/provenance"
)

// ofMemory calls a tool of a Memory upstream, by what the tool does.
func (c *call) ofMemory(ctx context.Context, made gate.UpstreamCall) (*answer, error) {
	does, e, known := c.link.effectOf(made.Tool)
	switch {
	case !known:
		return toldModel(fmt.Sprintf("Nobody has said what the tool %s of the memory server %s does, so it is not called. Whoever keeps "+
			"the policy can, in spec.upstreams[].toolRules: whether it reads, writes or deletes. Use another tool meanwhile, or tell the user.",
			made.Tool, c.link.up.Name)), nil
	case does == v1alpha1.UpstreamEffectWrite:
		return c.write(ctx, made, e)
	case does == v1alpha1.UpstreamEffectDelete:
		return c.erase(ctx, made, e)
	case does == v1alpha1.UpstreamEffectRead:
		raw, err := c.make(ctx, made)
		if err != nil {
			return nil, err
		}
		raw, err = c.recalled(ctx, raw, protocol)
		return &answer{raw: raw}, err
	}
	return toldModel(fmt.Sprintf("The tool %s of the memory server %s is not to be used: the policy (spec.upstreams[].toolRules) or what "+
		"the tool does stands against it. Tell the user.", made.Tool, c.link.up.Name)), nil
}

// write has the upstream store texts, if they may be stored. What it holds then is what it answers: servers reword.
func (c *call) write(ctx context.Context, made gate.UpstreamCall, e effect) (*answer, error) {
	sent, err := e.contents(made.Arguments)
	if err != nil {
		return toldModel("Not stored: the arguments cannot be read as one thing only: " + err.Error() + "."), nil
	}
	var admission gate.UpstreamAdmission
	if len(sent) > 0 { // else nothing is stored but ids
		admission, err = c.link.gate.AdmitUpstreamWrite(ctx, c.talk.caller, gate.UpstreamWrite{UpstreamCall: made, Texts: sent})
		if err != nil {
			return nil, err
		}
		if !admission.Allowed {
			return told(admission.Message, admission.ReviewID), nil
		}
	}
	raw, err := c.make(ctx, made)
	if err != nil {
		return nil, err
	}
	if len(sent) > 0 && !failed(raw) {
		stored, err := c.stored(raw)
		if err != nil {
			return nil, err
		}
		if err := c.link.gate.RecordUpstream(ctx, c.talk.caller, admission, c.recordable(stored)); err != nil {
			return nil, err
		}
	}
	raw, err = c.recalled(ctx, raw, protocol)
	return &answer{raw: raw}, err
}

// stored returns the texts that an upstream says it holds now.
func (c *call) stored(raw json.RawMessage) ([]string, error) {
	r, err := read(raw, protocol, c.link.tools.recognized())
	if err != nil {
		return nil, &upstreamError{name: c.link.up.Name, err: errGarbage}
	}
	var out []string
	for _, t := range r.texts {
		if !t.Metadata {
			out = append(out, t.Text)
		}
	}
	return out, nil
}

// recordable leaves out texts that are no memories by their length, and what is too many of them: they stay unknown.
func (c *call) recordable(texts []string) []string {
	longest, _, err := c.link.gate.Limits()
	if err != nil {
		return nil
	}
	texts = slices.DeleteFunc(texts, func(t string) bool { return len(t) > longest })
	return texts[:min(len(texts), gate.MaxUpstreamTexts)]
}

// erase has the upstream delete texts, if the agent may delete them.
func (c *call) erase(ctx context.Context, made gate.UpstreamCall, e effect) (*answer, error) {
	texts, err := e.contents(made.Arguments)
	if err != nil {
		return toldModel("Not deleted: the arguments cannot be read as one thing only: " + err.Error() + "."), nil
	}
	if e.tool.Lookup != nil {
		found, err := c.lookUp(ctx, made, *e.tool.Lookup)
		if err != nil {
			return nil, err
		}
		texts = append(texts, found...)
	}
	decided, err := c.link.gate.AuthorizeUpstreamDelete(ctx, c.talk.caller, made, texts)
	if err != nil {
		return nil, err
	}
	if decided.Decision != gate.ActionAllow {
		return told(decided.Message, decided.ApprovalID), nil
	}
	raw, err := c.make(ctx, made)
	if err != nil {
		return nil, err
	}
	if !failed(raw) {
		if err := c.link.gate.ForgetUpstream(ctx, c.talk.caller, made, sentences(texts)); err != nil {
			return nil, err
		}
	}
	raw, err = c.recalled(ctx, raw, protocol)
	return &answer{raw: raw}, err
}

// sentences leaves out names and kinds, which other memories may be about as well.
func sentences(texts []string) []string {
	var out []string
	for _, t := range texts {
		if !identifier.MatchString(t) {
			out = append(out, t)
		}
	}
	return out
}

// lookUp asks the upstream what a call would delete. The agent does not see the answer.
func (c *call) lookUp(ctx context.Context, made gate.UpstreamCall, how lookup) ([]string, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(made.Arguments, &given); err != nil {
		return nil, err
	}
	arguments := map[string]json.RawMessage{}
	for to, from := range how.Arguments {
		if value, ok := given[from]; ok {
			arguments[to] = value
		}
	}
	raw, err := c.link.call(ctx, methodCallTool, map[string]any{"name": how.Tool, "arguments": arguments}, nil)
	if said(err) != nil {
		return nil, nil // it knows nothing of it
	}
	if err != nil {
		return nil, err
	}
	if failed(raw) {
		return nil, nil
	}
	return c.stored(raw)
}

// recalled lets the gate decide about every text of what an upstream hands out. Where nothing is withheld it is the very same.
func (c *call) recalled(ctx context.Context, raw json.RawMessage, as shape) (json.RawMessage, error) {
	r, err := read(raw, as, c.link.tools.recognized())
	if err != nil {
		return nil, &upstreamError{name: c.link.up.Name, err: errGarbage}
	}
	if len(r.texts) == 0 {
		return raw, nil
	}
	r.enter()
	out, err := c.decided(ctx, r.texts)
	if err != nil {
		return nil, err
	}
	replaced, err := c.replacements(ctx, r.texts, out.Texts)
	if err != nil {
		return nil, err
	}
	if len(replaced) == 0 {
		return raw, nil
	}
	return annotated(r.rebuilt(replaced), out, len(replaced))
}

// decided asks the gate about texts: as many at a time as it takes, and long ones in parts that overlap, so that no order is cut in
// two. Of a text in parts, one that is withheld is enough.
func (c *call) decided(ctx context.Context, texts []gate.UpstreamText) (gate.UpstreamRecalled, error) {
	longest, _, err := c.link.gate.Limits()
	if err != nil {
		return gate.UpstreamRecalled{}, err
	}
	asked, of := windows(texts, longest)
	all := gate.UpstreamRecalled{Texts: make([]gate.UpstreamVerdict, len(texts))}
	for first := 0; first < len(asked); first += gate.MaxUpstreamTexts {
		some := asked[first:min(first+gate.MaxUpstreamTexts, len(asked))]
		out, err := c.link.gate.RecallUpstream(ctx, c.talk.caller, gate.UpstreamRead{
			Upstream: c.link.up.Name, Tool: c.tool, Session: c.session, Texts: some,
		})
		if err == nil && len(out.Texts) != len(some) {
			err = errMismatch
		}
		if err != nil {
			return gate.UpstreamRecalled{}, err
		}
		for i, v := range out.Texts {
			if to := &all.Texts[of[first+i]]; to.Class == "" || v.Withheld && !to.Withheld {
				*to = v
			}
		}
		if all.Message == "" {
			all.Message = out.Message
		}
		if all.Caution == "" {
			all.Caution = out.Caution
		}
	}
	return all, nil
}

// windowOverlap is the share of a part that the next one repeats.
const windowOverlap = 4

// windows cuts texts that are longer than the gate reads at once, and returns for each part which text it is of.
func windows(texts []gate.UpstreamText, longest int) (parts []gate.UpstreamText, of []int) {
	for i, t := range texts {
		for text := t.Text; ; {
			if len(text) <= longest {
				part := gate.UpstreamText{Text: text, Metadata: t.Metadata}
				if text == t.Text {
					part.Entries = t.Entries
				}
				parts, of = append(parts, part), append(of, i)
				break
			}
			end := runeStart(text, longest)
			parts, of = append(parts, gate.UpstreamText{Text: text[:end]}), append(of, i)
			text = text[runeStart(text, end-longest/windowOverlap):]
		}
	}
	return parts, of
}

// runeStart returns the last place at or before one where a character begins.
func runeStart(text string, at int) int {
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// notice stands where a text was withheld.
func notice(reason string) string {
	if reason == "" {
		reason = "not to be delivered"
	}
	return "[withheld by MemoryTrust: " + reason + "]"
}

// replacements returns what stands for the texts that are withheld. Of a text with several entries, those that pass stay; and of one
// that the ledger does not know, every entry is looked up as well, since servers write lists of what they were told.
func (c *call) replacements(ctx context.Context, texts []gate.UpstreamText, verdicts []gate.UpstreamVerdict) (map[int]string, error) {
	replaced := map[int]string{}
	lists := map[int]*entries{}
	var asked []gate.UpstreamText
	for i, v := range verdicts {
		if v.Withheld {
			replaced[i] = notice(v.Reason)
		}
		if !v.Withheld && v.Class != provenance.Unknown {
			continue
		}
		if e := entriesOf(texts[i].Text); e != nil && len(asked)+len(e.asked) <= maxPieces {
			e.first = len(asked)
			lists[i] = e
			asked = append(asked, e.asked...)
		}
	}
	if len(asked) == 0 {
		return replaced, nil
	}
	out, err := c.decided(ctx, asked)
	if err != nil {
		return nil, err
	}
	return replaced, c.keepEntries(ctx, replaced, lists, out.Texts)
}

// maxPieces bounds how many entries of texts are looked at one by one.
const maxPieces = 5000

// entries are the parts of one text.
type entries struct {
	list      []string
	separator string
	asked     []gate.UpstreamText // each entry, and each of its lines
	of        []int               // the entries that they are of
	first     int                 // of their verdicts
}

// entriesOf takes a text apart; nil for one that has one entry only.
func entriesOf(text string) *entries {
	list, separator := pieces(text)
	if len(list) < 2 {
		return nil
	}
	e := &entries{list: list, separator: separator}
	for i, entry := range list {
		for n, part := range append([]string{entry}, strings.Split(entry, "\n")...) {
			if part = withoutMarks(part); part != "" && (n == 0 || part != withoutMarks(entry)) {
				e.asked, e.of = append(e.asked, gate.UpstreamText{Text: part}), append(e.of, i)
			}
		}
	}
	return e
}

// enter finds the entries of texts that are lists. What the server says by itself is none.
func (r *reading) enter() {
	left := maxPieces
	for i, t := range r.texts {
		list, _ := pieces(t.Text)
		if len(list) < 2 || len(list) > left || t.Metadata {
			continue
		}
		left -= len(list)
		for _, entry := range list {
			if entry = withoutMarks(entry); entry != "" && !r.server.saying(entry) {
				r.texts[i].Entries = append(r.texts[i].Entries, entry)
			}
		}
	}
}

// marks are what stands before the entries of a list: bullets, numbers, ids in brackets.
var marks = regexp.MustCompile(`^\s*(?:[-*+\x{2022}\x{2013}]|[0-9]{1,4}[.):]|\[[^\]\s]{1,64}\])\s+`)

// withoutMarks returns an entry of a list as it was told.
func withoutMarks(entry string) string {
	for range 3 {
		entry = marks.ReplaceAllString(entry, "")
	}
	return strings.TrimSpace(entry)
}

// keepEntries withholds entries of texts, and keeps those of withheld texts that pass by themselves and still pass next to each
// other: what is an order only as a whole is withheld as a whole.
func (c *call) keepEntries(ctx context.Context, replaced map[int]string, lists map[int]*entries, verdicts []gate.UpstreamVerdict) error {
	var places []int
	var asked []gate.UpstreamText
	for i, e := range lists {
		kept, all := e.sorted(verdicts)
		if len(kept) == len(all) {
			continue // what is wrong with it, if anything, is wrong with the whole
		}
		replaced[i] = strings.Join(all, e.separator)
		if rest := strings.Join(kept, e.separator); strings.TrimSpace(rest) != "" {
			places, asked = append(places, i), append(asked, gate.UpstreamText{Text: rest})
		}
	}
	if len(asked) == 0 {
		return nil
	}
	out, err := c.decided(ctx, asked)
	if err != nil {
		return err
	}
	for n, i := range places {
		if v := out.Texts[n]; v.Withheld {
			replaced[i] = notice(v.Reason)
		}
	}
	return nil
}

// sorted returns the entries that pass, and all of them with a notice in the place of the others.
func (e *entries) sorted(verdicts []gate.UpstreamVerdict) (kept, all []string) {
	why := map[int]string{}
	for n, entry := range e.of {
		if v := verdicts[e.first+n]; v.Withheld && why[entry] == "" {
			why[entry] = notice(v.Reason)
		}
	}
	for i, entry := range e.list {
		if told, ok := why[i]; ok {
			all = append(all, told)
			continue
		}
		kept, all = append(kept, entry), append(all, entry)
	}
	return kept, all
}

// annotated tells the agent that the result is not as the upstream gave it: in _meta and, where there is content, in a block at its
// end.
func annotated(raw json.RawMessage, out gate.UpstreamRecalled, withheld int) (json.RawMessage, error) {
	meta := map[string]any{metaWithheld: withheld}
	words := []string{out.Message}
	if out.Caution != "" {
		meta[metaCaution] = out.Caution
		words = append(words, out.Caution)
	}
	fields, _, ok := members(raw)
	if !ok {
		return raw, nil
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if content, ok := find(fields, "content"); ok && text != "" {
		if list, ok := items(raw[content.start:content.end]); ok {
			block := object(map[string]any{"type": "text", "text": text})
			at := content.start + 1
			if len(list) > 0 {
				at, block = content.start+list[len(list)-1].end, append(json.RawMessage{','}, block...)
			}
			raw = spliced(raw, []splice{{start: at, end: at, with: block}})
		}
	}
	return withMembers(raw, map[string]any{"_meta": meta})
}
