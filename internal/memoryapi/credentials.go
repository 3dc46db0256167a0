// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"memorytrust.dev/operator/internal/certs"
)

// reloadInterval is how often mounted files are looked at. The kubelet takes longer to bring them.
const reloadInterval = 10 * time.Second

// readSecret reads the entries of a TLS Secret that is mounted as a directory.
func readSecret(directory string) (map[string][]byte, error) {
	data := map[string][]byte{}
	for _, entry := range []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey, certs.EntryBundle} {
		raw, err := os.ReadFile(filepath.Join(directory, entry))
		if err != nil {
			return nil, fmt.Errorf("reading a certificate: %w", err)
		}
		data[entry] = raw
	}
	return data, nil
}

// keepLoaded keeps credentials equal to a mounted Secret until ctx ends. What is damaged leaves the last good ones in place.
func keepLoaded(ctx context.Context, credentials *certs.Credentials, directory string) {
	var last map[string][]byte
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		data, err := readSecret(directory)
		if err == nil && maps.EqualFunc(data, last, bytes.Equal) {
			return
		}
		if err == nil {
			err = credentials.Load(data)
		}
		if err != nil {
			klog.FromContext(ctx).Error(err, "Client certificate not loaded", "directory", directory)
			return
		}
		last = data
		klog.FromContext(ctx).Info("Client certificate loaded")
	}, reloadInterval)
}
