// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Tier says which part of the engine reached a verdict.
type Tier string

const (
	// TierNone means that nothing in the text was found to be a directive.
	TierNone Tier = "None"
	// TierLexical means that rules of the lexicon matched.
	TierLexical Tier = "Lexical"
	// TierIntent means that the intent model recognized a sentence.
	TierIntent Tier = "Intent"
	// TierCombined means that neither the lexicon nor the model was sure alone, but
	// both together were.
	TierCombined Tier = "Combined"
)

// Family is a coarse kind of directive. Families are stable names, safe to show
// to whoever wrote the text: they say what kind of thing was seen, not where.
type Family string

// The families, most severe first. The order decides which reasons come first.
const (
	// FamilyOverride cancels or replaces the instructions of the agent.
	FamilyOverride Family = "override"
	// FamilyShell runs code fetched from elsewhere or destroys files.
	FamilyShell Family = "shell"
	// FamilyExfiltration hands secrets or conversations to someone else.
	FamilyExfiltration Family = "exfiltration"
	// FamilyConcealment hides what is done from the user.
	FamilyConcealment Family = "concealment"
	// FamilyBypass removes a confirmation, approval, check or log.
	FamilyBypass Family = "bypass"
	// FamilyPreauthorization declares something approved or verified in advance.
	FamilyPreauthorization Family = "pre-authorization"
	// FamilyRedirection sends money, messages or requests to another place.
	FamilyRedirection Family = "redirection"
	// FamilyAuthorityClaim speaks as the system, an administrator or the operator.
	FamilyAuthorityClaim Family = "authority-claim"
	// FamilyPersona gives the agent another identity or an unrestricted mode.
	FamilyPersona Family = "persona"
	// FamilyStandingRule orders behavior for all later cases.
	FamilyStandingRule Family = "standing-rule"
	// FamilyPreferenceRule orders behavior in the form of somebody's wish.
	FamilyPreferenceRule Family = "preference-rule"
	// FamilyTrustEndorsement tells the agent whom or what to believe or recommend.
	FamilyTrustEndorsement Family = "trust-endorsement"
	// FamilyMemoryWrite tells the agent to keep an instruction in its memory.
	FamilyMemoryWrite Family = "memory-write"
	// FamilyCommand is an order to act now that supports the other families.
	FamilyCommand Family = "command"
	// FamilyIntent is behavior that the intent model recognized, of whatever kind.
	FamilyIntent Family = "intent"
)

var families = [...]Family{
	FamilyOverride, FamilyShell, FamilyExfiltration, FamilyConcealment, FamilyBypass,
	FamilyPreauthorization, FamilyRedirection, FamilyAuthorityClaim, FamilyPersona,
	FamilyStandingRule, FamilyPreferenceRule, FamilyTrustEndorsement, FamilyMemoryWrite,
	FamilyCommand, FamilyIntent,
}

func (f Family) severity() int { return slices.Index(families[:], f) }

const (
	// MaxReasons is the largest number of reasons in a Verdict.
	MaxReasons = 8
	// MaxReasonRunes is the length of the longest reason, in runes.
	MaxReasonRunes = 80
	// maxSentenceRunes is how much of a sentence the reason of the model shows.
	maxSentenceRunes = 60
)

// Verdict is what screening found in one text.
type Verdict struct {
	// Directive is true when the text tries to install standing behavior.
	Directive bool `json:"directive"`
	// Abstained is true when the text is untrusted, nothing in it was found to be a
	// directive, and part of it is in writing that the engine cannot judge. Such a
	// text waits for a person: RequiresReview. Never together with Directive.
	Abstained bool `json:"abstained,omitempty"`
	// Reasons explain a directive to a person: the family, then the trigger words
	// that matched and nothing else of the text; for FamilyIntent the beginning of the
	// sentence, up to 60 runes. They are for people who may see the text, never for
	// the agent. At most MaxReasons of at most MaxReasonRunes runes each, most severe
	// first, control characters escaped.
	Reasons []string `json:"reasons,omitempty"`
	// Families are the kinds found, most severe first, without repeats.
	Families []string `json:"families,omitempty"`
	// Tier is the part of the engine that decided.
	Tier Tier `json:"tier"`
	// ScorePerMille is the strength of the evidence, 0 to 1000. It is set for clean
	// texts too, where it stays below Thresholds.DirectivePerMille.
	ScorePerMille int `json:"scorePerMille"`
	// View names the view of the text with the strongest evidence, empty when clean.
	View string `json:"view,omitempty"`
}

// finding is one rule that matched, or one sentence the model recognized.
type finding struct {
	family Family
	weight int    // per mille
	text   string // the view it was found in
	words  trail
}

// appendReason renders a finding for a person, within MaxReasonRunes.
func (f *finding) appendReason(b []byte) []byte {
	b = append(append(b, f.family...), `: "`...)
	room := MaxReasonRunes - utf8.RuneCountInString(string(f.family)) - len(`: ""`)
	from := len(b)
	b = f.appendWords(b)
	b = fitReason(b, from, room)
	return append(b, '"')
}

// appendWords writes what the reason shows of the text.
func (f *finding) appendWords(b []byte) []byte {
	if f.family != FamilyIntent {
		return f.words.appendTo(b, f.text)
	}
	count := 0
	for _, r := range f.text[f.words.steps[0].from:f.words.steps[0].to] {
		if count == maxSentenceRunes {
			return append(b, "…"...)
		}
		b = utf8.AppendRune(b, r)
		count++
	}
	return b
}

// fitReason puts a dot for what must not be in a reason from a place on, and cuts what
// is beyond room, in runes.
func fitReason(b []byte, from, room int) []byte {
	for at := from; at < len(b); {
		r, size := rune(b[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[at:])
		}
		switch {
		case room == 1 && at+size < len(b):
			return append(b[:at], "…"...)
		case r < utf8.RuneSelf && r >= ' ' && r != '"' && r != 0x7f:
		case r < utf8.RuneSelf, unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			b = slices.Replace(b, at, at+size, []byte("·")...)
			size = len("·")
		}
		at += size
		room--
	}
	return b
}

// describe fills reasons and families from the findings of a directive. It uses buffer
// as working memory, which it returns. All strings it makes share one piece of memory.
func (v *Verdict) describe(found []finding, buffer []byte) []byte {
	// Severity, weight and place of every finding in one number each: sorting these
	// moves no findings about.
	var places [maxFindings]int
	order := places[:0]
	for i := range found {
		order = append(order, found[i].family.severity()<<32|(1000-found[i].weight)<<16|i)
	}
	slices.Sort(order)
	for i := range order {
		order[i] &= 1<<16 - 1
	}
	var reasons [MaxReasons]step // their places in the buffer
	n, kinds := 0, 0
	buffer = buffer[:0]
	for i, at := range order {
		f := &found[at]
		if i == 0 || f.family != found[order[i-1]].family {
			kinds++
		}
		if n == MaxReasons {
			continue
		}
		from := len(buffer)
		buffer = f.appendReason(buffer)
		if slices.ContainsFunc(reasons[:n], func(r step) bool { return bytes.Equal(buffer[r.from:r.to], buffer[from:]) }) {
			buffer = buffer[:from]
			continue
		}
		reasons[n] = step{from: from, to: len(buffer)}
		n++
	}
	all, text := make([]string, 0, n+kinds), string(buffer)
	for _, r := range reasons[:n] {
		all = append(all, text[r.from:r.to])
	}
	for i, at := range order {
		if i == 0 || found[at].family != found[order[i-1]].family {
			all = append(all, string(found[at].family))
		}
	}
	v.Reasons, v.Families = all[:n:n], all[n:]
	return buffer
}
