// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory/claim"
	"memorytrust.dev/operator/internal/memory/fold"
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

// topicOverlap is the share of words from which two memories are about the same thing.
const topicOverlap = .4

// Topics returns words that find memories about the same thing: subject, tags, names, and other words that say something,
// folded, without numbers, at most MaxTopics.
func Topics(r Record) []string {
	c := claim.Read(r.Content)
	var out []string
	add := func(words ...string) {
		for _, w := range words {
			if len(out) < MaxTopics && utf8.RuneCountInString(w) > 1 && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	for _, text := range append([]string{r.Subject}, r.Tags...) {
		add(claim.Read(text).Topics()...)
	}
	add(c.Names()...)
	add(c.Topics()...)
	return out
}

// Contradicts compares two memories and returns the signs that they cannot both hold, in words of the system (those of
// claim.Pair); nil if there are none, or if they are not about the same thing. It misses rather than accuses: a person looks
// at everything it finds.
func Contradicts(a, b Record) []string {
	if a.Namespace != b.Namespace || a.Content == b.Content {
		return nil
	}
	texts := claim.Compare(a.Content, b.Content)
	signs := texts.Signs()
	switch {
	case len(signs) > 0 && related(a, b, texts):
		return signs
	case len(signs) == 0 && texts.NamesDiffer():
		return []string{claim.SignNames} // said of one subject in the same words: related by itself
	}
	return nil
}

// related reports whether two memories are about the same thing: same subject, a tag or a name in common, near-duplicates,
// or enough words in common.
func related(a, b Record, texts claim.Pair) bool {
	subject := fold.Word(a.Subject)
	return a.Subject != "" && subject == fold.Word(b.Subject) || overlap(a.Tags, b.Tags) || texts.SharedNames() ||
		texts.Share() >= topicOverlap || Similarity(a.Content, b.Content) >= NearDuplicate
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
