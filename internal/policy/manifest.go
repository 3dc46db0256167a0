// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
)

// manifestKind is the kind ParseManifest looks for.
const manifestKind = "MemoryTrustPolicy"

// maxManifestBytes bounds a policy file; an API server takes no more for one object either.
const maxManifestBytes = 3 << 19

// ParseManifest reads the first MemoryTrustPolicy out of a YAML or JSON file of one or more documents. Unknown and repeated
// fields are errors that name them. Defaults are not applied and rules not checked: Compile does both.
func ParseManifest(data []byte) (*v1alpha1.MemoryTrustPolicy, error) {
	if len(data) > maxManifestBytes {
		return nil, fmt.Errorf("the policy file is %d bytes long, at most %d are read", len(data), maxManifestBytes)
	}
	documents := yamlstream.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for n := 1; ; n++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("no document of kind %s in the file", manifestKind)
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal(document, &meta); err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		if meta.Kind != manifestKind {
			continue
		}
		if want := v1alpha1.GroupVersion.String(); meta.APIVersion != want {
			return nil, fmt.Errorf("document %d: apiVersion %.80q is not supported: use %s", n, meta.APIVersion, want)
		}
		p := &v1alpha1.MemoryTrustPolicy{}
		if err := yaml.UnmarshalStrict(document, p); err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		return p, nil
	}
}
