// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // images hold no time zones

	"github.com/robfig/cron/v3"

	"memorytrust.dev/operator/api/v1alpha1"
)

// runSchedule is a cron schedule in a time zone.
type runSchedule struct {
	times cron.Schedule
	zone  *time.Location
}

// parseSchedule reads spec.schedule and spec.timeZone; nil for none. Errors name the field.
func parseSchedule(spec *v1alpha1.MemoryBenchmarkSpec) (*runSchedule, error) {
	if spec.Schedule == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(spec.TimeZone) // empty is UTC
	if err != nil || strings.EqualFold(spec.TimeZone, "local") {
		return nil, fmt.Errorf("spec.timeZone: %q is no time zone of the IANA database", spec.TimeZone)
	}
	if strings.Contains(spec.Schedule, "=") || strings.HasPrefix(spec.Schedule, "@every") {
		return nil, errors.New("spec.schedule: has the five fields of cron; the time zone is in spec.timeZone")
	}
	times, err := cron.ParseStandard(spec.Schedule)
	if err != nil {
		return nil, fmt.Errorf("spec.schedule: %w", err)
	}
	s := &runSchedule{times: times, zone: zone}
	if s.after(time.Unix(0, 0)).IsZero() {
		return nil, errors.New("spec.schedule: such a time never comes")
	}
	return s, nil
}

// after returns the first time of the schedule after t.
func (s *runSchedule) after(t time.Time) time.Time { return s.times.Next(t.In(s.zone)).UTC() }

// runChoice says whether a run is due, and when one will be.
type runChoice struct {
	// cause of the run that is due, in words; empty when none is.
	cause string
	// again is when to look again; zero for never.
	again time.Time
	// next is the next time of the schedule to come; zero without one.
	next time.Time
}

// chooseRun decides while no run is under way. It looks at times and not at what happened in between, so that a manager that was away
// comes to the same conclusion as one that was not: what was missed is made up for once.
func chooseRun(b *v1alpha1.MemoryBenchmark, s *runSchedule, now time.Time) runChoice {
	var c runChoice
	if b.Spec.Mode == v1alpha1.BenchmarkSuspended {
		return c
	}
	soonest := func(t time.Time) {
		if c.again.IsZero() || t.Before(c.again) {
			c.again = t
		}
	}
	since := b.CreationTimestamp.Time
	if last := b.Status.LastRun; last != nil {
		since = last.CompletedAt.Time
	} else {
		c.cause = "the benchmark is new"
	}
	if s != nil {
		if due := s.after(since); c.cause == "" && !due.After(now) {
			c.cause = "it was scheduled for " + due.Format(time.RFC3339)
		}
		c.next = s.after(now)
		soonest(c.next)
	}
	if asked := timeOf(b.Spec.RequestedAt); asked.After(timeOf(b.Status.LastRequestedAt)) {
		if asked.After(now) {
			soonest(asked)
		} else {
			c.cause = "it was requested at " + asked.UTC().Format(time.RFC3339)
		}
	}
	return c
}
