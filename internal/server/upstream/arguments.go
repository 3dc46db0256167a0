// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"encoding/json"
	"slices"
	"strings"

	"memorytrust.dev/operator/internal/action"
)

// argumentPath names arguments of a tool, written as action.ParsePath reads it.
type argumentPath []string

// parsePath reads a path like entities[*].observations[*].
func parsePath(text string) (argumentPath, error) {
	if _, err := action.ParsePath(text); err != nil {
		return nil, err
	}
	var p argumentPath
	for part := range strings.SplitSeq(text, ".") {
		name := strings.TrimRight(strings.ReplaceAll(part, elements, "\x00"), "\x00")
		p = append(p, name)
		for range (len(part) - len(name)) / len(elements) {
			p = append(p, elements)
		}
	}
	return p, nil
}

// covers reports whether a string belongs to what the path names. What the path meets that is not of the shape it expects belongs
// to it as a whole: it is not for the caller to choose what is content.
func (p argumentPath) covers(path []string) bool {
	i := 0
	for _, step := range path {
		switch {
		case i == len(p):
			return true
		case step == elements:
			if p[i] == elements {
				i++
			}
		case p[i] == elements:
			return true
		case strings.EqualFold(step, p[i]):
			i++
		default:
			return false
		}
	}
	return true
}

// is reports whether the path names exactly this place.
func (p argumentPath) is(path []string) bool { return slices.Equal(p, path) }

// effect is what a tool does, and where its arguments hold what.
type effect struct {
	tool    tool           // of a known server; the zero value else
	content []argumentPath // what is stored, when the policy says so; else everything but control
	control []argumentPath // ids and the like, of a known server
}

// contents returns the texts of arguments that would be stored, in order. A string that nobody said to be something else is one of
// them, and so is the name of a member that is more than a name.
func (e effect) contents(arguments json.RawMessage) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	err := visit(arguments, func(l literal) error {
		text, err := decode(arguments[l.start:l.end])
		if err != nil || text == "" || seen[text] || !e.stores(l, text) {
			return err
		}
		if len(out) >= maxTexts {
			return errTooMany
		}
		seen[text] = true
		out = append(out, text)
		return nil
	})
	return out, err
}

func (e effect) stores(l literal, text string) bool {
	within := func(p argumentPath) bool { return p.covers(l.path) }
	switch {
	case len(e.content) > 0 && !slices.ContainsFunc(e.content, within):
		return false
	case l.name:
		return !identifier.MatchString(text)
	case len(e.content) > 0:
		return true
	}
	named := slices.ContainsFunc(e.control, func(p argumentPath) bool { return p.is(l.path) })
	return !named || !identifier.MatchString(text)
}
