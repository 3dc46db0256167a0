// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/api/v1alpha1"
)

func TestChooseRun(t *testing.T) {
	at := func(clock string) time.Time {
		parsed, err := time.Parse(time.RFC3339, "2026-11-30T"+clock+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	ptrTo := func(clock string) *metav1.Time { return ptr.To(metav1.NewTime(at(clock))) }
	ran := func(clock string) *v1alpha1.BenchmarkResult {
		return &v1alpha1.BenchmarkResult{CompletedAt: *ptrTo(clock)}
	}
	hourly := v1alpha1.MemoryBenchmarkSpec{Schedule: "@hourly"}
	for name, c := range map[string]struct {
		spec   v1alpha1.MemoryBenchmarkSpec
		status v1alpha1.MemoryBenchmarkStatus
		now    string
		cause  string // beginning; empty for no run
		again  string // empty for never
	}{
		"a new one runs at once":              {v1alpha1.MemoryBenchmarkSpec{}, v1alpha1.MemoryBenchmarkStatus{}, "10:00", "the benchmark is new", ""},
		"and once only":                       {v1alpha1.MemoryBenchmarkSpec{}, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("10:00")}, "20:00", "", ""},
		"a new one with a schedule":           {hourly, v1alpha1.MemoryBenchmarkStatus{}, "10:30", "the benchmark is new", "11:00"},
		"not yet":                             {hourly, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("10:10")}, "10:59", "", "11:00"},
		"now":                                 {hourly, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("10:10")}, "11:00", "it was scheduled for 2026-11-30T11:00", "12:00"},
		"missed many times, made up for once": {hourly, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("04:10")}, "11:30", "it was scheduled for 2026-11-30T05:00", "12:00"},
		"what passed during a run is skipped": {hourly, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("11:05")}, "11:06", "", "12:00"},
		"a result that failed is no reason to hurry": {
			hourly,
			v1alpha1.MemoryBenchmarkStatus{LastRun: &v1alpha1.BenchmarkResult{CompletedAt: *ptrTo("11:05"), Outcome: v1alpha1.BenchmarkFailed}},
			"11:06", "", "12:00",
		},
		"requested": {
			v1alpha1.MemoryBenchmarkSpec{RequestedAt: ptrTo("12:00")}, v1alpha1.MemoryBenchmarkStatus{LastRun: ran("10:00")},
			"12:01", "it was requested at 2026-11-30T12:00", "",
		},
		"requested, and done": {
			v1alpha1.MemoryBenchmarkSpec{RequestedAt: ptrTo("12:00")},
			v1alpha1.MemoryBenchmarkStatus{LastRun: ran("12:05"), LastRequestedAt: ptrTo("12:00")}, "12:06", "", "",
		},
		"requested during a run that ended later": {
			v1alpha1.MemoryBenchmarkSpec{RequestedAt: ptrTo("12:00")},
			v1alpha1.MemoryBenchmarkStatus{LastRun: ran("12:05"), LastRequestedAt: ptrTo("11:00")}, "12:06", "it was requested", "",
		},
		"requested for later": {
			v1alpha1.MemoryBenchmarkSpec{RequestedAt: ptrTo("12:00"), Schedule: "@daily"},
			v1alpha1.MemoryBenchmarkStatus{LastRun: ran("10:00")}, "11:00", "", "12:00",
		},
		"suspended": {
			v1alpha1.MemoryBenchmarkSpec{RequestedAt: ptrTo("10:00"), Schedule: "@hourly", Mode: v1alpha1.BenchmarkSuspended},
			v1alpha1.MemoryBenchmarkStatus{}, "12:00", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			schedule, err := parseSchedule(&c.spec)
			if err != nil {
				t.Fatal(err)
			}
			b := &v1alpha1.MemoryBenchmark{Spec: c.spec, Status: c.status}
			b.CreationTimestamp = *ptrTo("00:01")
			got := chooseRun(b, schedule, at(c.now))
			if (c.cause == "") != (got.cause == "") || !strings.HasPrefix(got.cause, c.cause) {
				t.Errorf("cause %q, want %q", got.cause, c.cause)
			}
			var again time.Time
			if c.again != "" {
				again = at(c.again)
			}
			if !got.again.Equal(again) {
				t.Errorf("again at %v, want %v", got.again, again)
			}
		})
	}
}

func TestScheduleFollowsItsTimeZone(t *testing.T) {
	s, err := parseSchedule(&v1alpha1.MemoryBenchmarkSpec{Schedule: "30 3 * * 1", TimeZone: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]string{
		"2026-07-01T00:00:00Z": "2026-07-06T01:30:00Z", // summer
		"2026-12-01T00:00:00Z": "2026-12-07T02:30:00Z", // winter
	} {
		at, err := time.Parse(time.RFC3339, from)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.after(at).Format(time.RFC3339); got != want {
			t.Errorf("after %s: %s, want %s", from, got, want)
		}
	}
}

func TestParseScheduleRefuses(t *testing.T) {
	for name, spec := range map[string]v1alpha1.MemoryBenchmarkSpec{
		"minute out of range":   {Schedule: "61 * * * *"},
		"six fields":            {Schedule: "0 0 * * * *"},
		"a time that never is":  {Schedule: "0 0 30 2 *"},
		"a zone in the field":   {Schedule: "TZ=Europe/Berlin 0 0 * * *"},
		"a zone without fields": {Schedule: "TZ=Europe/Berlin"},
		"an interval":           {Schedule: "@every 1s"},
		"an unknown zone":       {Schedule: "@daily", TimeZone: "Europe/Atlantis"},
		"the zone of the node":  {Schedule: "@daily", TimeZone: "Local"},
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := parseSchedule(&spec); err == nil {
				t.Errorf("accepted as %v", s)
			} else if !strings.HasPrefix(err.Error(), "spec.") {
				t.Errorf("%v names no field", err)
			}
		})
	}
}

func FuzzParseSchedule(f *testing.F) {
	f.Add("30 3 * * 1", "Europe/Berlin")
	f.Add("@hourly", "")
	f.Fuzz(func(_ *testing.T, schedule, zone string) {
		s, err := parseSchedule(&v1alpha1.MemoryBenchmarkSpec{Schedule: schedule, TimeZone: zone})
		if err == nil && s != nil {
			s.after(time.Unix(1796025600, 0))
		}
	})
}
