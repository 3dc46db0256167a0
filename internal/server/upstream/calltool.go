// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/provenance"
)

// callTool calls a tool, if the gate lets it. Where it does not, and where the upstream fails, the result tells the model.
func (c *call) callTool(ctx context.Context, p *mcp.CallToolParamsRaw) (*answer, error) {
	c.tool = p.Name
	result, err := c.tried(ctx, p)
	var fault *upstreamError
	switch {
	case err == nil, said(err) != nil, errors.Is(err, context.Canceled):
		return result, err
	case errors.As(err, &fault):
		return toldModel(fault.Error() + " Nothing of its answer came through, and whether the call did something is not known. " +
			"Tell the user if this goes on."), nil
	}
	return toldModel(c.refusal(err)), nil
}

func (c *call) tried(ctx context.Context, p *mcp.CallToolParamsRaw) (*answer, error) {
	d, err := c.defined(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case d == nil:
		return toldModel(fmt.Sprintf("The upstream %s has no tool of this name that may be used.", c.link.up.Name)), nil
	case d.pin.State != gate.PinPinned:
		return told(d.pin.Message, d.pin.ReviewID), nil
	}
	made := gate.UpstreamCall{
		Upstream: c.link.up.Name, Tool: p.Name, Session: c.session, Arguments: argumentsOf(p), Schema: d.schema,
	}
	if c.link.up.Kind == v1alpha1.UpstreamKindMemory {
		return c.ofMemory(ctx, made)
	}
	return c.ofTools(ctx, made)
}

func argumentsOf(p *mcp.CallToolParamsRaw) json.RawMessage {
	if len(p.Arguments) == 0 || string(p.Arguments) == "null" {
		return json.RawMessage("{}")
	}
	return p.Arguments
}

// defined returns the definition of the tool as the upstream gives it now, accepted a moment ago at most; nil if there is none.
func (c *call) defined(ctx context.Context) (*definition, error) {
	for attempt := range 2 {
		d, known, complete := c.link.tools.definition(c.tool)
		if known && complete && d.pin.State == gate.PinPinned && time.Since(d.pinned) < pinFresh {
			return &d, nil
		}
		if attempt > 0 {
			if !known {
				return nil, nil //nolint:nilnil // there is no such tool
			}
			return &d, nil
		}
		c.link.tools.forget()
		if err := c.link.learn(ctx, c); err != nil {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // not reached
}

// told is toldModel with the id of what a person decides about.
func told(text, reviewID string) *answer {
	a := toldModel(text)
	if reviewID != "" {
		a.raw = object(map[string]any{
			"content": []any{map[string]any{"type": "text", "text": text}}, "isError": true, "_meta": map[string]any{metaReviewID: reviewID},
		})
	}
	return a
}

// make calls the tool of the upstream.
func (c *call) make(ctx context.Context, made gate.UpstreamCall) (json.RawMessage, error) {
	raw, err := c.link.call(ctx, methodCallTool, map[string]any{"name": made.Tool, "arguments": made.Arguments}, c.meta)
	if err != nil {
		return nil, err
	}
	if asksForInput(raw) {
		return nil, &upstreamError{name: c.link.up.Name, err: errInput}
	}
	if _, _, ok := members(raw); !ok {
		return nil, &upstreamError{name: c.link.up.Name, err: errGarbage}
	}
	return raw, nil
}

// failed reports whether a result says that the call failed.
func failed(raw json.RawMessage) bool {
	var result struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(raw, &result) != nil || result.IsError
}

// ofTools calls a tool of a Tools upstream: authorized before, observed after.
func (c *call) ofTools(ctx context.Context, made gate.UpstreamCall) (*answer, error) {
	rule, ok := c.link.up.Rule(made.Tool)
	if ok && rule.Effect == v1alpha1.UpstreamEffectRefuse {
		return toldModel("The policy refuses this tool (spec.upstreams[].toolRules). Do not look for another way to do the same; " +
			"tell the user."), nil
	}
	decided, err := c.link.gate.AuthorizeUpstream(ctx, c.talk.caller, made)
	if err != nil {
		return nil, err
	}
	if decided.Decision != gate.ActionAllow {
		return told(decided.Message, decided.ApprovalID), nil
	}
	raw, err := c.make(ctx, made)
	if err != nil {
		return nil, err
	}
	raw, err = c.observed(ctx, raw, protocol, rule.Class)
	return &answer{raw: raw}, err
}

// observed lets the gate take note of what an upstream said. It passes as it is, or not at all.
func (c *call) observed(ctx context.Context, raw json.RawMessage, as shape, class provenance.Class) (json.RawMessage, error) {
	r, err := readWhole(raw, as)
	if err != nil {
		return nil, &upstreamError{name: c.link.up.Name, err: errGarbage}
	}
	if len(r.texts) == 0 {
		return raw, nil
	}
	err = c.link.gate.ObserveUpstream(ctx, c.talk.caller, gate.UpstreamResult{
		Upstream: c.link.up.Name, Tool: c.tool, Session: c.session, Class: class, Texts: gathered(r.words(), gate.MaxUpstreamTexts),
	})
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// gathered joins texts until there are no more than so many.
func gathered(texts []string, most int) []string {
	if len(texts) <= most {
		return texts
	}
	each := (len(texts) + most - 1) / most
	out := make([]string, 0, most)
	for some := range slices.Chunk(texts, each) {
		out = append(out, strings.Join(some, "\n"))
	}
	return out
}
