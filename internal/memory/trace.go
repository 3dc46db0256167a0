// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
	"slices"
	"time"

	"memorytrust.dev/operator/internal/provenance"
)

// MaxFeatures bounds the features of one text, and those that one search for traces asks for.
const MaxFeatures = 1024

// Trace is what is kept of a text to recognize it in later ones: hashes of its parts, not the text. There is one for every
// record that reached the agent or was kept from it, and one for every text the agent observed elsewhere.
type Trace struct {
	ID        string // id of the record, or a UUIDv7 for an observation
	Namespace string
	Record    bool             // whether ID names a record; what is known of it is in the record then
	Session   string           // an observation was made in
	Class     provenance.Class // of an observation, or of the record when it was traced
	Source    string           // of an observation
	At        time.Time
	Features  []uint64 // sorted, at most MaxFeatures
}

// TraceMatch is a trace that shares features with a text.
type TraceMatch struct {
	Trace             // without Features
	Shared   []uint64 // features of both, sorted
	Features int      // how many the trace has
}

// Descendant is a record that goes back to another.
type Descendant struct {
	ID     string
	Parent string // the nearest record between that was asked for or is a descendant itself
	Depth  int    // 1 for a child
}

// Validate checks a trace. It returns a *FieldError.
func (t Trace) Validate() error {
	switch {
	case !ValidID(t.ID):
		return &FieldError{"id", "give a lower-case UUID"}
	case t.Namespace == "":
		return &FieldError{"namespace", "name the namespace"}
	case !t.Class.Valid():
		return &FieldError{"class", "use a source class"}
	case t.At.IsZero():
		return &FieldError{"at", "say when the text was met"}
	}
	for _, text := range []struct {
		field, value string
		most         int
	}{{"namespace", t.Namespace, MaxNamespaceBytes}, {"session", t.Session, MaxSessionBytes}, {"source", t.Source, MaxSourceBytes}} {
		if err := checkText(text.field, text.value, text.most); err != nil {
			return err
		}
	}
	return checkFeatures(t.Features)
}

func checkFeatures(features []uint64) error {
	if len(features) > MaxFeatures || !slices.IsSorted(features) {
		return &FieldError{"trace", fmt.Sprintf("give at most %d features, sorted", MaxFeatures)}
	}
	return nil
}
