// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is looked at of a call's arguments.
const (
	// MaxLeaves is how many sensitive values of one call are looked at. A call with more of them is not grounded.
	MaxLeaves = 64
	// maxShownPath bounds the name of a value, in bytes.
	maxShownPath = 200
)

// Path names arguments of a call: names of members separated by dots, each followed by [*] for the elements of a list, as in
// items[*].iban. Names match in any case of letters, because there are tools that read arguments that way.
type Path struct {
	steps []string // folded names; stepElements for [*]
}

// stepElements stands for the elements of a list; no name holds a bracket.
const stepElements = "[*]"

// errPath says what a path looks like.
var errPath = errors.New("is no path: use names separated by '.', with [*] for the elements of a list, for example items[*].iban")

// ParsePath reads a path.
func ParsePath(s string) (Path, error) {
	if s == "" || utf8.RuneCountInString(s) > MaxPathRunes || !utf8.ValidString(s) {
		return Path{}, fmt.Errorf("is no path: use 1 to %d characters", MaxPathRunes)
	}
	var p Path
	for part := range strings.SplitSeq(s, ".") {
		name := strings.TrimSuffix(part, stepElements)
		lists := 0
		for ; name != part; lists++ {
			part, name = name, strings.TrimSuffix(name, stepElements)
		}
		if name == "" || strings.ContainsAny(name, "[]*") || strings.ContainsFunc(name, unicode.IsControl) {
			return Path{}, errPath
		}
		p.steps = append(p.steps, fold(name))
		for range lists {
			p.steps = append(p.steps, stepElements)
		}
	}
	return p, nil
}

// Leaf is a value of a call that is no list and no object, or an empty one.
type Leaf struct {
	Path  string // where it stands, for people: items[0].iban
	Value any    // string, json.Number, bool, nil, or an empty list or object
}

// Leaves returns the values that paths name, without paths all of them, in the order of their names. What a path meets that is
// not of the shape it expects is named as a whole: it is not for the caller to choose what is sensitive. There are never more
// than MaxLeaves+1.
func Leaves(args map[string]any, paths []Path) []Leaf {
	w := &leafWalk{seen: map[string]bool{}}
	if len(paths) == 0 {
		paths = []Path{{}}
	}
	for _, p := range paths {
		if len(p.steps) == 0 {
			w.members("", args, nil, func(string) bool { return true })
			continue
		}
		w.walk("", args, p.steps)
	}
	return w.leaves
}

type leafWalk struct {
	leaves []Leaf
	seen   map[string]bool
}

func (w *leafWalk) walk(at string, v any, steps []string) {
	if len(w.leaves) > MaxLeaves {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		switch {
		case len(v) == 0:
			w.add(at, v)
		case len(steps) > 0 && steps[0] != stepElements:
			w.members(at, v, steps[1:], func(key string) bool { return fold(key) == steps[0] })
		default:
			w.members(at, v, nil, func(string) bool { return true })
		}
	case []any:
		if len(steps) > 0 && steps[0] == stepElements {
			steps = steps[1:]
		}
		if len(v) == 0 {
			w.add(at, v)
		}
		for i, child := range v {
			w.walk(at+"["+strconv.Itoa(i)+"]", child, steps)
		}
	default:
		w.add(at, v)
	}
}

// members walks those members of an object that are wanted.
func (w *leafWalk) members(at string, object map[string]any, steps []string, wanted func(key string) bool) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if len(w.leaves) > MaxLeaves {
			return
		}
		if wanted(key) {
			w.walk(memberPath(at, key), object[key], steps)
		}
	}
}

// add notes a leaf once; two paths may name the same.
func (w *leafWalk) add(at string, v any) {
	if w.seen[at] {
		return
	}
	w.seen[at] = true
	w.leaves = append(w.leaves, Leaf{Path: shownPath(at), Value: v})
}

// memberPath is the name of a member. A name that could be taken for several is quoted.
func memberPath(at, key string) string {
	plain := key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	switch {
	case !plain:
		return at + "[" + strconv.QuoteToASCII(key) + "]"
	case at == "":
		return key
	}
	return at + "." + key
}

func shownPath(at string) string {
	if len(at) <= maxShownPath {
		return at
	}
	return at[:maxShownPath] + "..." // names are ASCII
}
