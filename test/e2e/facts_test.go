//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// facts are written one after the other while something breaks, as a client writes that wants them stored once: what is not
// acknowledged is sent again, with the same idempotency key, and to the next pod.
type facts struct {
	about string   // tells these facts from others
	ways  []caller // to the pods of one agent; the first is tried first

	mu           sync.Mutex
	acknowledged map[string]string // id by content
	again        int               // requests sent again
	refused      []reply           // answers that were 503
	surprising   []reply           // answers that neither acknowledge nor say to try again
}

// keepWriting writes until stop is called, which waits for the last fact to be acknowledged.
func (f *facts) keepWriting(ctx context.Context) (stop func()) {
	f.acknowledged = map[string]string{}
	enough, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ctx.Err() == nil; i++ {
			select {
			case <-enough:
				return
			default:
				f.write(ctx, i)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(enough)
		<-done
	})
}

// write writes one fact until it is acknowledged.
func (f *facts) write(ctx context.Context, number int) {
	// Numbers far from each other, so that no fact is nearly another.
	text := fmt.Sprintf("The %s parcel %d of Nordwind is in shelf %d.", f.about, 1000+number, (number*7919)%10007)
	body := fmt.Appendf(nil, `{"content":%q,"source":"web:depot.example"}`, text)
	for attempt := 0; ctx.Err() == nil; attempt++ {
		way := f.ways[attempt%len(f.ways)]
		way.header = http.Header{"Idempotency-Key": {fmt.Sprintf("%s-%d", f.about, number)}}
		answer, err := way.try(ctx, http.MethodPost, "/v1/memories", "application/json", body)
		if err == nil && f.answered(text, answer) {
			return
		}
		f.mu.Lock()
		f.again++
		f.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
}

// answered notes an answer, and says whether the fact need not be sent again.
func (f *facts) answered(text string, answer reply) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	var written stored
	switch {
	case answer.Status == http.StatusServiceUnavailable:
		f.refused = append(f.refused, answer)
		return false
	case answer.Status == http.StatusCreated && json.Unmarshal([]byte(answer.Body), &written) == nil:
		f.acknowledged[text] = written.ID
	default:
		f.surprising = append(f.surprising, answer)
	}
	return true
}

// count is how many facts are acknowledged.
func (f *facts) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.acknowledged)
}

// retried is how many requests were sent again.
func (f *facts) retried() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.again
}

// refusals are the answers that were 503.
func (f *facts) refusals() []reply {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]reply(nil), f.refused...)
}

// expectOnce asserts that each fact is there under the id that was acknowledged, and under no other.
func (f *facts) expectOnce(ctx context.Context, way caller) {
	GinkgoHelper()
	f.mu.Lock()
	defer f.mu.Unlock()
	Expect(f.surprising).To(BeEmpty(), "answers to writes")
	Expect(f.acknowledged).NotTo(BeEmpty())
	found := map[string]string{}
	for id, text := range listAll(ctx, way) {
		if _, ok := f.acknowledged[text]; ok {
			Expect(found).NotTo(HaveKey(text), "stored twice")
			found[text] = id
		}
	}
	Expect(maps.Equal(found, f.acknowledged)).To(BeTrue(), "%d of %d acknowledged facts are there", len(found), len(f.acknowledged))
}

// listAll returns the contents of all memories that an agent may see, by id.
func listAll(ctx context.Context, way caller) map[string]string {
	GinkgoHelper()
	all, cursor := map[string]string{}, ""
	for {
		var page struct {
			Memories []struct{ ID, Content string }
			Next     string
		}
		answer := way.get(ctx, "/v1/memories?"+url.Values{"limit": {"100"}, "cursor": {cursor}}.Encode())
		Expect(answer.Status).To(Equal(http.StatusOK), answer.Body)
		answer.into(&page)
		for _, m := range page.Memories {
			all[m.ID] = m.Content
		}
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
}
