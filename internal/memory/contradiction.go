// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ContradictionVerdict is what a person decided about a contradiction.
type ContradictionVerdict string

// The verdicts.
const (
	KeepA            ContradictionVerdict = "KeepA"     // B is superseded
	KeepB            ContradictionVerdict = "KeepB"     // A is superseded
	Merge            ContradictionVerdict = "Merge"     // both are superseded by what the person wrote
	BothValid        ContradictionVerdict = "BothValid" // both stand
	NeedsMoreContext ContradictionVerdict = "NeedsMoreContext"
)

// Bounds of the contradiction scan, after Remnic's.
const (
	// MaxPairsPerScan is how many pairs one run compares at most. What is left is compared in the next.
	MaxPairsPerScan = 500
	// ContradictionCooldown is how long a pair that was decided about is not raised again.
	ContradictionCooldown = 14 * 24 * time.Hour
	// MaxTopics is the most that Topics returns.
	MaxTopics = 12
)

const (
	topicOverlap = .4 // share of words from which two memories are about the same thing
	nearlyEqual  = .8 // share of words from which two memories say the same but for one thing
)

// The signs of a contradiction, beside SignNames. Those of values are "<kind> differ".
const (
	SignDenial    = "one denies the other"
	SignOpposites = "opposites"
)

// Topics returns words that find memories about the same thing: subject, tags, names, and other words that say something,
// folded, without numbers, at most MaxTopics.
func Topics(r Record) []string {
	c := readClaim(r.Content)
	var out []string
	add := func(words ...string) {
		for _, w := range words {
			if len(out) < MaxTopics && utf8.RuneCountInString(w) > 1 && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	for _, text := range append([]string{r.Subject}, r.Tags...) {
		add(readClaim(text).topics...)
	}
	for _, w := range c.topics {
		if c.names[w] {
			add(w)
		}
	}
	add(c.topics...)
	return out
}

// Contradicts compares two memories and returns the signs that they cannot both hold, in words of the system; nil if there
// are none, or if they are not about the same thing. It misses rather than accuses: a person looks at everything it finds.
func Contradicts(a, b Record) []string {
	if a.Namespace != b.Namespace || a.Content == b.Content {
		return nil
	}
	claimA, claimB := readClaims(a.Content, b.Content)
	signs := claimA.contradicts(claimB)
	switch {
	case len(signs) > 0 && related(a, b, claimA.compare(claimB)):
		return signs
	case len(signs) == 0 && namesDiffer(a.Content, b.Content):
		return []string{SignNames} // said of one subject in the same words: related by itself
	}
	return nil
}

// related reports whether two memories are about the same thing: same subject, a tag or a name in common, near-duplicates,
// or enough words in common.
func related(a, b Record, c compared) bool {
	subject := foldWord(a.Subject)
	return a.Subject != "" && subject == foldWord(b.Subject) || overlap(a.Tags, b.Tags) || c.sharedNames ||
		c.share() >= topicOverlap || Similarity(a.Content, b.Content) >= NearDuplicate
}

// contradicts returns the signs, provided that the claims are about the same thing: one says nothing that the other does
// not say too, but for the very thing they differ in.
func (c claim) contradicts(other claim) []string {
	diff, comparable := c.differences(other)
	words := c.compare(other)
	opposite := words.takeOpposites()
	if !comparable || words.shared == 0 || len(words.onlyA) > 0 && len(words.onlyB) > 0 && !c.alike(other, words) {
		return nil
	}
	denied := c.negated != other.negated
	switch {
	case denied && opposite, len(diff) > 0 && (denied || opposite):
		return nil // not open, and closed; not at five, and at six
	case denied && words.share() >= nearlyEqual:
		return []string{SignDenial}
	case opposite && words.share() >= nearlyEqual:
		return []string{SignOpposites}
	case denied || opposite || len(diff) != 1:
		return nil
	}
	if c.event && other.event && diff[0].repeats() {
		return nil
	}
	return []string{string(diff[0]) + " differ"}
}

// alike reports whether two long texts differ in so little else that it does not matter, and not in a name.
func (c claim) alike(other claim, words compared) bool {
	const long = 8
	named := func(names map[string]bool) func(string) bool { return func(w string) bool { return names[w] } }
	return words.shared >= long && words.share() >= NearDuplicate &&
		!slices.ContainsFunc(words.onlyA, named(c.names)) && !slices.ContainsFunc(words.onlyB, named(other.names))
}

// takeOpposites takes a pair of opposites out of what only one side has.
func (c *compared) takeOpposites() bool {
	for i, a := range c.onlyA {
		for j, b := range c.onlyB {
			if !opposites(a, b) {
				continue
			}
			c.onlyA, c.onlyB = slices.Delete(slices.Clone(c.onlyA), i, i+1), slices.Delete(slices.Clone(c.onlyB), j, j+1)
			return true
		}
	}
	return false
}

func opposites(a, b string) bool {
	for _, l := range languages {
		if l.opposites[a][b] {
			return true
		}
	}
	return false
}

// differences returns the kinds of values the claims differ in. They are not comparable where they differ in more than
// one place, or where one names another thing of the same sort: two invoices, two days of a series.
func (c claim) differences(other claim) (diff []valueKind, comparable bool) {
	same := 0
	for key, values := range c.values {
		theirs := other.values[key]
		if len(theirs) == 0 {
			continue
		}
		mine, others := without(values, theirs), without(theirs, values)
		switch {
		case len(mine) == 0 || len(others) == 0:
			if key.kind != valueTime {
				same++
			}
		case key.kind == valueCode, len(mine) > 1 || len(others) > 1, !c.sameSlot(other, key):
			return nil, false
		default:
			diff = append(diff, key.kind)
		}
	}
	if len(diff) > 1 || len(diff) == 1 && same > 0 && (diff[0] == valueDate || diff[0] == valueWeekday) {
		return nil, false
	}
	return diff, true
}

// sameSlot reports whether numbers without a unit stand behind the same word in both claims.
func (c claim) sameSlot(other claim, key valueKey) bool {
	if key.kind != valueNumber || key.unit != "" {
		return true
	}
	for word := range c.before[key] {
		for theirs := range other.before[key] {
			if sameWord(word, theirs) {
				return true
			}
		}
	}
	words := c.compare(other)
	return len(words.onlyA) == 0 && len(words.onlyB) == 0
}

func without(set, other map[string]bool) []string {
	var out []string
	for v := range set {
		if !other[v] {
			out = append(out, v)
		}
	}
	return out
}

// Due reports whether the pair may be raised now, given what is recorded about it: not while it is open, and not within the
// cooldown after a verdict unless one of the two was edited since. What the system does to a record, such as signing it
// anew, and what a person decides about it are no edits.
func (c Contradiction) Due(a, b Record, now time.Time) bool {
	if a.ID == c.B && b.ID == c.A {
		a, b = b, a
	}
	if a.ID != c.A || b.ID != c.B {
		return true
	}
	if c.Verdict == "" {
		return false
	}
	return now.Sub(c.DecidedAt) >= ContradictionCooldown || edited(a, c.SeqA) || edited(b, c.SeqB)
}

// edited reports whether r has other content than the version seq.
func edited(r Record, seq uint64) bool {
	if r.Seq == seq || strings.HasPrefix(r.Commit.Actor, SystemActor) {
		return false
	}
	switch r.Commit.Change {
	case ChangeUpdate, ChangeMerge, ChangeRevert:
		return true
	case ChangeCreate, ChangeDelete, ChangeReview, ChangePromote, ChangePurge:
	}
	return false
}

// SystemActor begins the name of an actor that is a task of the system, see Commit.Actor.
const SystemActor = "system/"

// ToDispute says which of two contradicting memories becomes Disputed, if any: never the higher class. Of the same class
// it is the one that no person approved, then the one that changed last. It is none where one principal wrote both in a
// high class, which is changing one's mind, and none where one waits for a person already: a memory that is not yet let
// in has no effect on one that is.
func ToDispute(a, b Record) (id string, ok bool) {
	lower, higher := a, b
	if b.Class.Below(a.Class) || !a.Class.Below(b.Class) && lessEstablished(b, a) {
		lower, higher = b, a
	}
	if lower.Class.High() && higher.Class.High() && lower.Writer.Principal != "" && samePrincipal(lower, higher) {
		return "", false
	}
	if _, err := Next(ActionDispute, lower.Standing()); err != nil || !higher.Live() {
		return "", false
	}
	if lower.State == PendingReview || higher.State == PendingReview {
		return "", false
	}
	return lower.ID, true
}

// lessEstablished orders two memories of one class. The last change counts and not creation: an edit does not inherit the
// age of what it replaced.
func lessEstablished(r, other Record) bool {
	if approved := r.State == Approved; approved != (other.State == Approved) {
		return !approved
	}
	if !r.UpdatedAt.Equal(other.UpdatedAt) {
		return r.UpdatedAt.After(other.UpdatedAt)
	}
	return r.ID > other.ID
}
