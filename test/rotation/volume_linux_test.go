// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// dataLink is what the kubelet swaps to exchange all files of a volume at once.
const dataLink = "..data"

// project reads what a projected volume asks for, file by file: first one object and then the next, as the kubelet does.
func project(ctx context.Context, c client.Reader, v *corev1.ProjectedVolumeSource) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, source := range v.Sources {
		switch {
		case source.Secret != nil && len(source.Secret.Items) == 0:
			var secret corev1.Secret
			if err := c.Get(ctx, types.NamespacedName{Namespace: namespace, Name: source.Secret.Name}, &secret); err != nil {
				return nil, err
			}
			for name, data := range secret.Data {
				files[name] = data
			}
		case source.ConfigMap != nil:
			var configMap corev1.ConfigMap
			if err := c.Get(ctx, types.NamespacedName{Namespace: namespace, Name: source.ConfigMap.Name}, &configMap); err != nil {
				return nil, err
			}
			for _, item := range source.ConfigMap.Items {
				files[item.Path] = []byte(configMap.Data[item.Key])
			}
		default:
			return nil, fmt.Errorf("a kind of source that this kubelet does not know: %v", source)
		}
	}
	return files, nil
}

// swap makes the files those of the volume at dir, all in one step: they go into a new directory to which a symbolic link
// is turned.
func swap(dir string, files map[string][]byte) error {
	fresh, err := os.MkdirTemp(dir, "..generation-")
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o600); err != nil {
			return err
		}
	}
	old, err := os.Readlink(filepath.Join(dir, dataLink))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	link := filepath.Join(dir, "..data_tmp")
	if err := os.Symlink(filepath.Base(fresh), link); err != nil {
		return err
	}
	if err := os.Rename(link, filepath.Join(dir, dataLink)); err != nil {
		return err
	}
	if err := show(dir, files); err != nil || old == "" {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, old))
}

// show makes the names that a user of the volume sees: links through the one that is swapped.
func show(dir string, files map[string][]byte) error {
	for name := range files {
		err := os.Symlink(filepath.Join(dataLink, name), filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, wanted := files[e.Name()]; !wanted && e.Type() == fs.ModeSymlink && e.Name() != dataLink {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
