// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// Formats of output, the values of --output.
const (
	formatTable = "table"
	formatWide  = "wide"
	formatJSON  = "json"
	formatYAML  = "yaml"
	formatName  = "name"
)

var formats = []string{formatTable, formatWide, formatJSON, formatYAML, formatName}

func checkOutput(format string) error {
	if slices.Contains(formats, format) {
		return nil
	}
	return terminal.Usage(fmt.Sprintf("--output %q is not known; use %s", format, strings.Join(formats, ", ")))
}

// print writes an object in the format asked for; names are those of -o name, as kubectl writes them, and table writes what people read.
func (o *Options) print(obj runtime.Object, names []string, table func(w io.Writer)) error {
	switch o.output {
	case formatJSON, formatYAML:
		return o.encode(obj)
	case formatName:
		for _, name := range names {
			if _, err := fmt.Fprintln(o.Out, terminal.Escape(name)); err != nil {
				return err
			}
		}
		return nil
	}
	table(o.Out)
	return nil
}

// encode writes an object as JSON or YAML, with what a terminal must not get written as escapes of the format.
func (o *Options) encode(obj runtime.Object) error {
	if err := addKind(obj); err != nil {
		return err
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(obj); err != nil {
		return err
	}
	out := terminal.JSON(b.Bytes())
	if o.output == formatYAML {
		var err error
		if out, err = terminal.YAML(b.Bytes()); err != nil {
			return err
		}
	}
	_, err := o.Out.Write(out)
	return err
}

// addKind says in an object and in its items what they are; clients leave it out of what they read.
func addKind(obj runtime.Object) error {
	gvks, _, err := kinds.ObjectKinds(obj)
	if err != nil {
		return err
	}
	obj.GetObjectKind().SetGroupVersionKind(gvks[0])
	if !meta.IsListType(obj) {
		return nil
	}
	return meta.EachListItem(obj, addKind)
}

// Names as kubectl writes and reads them.
func memoryName(id string) string   { return "memory." + memoryv1alpha1.GroupName + "/" + id }
func approvalName(id string) string { return "approval." + memoryv1alpha1.GroupName + "/" + id }
func contradictionName(id string) string {
	return "contradiction." + memoryv1alpha1.GroupName + "/" + id
}

// bare takes from an argument what -o name puts before an id.
func bare(argument string) string {
	if _, id, ok := strings.Cut(argument, "/"); ok {
		return id
	}
	return argument
}
