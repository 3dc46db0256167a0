// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/storetest"
)

// benchWorld starts what the suite has, for a benchmark.
func benchWorld(b *testing.B) {
	b.Helper()
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		b.Skip("KUBEBUILDER_ASSETS is not set: this benchmark needs kube-apiserver and etcd")
	}
	RegisterTestingT(b)
	SetDefaultEventuallyTimeout(time.Minute)
	startWorld(b)
	b.Cleanup(func() { underTest.end() })
}

// fill signs and stores n memories of an agent, as its screener would, past the screening.
func (s *screenerOf) fill(b *testing.B, n int) {
	b.Helper()
	const batch = 1000
	texts := storetest.NewCorpus("English", 1)
	sign := func(r memory.Record) ([]byte, error) {
		return s.state.Keyset.Sign(r.Tuple(s.state.Runtime.AgentID).Message())
	}
	for done := 0; done < n; done += batch {
		changes := make([]memory.Change, min(batch, n-done))
		for i := range changes {
			now := memory.Timestamp(time.Now())
			changes[i] = memory.Change{Type: memory.ChangeCreate, Actor: "agent", Sign: sign, Record: memory.Record{
				ID: memory.NewID(), Namespace: s.namespace, Branch: memory.MainBranch, Zone: memory.Working, State: memory.Active,
				Class: provenance.AgentInferred, Source: "agent:" + s.agent, Content: texts.Sentence(), CreatedAt: now, UpdatedAt: now,
			}}
		}
		if _, err := s.store.CommitAll(ctx, changes); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkList lists 100,000 memories of one agent through an API server, the aggregated API and a screener with SQLite, in pages of 500
// as kubectl does, and in the largest there are. An operation is one list. cpu-s is what the API, the screener and this client take of
// the processors for it, which other work on the machine does not change; the heap is that of the three as well.
func BenchmarkList(b *testing.B) {
	const all = 100_000
	benchWorld(b)
	concierge.fill(b, all)
	who := as("admin", "system:masters")
	for name, accept := range map[string]string{"table": "application/json;as=Table;v=v1;g=meta.k8s.io", "objects": "application/json"} {
		for _, limit := range []int{500, maxPage} {
			b.Run(fmt.Sprintf("%s/limit=%d", name, limit), func(b *testing.B) {
				var most uint64
				begin := processorTime(b)
				for b.Loop() {
					most = max(most, listAll(b, who, accept, limit, all))
				}
				b.ReportMetric((processorTime(b)-begin).Seconds()/float64(b.N), "cpu-s")
				b.ReportMetric(float64(most)/(1<<20), "heap-MiB")
			})
		}
	}
}

// processorTime is how long this process has been on processors.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var continued = regexp.MustCompile(`^\{[^\[]*"continue":"([^"]+)"`)

// listAll lists all memories, and returns how large the heap was at most. It does not decode what it gets: that is not what is measured.
func listAll(b *testing.B, who someone, accept string, limit, want int) (most uint64) {
	b.Helper()
	seen, next := 0, ""
	for {
		got := who.do("GET", fmt.Sprintf("/namespaces/%s/memories?limit=%d&fieldSelector=agent%%3Dconcierge&continue=%s", travel, limit, url.QueryEscape(next)), nil, accept)
		if got.status != 200 {
			b.Fatalf("%d: %.300s", got.status, got.body)
		}
		seen += strings.Count(got.body, `"uid":"`)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
		found := continued.FindStringSubmatch(got.body)
		if found == nil {
			if seen != want {
				b.Fatalf("%d memories, want %d", seen, want)
			}
			return most
		}
		next = found[1]
	}
}

// BenchmarkReview measures a decision of a person as kubectl makes it: look at a memory that waits, then approve the version that was
// seen. The percentiles are of the approvals alone.
func BenchmarkReview(b *testing.B) {
	benchWorld(b)
	bind(travel, "memorytrust-reviewer", rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "rita@example.com"})
	who := reviewer()
	Eventually(who.may).Should(BeTrue())
	concierge.fill(b, 1000)
	var looks, approvals []time.Duration
	for b.Loop() {
		b.StopTimer()
		id := concierge.write(fmt.Sprintf("The museum number %d in Lyon closes at five on Fridays.", len(approvals)), "web:example.org")
		b.StartTimer()
		begin := time.Now()
		commit := into[api.Memory](who.get(memoryPath(travel, id, ""))).Status.Commit
		looks = append(looks, time.Since(begin))
		begin = time.Now()
		got := who.post(memoryPath(travel, id, "approve"), decide(commit, "checked with the author"))
		approvals = append(approvals, time.Since(begin))
		if got.status != 201 {
			b.Fatalf("%d: %s", got.status, got.body)
		}
	}
	storetest.ReportLatencies(b, approvals)
	slices.Sort(looks)
	b.ReportMetric(float64(looks[len(looks)/2].Microseconds())/1000, "get-p50-ms")
}
