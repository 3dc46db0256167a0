// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Methods that are handed on.
const (
	methodListTools     = "tools/list"
	methodCallTool      = "tools/call"
	methodListResources = "resources/list"
	methodListTemplates = "resources/templates/list"
	methodReadResource  = "resources/read"
	methodListPrompts   = "prompts/list"
	methodGetPrompt     = "prompts/get"
	methodComplete      = "completion/complete"
	methodSetLevel      = "logging/setLevel"
	methodPing          = "ping"
	methodSubscribe     = "resources/subscribe"
	methodUnsubscribe   = "resources/unsubscribe"
	methodInitialize    = "initialize"
	methodListen        = "subscriptions/listen"
)

// forwarded are the methods whose answers say something.
var forwarded = []string{
	methodListTools, methodCallTool, methodListResources, methodListTemplates, methodReadResource, methodListPrompts, methodGetPrompt, methodComplete,
}

// asIs stands before the name of a method between the SDK's client and its transport. The SDK decodes what answers the protocol's
// own methods, and drops every field it does not know and the last digits of long numbers; under a name it does not know, an
// answer stays what it is. The transport writes the method's real name.
const asIs = "memorytrust.dev/as-is/"

// realMethod returns the message with the method's real name.
func realMethod(msg jsonrpc.Message) jsonrpc.Message {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !strings.HasPrefix(req.Method, asIs) {
		return msg
	}
	renamed := *req
	renamed.Method = strings.TrimPrefix(req.Method, asIs)
	return &renamed
}

// params are those of a request that is handed on.
type params struct {
	mcp.ParamsBase
	fields map[string]any
}

// MarshalJSON implements json.Marshaler.
func (p *params) MarshalJSON() ([]byte, error) {
	fields := maps.Clone(p.fields)
	if len(p.Meta) > 0 {
		if fields == nil {
			fields = map[string]any{}
		}
		fields["_meta"] = p.Meta
	}
	if fields == nil {
		return []byte("{}"), nil
	}
	return plain(fields)
}

// plain writes JSON without the escapes that are for web pages.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// answer is what an upstream answered, byte for byte.
type answer struct {
	mcp.ResultBase
	raw json.RawMessage
	// added are members that the protocol of the agent's side wants and that of the upstream does not know.
	added map[string]any
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *answer) UnmarshalJSON(data []byte) error {
	a.raw = bytes.Clone(data)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (a *answer) MarshalJSON() ([]byte, error) {
	raw := a.raw
	add := maps.Clone(a.added)
	if len(a.Meta) > 0 {
		if add == nil {
			add = map[string]any{}
		}
		add["_meta"] = map[string]any(a.Meta)
	}
	if len(add) == 0 {
		return raw, nil
	}
	return withMembers(raw, add)
}

// withMembers adds members to an object where it has none of their names; into the member _meta it puts those that are missing there.
func withMembers(raw []byte, add map[string]any) ([]byte, error) {
	list, brace, ok := members(raw)
	if !ok {
		return raw, nil
	}
	missing := maps.Clone(add)
	var parts []splice
	for _, m := range list {
		value, wanted := missing[m.name]
		delete(missing, m.name)
		if meta, isMeta := value.(map[string]any); wanted && isMeta && m.name == "_meta" {
			merged, err := withMembers(raw[m.start:m.end], meta)
			if err != nil {
				return nil, err
			}
			parts = append(parts, splice{start: m.start, end: m.end, with: merged})
		}
	}
	if len(missing) > 0 {
		head, err := plain(missing)
		if err != nil {
			return nil, err
		}
		head = head[1 : len(head)-1] // without its braces
		if len(list) > 0 {
			head = append(head, ',')
		}
		parts = append(parts, splice{start: brace + 1, end: brace + 1, with: head})
	}
	return spliced(raw, parts), nil
}

// object decodes a message of this package's own making.
func object(v any) json.RawMessage {
	raw, err := plain(v)
	if err != nil { // maps, lists and strings always encode
		return json.RawMessage("{}")
	}
	return raw
}

// toldModel is a tool's result that tells the model why there is none, and what to do.
func toldModel(text string) *answer {
	return &answer{raw: object(map[string]any{
		"content": []any{map[string]any{"type": "text", "text": text}}, "isError": true,
	})}
}
