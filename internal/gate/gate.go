// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gate holds the pipelines between an agent and its memory. It is the only place where screening, provenance,
// memory and policy meet; transports above it add no decisions of their own, and nothing reads or writes memory around it.
package gate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"memorytrust.dev/operator/internal/judge"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/screen"
)

var namespacePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

// ErrNotReady says that no policy or no keys were ever loaded. Nothing is stored or delivered until they are.
var ErrNotReady = errors.New("no policy and keys loaded yet")

// TooLargeError says that a memory is longer than the policy allows.
type TooLargeError struct {
	Limit int // bytes
}

// Error implements error.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("a memory has at most %d bytes under this policy (spec.limits.maxContentBytes)", e.Limit)
}

// Screener judges one text; *screen.Screener is one.
type Screener interface {
	Screen(screen.Input) screen.Verdict
}

// Config is what a Gate works with. Store and State are required.
type Config struct {
	Store memory.Store
	// Screener screens instead of the engine that the policy in force is compiled to.
	Screener Screener
	// Judge is asked where the policy in force has a judge; one that asks its endpoint when nil.
	Judge Judge
	// State returns what is in force; false as long as nothing was ever loaded.
	State func() (*policy.State, bool)
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// Metrics receives counts; without it they are kept and shown to nobody.
	Metrics *Metrics
	// SpoolDir is where an import is kept until all of it was checked; os.TempDir() when empty. It holds memories in the
	// clear, so that the directory of the store is a good choice.
	SpoolDir string
}

// Gate runs the pipelines. It is safe for concurrent use.
type Gate struct {
	store    memory.Store
	screener Screener
	judge    Judge
	state    func() (*policy.State, bool)
	clock    func() time.Time
	metrics  *Metrics
	pending  *pendingCount
	rates    writeRates
	spoolDir string
	heads    headWatch
	shown    shownVersions
	trust    trustReports
	asks     askLocks
	pins     pinLock
	turns    readTurns
	readings readings
	kept     keptRecords
	screened screenedTexts
}

// New returns a gate.
func New(c Config) *Gate {
	g := &Gate{screener: c.Screener, judge: c.Judge, state: c.State, clock: c.Now, metrics: c.Metrics, spoolDir: c.SpoolDir}
	g.pending = &pendingCount{Store: tracing{c.Store}, heads: &g.heads, kept: &g.kept}
	g.store = g.pending
	if g.clock == nil {
		g.clock = time.Now
	}
	if g.metrics == nil {
		g.metrics = NewMetrics(nil)
	}
	if g.judge == nil {
		g.judge = judge.New(judge.Options{Called: g.metrics.judgeCalled})
	}
	return g
}

// Caller is who speaks to the gate. The zero value is the agent's own port: class AgentInferred, authenticated by
// nothing but being in the pod. Otherwise it is an authenticated channel of the policy.
type Caller struct {
	Channel policy.Channel
	// Namespace is the tenant whose memories are read and written, nobody else's. Empty means the one named like the
	// agent's Kubernetes namespace.
	Namespace string
}

// namespace returns the caller's namespace, or a *memory.FieldError for a name that is none.
func (c Caller) namespace(r *policy.Runtime) (string, error) {
	if c.Namespace == "" {
		return r.Namespace, nil
	}
	if !namespacePattern.MatchString(c.Namespace) {
		return "", &memory.FieldError{Field: "namespace",
			Fix: "use 1 to 63 lower-case letters, digits, '.', '_' or '-', beginning with a letter or digit"}
	}
	return c.Namespace, nil
}

// Authenticated reports whether the caller came through a channel.
func (c Caller) Authenticated() bool { return c.Channel.Name != "" }

func (c Caller) writer() memory.Writer {
	return memory.Writer{Channel: c.Channel.Name, Principal: c.Channel.Principal}
}

// Limits returns the longest memory accepted and the most memories a recall returns.
func (g *Gate) Limits() (contentBytes, recallResults int, err error) {
	s, err := g.ready()
	if err != nil {
		return 0, 0, err
	}
	return s.Runtime.MaxContentBytes, s.Runtime.MaxRecallResults, nil
}

// Authenticate returns the caller that a channel's token stands for. It returns ErrNotReady or a *policy.TokenError.
func (g *Gate) Authenticate(token string) (Caller, error) {
	s, err := g.ready()
	if err != nil {
		return Caller{}, err
	}
	c, err := s.Authenticate(token)
	return Caller{Channel: c}, err
}

// Ready returns nil when policy and keys are loaded and the store takes writes.
func (g *Gate) Ready(ctx context.Context) error {
	if _, err := g.ready(); err != nil {
		return err
	}
	return g.store.Ping(ctx)
}

// ready returns the state of this request. A pipeline asks once, so that a swap in between cannot mix two policies.
func (g *Gate) ready() (*policy.State, error) {
	s, ok := g.state()
	if !ok || s == nil || s.Runtime == nil || s.Keyset == nil {
		return nil, ErrNotReady
	}
	return s, nil
}

// enter returns the state of this request and the namespace it is for. It returns ErrNotReady or a *memory.FieldError.
func (g *Gate) enter(c Caller) (*policy.State, string, error) {
	s, err := g.ready()
	if err != nil {
		return nil, "", err
	}
	namespace, err := c.namespace(s.Runtime)
	return s, namespace, err
}

func (g *Gate) now() time.Time { return memory.Timestamp(g.clock()) }
