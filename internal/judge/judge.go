// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
	"k8s.io/utils/lru"
)

// Bounds of what the model is asked. What goes beyond them is asked in several calls or, a single text, not at all.
const (
	MaxTextBytes = 64 << 10  // of one text
	maxCallBytes = 256 << 10 // of the texts of one call
	maxCallTexts = 100
)

const (
	// cachedAnswers is how many answers are remembered, about 100 bytes each.
	cachedAnswers = 8192
	// singlesAtOnce is how many texts are asked about alone at the same time.
	singlesAtOnce = 4
)

// Settings say whom to ask, and how. They come from the policy in force.
type Settings struct {
	URL   string // base URL of the endpoint, without /chat/completions
	Model string
	Key   string // bearer token of the endpoint; may be empty
	// NeedsKey says that the endpoint is not to be asked without a key.
	NeedsKey       bool
	Timeout        time.Duration // of all that one Ask does
	TextsPerMinute int
	CacheFor       time.Duration
	Revision       string // of the policy: answers hold under the one that they were given under
}

// Cause says in one word why a text was not judged. It is a closed set, fit for a label of a metric.
type Cause string

// The causes.
const (
	// CauseBudget: more texts than the policy allows in a minute.
	CauseBudget Cause = "budget"
	// CauseTimeout: no answer in time.
	CauseTimeout Cause = "timeout"
	// CauseUnavailable: no connection, or an answer that is an error.
	CauseUnavailable Cause = "unavailable"
	// CauseMalformed: an answer that is none of the schema, does not match the texts, or is too long; or a refusal to give one.
	CauseMalformed Cause = "malformed"
	// CauseLength: the text is longer than MaxTextBytes.
	CauseLength Cause = "length"
	// CauseKey: the endpoint needs a key, and there is none.
	CauseKey Cause = "key"
)

// Causes lists all causes.
var Causes = []Cause{CauseBudget, CauseTimeout, CauseUnavailable, CauseMalformed, CauseLength, CauseKey}

// Answer is what the model says about one text.
type Answer struct {
	Directive bool
	Reason    Reason // ReasonNone unless Directive
	Cached    bool   // given earlier
	Unjudged  Cause  // why there is no answer; empty when there is one
}

// Options adjust a Judge; the zero value is good.
type Options struct {
	// Log receives transitions; slog.Default() when nil.
	Log *slog.Logger
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// Called is told about every call: why it failed, or "" and how many texts it was about.
	Called func(failed Cause, texts int, took time.Duration)
}

// Judge asks, remembers answers, and keeps to the budget. It is safe for concurrent use.
type Judge struct {
	log    *slog.Logger
	now    func() time.Time
	called func(Cause, int, time.Duration)
	cache  *lru.Cache // [sha256.Size]byte -> remembered

	mu      sync.Mutex
	client  *client
	budget  *rate.Limiter
	failing Cause // why it does not answer; empty while it does
	// malformed counts malformed answers since the last good one.
	malformed int
}

// remembered is an answer that holds for a while.
type remembered struct {
	directive bool
	reason    Reason
	until     time.Time
}

// New returns a Judge.
func New(o Options) *Judge {
	j := &Judge{log: o.Log, now: o.Now, called: o.Called, cache: lru.New(cachedAnswers)}
	if j.log == nil {
		j.log = slog.Default()
	}
	if j.now == nil {
		j.now = time.Now
	}
	if j.called == nil {
		j.called = func(Cause, int, time.Duration) {}
	}
	return j
}

// Ask returns one answer per text, in their order. It asks once for all texts that it does not know, unless they are too many
// for one call. If the answer to several is malformed, which one of them may have brought about, it asks about each alone.
func (j *Judge) Ask(ctx context.Context, s Settings, texts []string) []Answer {
	answers := make([]Answer, len(texts))
	open, repeats := j.lookUp(s, texts, answers)
	if len(open) > 0 {
		ctx, cancel := context.WithTimeout(ctx, s.Timeout)
		defer cancel()
		a := asking{Judge: j, settings: s, answers: answers}
		a.client, a.budget = j.prepare(s)
		a.all(ctx, open)
	}
	for at, first := range repeats {
		answers[at] = answers[first]
	}
	return answers
}

// question is a text that is to be asked about.
type question struct {
	at   int // among the answers
	text string
	key  [sha256.Size]byte
}

// lookUp answers what needs no call, and returns what does. Repeats are texts that are there more than once, by where.
func (j *Judge) lookUp(s Settings, texts []string, answers []Answer) (open []question, repeats map[int]int) {
	now := j.now()
	first := map[[sha256.Size]byte]int{}
	repeats = map[int]int{}
	for at, text := range texts {
		key := cacheKey(s, text)
		if found, ok := j.cache.Get(key); ok {
			if known, ok := found.(remembered); ok && now.Before(known.until) {
				answers[at] = Answer{Directive: known.directive, Reason: known.reason, Cached: true}
				continue
			}
		}
		before, again := first[key]
		switch {
		case again:
			repeats[at] = before
		case len(text) > MaxTextBytes:
			answers[at].Unjudged = CauseLength
		case s.NeedsKey && s.Key == "":
			answers[at].Unjudged = CauseKey
		default:
			first[key] = at
			open = append(open, question{at: at, text: text, key: key})
		}
	}
	return open, repeats
}

// cacheKey is a hash of everything that an answer depends on.
func cacheKey(s Settings, text string) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range []string{s.Revision, s.URL, s.Model, text} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// asking is one Ask on its way.
type asking struct {
	*Judge
	settings Settings
	client   *client
	budget   *rate.Limiter
	answers  []Answer
}

// all asks about all questions, in as few calls as possible.
func (a asking) all(ctx context.Context, open []question) {
	open = a.afford(open)
	for len(open) > 0 {
		n := callSize(open)
		batch := open[:n]
		open = open[n:]
		failed := a.call(ctx, batch)
		switch {
		case failed == CauseMalformed && n > 1:
			a.singly(ctx, batch)
		case failed == CauseTimeout || failed == CauseUnavailable: // the next call would fare no better
			a.giveUp(open, failed)
			return
		}
	}
}

func (a asking) giveUp(open []question, cause Cause) {
	for _, q := range open {
		a.answers[q.at] = Answer{Unjudged: cause}
	}
}

// callSize is how many of the questions fit into one call, at least one.
func callSize(open []question) int {
	bytes := 0
	for n, q := range open {
		if bytes += len(q.text); n > 0 && (n == maxCallTexts || bytes > maxCallBytes) {
			return n
		}
	}
	return len(open)
}

// afford returns those of the questions that the budget has room for, the first ones.
func (a asking) afford(open []question) []question {
	now := a.now()
	for n := range open {
		if !a.budget.AllowN(now, 1) {
			a.giveUp(open[n:], CauseBudget)
			return open[:n]
		}
	}
	return open
}

// singly asks about each text alone. That costs as much again.
func (a asking) singly(ctx context.Context, batch []question) {
	var group errgroup.Group
	group.SetLimit(singlesAtOnce)
	for _, q := range a.afford(batch) {
		group.Go(func() error {
			a.call(ctx, []question{q})
			return nil
		})
	}
	_ = group.Wait() // what failed is in the answers
}

// call makes one call, and fills in the answers to its questions. It returns why there are none.
func (a asking) call(ctx context.Context, batch []question) Cause {
	texts := make([]string, len(batch))
	for i, q := range batch {
		texts[i] = q.text
	}
	begin := time.Now()
	opinions, failed := a.client.ask(ctx, texts)
	a.called(failed, len(texts), time.Since(begin))
	a.note(a.settings, failed)
	if failed != "" {
		a.giveUp(batch, failed)
		return failed
	}
	until := a.now().Add(a.settings.CacheFor)
	for i, q := range batch {
		a.answers[q.at] = Answer{Directive: opinions[i].directive, Reason: opinions[i].reason}
		a.cache.Add(q.key, remembered{directive: opinions[i].directive, reason: opinions[i].reason, until: until})
	}
	return ""
}

// prepare brings client and budget in line with the policy in force.
func (j *Judge) prepare(s Settings) (*client, *rate.Limiter) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.client == nil || !j.client.suits(s) {
		if j.client != nil {
			j.client.close()
		}
		j.client = newClient(s)
	}
	if j.budget == nil || j.budget.Burst() != s.TextsPerMinute {
		j.budget = rate.NewLimiter(rate.Limit(float64(s.TextsPerMinute)/60), s.TextsPerMinute)
	}
	return j.client, j.budget
}

// manyMalformed is how many malformed answers in a row are taken for the fault of the endpoint and not of a text.
const manyMalformed = 5

// note logs when the judge stops answering and when it answers again.
func (j *Judge) note(s Settings, failed Cause) {
	j.mu.Lock()
	was := j.failing
	switch {
	case failed == "":
		j.failing, j.malformed = "", 0
	case failed != CauseMalformed:
		j.failing = failed
	default:
		if j.malformed++; j.malformed >= manyMalformed {
			j.failing = failed
		}
	}
	is := j.failing
	j.mu.Unlock()
	switch {
	case is != "" && was == "":
		j.log.Warn("Judge does not answer, what it was to judge is marked for review", "cause", string(is), "url", s.URL, "model", s.Model)
	case is == "" && was != "":
		j.log.Info("Judge answers again", "url", s.URL, "model", s.Model)
	}
}
