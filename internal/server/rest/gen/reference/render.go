// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// port is one API and how it is reached.
type port struct {
	title, about string
	api          *huma.OpenAPI
}

// tenant is a parameter of every operation, so that tables leave it out.
const tenant = "namespace"

func render(ports []port) string {
	var b strings.Builder
	b.WriteString("# REST reference\n\nGenerated from the APIs themselves by `go generate ./internal/server/rest`. How to use them is in [The screener](../screener.md).\n\n" +
		"Every request takes the query parameter `" + tenant + "`, which tables leave out. A `*` marks what is required, `[]` what can be repeated or is a list. " +
		"Errors are problem documents (RFC 9457).\n")
	for _, p := range ports {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| request | does | parameters | body | answers |\n|---|---|---|---|---|\n", p.title, p.about)
		for _, op := range operations(p.api) {
			fmt.Fprintf(&b, "| `%s %s` | %s | %s | %s | %s |\n", op.Method, op.Path, cell(op.Description), parameters(op),
				body(op), answers(op))
		}
	}
	b.WriteString("\n## Shapes\n" + shapes(ports))
	return b.String()
}

// operations returns what an API does, by path and then in the order of a memory's life.
func operations(api *huma.OpenAPI) []*huma.Operation {
	var out []*huma.Operation
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		item := api.Paths[path]
		for _, op := range []*huma.Operation{item.Post, item.Get, item.Patch, item.Delete} {
			if op != nil {
				out = append(out, op)
			}
		}
	}
	return out
}

func parameters(op *huma.Operation) string {
	var out []string
	for _, p := range op.Parameters {
		name := p.Name
		if name == tenant || p.In == "path" {
			continue
		}
		if p.Schema != nil && p.Schema.Type == huma.TypeArray {
			name += "[]"
		}
		if p.In == "header" {
			name = "header " + name
		}
		out = append(out, "`"+name+"`"+required(p.Required))
	}
	return strings.Join(out, ", ")
}

func required(is bool) string {
	if is {
		return "*"
	}
	return ""
}

func body(op *huma.Operation) string {
	if op.RequestBody == nil {
		return ""
	}
	kinds := slices.Sorted(maps.Keys(op.RequestBody.Content))
	if name := named(op.RequestBody.Content[kinds[0]].Schema); name != "" {
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	}
	return "`" + kinds[0] + "`"
}

// named returns the name of the schema that a reference is to.
func named(s *huma.Schema) string {
	if s == nil || s.Ref == "" {
		return ""
	}
	return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
}

func answers(op *huma.Operation) string {
	var out []string
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		text := status
		for _, kind := range slices.Sorted(maps.Keys(op.Responses[status].Content)) {
			if name := named(op.Responses[status].Content[kind].Schema); name != "" && status < "300" {
				text += fmt.Sprintf(" [%s](#%s)", name, strings.ToLower(name))
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// shapes describes every schema that a table refers to, and those that these refer to. The same name is the same type on
// every port.
func shapes(ports []port) string {
	known, used := map[string]*huma.Schema{}, map[string]bool{}
	for _, p := range ports {
		for name, schema := range p.api.Components.Schemas.Map() {
			known[name] = schema
		}
		for _, op := range operations(p.api) {
			for _, schema := range schemas(op) {
				use(known, used, schema)
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(used)) {
		schema := known[name]
		fmt.Fprintf(&b, "\n### %s\n\n| field | type | meaning |\n|---|---|---|\n", name)
		for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
			property := schema.Properties[field]
			fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", field, required(slices.Contains(schema.Required, field)), kind(property), cell(property.Description))
		}
	}
	return b.String()
}

// schemas are those of an operation's body and good answers.
func schemas(op *huma.Operation) []*huma.Schema {
	var out []*huma.Schema
	if op.RequestBody != nil {
		for _, media := range op.RequestBody.Content {
			out = append(out, media.Schema)
		}
	}
	for status, response := range op.Responses {
		for _, media := range response.Content {
			if status < "300" {
				out = append(out, media.Schema)
			}
		}
	}
	return out
}

func use(known map[string]*huma.Schema, used map[string]bool, s *huma.Schema) {
	if s == nil {
		return
	}
	use(known, used, s.Items)
	if value, ok := s.AdditionalProperties.(*huma.Schema); ok {
		use(known, used, value)
	}
	name := named(s)
	if name == "" || used[name] || known[name] == nil {
		return
	}
	used[name] = true
	for _, property := range known[name].Properties {
		use(known, used, property)
	}
}

// kind is the type of a field in a word or two.
func kind(s *huma.Schema) string {
	if name := named(s); name != "" {
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	}
	switch {
	case s.Type == huma.TypeArray && s.Items != nil:
		return kind(s.Items) + "[]"
	case s.Type == huma.TypeObject:
		if value, ok := s.AdditionalProperties.(*huma.Schema); ok {
			return "map of " + kind(value)
		}
	case len(s.Enum) > 0:
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = fmt.Sprint(v)
		}
		return strings.Join(values, ", ")
	case s.Format == "date-time":
		return "time"
	}
	return s.Type
}

// cell keeps text inside of its cell.
func cell(s string) string { return strings.NewReplacer("|", "\\|", "\n", " ").Replace(s) }
