// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/event"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

// PollOptions sets how often screeners are asked.
type PollOptions struct {
	// Interval between two questions to a screener that is in sync. It is jittered by a tenth.
	Interval time.Duration
	// FastInterval is used from a change until the screener is in sync, or FastWindow is over; from there it doubles up
	// to Interval.
	FastInterval time.Duration
	FastWindow   time.Duration
	// Timeout of one question.
	Timeout time.Duration
	// Concurrency is how many screeners are asked at the same time.
	Concurrency int
}

// DefaultPollOptions are used unless flags say otherwise.
func DefaultPollOptions() PollOptions {
	return PollOptions{
		Interval: time.Minute, FastInterval: 2 * time.Second, FastWindow: 3 * time.Minute,
		Timeout: 5 * time.Second, Concurrency: 16,
	}
}

// failuresAllowed is how many questions in a row may fail before a screener counts as unreachable: one lost packet is
// no transition.
const failuresAllowed = 2

// want is what a screener in sync reports.
type want struct {
	revision string
	primary  string
	keyIDs   []string // sorted
}

func (w want) metBy(s admin.Status) bool {
	have := slices.Clone(s.KeyIDs)
	slices.Sort(have)
	return s.PolicyRejected == "" && s.PolicyRevision == w.revision && s.PrimaryKeyID == w.primary && slices.Equal(have, w.keyIDs)
}

// report is what is known of one screener.
type report struct {
	reachable metav1.ConditionStatus // Unknown before the first answer
	status    admin.Status           // of the last answer
}

// Poller asks the running screeners for their status, keeps the answers in memory, and tells the reconcilers when one
// changed. It runs on the leader.
type Poller struct {
	source  StatusSource
	options PollOptions
	metrics *screenerMetrics
	events  []chan event.GenericEvent

	mu     sync.Mutex
	agents map[types.NamespacedName]*polledAgent
}

type polledAgent struct {
	want      want
	fastUntil time.Time
	pods      map[types.UID]*polledPod
}

type polledPod struct {
	target   Target
	report   report
	failures int
	due      time.Time
	// quiet is the time to the next question once the screener is in sync. It doubles from question to question, up to the
	// interval: right after a change people look, and so does the operator.
	quiet  time.Duration
	asking bool
}

func newPoller(source StatusSource, options PollOptions, metrics *screenerMetrics) *Poller {
	return &Poller{source: source, options: options, metrics: metrics, agents: map[types.NamespacedName]*polledAgent{}}
}

// subscribe returns a channel with one event per agent whose screeners report something new. It must be called before
// Start.
func (p *Poller) subscribe() <-chan event.GenericEvent {
	c := make(chan event.GenericEvent, 256)
	p.events = append(p.events, c)
	return c
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (p *Poller) NeedLeaderElection() bool { return true }

// Track sets which screeners of an agent run and what they should report. New ones are asked at once, and all of them
// after a change of what they should report.
func (p *Poller) Track(agent types.NamespacedName, targets []Target, w want) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(targets) == 0 {
		delete(p.agents, agent)
		p.metrics.forget(agent)
		return
	}
	now := time.Now()
	a := p.agents[agent]
	if a == nil {
		a = &polledAgent{pods: map[types.UID]*polledPod{}}
		p.agents[agent] = a
	}
	changed := !reflect.DeepEqual(a.want, w)
	a.want = w
	current := map[types.UID]*polledPod{}
	for _, t := range targets {
		pod := a.pods[t.UID]
		if pod == nil || pod.target.IP != t.IP {
			pod = &polledPod{report: report{reachable: metav1.ConditionUnknown}, due: now}
			changed = true
		}
		pod.target = t
		if changed {
			pod.due, pod.quiet = now, p.options.FastInterval
		}
		current[t.UID] = pod
	}
	a.pods = current
	if changed {
		a.fastUntil = now.Add(p.options.FastWindow)
	}
}

// Reports returns what is known of an agent's screeners, by pod.
func (p *Poller) Reports(agent types.NamespacedName) map[types.UID]report {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[types.UID]report{}
	if a := p.agents[agent]; a != nil {
		for uid, pod := range a.pods {
			out[uid] = pod.report
		}
	}
	return out
}

// Start asks until ctx ends.
func (p *Poller) Start(ctx context.Context) error {
	ticker := time.NewTicker(max(p.options.FastInterval/8, 20*time.Millisecond))
	defer ticker.Stop()
	slots := make(chan struct{}, p.options.Concurrency)
	var asking sync.WaitGroup
	defer asking.Wait()
	for {
		for _, target := range p.dueTargets(time.Now()) {
			select {
			case <-ctx.Done():
				return nil
			case slots <- struct{}{}:
			}
			asking.Go(func() {
				defer func() { <-slots }()
				p.ask(ctx, target)
			})
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// dueTargets marks and returns the screeners to ask now.
func (p *Poller) dueTargets(now time.Time) []Target {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Target
	for _, a := range p.agents {
		for _, pod := range a.pods {
			if !pod.asking && !pod.due.After(now) {
				pod.asking = true
				out = append(out, pod.target)
			}
		}
	}
	return out
}

func (p *Poller) ask(ctx context.Context, t Target) {
	limited, cancel := context.WithTimeout(ctx, p.options.Timeout)
	defer cancel()
	status, err := p.source.Status(limited, t)
	if ctx.Err() != nil {
		return
	}
	if p.note(ctx, t, status, err) {
		p.tell(ctx, t.Agent)
	}
}

// note stores an answer and reports whether it says something new.
func (p *Poller) note(ctx context.Context, t Target, status admin.Status, err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.agents[t.Agent]
	if a == nil || a.pods[t.UID] == nil || a.pods[t.UID].target.IP != t.IP {
		return false
	}
	pod, now := a.pods[t.UID], time.Now()
	pod.asking = false
	before := pod.report
	if err != nil {
		pod.failures++
		if pod.failures >= failuresAllowed {
			pod.report.reachable = metav1.ConditionFalse
		}
		logf.FromContext(ctx).V(1).Info("Screener did not answer", "agent", t.Agent, "pod", t.Pod, "error", err.Error())
	} else {
		pod.failures = 0
		pod.report = report{reachable: metav1.ConditionTrue, status: status}
	}
	settled := err == nil && a.want.metBy(status)
	lastChance := err != nil && pod.failures < failuresAllowed
	switch {
	case settled:
		pod.due = now.Add(jittered(pod.quiet))
		pod.quiet = min(2*pod.quiet, p.options.Interval)
	case now.Before(a.fastUntil), lastChance:
		pod.due = now.Add(p.options.FastInterval)
	default:
		pod.due = now.Add(jittered(p.options.Interval))
	}
	p.metrics.observe(t.Agent, a)
	return !reflect.DeepEqual(before, pod.report)
}

func jittered(d time.Duration) time.Duration {
	return d - d/10 + rand.N(d/5+1) //nolint:gosec // spreads load, protects nothing
}

func (p *Poller) tell(ctx context.Context, agent types.NamespacedName) {
	obj := &v1alpha1.AgentMemory{ObjectMeta: metav1.ObjectMeta{Namespace: agent.Namespace, Name: agent.Name}}
	for _, c := range p.events {
		select {
		case c <- event.GenericEvent{Object: obj}:
		case <-ctx.Done():
			return
		}
	}
}

// sumStatus adds up what an agent's screeners report. Each pod with an Ephemeral store has memories of its own; what is in a database
// counts once.
func sumStatus(reports map[types.UID]report) v1alpha1.MemoryCounts {
	var c v1alpha1.MemoryCounts
	shared := false
	for _, uid := range slices.Sorted(maps.Keys(reports)) {
		s := reports[uid].status
		if s.Store != nil && s.Store.Kind == admin.StorePostgres {
			if shared {
				continue
			}
			shared = true
		}
		c.Quarantine += s.Zones["Quarantine"]
		c.Working += s.Zones["Working"]
		c.Trusted += s.Zones["Trusted"]
		c.PendingReview += s.PendingReview
	}
	return c
}
