// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/gate"
)

// Bounds of the list of an upstream's tools.
const (
	maxPages = 50
	maxTools = 1000
)

// pinFresh is how long the acceptance of a definition is taken for granted; a person may take it back meanwhile.
const pinFresh = 30 * time.Second

// catalog knows the tools of an upstream as they were last defined in this session.
type catalog struct {
	mu       sync.Mutex
	complete bool // all of them are known
	defined  map[string]definition
	server   *server // the known server that they are the tools of
}

// definition is how a tool was last defined, and whether it may be used so.
type definition struct {
	digest [sha256.Size]byte
	schema json.RawMessage
	pin    gate.Pin
	pinned time.Time
}

// forget makes the next use ask for the list again.
func (c *catalog) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.complete = false
}

// definition returns how a tool is defined, and reports whether the list is complete.
func (c *catalog) definition(tool string) (d definition, known, complete bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, known = c.defined[tool]
	return d, known, c.complete
}

// recognized returns the known server, if it is one.
func (c *catalog) recognized() *server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// note takes definitions in. After the last page of a whole list, it is complete, and says which server it is.
func (c *catalog) note(defs map[string]definition, whole bool) (tools, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if whole || c.defined == nil {
		c.defined = map[string]definition{}
	}
	for name, d := range defs {
		c.defined[name] = d
	}
	if whole {
		c.complete = true
		c.server = recognize(func(tool string) bool { _, ok := c.defined[tool]; return ok })
	}
	for _, d := range c.defined {
		if d.pin.State != gate.PinPinned {
			waiting++
		}
	}
	return len(c.defined), waiting
}

// learn asks for all tools, unless they are known.
func (l *link) learn(ctx context.Context, c *call) error {
	if _, _, complete := l.tools.definition(""); complete {
		return nil
	}
	all := map[string]definition{}
	fields := map[string]any{}
	for range maxPages {
		raw, err := l.call(ctx, methodListTools, fields, nil)
		if err != nil {
			return err
		}
		page, err := readPage(raw, "tools")
		if err != nil {
			return &upstreamError{name: l.up.Name, err: err}
		}
		defs, err := l.pin(ctx, c, page, "")
		if err != nil {
			return err
		}
		for name, d := range defs {
			all[name] = d
		}
		if len(all) > maxTools {
			break
		}
		if page.next == "" {
			l.lane.counted(l.tools.note(all, true))
			return nil
		}
		fields = map[string]any{"cursor": page.next}
	}
	return &upstreamError{name: l.up.Name, err: errManyTools}
}

// page is a page of a list of tools, prompts or templates.
type page struct {
	raw   []byte
	list  member
	items []listedItem
	next  string
}

// listedItem is one of them. One that is not ok is defined in a way that readers would not agree on.
type listedItem struct {
	start, end int // in the page
	raw        json.RawMessage
	name       string
	ok         bool
}

// readPage reads a page. It fails if the page is none.
func readPage(raw []byte, of string) (page, error) {
	page := page{raw: raw}
	fields, _, ok := members(raw)
	if !ok {
		return page, errGarbage
	}
	if page.list, ok = find(fields, of); !ok {
		return page, errGarbage
	}
	list, ok := items(raw[page.list.start:page.list.end])
	if !ok || len(list) > maxTools {
		return page, errGarbage
	}
	if cursor, ok := find(fields, "nextCursor"); ok {
		if json.Unmarshal(raw[cursor.start:cursor.end], &page.next) != nil {
			return page, errGarbage
		}
	}
	seen := map[string]bool{}
	for _, item := range list {
		t := listedItem{start: page.list.start + item.start, end: page.list.start + item.end}
		t.raw = raw[t.start:t.end]
		if fields, _, ok := members(t.raw); ok {
			if name, ok := find(fields, "name"); ok && json.Unmarshal(t.raw[name.start:name.end], &t.name) == nil {
				t.ok = t.name != "" && len(t.name) <= gate.MaxToolBytes && !seen[t.name]
				seen[t.name] = true
			}
		}
		page.items = append(page.items, t)
	}
	return page, nil
}

// without returns the page without what may not be used as it is defined there.
func (p page) without(defs map[string]definition) []byte {
	kept := make([]json.RawMessage, 0, len(p.items))
	for _, t := range p.items {
		if t.ok && defs[t.name].pin.State == gate.PinPinned {
			kept = append(kept, t.raw)
		}
	}
	if len(kept) == len(p.items) {
		return p.raw
	}
	list := []byte{'['}
	for i, raw := range kept {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, raw...)
	}
	return spliced(p.raw, []splice{{start: p.list.start, end: p.list.end, with: append(list, ']')}})
}

// pin asks whether what stands on a page may be used as it is defined there. The kind stands before the name of what is no tool.
func (l *link) pin(ctx context.Context, c *call, page page, kind string) (map[string]definition, error) {
	out := map[string]definition{}
	var asked []gate.ToolDefinition
	now := time.Now()
	for _, t := range page.items {
		if !t.ok {
			continue
		}
		defined, digest, ok := l.define(t, kind)
		if !ok {
			continue
		}
		old, known, _ := l.tools.definition(t.name)
		if kind == "" && known && old.digest == digest && old.pin.State == gate.PinPinned && now.Sub(old.pinned) < pinFresh {
			out[t.name] = old
			continue
		}
		out[t.name] = definition{digest: digest, schema: schemaOf(t.raw)}
		asked = append(asked, defined)
	}
	if len(asked) == 0 {
		return out, nil
	}
	pins, err := l.gate.PinTools(ctx, c.talk.caller, asked)
	if err != nil {
		return nil, err
	}
	if len(pins) != len(asked) {
		return nil, errMismatch
	}
	for i, p := range pins {
		name := strings.TrimPrefix(asked[i].Tool, kind)
		d := out[name]
		d.pin, d.pinned = p, now
		out[name] = d
	}
	return out, nil
}

// fieldsRead are those of a definition that a model reads.
var fieldsRead = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations", "arguments", "uriTemplate"}

// define returns a definition in the form that is compared. One that two readers could take for different things has none.
func (l *link) define(t listedItem, kind string) (gate.ToolDefinition, [sha256.Size]byte, bool) {
	def := gate.ToolDefinition{Upstream: l.up.Name, Tool: kind + t.name}
	object, err := action.ParseObject(t.raw)
	if err != nil {
		return def, [sha256.Size]byte{}, false
	}
	compared := map[string]any{}
	for _, field := range fieldsRead {
		if value, ok := object[field]; ok {
			compared[field] = value
		}
	}
	def.Definition = action.Canonical(compared)
	def.Texts, err = textsOfDefinition(def.Definition)
	return def, sha256.Sum256(def.Definition), err == nil
}

// namingWords is how many words a name has at most that says nothing but what something is called.
const namingWords = 4

// isName reports whether a text only names something: sort_by, or https://json-schema.org/draft.
func isName(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("_-./:$@+", r) })
	return identifier.MatchString(text) && len(words) <= namingWords
}

// silent are the members of schemas whose values are for programs.
var silent = set("$schema", "$ref", "$id", "pattern", "format")

// textsOfDefinition returns what of a definition a model reads: descriptions and titles, and whatever else in it is more than a name.
func textsOfDefinition(raw []byte) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	err := visit(raw, func(l literal) error {
		text, err := decode(raw[l.start:l.end])
		quiet := silent[lastName(l.path)] && !strings.ContainsAny(text, " \t\n")
		if err != nil || text == "" || seen[text] || quiet || isName(text) {
			return err
		}
		seen[text] = true
		out = append(out, text)
		return nil
	})
	return out, err
}

// schemaOf returns the input schema of a tool, as it was offered.
func schemaOf(raw json.RawMessage) json.RawMessage {
	fields, _, ok := members(raw)
	if !ok {
		return nil
	}
	schema, ok := find(fields, "inputSchema")
	if !ok {
		return nil
	}
	return raw[schema.start:schema.end:schema.end]
}

// effectOf returns what a tool of a Memory upstream does: what the policy says, else what the table of known servers says, else
// nothing it may.
func (l *link) effectOf(name string) (v1alpha1.UpstreamEffect, effect, bool) {
	known := l.tools.recognized()
	e := effect{}
	if known != nil {
		e.tool = known.Tools[name]
		e.control = e.tool.control
	}
	if rule, ok := l.up.Rule(name); ok {
		if rule.Effect != e.tool.Effect {
			e.tool, e.control = tool{}, nil // the table speaks of another tool
		}
		for _, text := range rule.Content {
			path, err := parsePath(text)
			if err != nil {
				return v1alpha1.UpstreamEffectRefuse, effect{}, false
			}
			e.content = append(e.content, path)
		}
		return rule.Effect, e, true
	}
	if e.tool.Effect == "" {
		return v1alpha1.UpstreamEffectRefuse, effect{}, false
	}
	return e.tool.Effect, e, true
}
