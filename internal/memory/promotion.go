// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/memory/claim"
)

// Corroboration is how many independent records of a high class the promotion of a risky one to Trusted takes at least.
const Corroboration = 2

// Anchor ties a memory to something outside the store that a person can look at.
type Anchor struct {
	SourceID string // what the evidence is: a ticket, a document, an address; at most MaxSourceBytes
	// EvidenceSHA256 is the SHA-256 of the evidence in lower-case hex. It may be that of the memory's own content, where
	// the source says exactly that. Anything else is of evidence that this store does not have: it is kept with the
	// promotion, so that an auditor can compare, and cannot be checked here.
	EvidenceSHA256 string
}

// Corroborator is a record that a person offers as support, as the store has it.
type Corroborator struct {
	Record   Record
	Roots    []string // of Store.Roots
	Verified bool     // its provenance tag verified
}

// Promotion is what is known when a person asks to raise a memory by one zone.
type Promotion struct {
	Record        Record
	Roots         []string // of Store.Roots
	Reason        string
	Anchor        Anchor
	Corroborators []Corroborator
	Required      int // independent corroborators; less than Corroboration counts as Corroboration
	Now           time.Time
}

// Rule is one condition of a promotion and how it fared. It holds no content.
type Rule struct {
	Name    string `json:"name"`
	Met     bool   `json:"met"`
	Explain string `json:"explain"`
}

// Names of rules.
const (
	RuleTransition    = "transition"
	RuleReason        = "reason"
	RuleAnchor        = "anchor"
	RuleCorroboration = "corroboration"
)

// Check says where the promotion leads and how every rule fared, met or not; it may go ahead when Unmet returns none.
// Where the table has no such transition, to is the zero value. From Working to Trusted, a memory of a class below
// SystemMemory needs an anchor and corroboration as well. No promotion gives authority Act, see AuthorityOf.
func (p Promotion) Check() (to Standing, rules []Rule) {
	to, rule := p.checkTransition()
	rules = append(rules, rule, p.checkReason())
	if p.Record.Zone != Quarantine && !p.Record.Class.High() {
		rules = append(rules, p.checkAnchor(), p.checkCorroboration())
	}
	return to, rules
}

// Unmet returns the rules that are not met.
func Unmet(rules []Rule) []Rule {
	var out []Rule
	for _, r := range rules {
		if !r.Met {
			out = append(out, r)
		}
	}
	return out
}

func (p Promotion) checkTransition() (Standing, Rule) {
	to, err := Next(ActionPromote, p.Record.Standing())
	switch {
	case err != nil:
		return to, Rule{RuleTransition, false, err.Error()}
	case p.Record.Expired(p.Now):
		return Standing{}, Rule{RuleTransition, false, "the memory has expired"}
	}
	return to, Rule{RuleTransition, true, fmt.Sprintf("from %s to %s", p.Record.Zone, to.Zone)}
}

func (p Promotion) checkReason() Rule {
	switch {
	case strings.TrimSpace(p.Reason) == "":
		return Rule{RuleReason, false, "say why the memory deserves it"}
	case checkText("reason", p.Reason, MaxReasonBytes) != nil:
		return Rule{RuleReason, false, fmt.Sprintf("say it in one line of at most %d bytes", MaxReasonBytes)}
	}
	return Rule{RuleReason, true, "given"}
}

func (p Promotion) checkAnchor() Rule {
	if strings.TrimSpace(p.Anchor.SourceID) == "" || checkText("sourceID", p.Anchor.SourceID, MaxSourceBytes) != nil {
		return Rule{RuleAnchor, false, fmt.Sprintf("name the source of the evidence in at most %d bytes", MaxSourceBytes)}
	}
	evidence, err := hex.DecodeString(p.Anchor.EvidenceSHA256)
	if err != nil || len(evidence) != sha256.Size || strings.ToLower(p.Anchor.EvidenceSHA256) != p.Anchor.EvidenceSHA256 {
		return Rule{RuleAnchor, false, "give the SHA-256 of the evidence as 64 lower-case hex digits"}
	}
	content := p.Record.contentHash()
	switch {
	case slices.Equal(evidence, content[:]):
		return Rule{RuleAnchor, true, "the source says what the memory says, word for word"}
	case slices.Equal(evidence, make([]byte, sha256.Size)) || hex.EncodeToString(evidence) == emptySHA256:
		return Rule{RuleAnchor, false, "give the SHA-256 of the evidence, not that of nothing"}
	}
	return Rule{RuleAnchor, true, "evidence from outside, kept by its hash"}
}

// emptySHA256 is the hash of no bytes, which a script gives for a file it did not find.
const emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// corroborationOverlap is the share of words that a corroborator and a memory must have in common, of those of either, where
// they are not near-duplicates. Tags and subject do not count here: the writer of the memory chose those to fit.
const corroborationOverlap = .4

// checkCorroboration looks for enough corroborators that count, and that are independent of each other and of the memory.
func (p Promotion) checkCorroboration() Rule {
	required := max(p.Required, Corroboration)
	var fit []Corroborator
	refused := map[string]int{}
	for _, c := range p.Corroborators {
		if why := p.refuses(c); why != "" {
			refused[why]++
			continue
		}
		fit = append(fit, c)
	}
	found := independent(fit, required)
	explain := fmt.Sprintf("%d of %d independent memories of class UserInput, Manual or SystemMemory", found, required)
	if dependent := len(fit) - found; found < required && dependent > 0 {
		refused["share a principal or a root with another"] = dependent
	}
	for _, why := range sortedKeys(refused) {
		explain += fmt.Sprintf("; %d %s", refused[why], why)
	}
	return Rule{RuleCorroboration, found >= required, explain}
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for key := range m {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// refuses says why a corroborator does not count, whatever the others are; empty if it does.
func (p Promotion) refuses(c Corroborator) string {
	r := c.Record
	switch {
	case r.ID == p.Record.ID || overlap(c.Roots, p.Roots) || slices.Contains(c.Roots, p.Record.ID) || slices.Contains(p.Roots, r.ID):
		return "of the same lineage as the memory"
	case len(c.Roots) == 0 || len(p.Roots) == 0:
		return "of unknown lineage"
	case r.Namespace != p.Record.Namespace:
		return "of another namespace"
	case !c.Verified:
		return "not verified"
	case !r.Class.High():
		return "of a low class"
	case !r.Writer.Authenticated() || r.Writer.Principal == "":
		return "not written through an authenticated channel"
	case samePrincipal(r, p.Record):
		return "of the principal who wrote the memory"
	case r.Boundary(p.Now) != Safe:
		return "not safe to recall"
	case !corroborates(p.Record, r):
		return "about something else"
	}
	return ""
}

// corroborates reports whether a record says something about the same thing, and nothing to the contrary.
func corroborates(memory, r Record) bool {
	texts := claim.Compare(memory.Content, r.Content)
	about := Similarity(memory.Content, r.Content) >= NearDuplicate || texts.Share() >= corroborationOverlap
	return about && len(texts.Signs()) == 0
}

// samePrincipal compares channel identities, without regard to case: no two persons differ in that only.
func samePrincipal(a, b Record) bool {
	return a.Writer.Principal != "" && strings.EqualFold(a.Writer.Principal, b.Writer.Principal)
}

// independentSteps bounds the search for independent corroborators. It is only reached by offering dozens that depend on
// each other in turns, and then fewer are found.
const independentSteps = 10000

// independent returns the size of the largest set of at most most corroborators of which no two share a principal or root.
func independent(fit []Corroborator, most int) int {
	steps, best := 0, 0
	var chosen []Corroborator
	var search func(from int)
	search = func(from int) {
		best = max(best, len(chosen))
		for i := from; i < len(fit) && best < most && steps < independentSteps; i++ {
			steps++
			if slices.ContainsFunc(chosen, fit[i].depends) {
				continue
			}
			chosen = append(chosen, fit[i])
			search(i + 1)
			chosen = chosen[:len(chosen)-1]
		}
	}
	search(0)
	return best
}

func (c Corroborator) depends(other Corroborator) bool {
	return samePrincipal(c.Record, other.Record) || overlap(c.Roots, other.Roots)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
