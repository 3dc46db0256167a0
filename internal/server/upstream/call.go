// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Keys of _meta in results that are not as the upstream gave them.
const (
	metaWithheld = "memorytrust.dev/withheld" // how many texts were held back
	metaCaution  = "memorytrust.dev/caution"
	metaReviewID = "memorytrust.dev/reviewId"
)

// call is one request of the agent to an upstream.
type call struct {
	link    *link
	talk    conversation
	session string // memory session
	tool    string // tool, or method for anything else
	meta    mcp.Meta
}

// newCall returns a request in a session of the protocol, whose id names the memory session unless the URL names one.
func (l *link) newCall(protocolSession, tool string) *call {
	c := &call{link: l, talk: l.talk, session: l.talk.session, tool: tool}
	if c.session == "" {
		c.session = protocolSession
	}
	return c
}

// forward answers the agent's requests with what the upstream says, once the gate has decided about it.
func (l *link) forward(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return next(ctx, method, req)
		}
		c := l.newCall(session.ID(), method)
		given := metaOf(req)
		c.meta = passing(given)
		switch method {
		case methodPing, methodSetLevel:
			if err := c.control(ctx, method, req); err != nil {
				return nil, c.wire(ctx, err)
			}
			return next(ctx, method, req)
		}
		if !slices.Contains(forwarded, method) {
			return next(ctx, method, req)
		}
		stop := c.follow(ctx, session, given[progressToken])
		defer stop()
		result, err := c.answered(ctx, method, req)
		if err != nil {
			return nil, c.wire(ctx, err)
		}
		result.added = addedFor(method, given)
		return result, nil
	}
}

// answered makes the request, by its kind.
func (c *call) answered(ctx context.Context, method string, req mcp.Request) (*answer, error) {
	if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && method == methodCallTool {
		return c.callTool(ctx, p)
	}
	fields, err := fieldsOf(req)
	if err != nil {
		return nil, err
	}
	raw, err := c.link.call(ctx, method, fields, c.meta)
	if err != nil {
		return nil, err
	}
	if asksForInput(raw) {
		return nil, &upstreamError{name: c.link.up.Name, err: errInput}
	}
	switch method {
	case methodListTools:
		_, more := fields["cursor"]
		raw, err = c.listedTools(ctx, raw, !more)
	case methodListPrompts:
		raw, err = c.listedItems(ctx, raw, "prompts", "prompt ")
	case methodListTemplates:
		raw, err = c.listedItems(ctx, raw, "resourceTemplates", "resource ")
	default:
		raw, err = c.screened(ctx, raw, protocol)
	}
	return &answer{raw: raw}, err
}

// control hands on what has no answer worth reading.
func (c *call) control(ctx context.Context, method string, req mcp.Request) error {
	ctx, cancel := context.WithTimeout(ctx, c.link.up.Timeout())
	defer cancel()
	session, err := c.link.connected(ctx)
	if err != nil {
		return c.link.failure(ctx, err)
	}
	if p, ok := req.GetParams().(*mcp.SetLoggingLevelParams); ok && method == methodSetLevel {
		c.link.mu.Lock()
		c.link.level = p.Level
		c.link.mu.Unlock()
		err = session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: p.Level})
	} else {
		err = session.Ping(ctx, nil)
	}
	if err != nil && said(err) == nil {
		return c.link.failure(ctx, err)
	}
	return err
}

// reserved begins the names in _meta that belong to the protocol, and to one hop of it.
const reserved = "io.modelcontextprotocol/"

const progressToken = "progressToken"

// metaOf returns the _meta of a request. Where a request has no parameters, the SDK has a nil pointer in their place.
func metaOf(req mcp.Request) map[string]any {
	p := req.GetParams()
	if p == nil || reflect.ValueOf(p).IsNil() {
		return nil
	}
	return p.GetMeta()
}

// passing returns what of a request's _meta is for the upstream.
func passing(given map[string]any) mcp.Meta {
	out := mcp.Meta{}
	for key, value := range given {
		if !strings.HasPrefix(key, reserved) && key != progressToken {
			out[key] = value
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// follow hands progress of the request on to the agent, if it wants to know.
func (c *call) follow(ctx context.Context, session *mcp.ServerSession, token any) (stop func()) {
	if token == nil {
		return func() {}
	}
	ours, done := c.link.following(func(p *mcp.ProgressNotificationParams) {
		told := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: p.Progress, Total: p.Total}
		if p.Message != "" {
			raw, err := c.screened(ctx, object(map[string]any{"message": p.Message}), free)
			var shown struct {
				Message string `json:"message"`
			}
			if err == nil && json.Unmarshal(raw, &shown) == nil {
				told.Message = shown.Message
			}
		}
		_ = session.NotifyProgress(ctx, told) // who is gone does not care
	})
	if c.meta == nil {
		c.meta = mcp.Meta{}
	}
	c.meta[progressToken] = ours
	return done
}

// fieldsOf returns the parameters of a request without what belongs to one hop.
func fieldsOf(req mcp.Request) (map[string]any, error) {
	raw, err := json.Marshal(req.GetParams())
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(members))
	for name, value := range members {
		switch name {
		case "_meta", "inputResponses", "requestState":
		default:
			out[name] = value
		}
	}
	return out, nil
}

// asksForInput reports whether an answer is none yet, but a question to the agent's side.
func asksForInput(raw []byte) bool {
	var fields struct {
		ResultType    string          `json:"resultType"`
		InputRequests json.RawMessage `json:"inputRequests"`
	}
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	return fields.ResultType == "input_required" || len(fields.InputRequests) > 0 && string(fields.InputRequests) != "null"
}

// addedFor returns the members that results have in the version of the protocol without sessions. What was delivered once may be
// withheld the next time, so that nothing is to be cached.
func addedFor(method string, given map[string]any) map[string]any {
	if v, _ := given[mcp.MetaKeyProtocolVersion].(string); v < sessionless {
		return nil
	}
	added := map[string]any{"resultType": "complete"}
	switch method {
	case methodListTools, methodListResources, methodListTemplates, methodReadResource, methodListPrompts:
		added["ttlMs"], added["cacheScope"] = 0, "private"
	}
	return added
}

// wire returns an error as the agent gets it. What an upstream put into one is looked at like a result.
func (c *call) wire(ctx context.Context, err error) error {
	if answered := said(err); answered != nil {
		return c.saidBy(ctx, answered)
	}
	var fault *upstreamError
	switch {
	case errors.As(err, &fault):
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fault.Error()}
	case errors.Is(err, context.Canceled):
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: c.refusal(err)}
}

// saidBy returns the error that an upstream answered with, after its words were looked at.
func (c *call) saidBy(ctx context.Context, answered *jsonrpc.Error) error {
	fields := map[string]any{"message": answered.Message}
	if len(answered.Data) > 0 {
		fields["data"] = answered.Data
	}
	raw, err := plain(fields)
	if err != nil {
		return &jsonrpc.Error{Code: answered.Code, Message: "The upstream " + c.link.up.Name + " answered with an error."}
	}
	if raw, err = c.screened(ctx, raw, free); err != nil {
		return &jsonrpc.Error{
			Code: answered.Code, Message: "The upstream " + c.link.up.Name + " answered with an error; its words are kept back.",
		}
	}
	shown := &jsonrpc.Error{Code: answered.Code}
	var words struct {
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &words) == nil {
		shown.Message, shown.Data = words.Message, words.Data
	}
	return shown
}

// screened lets the gate look at what the upstream said, before the agent reads it.
func (c *call) screened(ctx context.Context, raw json.RawMessage, as shape) (json.RawMessage, error) {
	if c.link.up.Kind == v1alpha1.UpstreamKindMemory {
		return c.recalled(ctx, raw, as)
	}
	return c.observed(ctx, raw, as, "")
}

// listedTools leaves out of a page of tools those that wait for a person, or that nobody could agree on.
func (c *call) listedTools(ctx context.Context, raw json.RawMessage, first bool) (json.RawMessage, error) {
	page, err := readPage(raw, "tools")
	if err != nil {
		return nil, &upstreamError{name: c.link.up.Name, err: err}
	}
	defs, err := c.link.pin(ctx, c, page, "")
	if err != nil {
		return nil, err
	}
	tools, waiting := c.link.tools.note(defs, first && page.next == "")
	if first && page.next == "" {
		c.link.lane.counted(tools, waiting)
	}
	return page.without(defs), nil
}

// listedItems does the same with prompts and templates of resources, which a model reads like tools.
func (c *call) listedItems(ctx context.Context, raw json.RawMessage, list, kind string) (json.RawMessage, error) {
	page, err := readPage(raw, list)
	if err != nil {
		return nil, &upstreamError{name: c.link.up.Name, err: err}
	}
	defs, err := c.link.pin(ctx, c, page, kind)
	if err != nil {
		return nil, err
	}
	return page.without(defs), nil
}
