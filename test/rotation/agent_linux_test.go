// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// pace is about how long an agent waits between two things it does.
const pace = time.Second

// memo is something an agent remembers to have written.
type memo struct {
	id, content string
	at          time.Time
}

// agent writes and recalls as long as one of its pods runs, and notes whatever is not as it should be.
type agent struct {
	name string
	http *http.Client

	turn sync.Mutex // held while it does one thing

	mu    sync.Mutex
	url   string // of its screener; empty while it has none
	memos []memo
	done  tally
}

// tally counts what was done without anything being wrong, and lists what was not.
type tally struct {
	writes, edits, recalls, reads int
	failures                      []string
}

// add adds up.
func (t *tally) add(o tally) {
	t.writes, t.edits, t.recalls, t.reads = t.writes+o.writes, t.edits+o.edits, t.recalls+o.recalls, t.reads+o.reads
	t.failures = append(t.failures, o.failures...)
}

func newAgent(name string) *agent {
	return &agent{name: name, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}, Timeout: 30 * time.Second}}
}

// work is what the agent's container does until it ends. What it began it finishes.
func (a *agent) work(ctx context.Context, screener string) {
	a.setURL(screener)
	defer a.setURL("")
	defer a.http.CloseIdleConnections()
	doing := context.WithoutCancel(ctx)
	for i := 0; pause(ctx, pace/2+rand.N(pace)); i++ {
		if len(a.since(time.Time{})) == 0 {
			i = 0 // there is nothing to recall
		}
		if problem := a.act(doing, i); problem != "" {
			a.fail(problem)
		}
	}
}

// act does one thing and returns what is wrong with it.
func (a *agent) act(ctx context.Context, i int) string {
	a.turn.Lock()
	defer a.turn.Unlock()
	switch i % 5 {
	case 1:
		return a.recall(ctx, a.some())
	case 3:
		return a.get(ctx, a.some())
	case 4:
		return a.edit(ctx)
	default:
		return a.write(ctx)
	}
}

func (a *agent) setURL(screener string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.url = screener
}

func (a *agent) fail(problem string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done.failures = append(a.done.failures, fmt.Sprintf("%s %s: %s", time.Now().Format("15:04:05.0"), a.name, problem))
}

// total returns what the agent did.
func (a *agent) total() tally {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.done
}

// since returns what was written at a time or later.
func (a *agent) since(at time.Time) []memo {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.memos, func(m memo) bool { return !m.at.Before(at) })
	if i < 0 {
		return nil
	}
	return slices.Clone(a.memos[i:])
}

// some returns a memo, most often an old one.
func (a *agent) some() memo {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.memos[rand.N(len(a.memos))]
}

// write stores something that no other memory resembles.
func (a *agent) write(ctx context.Context) string {
	content := "The parcel " + word() + " " + word() + " stands in hall " + word() + "."
	var answer struct {
		ID         string
		Recallable bool
	}
	if problem := a.ask(ctx, http.MethodPost, "/v1/memories", map[string]string{"content": content}, http.StatusCreated, &answer); problem != "" {
		return problem
	}
	if !answer.Recallable {
		return "a plain fact is not recallable"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done.writes++
	a.memos = append(a.memos, memo{id: answer.ID, content: content, at: time.Now()})
	return ""
}

// edit changes one of the memories.
func (a *agent) edit(ctx context.Context) string {
	m := a.some()
	m.content = strings.TrimSuffix(m.content, ".") + " and " + word() + "."
	if problem := a.ask(ctx, http.MethodPatch, "/v1/memories/"+m.id, map[string]string{"content": m.content}, http.StatusOK, nil); problem != "" {
		return problem
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done.edits++
	i := slices.IndexFunc(a.memos, func(have memo) bool { return have.id == m.id })
	a.memos[i].content = m.content
	return ""
}

// recall asks for a memory in its own words and expects it, and nothing withheld.
func (a *agent) recall(ctx context.Context, m memo) string {
	var answer struct {
		Memories []struct{ ID, Content string }
		Withheld []struct{ ID, Reason string }
		Degraded bool
	}
	if problem := a.ask(ctx, http.MethodPost, "/v1/recall", map[string]string{"query": m.content}, http.StatusOK, &answer); problem != "" {
		return problem
	}
	if len(answer.Withheld) > 0 || answer.Degraded {
		return fmt.Sprintf("recall is degraded or withheld something: %v", answer.Withheld)
	}
	for _, have := range answer.Memories {
		if have.ID == m.id && have.Content == m.content {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.done.recalls++
			return ""
		}
	}
	return "recall misses memory " + m.id
}

// get reads a memory by its id.
func (a *agent) get(ctx context.Context, m memo) string {
	var answer struct{ ID, Content string }
	if problem := a.ask(ctx, http.MethodGet, "/v1/memories/"+m.id, nil, http.StatusOK, &answer); problem != "" {
		return problem
	}
	if answer.Content != m.content {
		return "memory " + m.id + " has another content than was written"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done.reads++
	return ""
}

// ask sends a request and reads the answer. It returns what is wrong with it.
func (a *agent) ask(ctx context.Context, method, path string, body any, status int, answer any) string {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err.Error()
		}
		content = bytes.NewReader(encoded)
	}
	a.mu.Lock()
	base := a.url
	a.mu.Unlock()
	request, err := http.NewRequestWithContext(ctx, method, base+path, content)
	if err != nil {
		return err.Error()
	}
	request.Host = "localhost" // as in the pod; the port answers to no other name
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := a.http.Do(request)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	if response.StatusCode != status {
		return fmt.Sprintf("%s %s: %s: %s", method, path, response.Status, data)
	}
	if answer == nil {
		return ""
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return err.Error()
	}
	return ""
}

// sweep reads everything the agent ever wrote, while it does nothing else.
func (a *agent) sweep(ctx context.Context) {
	a.turn.Lock()
	defer a.turn.Unlock()
	missing := map[string]string{}
	for _, m := range a.since(time.Time{}) {
		missing[m.id] = m.content
	}
	for next := "first"; next != ""; {
		var page struct {
			Memories []struct{ ID, Content string }
			Withheld []struct{ ID, Reason string }
			Next     string
		}
		query := url.Values{"limit": {"100"}}
		if next != "first" {
			query.Set("cursor", next)
		}
		if problem := a.ask(ctx, http.MethodGet, "/v1/memories?"+query.Encode(), nil, http.StatusOK, &page); problem != "" {
			a.fail(problem)
			return
		}
		if len(page.Withheld) > 0 {
			a.fail(fmt.Sprintf("the list withholds something: %v", page.Withheld))
		}
		for _, m := range page.Memories {
			if missing[m.ID] == m.Content {
				delete(missing, m.ID)
			}
		}
		next = page.Next
	}
	if len(missing) > 0 {
		a.fail(fmt.Sprintf("%d memories are missing or have another content than was written", len(missing)))
	}
}

// word makes one up.
func word() string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	out := make([]byte, 0, 8)
	for range 4 {
		out = append(out, consonants[rand.N(len(consonants))], vowels[rand.N(len(vowels))])
	}
	return string(out)
}
