// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/memory/overlap"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// AuthorizeUpstream says whether a call of an upstream's tool is made: Authorize for a call that the screener makes itself, with a
// message for the model that wanted it. An approval is for the tool of this upstream. Its errors are those of Authorize; none of
// them allows anything.
func (g *Gate) AuthorizeUpstream(ctx context.Context, c Caller, call UpstreamCall) (Authorized, error) {
	defer g.metrics.time("upstreamCall")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Authorized{}, err
	}
	if err := call.check(s.Runtime, v1alpha1.UpstreamKindTools, v1alpha1.UpstreamKindMemory); err != nil {
		return Authorized{}, err
	}
	out, err := g.authorizeUpstream(ctx, s, c, namespace, call)
	if err == nil {
		g.metrics.upstreamAuthorized(call.Upstream, upstreamCall, out)
	}
	return out, err
}

func (g *Gate) authorizeUpstream(
	ctx context.Context, s *policy.State, c Caller, namespace string, call UpstreamCall,
) (Authorized, error) {
	return g.authorize(ctx, s, c, namespace, ActionRequest{
		Tool: call.Tool, Arguments: call.Arguments, Session: call.Session, Schema: call.Schema, upstream: call.Upstream,
	})
}

// UpstreamResult is what a tool of a Tools upstream answered.
type UpstreamResult struct {
	Upstream, Tool, Session string
	Class                   provenance.Class // of the tool's results; ToolOutput when empty, and never higher
	Texts                   []string         // at most MaxUpstreamTexts, of any length
}

// Bounds of observing a result.
const (
	// maxResultBytes is how much text a result has in all.
	maxResultBytes = 16 << 20
	// resultPart is how much of a long text is remembered as one, some 1200 words: of a longer one a smaller share is.
	resultPart = 8 << 10
	// shortTrace is how many features the traces of short texts have that are kept together: one with more is compared like a
	// long one, of which less in common says less.
	shortTrace = 64
	// observedAtOnce is how many traces are handed to the store at once; it writes them together.
	observedAtOnce = 16
)

// ObserveUpstream takes note of a tool's result as Observe does of a text: the session's mark falls to its class, and what later
// goes back to it is recognized. Nothing of the text is kept but hashes. It returns ErrNotReady, a *memory.FieldError, a
// *LimitError, or an error of the store; then the result may not be delivered.
func (g *Gate) ObserveUpstream(ctx context.Context, c Caller, r UpstreamResult) error {
	defer g.metrics.time("upstreamResult")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return err
	}
	call := UpstreamCall{Upstream: r.Upstream, Tool: r.Tool, Session: r.Session}
	if err := call.check(s.Runtime, v1alpha1.UpstreamKindTools, v1alpha1.UpstreamKindMemory); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	now := g.now()
	if err := g.allowWrite(s.Runtime, c, now); err != nil {
		return err
	}
	trace := memory.Trace{
		Namespace: namespace, Session: r.Session, Class: provenance.ToolOutput, Source: upstreamSource + r.Upstream + "/" + r.Tool, At: now,
	}
	if r.Class != "" {
		trace.Class = provenance.Min(r.Class, provenance.ToolOutput)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(observedAtOnce)
	for _, features := range featuresOfResult(r.Texts) {
		group.Go(func() error {
			one := trace
			one.ID, one.Features = memory.NewID(), features
			return g.store.Observe(ctx, one)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	g.metrics.observed(trace.Class)
	return nil
}

// check returns a *memory.FieldError.
func (r UpstreamResult) check() error {
	if r.Class != "" && !r.Class.Valid() {
		return &memory.FieldError{Field: "class", Fix: "use a source class"}
	}
	size := 0
	for _, t := range r.Texts {
		size += len(t)
	}
	switch {
	case len(r.Texts) > MaxUpstreamTexts:
		return &memory.FieldError{Field: "texts", Fix: fmt.Sprintf("ask the tool for less at a time: a result has at most %d texts", MaxUpstreamTexts)}
	case size > maxResultBytes:
		return &memory.FieldError{Field: "texts", Fix: "ask the tool for less at a time: a result has at most 16 MiB of text"}
	}
	return nil
}

// featuresOfResult are the features of the traces of a result: one at least, since a result without a text has been met too.
func featuresOfResult(texts []string) [][]uint64 {
	var out [][]uint64
	var short []uint64
	for _, t := range texts {
		for part := range partsOf(t) {
			features := overlap.WithWhole(part)
			switch {
			case len(features) > shortTrace:
				out = append(out, features)
				continue
			case len(short)+len(features) > shortTrace:
				out, short = append(out, short), nil
			}
			short = overlap.Union(short, features)
		}
	}
	if len(short) > 0 || len(out) == 0 {
		out = append(out, short)
	}
	return out
}

// partsOf cuts a long text into parts.
func partsOf(t string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(t) > resultPart {
			part := cut(t, resultPart)
			if !yield(part) {
				return
			}
			t = t[len(part):]
		}
		yield(t)
	}
}
