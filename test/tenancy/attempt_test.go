// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// target is what an attempt aims at: things of the victim by name. For each that is there, there is one of the same form that is not.
type target struct {
	namespace, agent, agentID, role       string
	working, waiting, rejected, forgotten string // ids of memories
	approval, pair                        string // ids of a request to call a tool, and of a contradiction
	commit                                string // of working
	session, turn, key                    string // names the victim's clients chose
	secret                                string // a word of working, which nothing else has
	iban                                  string // an argument of the call that a person approved
}

// names lists what an attempt may name, and what stands for it when answers are compared.
func (x target) names() map[string]string {
	return map[string]string{
		x.working: "{id}", x.waiting: "{waiting}", x.rejected: "{rejected}", x.forgotten: "{forgotten}", x.approval: "{approval}", x.pair: "{pair}",
		x.commit: "{commit}", x.session: "{session}", x.turn: "{turn}", x.key: "{key}", x.secret: "{secret}", x.iban: "{iban}",
		x.agentID: "{agentID}", x.agent: "{agent}", x.role: "{role}",
	}
}

// answer is what an attempt gets back.
type answer struct {
	status int // of HTTP; 0 where there is none
	header http.Header
	body   string
}

// attempt is one try.
type attempt struct {
	name string
	do   func(t *testing.T, x target) answer
	// fails tells an answer that refuses from one that does not; nil: refusedStatus.
	fails func(a answer, x target) error
}

// refusedStatus takes every status from 400 to 499 for a refusal, and the answer of a connection that was not made.
func refusedStatus(a answer, _ target) error {
	if a.status != 0 && (a.status < 400 || a.status > 499) {
		return fmt.Errorf("status %d", a.status)
	}
	return nil
}

// saysNothing takes an answer for a refusal that holds nothing of the victim: for searches and for writes to one's own memory.
func saysNothing(a answer, _ target) error {
	if a.status >= 500 {
		return fmt.Errorf("status %d", a.status)
	}
	return nil
}

// emptyList takes an answer without any element for a refusal.
func emptyList(a answer, _ target) error {
	if a.status != http.StatusOK || strings.Contains(a.body, `"id":`) || strings.Contains(a.body, `"uid":`) {
		return fmt.Errorf("status %d, %s", a.status, a.body)
	}
	return nil
}

// way is a way in.
type way struct {
	name     string
	victim   *agent
	attempts []attempt
}

// volatile are headers that differ between any two answers.
var volatile = []string{"Date", "Audit-Id", "X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid", "Mcp-Session-Id", "Content-Length"}

// What differs between any two answers: times, and ids that were made up for the answer.
var (
	moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)`)
	uuids   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	hashes  = regexp.MustCompile(`[0-9a-f]{64}`)
	ports   = regexp.MustCompile(`(127\.\d+\.\d+\.\d+):\d+`)
)

// comparable is an answer with what was asked for, and what differs always, replaced. The agent is named in answers about what it does not
// have as well.
func (a answer) comparable(x target, agent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", a.status)
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		if !slices.Contains(volatile, name) {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(a.header[name], ", "))
		}
	}
	b.WriteString(a.body)
	text := b.String()
	for _, name := range slices.SortedFunc(maps.Keys(x.names()), func(a, b string) int { return len(b) - len(a) }) {
		if name != "" {
			text = strings.ReplaceAll(text, name, x.names()[name])
		}
	}
	text = strings.ReplaceAll(text, agent, "{agent}")
	for pattern, placeholder := range map[*regexp.Regexp]string{moments: "{time}", uuids: "{new}", hashes: "{hash}", ports: "$1:{port}"} {
		text = pattern.ReplaceAllString(text, placeholder)
	}
	return text
}

// tally counts what was tried over a way in, and what came of it.
type tally struct{ tried, successful int }

// try makes every attempt of a way in, and returns how many there were and how many got anywhere.
func (v way) try(t *testing.T) (out tally) {
	seen, before := map[string]bool{}, v.victim.fingerprint(t)
	for _, a := range v.attempts {
		if seen[a.name] {
			t.Fatalf("two attempts are called %q", a.name)
		}
		seen[a.name] = true
		out.tried++
		if !t.Run(a.name, func(t *testing.T) { before = v.check(t, a, before) }) {
			out.successful++
		}
	}
	return out
}

// check makes an attempt about what is there, and about what is not, and returns the victim's fingerprint after it.
func (v way) check(t *testing.T, a attempt, before string) (after string) {
	there, absent := v.victim.there, v.victim.absent
	got, none := a.do(t, there), a.do(t, absent)
	if after = v.victim.fingerprint(t); after != before {
		t.Errorf("the victim's store changed:\n%s\n%s", before, after)
	}
	fails := a.fails
	if fails == nil {
		fails = refusedStatus
	}
	if err := fails(got, there); err != nil {
		t.Errorf("not refused: %v\n%s", err, got.body)
	}
	for _, said := range v.victim.says() {
		if strings.Contains(got.body, said) && !strings.Contains(none.body, said) && said != there.secret {
			t.Errorf("the answer holds %q of the victim:\n%s", said, got.body)
		}
	}
	if a, b := got.comparable(there, there.agent), none.comparable(absent, there.agent); a != b {
		t.Errorf("what is there is answered\n%s\nand what is not\n%s", a, b)
	}
	return after
}
