// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// waits fills the queue of the agent's class WebContent with n different memories and returns their ids.
func (f *fixture) waits(n int) []string {
	f.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = f.put(memory.Record{
			Content: fmt.Sprintf("%x says the %s of room %d is %d.", digest(fmt.Sprint(i))[:8], topics[i%len(topics)], i, i*7),
			Class:   provenance.WebContent, Source: "web:x", State: memory.PendingReview, Expiry: f.now.Add(24 * time.Hour),
		}).ID
	}
	return ids
}

// A write that waits is compared with all that waits already.
func BenchmarkEncodePending(b *testing.B) {
	for _, waiting := range []int{0, 999} {
		b.Run(fmt.Sprint(waiting), func(b *testing.B) {
			f := newFixture(b, limits(10000, 1000000))
			f.waits(waiting)
			i := 0
			for b.Loop() {
				f.now = f.now.Add(time.Second)
				f.write(agent, Write{Content: fmt.Sprintf("Note %d: %s", i, publicFact), Source: "web:x"})
				i++
			}
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	f := newFixture(b, limits(10000, 1000000))
	for b.Loop() {
		b.StopTimer()
		id := f.put(memory.Record{Content: publicFact, Class: provenance.WebContent, State: memory.PendingReview}).ID
		b.StartTimer()
		f.does(id, memory.ActionApprove)
	}
}

func BenchmarkReview(b *testing.B) {
	f := newFixture(b)
	f.waits(200)
	for b.Loop() {
		if _, err := f.Review(f.ctx(), reviewer, QueueQuery{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScanContradictions(b *testing.B) {
	f := newFixture(b)
	f.fill(1000)
	for b.Loop() {
		must(b, f.db.SetMark(f.ctx(), scanMark(testNamespace), 0))
		if out := f.scanned(); out.Pairs == 0 {
			b.Fatal("nothing was compared")
		}
	}
}

func BenchmarkExportImport(b *testing.B) {
	f := newFixture(b)
	f.fill(1000)
	for b.Loop() {
		var out bytes.Buffer
		must(b, f.Export(f.ctx(), reviewer, &out))
		if got := f.imports(out.String()); got.Present != 1000 {
			b.Fatalf("%+v", got)
		}
	}
}
