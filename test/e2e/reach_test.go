//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
)

// forward opens a tunnel to a port of a pod until the end of the spec, and returns its address on this side.
func forward(namespace, pod string, port int) string {
	GinkgoHelper()
	url := clientset.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(restConfig)
	Expect(err).NotTo(HaveOccurred())
	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, url)
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the node that opens it
	DeferCleanup(cancel)
	ready, ended := make(chan struct{}), make(chan error, 1)
	tunnel, err := portforward.NewOnAddressesWithContext(ctx, dialer, []string{"127.0.0.1"}, []string{fmt.Sprintf("0:%d", port)}, ready, io.Discard, io.Discard)
	Expect(err).NotTo(HaveOccurred())
	go func() { ended <- tunnel.ForwardPorts() }()
	select {
	case <-ready:
	case err := <-ended:
		Fail(fmt.Sprintf("cannot forward to port %d of %s: %v", port, pod, err))
	case <-time.After(15 * time.Second):
		Fail(fmt.Sprintf("forwarding to port %d of %s takes too long", port, pod))
	}
	ports, err := tunnel.GetPorts()
	Expect(err).NotTo(HaveOccurred())
	return fmt.Sprintf("127.0.0.1:%d", ports[0].Local)
}

// execIn runs a command in a container and returns what it wrote.
func execIn(ctx context.Context, namespace, pod, container string, command ...string) (string, error) {
	url := clientset.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Container: container, Command: command, Stdout: true, Stderr: true}, runtime.NewParameterCodec(scheme)).URL()
	executor, err := remotecommand.NewSPDYExecutor(restConfig, http.MethodPost, url)
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer // two, as both are written to at the same time
	err = executor.StreamWithContext(ctx, remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr})
	return stdout.String() + stderr.String(), err
}

// reply is an HTTP answer, read whole.
type reply struct {
	Status int
	Body   string
}

// into decodes the body, which must be JSON.
func (r reply) into(value any) {
	GinkgoHelper()
	Expect(json.Unmarshal([]byte(r.Body), value)).To(Succeed(), "status %d, body %q", r.Status, r.Body)
}

// caller sends requests to one address.
type caller struct {
	base   string // scheme and address
	token  string // bearer token, or none
	header http.Header
	client *http.Client
}

// plain is a caller without TLS.
func plain(address string) caller {
	return caller{base: "http://" + address, client: &http.Client{Timeout: 20 * time.Second}}
}

// secure is a caller with TLS and a bearer token.
func secure(address, token string, config *tls.Config) caller {
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}
	return caller{base: "https://" + address, token: token, client: &http.Client{Timeout: 20 * time.Second, Transport: transport}}
}

// post sends a value as JSON.
func (c caller) post(ctx context.Context, path string, body any) reply {
	GinkgoHelper()
	encoded, err := json.Marshal(body)
	Expect(err).NotTo(HaveOccurred())
	return c.send(ctx, http.MethodPost, path, "application/json", encoded)
}

// get reads. A busy tunnel loses a connection now and then, and reading again changes nothing.
func (c caller) get(ctx context.Context, path string) (answer reply) {
	GinkgoHelper()
	Eventually(ctx, func() (err error) {
		answer, err = c.try(ctx, http.MethodGet, path, "", nil)
		return err
	}).WithTimeout(5 * time.Second).Should(Succeed())
	return answer
}

func (c caller) send(ctx context.Context, method, path, contentType string, body []byte) reply {
	GinkgoHelper()
	answer, err := c.try(ctx, method, path, contentType, body)
	Expect(err).NotTo(HaveOccurred())
	return answer
}

// try is send for callers that expect the connection to fail.
func (c caller) try(ctx context.Context, method, path, contentType string, body []byte) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	maps.Copy(request.Header, c.header)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written
	content, err := io.ReadAll(response.Body)
	return reply{Status: response.StatusCode, Body: string(content)}, err
}
