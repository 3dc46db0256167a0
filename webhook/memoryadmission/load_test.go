// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

func newPipe() (*io.PipeReader, *io.PipeWriter) { return io.Pipe() }

// keysOf are the key files of an agent, as text.
func keysOf(a *agent) iter.Seq[string] {
	return func(yield func(string) bool) {
		for entry := range maps.Values(a.keys) {
			if !yield(string(entry)) {
				return
			}
		}
	}
}

func BenchmarkReview(b *testing.B) {
	a := newAgent(b)
	store := a.as(b, "store")
	request := a.request(memoryadmission.Encode, fact)
	ask(b, store, request)
	for b.Loop() {
		ask(b, store, request)
	}
}

func BenchmarkReview100(b *testing.B) {
	a := newAgent(b)
	store := a.as(b, "store")
	requests := make([]memoryadmission.Request, 100)
	for i := range requests {
		requests[i] = a.request(memoryadmission.Encode, fmt.Sprintf("Note %d: %s", i, fact))
	}
	for b.Loop() {
		if _, err := store.Review(context.Background(), requests...); err != nil {
			b.Fatal(err)
		}
	}
}

// Of the load: reviews per second, and for how long. They are sent when they are due, whether earlier ones were answered or not.
const (
	loadRate = 200
	loadTime = 10 * time.Second
)

// BenchmarkLoad reports how long reviews take at a steady rate, client, TLS and webhook in one process. Run it with -benchtime=1x.
func BenchmarkLoad(b *testing.B) {
	a := newAgent(b)
	store := a.as(b, "store")
	kept := ask(b, store, a.request(memoryadmission.Encode, fact)).SignedSource
	var took []time.Duration
	for b.Loop() {
		took = a.load(b, store, kept)
	}
	slices.Sort(took)
	at := func(perMille int) float64 { return float64(took[len(took)*perMille/1000].Microseconds()) / 1000 }
	b.ReportMetric(at(500), "p50-ms")
	b.ReportMetric(at(990), "p99-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
	b.ReportMetric(float64(len(took)), "reviews")
}

func (a *agent) load(b *testing.B, store *memoryadmission.Client, kept string) []time.Duration {
	b.Helper()
	const reviews = loadRate * int(loadTime/time.Second)
	took := make([]time.Duration, reviews)
	var wait sync.WaitGroup
	begin := time.Now()
	for i := range reviews {
		due := begin.Add(time.Duration(i) * time.Second / loadRate)
		time.Sleep(time.Until(due))
		wait.Go(func() {
			request := a.request(memoryadmission.Encode, fmt.Sprintf("Note %d: %s", i, fact))
			if i%2 == 0 {
				request = a.request(memoryadmission.Recall, fact)
				request.SignedSource = kept
			}
			response, err := store.Do(context.Background(), request)
			if err != nil || !response.Allowed {
				b.Errorf("%v %+v", err, response.Status)
			}
			took[i] = time.Since(due)
		})
	}
	wait.Wait()
	return took
}
