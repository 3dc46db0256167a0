// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"memorytrust.dev/operator/api/memory/v1alpha1"
)

var (
	// scheme knows the kinds of the API. There is one version, which is the internal one as well.
	scheme = runtime.NewScheme()
	// codecs read and write them.
	codecs = serializer.NewCodecFactory(scheme)
	// published is scheme without internal versions, for the OpenAPI description.
	published = runtime.NewScheme()
)

func init() {
	utilruntime.Must(install(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(published))
}

func install(s *runtime.Scheme) error {
	if err := v1alpha1.AddToScheme(s); err != nil {
		return err
	}
	s.AddKnownTypes(schema.GroupVersion{Group: v1alpha1.GroupName, Version: runtime.APIVersionInternal}, v1alpha1.Kinds()...)
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	s.AddUnversionedTypes(schema.GroupVersion{Version: "v1"},
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
	if err := s.SetVersionPriority(v1alpha1.GroupVersion); err != nil {
		return err
	}
	for kind, labels := range map[string][]string{
		"Memory": memoryFields, "Approval": approvalFields, "Contradiction": contradictionFields,
	} {
		if err := s.AddFieldLabelConversionFunc(v1alpha1.GroupVersion.WithKind(kind), known(kind, labels)); err != nil {
			return err
		}
	}
	return addParameters(s)
}

// known lets only these labels be selected by.
func known(kind string, labels []string) runtime.FieldLabelConversionFunc {
	return func(label, value string) (string, string, error) {
		if !slices.Contains(labels, label) {
			return "", "", fmt.Errorf("a %s cannot be selected by the field %q; use %q", kind, label, labels)
		}
		return label, value, nil
	}
}

// addParameters lets the options of subresources be read from query parameters.
func addParameters(s *runtime.Scheme) error {
	for _, add := range []struct {
		into any
		read conversion.ConversionFunc
	}{
		{(*v1alpha1.MemoryLogOptions)(nil), func(in, out any, _ conversion.Scope) (err error) {
			o, values := out.(*v1alpha1.MemoryLogOptions), *in.(*url.Values)
			o.Continue = values.Get("continue")
			o.Limit, err = number(values, "limit", 500)
			return err
		}},
		{(*v1alpha1.MemoryXRayOptions)(nil), func(in, out any, _ conversion.Scope) error {
			o, values := out.(*v1alpha1.MemoryXRayOptions), *in.(*url.Values)
			o.Query, o.Session = values.Get("query"), values.Get("session")
			return nil
		}},
		{(*v1alpha1.MemoryDeliveriesOptions)(nil), func(in, out any, _ conversion.Scope) (err error) {
			o, values := out.(*v1alpha1.MemoryDeliveriesOptions), *in.(*url.Values)
			o.Session = values.Get("session")
			o.Limit, err = number(values, "limit", 1000)
			return err
		}},
		{(*v1alpha1.MemoryWhatIfOptions)(nil), func(in, out any, _ conversion.Scope) (err error) {
			o, values := out.(*v1alpha1.MemoryWhatIfOptions), *in.(*url.Values)
			o.Session = values.Get("session")
			o.Limit, err = number(values, "limit", 50)
			return err
		}},
	} {
		if err := s.AddConversionFunc((*url.Values)(nil), add.into, add.read); err != nil {
			return err
		}
	}
	return nil
}

// number reads a parameter from 1 to most; 0 when it is absent.
func number(values url.Values, name string, most int64) (int64, error) {
	text := values.Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("the parameter %s is a number from 1 to %d", name, most)
	}
	return n, nil
}
