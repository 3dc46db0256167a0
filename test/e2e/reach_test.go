//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
)

// tunnelRest is how long the end of a connection takes to show in its tunnel.
const tunnelRest = 50 * time.Millisecond

// forward opens a tunnel to a port of a pod until the end of the spec, and returns its address on this side. A tunnel ends with
// the first of its connections that the pod resets; then another takes its place.
func forward(namespace, pod string, port int) string {
	GinkgoHelper()
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the node that opens it
	DeferCleanup(cancel)
	local, ended, err := tunnel(ctx, namespace, pod, 0, port)
	Expect(err).NotTo(HaveOccurred(), "forwarding to port %d of %s", port, pod)
	go func() {
		for ctx.Err() == nil {
			if ended != nil {
				if err := <-ended; err != nil {
					GinkgoWriter.Printf("A tunnel to port %d of %s ended: %v\n", port, pod, err)
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
				_, ended, _ = tunnel(ctx, namespace, pod, local, port) // the pod may be gone, or come back
			}
		}
	}()
	return fmt.Sprintf("127.0.0.1:%d", local)
}

// tunnel opens one tunnel from a local port, 0 for any, and returns which it is and what says that the tunnel has ended.
func tunnel(ctx context.Context, namespace, pod string, local, port int) (int, <-chan error, error) {
	url := clientset.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(restConfig)
	if err != nil {
		return 0, nil, err
	}
	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, url)
	ready, ended := make(chan struct{}), make(chan error, 1)
	ports := []string{fmt.Sprintf("%d:%d", local, port)}
	forwarder, err := portforward.NewOnAddressesWithContext(ctx, dialer, []string{"127.0.0.1"}, ports, ready, io.Discard, io.Discard)
	if err != nil {
		return 0, nil, err
	}
	go func() { ended <- forwarder.ForwardPorts() }()
	select {
	case <-ready:
	case err := <-ended:
		return 0, nil, fmt.Errorf("the tunnel ended before it was ready: %w", err)
	case <-time.After(15 * time.Second):
		return 0, nil, errors.New("it takes too long")
	}
	opened, err := forwarder.GetPorts()
	if err != nil {
		return 0, nil, err
	}
	return int(opened[0].Local), ended, nil
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
	Header http.Header
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

// send sends a request once. Where nobody listens, because a tunnel is being replaced, nothing was sent so far.
func (c caller) send(ctx context.Context, method, path, contentType string, body []byte) (answer reply) {
	GinkgoHelper()
	Eventually(ctx, func() (err error) {
		if answer, err = c.try(ctx, method, path, contentType, body); err != nil && !errors.Is(err, syscall.ECONNREFUSED) {
			return StopTrying("The request failed on its way").Wrap(err)
		}
		return err
	}).WithTimeout(10 * time.Second).Should(Succeed())
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
	// The end of a connection may be what ends a tunnel. A request that comes right after it would be lost in the old one.
	defer time.Sleep(tunnelRest)
	defer response.Body.Close() //nolint:errcheck // nothing was written
	content, err := io.ReadAll(response.Body)
	return reply{Status: response.StatusCode, Header: response.Header, Body: string(content)}, err
}
