// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"k8s.io/apimachinery/pkg/types"

	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/server/admin"
)

// StatusSource asks one screener for its status.
type StatusSource interface {
	Status(ctx context.Context, target Target) (admin.Status, error)
}

// Target is one screener.
type Target struct {
	Agent types.NamespacedName
	Pod   string
	UID   types.UID
	IP    string
}

// maxStatusBytes bounds what is read of an answer.
const maxStatusBytes = 1 << 20

// ScreenerClient asks screeners over mutual TLS. It shows the manager's certificate and takes only an answer of the
// screener of that very agent.
type ScreenerClient struct {
	Credentials *certs.Credentials
	// DialContext opens connections; nil means a net.Dialer.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// Status implements StatusSource. Each call has a connection of its own, with the certificates of this moment.
func (c *ScreenerClient) Status(ctx context.Context, t Target) (admin.Status, error) {
	var status admin.Status
	config, err := c.Credentials.ClientConfig(admin.ServerName(t.Agent.Namespace, t.Agent.Name))
	if err != nil {
		return status, err
	}
	transport := &http.Transport{TLSClientConfig: config, DisableKeepAlives: true, DialContext: c.DialContext}
	defer transport.CloseIdleConnections()

	url := "https://" + net.JoinHostPort(t.IP, strconv.Itoa(inject.AdminPort)) + admin.StatusPath
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return status, fmt.Errorf("asking screener: %w", err)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return status, fmt.Errorf("asking screener: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // nothing to lose in a body that was read
	if response.StatusCode != http.StatusOK {
		return status, fmt.Errorf("screener answered %s", response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxStatusBytes)).Decode(&status); err != nil {
		return status, fmt.Errorf("reading the screener's answer: %w", err)
	}
	return status, nil
}
