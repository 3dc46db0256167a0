// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"fmt"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/table"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
)

// maxCell is the most runes of a cell that somebody else filled in.
const maxCell = 40

// columns of a table, and what stands in them.
type columns struct {
	definitions []metav1.TableColumnDefinition
	// cells of one object, in the order of the columns.
	cells func(obj runtime.Object) []any
}

// column is one that is always shown; wide ones come with -o wide.
func column(name, description string) metav1.TableColumnDefinition {
	return metav1.TableColumnDefinition{Name: name, Type: "string", Description: description}
}

func wide(name, description string) metav1.TableColumnDefinition {
	c := column(name, description)
	c.Priority = 1
	return c
}

func nameColumn() metav1.TableColumnDefinition {
	c := column("Name", "Id, by which everything is decided")
	c.Format = "name"
	return c
}

var memoryTable = columns{
	definitions: []metav1.TableColumnDefinition{
		nameColumn(), column("Agent", "Agent whose memory it is"), column("Zone", "How far it is let in"),
		column("State", "Where it stands in its life"), column("Class", "Class of its source"), column("Source", "Where it came from"),
		column("Age", "Time since it was written"), wide("Boundary", "What a recaller must do with it"),
		wide("Authority", "What it may justify"), wide("Verdict", "What screening found"), wide("Commit", "Names the version"),
	},
	cells: func(obj runtime.Object) []any {
		m := obj.(*api.Memory) //nolint:forcetypeassert // convert gives nothing else
		s := m.Status
		return []any{
			m.Name, s.Agent, s.Zone, s.State, s.Class, cell(s.Source), age(m), s.Boundary, s.Authority, s.Verdict, s.Commit,
		}
	},
}

var approvalTable = columns{
	definitions: []metav1.TableColumnDefinition{
		nameColumn(), column("Agent", "Agent that wants to make the call"), column("Tool", "Tool it wants to call"),
		column("State", "What became of the request"), column("Missing", "Arguments that the user did not name"),
		column("Expires", "When it is over"), column("Age", "Time since it was asked"), wide("Mark", "Lowest class delivered to the session"),
		wide("Session", "Session of the call"), wide("Rule", "Rule of the policy"), wide("Commit", "Names the version"),
	},
	cells: func(obj runtime.Object) []any {
		a := obj.(*api.Approval) //nolint:forcetypeassert // convert gives nothing else
		s := a.Status
		expires := ""
		if s.Expires != nil {
			expires = s.Expires.UTC().Format("2006-01-02T15:04:05Z")
		}
		return []any{
			a.Name, s.Agent, cell(s.Tool), s.State, cell(strings.Join(s.Missing, ",")), expires, age(a), s.Mark, cell(s.Session), cell(s.Rule), s.Commit,
		}
	},
}

var contradictionTable = columns{
	definitions: []metav1.TableColumnDefinition{
		nameColumn(), column("Agent", "Agent whose memories they are"), column("A", "The older memory"), column("B", "The newer memory"),
		column("State", "Whether it was decided"), column("Verdict", "What was decided"), column("Age", "Time since it was found"),
		wide("Class A", "Class of the older one"), wide("Class B", "Class of the newer one"), wide("By", "Who decided"),
	},
	cells: func(obj runtime.Object) []any {
		c := obj.(*api.Contradiction) //nolint:forcetypeassert // convert gives nothing else
		s := c.Status
		return []any{c.Name, s.Agent, s.A.Name, s.B.Name, s.State, s.Verdict, age(c), s.A.Class, s.B.Class, cell(s.DecidedBy)}
	},
}

// convert makes a table of an object or a list.
func (c columns) convert(object, options runtime.Object) (*metav1.Table, error) {
	out := &metav1.Table{}
	if o, ok := options.(*metav1.TableOptions); !ok || !o.NoHeaders {
		out.ColumnDefinitions = c.definitions
	}
	if list, err := meta.ListAccessor(object); err == nil {
		out.ResourceVersion, out.Continue, out.RemainingItemCount = list.GetResourceVersion(), list.GetContinue(), list.GetRemainingItemCount()
	}
	rows, err := table.MetaToTableRow(object, func(obj runtime.Object, _ metav1.Object, _, _ string) ([]any, error) {
		return c.cells(obj), nil
	})
	if err != nil {
		return nil, fmt.Errorf("making a table: %w", err)
	}
	out.Rows = rows
	return out, nil
}

func age(obj metav1.Object) string {
	return table.ConvertToHumanReadableDateType(obj.GetCreationTimestamp())
}

// cell is text of others as a terminal can show it: what could move the cursor, reorder or hide is replaced, and what is long is cut.
func cell(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxCell {
			b.WriteRune('…')
			break
		}
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			r = '·'
		}
		b.WriteRune(r)
	}
	return b.String()
}
