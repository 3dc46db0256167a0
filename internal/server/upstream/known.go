// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
)

// knownYAML is the table of memory servers whose tools need no rules. Its head documents the format.
//
//go:embed known.yaml
var knownYAML []byte

// server is a memory server that the table describes.
type server struct {
	Name     string          `json:"name"`
	Source   string          `json:"source"`
	Requires []string        `json:"requires"`
	Tools    map[string]tool `json:"tools"`
	Metadata []string        `json:"metadata"`
	Names    []string        `json:"names"`
	Says     []string        `json:"says"`

	metadataSet, namesSet, saysSet map[string]bool
}

// tool is one of its tools.
type tool struct {
	Effect  v1alpha1.UpstreamEffect `json:"effect"`
	Control []string                `json:"control"`
	Lookup  *lookup                 `json:"lookup"`

	control []argumentPath
}

// lookup is a call that tells what another one would delete.
type lookup struct {
	Tool      string            `json:"tool"`
	Arguments map[string]string `json:"arguments"` // its arguments, from those of the call
}

// known returns the table.
var known = sync.OnceValue(func() []*server {
	servers, err := parseKnown(knownYAML)
	if err != nil {
		panic(err) // the table is part of the program, and tested
	}
	return servers
})

// parseKnown reads a table. It is strict: a word it does not know is an error.
func parseKnown(data []byte) ([]*server, error) {
	var table struct {
		Servers []*server `json:"servers"`
	}
	if err := yaml.UnmarshalStrict(data, &table); err != nil {
		return nil, err
	}
	for _, s := range table.Servers {
		if err := s.compile(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return table.Servers, nil
}

func (s *server) compile() error {
	s.metadataSet, s.saysSet = set(s.Metadata...), set(s.Says...)
	s.namesSet = set(append(slices.Clone(s.Names), s.Metadata...)...)
	for _, required := range s.Requires {
		if _, ok := s.Tools[required]; !ok {
			return fmt.Errorf("requires %s, which is none of its tools", required)
		}
	}
	for name, t := range s.Tools {
		switch t.Effect {
		case v1alpha1.UpstreamEffectRead, v1alpha1.UpstreamEffectWrite, v1alpha1.UpstreamEffectDelete, v1alpha1.UpstreamEffectRefuse:
		default:
			return fmt.Errorf("%s: %q is no effect", name, t.Effect)
		}
		for _, text := range t.Control {
			path, err := parsePath(text)
			if err != nil {
				return fmt.Errorf("%s: %q %w", name, text, err)
			}
			t.control = append(t.control, path)
		}
		if t.Lookup != nil {
			if s.Tools[t.Lookup.Tool].Effect != v1alpha1.UpstreamEffectRead {
				return fmt.Errorf("%s: lookup is by a tool that reads", name)
			}
		}
		s.Tools[name] = t
	}
	if len(s.Requires) == 0 {
		return fmt.Errorf("requires no tools, so that every server would be it")
	}
	return nil
}

// recognize returns the known server whose tools an upstream has: all that it requires and, of several such servers, most tools in
// common. What the upstream says of itself does not count, anybody can say that.
func recognize(has func(tool string) bool) *server {
	var best *server
	most := 0
	for _, s := range known() {
		if slices.ContainsFunc(s.Requires, func(name string) bool { return !has(name) }) {
			continue
		}
		common := 0
		for name := range s.Tools {
			if has(name) {
				common++
			}
		}
		if common > most {
			best, most = s, common
		}
	}
	return best
}

// metadata reports whether a field of results holds ids, times and the like.
func (s *server) metadata(field string) bool { return s != nil && s.metadataSet[field] }

// field reports whether results have a member of this name, whatever is stored.
func (s *server) field(name string) bool { return s != nil && s.namesSet[name] }

// saying reports whether a text is one the server always says, whatever is stored.
func (s *server) saying(text string) bool { return s != nil && s.saysSet[text] }
