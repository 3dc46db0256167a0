// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Fields that lists can be selected by.
const (
	fieldName      = "metadata.name"
	fieldNamespace = "metadata.namespace"
	fieldAgent     = "agent"
	fieldZone      = "zone"
	fieldState     = "state"
	fieldClass     = "class"
	fieldKind      = "kind"
	fieldPending   = "pending"
	fieldOpen      = "open"
)

var (
	memoryFields        = []string{fieldName, fieldNamespace, fieldAgent, fieldZone, fieldState, fieldClass, fieldKind, fieldPending}
	approvalFields      = []string{fieldName, fieldNamespace, fieldAgent, fieldState}
	contradictionFields = []string{fieldName, fieldNamespace, fieldAgent, fieldOpen}
)

// waiting are the states of what waits for a person.
var waiting = []memory.State{memory.PendingReview, memory.Disputed}

// selected is what a list is asked for.
type selected struct {
	fields map[string]string
	labels labels.Selector
}

// readSelectors reads the selectors of a list. They are combined by equality only; an error says what is wrong, and what there is.
func readSelectors(o *metainternalversion.ListOptions) (selected, error) {
	out := selected{fields: map[string]string{}, labels: labels.Everything()}
	if o == nil {
		return out, nil
	}
	if o.LabelSelector != nil {
		out.labels = o.LabelSelector
	}
	if o.FieldSelector == nil {
		return out, nil
	}
	for _, r := range o.FieldSelector.Requirements() {
		if err := out.add(r); err != nil {
			return selected{}, apierrors.NewBadRequest("field selector: " + err.Error())
		}
	}
	return out, nil
}

func (s selected) add(r fields.Requirement) error {
	if r.Operator != selection.Equals && r.Operator != selection.DoubleEquals {
		return fmt.Errorf("%s: only = is possible", r.Field)
	}
	if old, ok := s.fields[r.Field]; ok && old != r.Value {
		return fmt.Errorf("%s: give one value", r.Field)
	}
	if allowed := valuesOf(r.Field); allowed != nil && !slices.Contains(allowed, r.Value) {
		return fmt.Errorf("%s: use one of %s", r.Field, strings.Join(allowed, ", "))
	}
	s.fields[r.Field] = r.Value
	return nil
}

// valuesOf are the values a field takes; nil where it takes any.
func valuesOf(field string) []string {
	switch field {
	case fieldZone:
		return texts(memory.Zones)
	case fieldState:
		return texts(memory.States)
	case fieldClass:
		return texts(provenance.Classes)
	case fieldPending:
		return []string{"true"}
	case fieldOpen:
		return []string{"true", "false"}
	}
	return nil
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// takes reports whether things of an agent can be among what is selected.
func (s selected) takes(a Agent) bool {
	return (s.fields[fieldAgent] == "" || s.fields[fieldAgent] == a.Name) &&
		(s.fields[fieldNamespace] == "" || s.fields[fieldNamespace] == a.Namespace) &&
		s.labels.Matches(labels.Set{v1alpha1.LabelAgent: a.Name})
}

// browsing asks a screener for what is selected.
func (s selected) browsing() gate.Browsing {
	b := gate.Browsing{Listing: gate.Listing{Zone: memory.Zone(s.fields[fieldZone]), Class: provenance.Class(s.fields[fieldClass])}}
	if kind := s.fields[fieldKind]; kind != "" {
		b.Kinds = []string{kind}
	}
	b.States = s.states()
	return b
}

// states asked for; none for those that screeners list by themselves: all but Rejected and Forgotten.
func (s selected) states() []memory.State {
	state := memory.State(s.fields[fieldState])
	switch {
	case s.fields[fieldPending] == "":
		if state == "" {
			return nil
		}
		return []memory.State{state}
	case state == "":
		return waiting
	}
	return slices.DeleteFunc(slices.Clone(waiting), func(w memory.State) bool { return w != state })
}

// nothing reports whether the selectors exclude each other.
func (s selected) nothing() bool { return s.fields[fieldPending] != "" && len(s.states()) == 0 }

// has reports whether one memory is among what is selected, as screeners do for lists.
func (s selected) has(m gate.Inspected) bool {
	if states := s.states(); len(states) > 0 && !slices.Contains(states, m.State) {
		return false
	}
	return (s.fields[fieldZone] == "" || s.fields[fieldZone] == string(m.Zone)) &&
		(s.fields[fieldClass] == "" || s.fields[fieldClass] == string(m.Class)) &&
		(s.fields[fieldKind] == "" || s.fields[fieldKind] == m.Kind)
}

// key tells one selection from another, for what continues a list.
func (s selected) key() string {
	var parts []string
	for field, value := range s.fields {
		parts = append(parts, field+"="+value)
	}
	slices.Sort(parts)
	return strings.Join(parts, ",") + ";" + s.labels.String()
}
