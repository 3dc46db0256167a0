// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// embedded holds the catalogs that come with the program: the public one as it was published, and ours.
//
//go:embed catalog/*.json
var embedded embed.FS

// Catalog is a set of vectors, whatever format it was read from.
type Catalog struct {
	Ref CatalogRef
	// Texts are single memories; Evaders are rewordings and encodings of attacks, which are reported apart.
	Texts, Evaders []Text
	// Pairs are the same content as an attack and as something harmless.
	Pairs []Pair
	// Origins are texts that a trusted and an untrusted origin say alike.
	Origins []OriginPair
	// Trials are directives under a label that only looks trusted.
	Trials []Text
	// Controls are memories that come through an authenticated channel.
	Controls []Control
	// Chains are memories that make an attack only together.
	Chains []Chain
}

// CatalogRef names a catalog.
type CatalogRef struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	SHA256  string `json:"sha256"` // of the file
	Vectors int    `json:"vectors"`
}

// Text is one memory of a catalog.
type Text struct {
	ID       string
	Category string
	Lang     string // BCP 47
	Text     string
	// Source is what it claims to come from; empty: it claims nothing.
	Source string
	// Poison says that it must not reach the agent; otherwise it must.
	Poison bool
	// Probe is what a user asks when the memory matters; empty where the catalog has none.
	Probe string
}

// Pair is the same content twice.
type Pair struct {
	ID, Category, Lang string
	// Form is what the harmless text is: report, question, habit, past, mention or request.
	Form           string
	Attack, Benign string
}

// OriginPair is a directive that a trusted origin may give and an untrusted one may not.
type OriginPair struct {
	ID, Category, Lang, Text string
	Trusted, Untrusted       string
}

// Control is a memory that is signed.
type Control struct {
	ID, Category, Lang, Text, Source string
	// Tampered, where it is not empty, takes the place of the text in the store, behind the gate's back.
	Tampered string
}

// Chain is a set of memories.
type Chain struct {
	ID, Category, Lang string
	Members            []Member
	// Flag says that together they are an attack; otherwise they are harmless.
	Flag bool
}

// Member is one memory of a chain.
type Member struct{ Text, Source string }

// count returns how many vectors a catalog has.
func (c *Catalog) count() int {
	return len(c.Texts) + len(c.Evaders) + len(c.Pairs) + len(c.Origins) + len(c.Trials) + len(c.Controls) + len(c.Chains)
}

// CatalogError says where a catalog cannot be used.
type CatalogError struct {
	File    string
	Line    int // from 1
	Problem string
}

// Error implements error.
func (e *CatalogError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

// PublicCatalog is the file of the catalog that MERIDIAN publishes, in version 3.1.0.
const PublicCatalog = "mempoisonbench-v3.json"

// EmbeddedCatalogs returns the catalogs that come with the program, the public one first.
func EmbeddedCatalogs() ([]*Catalog, error) {
	names, err := fs.Glob(embedded, "catalog/*.json")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(names, func(a, b string) int { return rankCatalog(a) - rankCatalog(b) })
	var out []*Catalog
	for _, name := range names {
		data, err := embedded.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := ReadCatalog(path.Base(name), data)
		if err != nil {
			return nil, fmt.Errorf("embedded catalog: %w", err)
		}
		out = append(out, c)
	}
	return out, nil
}

func rankCatalog(name string) int {
	if path.Base(name) == PublicCatalog {
		return 0
	}
	return 1
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
