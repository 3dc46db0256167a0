// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package screen

// mood says how a verb addresses the reader.
type mood uint8

const (
	moodNone   mood = iota // reported, habitual, infinitive: not addressed
	moodWeak               // perhaps: after a comma with a subject before, or a polite question
	moodStrong             // an order: imperative, "you must", "I prefer that you"
)

// stance is the mood of one token and whether the order is negated.
type stance struct {
	mood    mood
	negated bool
}

// moodDemand is what an element of a rule demands of its token.
type moodDemand uint8

const (
	moodAny               moodDemand = iota
	moodOrder                        // weak or strong, not negated
	moodStrongOrder                  // strong, not negated
	moodProhibition                  // weak or strong, negated
	moodStrongProhibition            // strong, negated
	moodEither                       // weak or strong
)

func (d moodDemand) accepts(s stance) bool {
	switch d {
	case moodOrder:
		return s.mood >= moodWeak && !s.negated
	case moodStrongOrder:
		return s.mood == moodStrong && !s.negated
	case moodProhibition:
		return s.mood >= moodWeak && s.negated
	case moodStrongProhibition:
		return s.mood == moodStrong && s.negated
	case moodEither:
		return s.mood >= moodWeak
	}
	return true
}

// roles is a set of the parts that a word can play for the mood of a verb.
type roles uint32

const (
	roleVerb     roles = 1 << iota // the base form of a verb
	roleAdverb                     // may stand before an imperative: please, just, always
	roleAbsolute                   // adverb that also makes "you … verb" an order: always
	roleNegator                    // not, never
	roleModal                      // must, should, may
	roleDo                         // do; a question unless "not" follows
	roleAux                        // does, did: what follows is no order
	roleQuestion                   // opens a question: what, is, can
	roleBe                         // is, are
	roleFinite                     // verb form that needs a subject before it
	roleObject                     // begins an object: the, what, all
	roleNominal                    // follows a noun: of, from
	roleClausal                    // verb that takes a sentence as its object: assume
	roleReader                     // who is addressed: you, the assistant
	roleWish                       // prefer, want: "… that you", "… you to"
	roleEnabled                    // authorized, required, sure: "… to"
	roleTo                         // to
	roleThat                       // that
	roleJoin                       // and, or, then
	roleOpener                     // opens a clause that an order may follow: when, if
	roleExcept                     // a phrase to look over, from an "except" statement
	roleCommand                    // addresses the reader and demands in one: "debes", "je veux que tu"
	rolePermit                     // permits the reader something: "puedes", "du darfst"
	roleLater                      // negates the order before it: "nicht", "jamais", "geen"
	roleMention                    // speaks of words: what is quoted beside it is no order: "frase", "Satz"
	roleFollow                     // says that what is quoted is to be followed: "do as it says"
	roleAnd                        // an "and" that carries an order on, but not its negation: "y", "und"
)

// grammatical reports whether a word with these roles is one of grammar.
func (r roles) grammatical() bool {
	return r&^(roleVerb|roleClausal|roleExcept|roleMention|roleFollow) != 0
}

// Roles that decide how moodReader goes on. The others are looked at beside it.
const readerRoles = roleVerb | roleAdverb | roleAbsolute | roleNegator | roleModal | roleDo | roleAux | roleBe |
	roleReader | roleWish | roleEnabled | roleTo | roleThat | roleJoin | roleOpener | roleQuestion | roleCommand | rolePermit | roleLater |
	roleAnd

// classReader has the words for whoever is addressed. A lexicon that has it reads moods.
const classReader = "mood.you"

// classExcept collects the phrases of "except" statements.
const classExcept = "except"

// roleClasses are the classes of a lexicon that give roles. A class that a lexicon
// does not define gives none.
var roleClasses = map[string]roles{
	classVerb: roleVerb, classExcept: roleExcept,
	"mood.adverb": roleAdverb, "mood.absolute": roleAbsolute, "mood.negator": roleNegator,
	"mood.modal": roleModal, "mood.do": roleDo, "mood.aux": roleAux, "mood.question": roleQuestion,
	"mood.be": roleBe, "mood.finite": roleFinite, "mood.object": roleObject, "mood.nominal": roleNominal,
	"mood.clausal": roleClausal, classReader: roleReader, "mood.wish": roleWish, "mood.enabled": roleEnabled,
	"mood.to": roleTo, "mood.that": roleThat, "mood.join": roleJoin, "mood.opener": roleOpener,
	"mood.command": roleCommand, "mood.permit": rolePermit, "mood.later": roleLater, "mood.and": roleAnd, "mood.mention": roleMention, "mood.follow": roleFollow,
}

// moodReader walks over the tokens of a sentence, from left to right, and keeps
// track of whether a verb coming next would be an order.
type moodReader struct {
	slot    mood // what a base-form verb coming next would be
	negated bool
	last    stance // of the last order in the sentence
	reader  bool   // the subject is the reader: "you", "the assistant"
	asked   bool   // a modal or "do" opened a question
	wish    bool   // somebody's wish was seen in this clause
	enabled bool   // the word before was "authorized", "required", "sure"
	opener  bool   // the clause began with "when", "if", "for"
	open    bool   // an order was read that a word behind it may negate
	words   int    // of this clause so far
	query   bool   // the sentence ends with a question mark
	queried bool   // and began as a question
}

// boundary prepares for a token after punctuation. An opening quote may begin an
// order, but the clause around it goes on behind the quote.
func (r *moodReader) boundary(b boundary, quote bool) {
	switch b {
	case boundNone:
		return
	case boundComma:
		r.slot = moodWeak
		if r.queried {
			r.slot = moodNone
		} else if r.opener || r.last.mood == moodStrong || r.words <= 2 {
			r.slot = moodStrong
		}
	case boundClause, boundSentence:
		r.slot = moodStrong
		if quote {
			return
		}
	}
	r.negated, r.reader, r.asked, r.enabled, r.opener, r.words = false, false, false, false, false, 0
	r.open = false
	if b != boundComma {
		r.wish = false
	}
}

// negatesBefore is what read returns for a word that negates the order before it.
var negatesBefore = stance{negated: true}

// read takes the next word or phrase and returns its stance.
func (r *moodReader) read(word roles) stance {
	first, enabled := r.beginWord(word)
	is := func(role roles) bool { return word&role != 0 }
	switch {
	case is(roleVerb) && r.slot > moodNone:
		return r.readOrder(word)
	case is(roleLater) && r.open:
		r.negated = r.slot > moodNone
		return negatesBefore
	case is(roleCommand | rolePermit):
		return r.readCommand(word)
	case is(roleNegator):
		r.negated, r.enabled = true, enabled
		if r.reader {
			r.slot = moodStrong
		}
	case is(roleAbsolute) && r.reader:
		r.slot = moodStrong
	case is(roleAdverb | roleAbsolute):
		// An adverb neither opens nor closes the place of a verb.
		r.enabled = enabled
	case is(roleReader):
		r.readReader()
	case is(roleModal):
		r.readModal(first)
	case is(roleDo):
		r.asked = first
	case is(roleAux):
		r.asked, r.slot, r.reader = first, moodNone, false
	case is(roleTo):
		r.slot = moodNone
		if enabled {
			r.slot = moodStrong
		}
	case is(roleAnd | roleJoin):
		r.readJoin(is(roleAnd))
	default:
		r.readOther(word, first)
	}
	return stance{}
}

// readJoin handles a word that carries an order on to the next verb, with its negation
// unless the word is one that does not.
func (r *moodReader) readJoin(anew bool) {
	r.slot, r.open = max(r.slot, r.last.mood), false
	r.negated = !anew && (r.negated || r.last.negated && r.slot > moodNone)
}

// beginWord notes what the first word of a clause says about it. It returns whether
// this is the first, and whether the word before was one like "authorized".
func (r *moodReader) beginWord(word roles) (first, enabled bool) {
	first, enabled = r.words == 0, r.enabled
	r.words++
	r.enabled = false
	if first {
		r.queried = r.queried || r.query && word&roleQuestion != 0
		r.opener = word&roleOpener != 0
	}
	return first, enabled
}

// readOrder handles a verb in the place of an order.
func (r *moodReader) readOrder(word roles) stance {
	r.last = stance{mood: r.slot, negated: r.negated}
	r.slot, r.negated, r.reader, r.open = moodNone, false, false, true
	r.wish = r.wish || word&roleWish != 0
	r.enabled = word&roleEnabled != 0
	return r.last
}

// readCommand handles a phrase that makes an order of the verb behind it, or a
// permission. It has a stance of its own, as the verb may stand far behind it.
func (r *moodReader) readCommand(word roles) stance {
	r.reader, r.open, r.slot = false, true, moodNone
	if r.query {
		return stance{}
	}
	if word&roleCommand != 0 {
		r.slot = moodStrong
	}
	return stance{mood: moodStrong, negated: r.negated}
}

// readReader handles a word for the reader of the memory.
func (r *moodReader) readReader() {
	switch {
	case r.wish:
		// "I prefer that you wire", "I want you to wire".
		r.slot, r.enabled = moodStrong, true
	case r.asked:
		// "Could you send" is a request in the form of a question.
		r.slot = moodWeak
	default:
		r.slot = moodNone
	}
	r.reader = true
}

func (r *moodReader) readModal(first bool) {
	switch {
	case r.reader && (r.asked || r.queried):
		r.slot = moodNone
	case r.reader:
		r.slot = moodStrong
	case first:
		r.asked, r.slot = true, moodNone
	default:
		r.slot = moodNone
	}
}

// readOther handles the words that end the place of an order, and those that build
// one up from afar: "be sure to", "you are required to", "I prefer that you".
func (r *moodReader) readOther(word roles, first bool) {
	be, enabled := word&roleBe != 0, word&roleEnabled != 0
	r.enabled = enabled && (r.reader || r.slot > moodNone || first)
	r.wish = r.wish || word&roleWish != 0
	r.open = r.open && word&roleThat == 0
	switch {
	case be && r.slot == moodNone:
		return
	case be:
		r.reader = r.reader || r.slot == moodStrong
	case !enabled && word&roleThat == 0:
		r.reader = false
	}
	r.slot, r.negated = moodNone, false
}
