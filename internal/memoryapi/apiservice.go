// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/klog/v2"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
)

const (
	// publishInterval is how often the APIService is compared with the mounted bundle. A new authority is in the bundle long before it signs.
	publishInterval = 15 * time.Second
	// bundleOwner is the field manager of the caBundle, so that whoever installs the APIService does not fight over it.
	bundleOwner = "memorytrust-memory-api"
)

// APIServiceName is the name of the APIService through which the API server reaches the API.
var APIServiceName = api.GroupVersion.Version + "." + api.GroupVersion.Group

var apiServices = schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}

// keepPublished keeps the caBundle of the APIService equal to the authorities in the directory of the serving certificate, until ctx ends.
func keepPublished(ctx context.Context, client dynamic.Interface, directory string) {
	logged := ""
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		changed, err := publish(ctx, client, directory)
		switch {
		case err != nil && err.Error() != logged:
			logged = err.Error()
			klog.FromContext(ctx).Error(err, "Authorities not published", "apiService", APIServiceName)
		case changed:
			logged = ""
			klog.FromContext(ctx).Info("Authorities published", "apiService", APIServiceName)
		}
	}, publishInterval)
}

// publish writes the bundle if the APIService has another, and reports whether it did. An APIService that is not there is made by nobody here.
func publish(ctx context.Context, client dynamic.Interface, directory string) (bool, error) {
	bundle, err := os.ReadFile(filepath.Join(directory, certs.EntryBundle))
	if err != nil {
		return false, fmt.Errorf("reading the authorities: %w", err)
	}
	live, err := client.Resource(apiServices).Get(ctx, APIServiceName, metav1.GetOptions{})
	if err != nil {
		return false, fmt.Errorf("reading the APIService: %w", err)
	}
	encoded, _, _ := unstructured.NestedString(live.Object, "spec", "caBundle")
	if has, err := base64.StdEncoding.DecodeString(encoded); err == nil && bytes.Equal(has, bundle) {
		return false, nil
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": live.GetUID()}, // of this one, and no other that took its place
		"spec":     map[string]any{"caBundle": bundle},
	})
	if err != nil {
		return false, err
	}
	if _, err = client.Resource(apiServices).Patch(ctx, APIServiceName, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: bundleOwner}); err != nil {
		return false, fmt.Errorf("writing the APIService: %w", err)
	}
	return true, nil
}
