// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
	"memorytrust.dev/operator/internal/store/storetest"
)

// Size of the fleet that is measured.
const (
	fleetAgents   = 50
	fleetReplicas = 2
	fleetMemories = 200 // of each agent, before the clock runs
)

// newFleet returns the gates of all replicas, one agent after the other: each agent with keys, a policy and a role of its own, each
// replica with a store of its own.
func newFleet(b *testing.B, db pgtest.Database) []*Gate {
	b.Helper()
	admin, run := db.Admin(b), memory.NewID()[24:]
	var gates []*Gate
	for n := range fleetAgents {
		role := fmt.Sprintf("fleet_%s_%d", run, n)
		url := db.Role(b, admin, role)
		must(b, postgres.Provision(b.Context(), admin, role, role))
		state := fleetState(b, role)
		for range fleetReplicas {
			store, err := postgres.Open(b.Context(), postgres.Options{URL: url, Agent: role})
			must(b, err)
			b.Cleanup(func() { must(b, store.Close()) })
			gates = append(gates, New(Config{Store: store, Screener: engine(), State: func() (*policy.State, bool) { return state, true }}))
		}
	}
	return gates
}

func fleetState(b *testing.B, agentID string) *policy.State {
	b.Helper()
	p := &v1alpha1.MemoryTrustPolicy{}
	p.Name = "fleet"
	p.Spec.Store = v1alpha1.StoreSpec{
		Type: v1alpha1.StoreTypePostgres, Postgres: &v1alpha1.PostgresStore{OwnerSecretRef: v1alpha1.SecretKeyRef{Name: "owner"}},
	}
	p.Spec.Limits.WritesPerMinute = 1_000_000
	runtime, err := policy.Compile(p, testNamespace, "agent", agentID)
	must(b, err)
	id, entry, err := provenance.NewKey()
	must(b, err)
	keys, err := provenance.ParseKeyset(id, map[string][]byte{id: entry})
	must(b, err)
	state, err := policy.NewState(runtime, keys, nil, nil, nil)
	must(b, err)
	return state
}

// all runs n calls by all gates at the same time, and returns how long each took. It reports how many in a thousand found the database too
// busy to be answered.
func all(b *testing.B, gates []*Gate, n int, call func(g *Gate, i int) error) []time.Duration {
	b.Helper()
	took := make([]time.Duration, n)
	var next, unavailable atomic.Int64
	var group sync.WaitGroup
	for _, g := range gates {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				begin := time.Now()
				err := call(g, i)
				switch {
				case errors.Is(err, memory.ErrUnavailable):
					unavailable.Add(1)
				case err != nil:
					b.Error(err)
					return
				}
				took[i] = time.Since(begin)
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(unavailable.Load())*1000/float64(n), "unavailable-‰")
	return took
}

// BenchmarkFleet measures 50 agents of two replicas each on one PostgreSQL server, all at work at the same time and each waiting for its
// answer: screening, signing and committing memories, and recalls in full, deliveries logged. Every third call of mixed is a write, and its
// percentiles are of the recalls.
func BenchmarkFleet(b *testing.B) {
	db := pgtest.Any(b)
	gates := newFleet(b, db)
	texts, questions := storetest.NewCorpus("English", 1), storetest.NewCorpus("English", 2)
	sentences, asked := make([]string, 10_000), make([]string, 1000)
	for i := range sentences {
		sentences[i] = texts.Sentence()
	}
	for i := range asked {
		asked[i] = questions.Question()
	}
	var serial atomic.Int64
	write := func(g *Gate, _ int) error {
		n := serial.Add(1)
		_, err := g.Encode(context.Background(), agent, Write{Content: fmt.Sprintf("%s %d.", sentences[n%int64(len(sentences))], n)})
		return err
	}
	recall := func(g *Gate, i int) error {
		_, err := g.Recall(context.Background(), agent, Recall{Query: asked[i%len(asked)], Session: fmt.Sprint("s", i%100), Limit: 10})
		return err
	}
	all(b, gates, fleetAgents*fleetMemories, write)
	admin := db.Admin(b)
	_, err := admin.Exec(b.Context(), "VACUUM ANALYZE")
	must(b, err)
	b.Run("writes", func(b *testing.B) {
		took := all(b, gates, b.N, write)
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		storetest.ReportLatencies(b, took)
	})
	b.Run("recalls", func(b *testing.B) {
		took := all(b, gates, b.N, recall)
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "recalls/s")
		storetest.ReportLatencies(b, took)
	})
	b.Run("mixed", func(b *testing.B) {
		took := all(b, gates, b.N, func(g *Gate, i int) error {
			if i%3 == 0 {
				return write(g, i)
			}
			return recall(g, i)
		})
		var recalls []time.Duration
		for i, d := range took {
			if i%3 != 0 || len(took) == 1 {
				recalls = append(recalls, d)
			}
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
		storetest.ReportLatencies(b, recalls)
		var connections int
		must(b, admin.QueryRow(b.Context(), "SELECT count(*) FROM pg_stat_activity WHERE usename LIKE 'fleet%'").Scan(&connections))
		b.ReportMetric(float64(connections), "connections")
	})
}
