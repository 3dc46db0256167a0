// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// refPrefix is where schemas of named types are looked up while a schema is built; none is left in the result.
const refPrefix = "#/types/"

// shape is the JSON schema of what a tool takes or gives, made from a Go type and its tags like those of the REST API.
type shape struct {
	registry huma.Registry
	schema   *huma.Schema
	tree     map[string]any // what is served: self-contained, without references
}

// shapeOf returns the shape of T. A type that has none is a mistake in this package, so it panics.
func shapeOf[T any]() shape {
	r := huma.NewMapRegistry(refPrefix, huma.DefaultSchemaNamer)
	s := shape{registry: r, schema: r.Schema(reflect.TypeFor[T](), false, "")}
	types := map[string]any{}
	for name, schema := range r.Map() {
		types[name] = treeOf(schema)
	}
	tree, ok := resolved(treeOf(s.schema), types).(map[string]any)
	if !ok || tree["type"] != huma.TypeObject {
		panic(fmt.Sprintf("%s is no object", reflect.TypeFor[T]()))
	}
	if tree["properties"] == nil {
		tree["properties"] = map[string]any{}
	}
	s.tree = tree
	return s
}

func treeOf(s *huma.Schema) any {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		panic(err)
	}
	return tree
}

// resolved puts the schemas of named types where they are referred to: not every client follows references.
func resolved(tree any, types map[string]any) any {
	switch v := tree.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			return resolved(types[strings.TrimPrefix(ref, refPrefix)], types)
		}
		out := make(map[string]any, len(v))
		for key, child := range v {
			out[key] = resolved(child, types)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = resolved(child, types)
		}
		return out
	}
	return tree
}

// maxFaults is how many faults of one call are told.
const maxFaults = 5

// read checks arguments and decodes them into value. Its error says which argument is wrong and how, and never holds a
// value.
func (s shape) read(arguments json.RawMessage, value any) error {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	var raw any
	if err := json.Unmarshal(arguments, &raw); err != nil {
		return errors.New("arguments: send a JSON object")
	}
	var result huma.ValidateResult
	huma.Validate(s.registry, s.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, raw, &result)
	if len(result.Errors) == 0 {
		if err := json.Unmarshal(arguments, value); err != nil {
			return errors.New("arguments: " + typeFault(err))
		}
		return nil
	}
	var faults []string
	for _, err := range result.Errors[:min(len(result.Errors), maxFaults)] {
		var detail *huma.ErrorDetail
		if !errors.As(err, &detail) {
			continue
		}
		where := detail.Location
		if where == "" {
			where = "arguments"
		}
		faults = append(faults, shortened(where)+": "+shortened(detail.Message))
	}
	return errors.New(strings.Join(faults, "; "))
}

// typeFault names the argument that does not decode, such as a time that is none.
func typeFault(err error) string {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		return wrong.Field + " is of the wrong type"
	}
	return "a value is of the wrong form; times are written like 2026-11-01T12:00:00Z"
}

// shortened bounds what an error repeats of the names a caller made up.
func shortened(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// referenceInput and referenceOutput give a schema the form in which the reference memory server publishes its own.
func referenceInput(s shape) map[string]any {
	tree, _ := without(s.tree, "additionalProperties").(map[string]any)
	return withDialect(tree)
}

func referenceOutput(s shape) map[string]any { return withDialect(s.tree) }

func withDialect(tree map[string]any) map[string]any {
	out := maps.Clone(tree)
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	return out
}

func without(tree any, key string) any {
	switch v := tree.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, child := range v {
			if k != key {
				out[k] = without(child, key)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, child := range v {
			out[i] = without(child, key)
		}
		return out
	}
	return tree
}
