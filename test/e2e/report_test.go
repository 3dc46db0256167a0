//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"memorytrust.dev/operator/internal/inject"
)

// watched names the namespaces of the running spec.
var watched []string

// dump puts into the report of a failed spec what one would look at next.
func dump(ctx context.Context) {
	for _, namespace := range append([]string{operatorNamespace}, watched...) {
		for _, args := range [][]string{
			{"get", "pods", "-o", "wide"},
			{"get", "mtp,provkey,amem", "-o", "yaml"},
			{"get", "events", "--sort-by=.lastTimestamp"},
		} {
			output, err := kubectl(ctx, "", append(args, "-n", namespace)...)
			attach(fmt.Sprintf("kubectl %s -n %s", strings.Join(args, " "), namespace), output, err)
		}
		dumpLogs(ctx, namespace)
	}
}

func dumpLogs(ctx context.Context, namespace string) {
	pods, err := clientset.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		attach("pods of "+namespace, "", err)
		return
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		containers := []string{pod.Spec.Containers[0].Name}
		if screenerStatus(pod) != nil {
			containers = append(containers, inject.ContainerName)
		}
		for _, container := range containers {
			options := &corev1.PodLogOptions{Container: container, TailLines: ptr.To[int64](100)}
			output, err := clientset.CoreV1().Pods(namespace).GetLogs(pod.Name, options).DoRaw(ctx)
			attach(fmt.Sprintf("log of %s/%s %s", namespace, pod.Name, container), string(output), err)
		}
	}
}

func attach(name, text string, err error) {
	if err != nil {
		text += "\n" + err.Error()
	}
	if strings.TrimSpace(text) != "" {
		AddReportEntry(name, "\n"+text, ReportEntryVisibilityFailureOrVerbose)
	}
}
