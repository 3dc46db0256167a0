// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxAnswer bounds, in bytes, what is read of an answer.
const maxAnswer = 4 << 20

// remote is a memory behind MEMORY_URL.
type remote struct {
	url  string
	http http.Client
}

func newRemote(url string) *remote {
	return &remote{url: strings.TrimRight(url, "/"), http: http.Client{Timeout: 10 * time.Second}}
}

func (r *remote) remember(ctx context.Context, source, text string) (stored, error) {
	var answer stored
	err := postJSON(ctx, &r.http, r.url+"/v1/memories", map[string]string{"content": text, "source": source}, &answer)
	return answer, err
}

func (r *remote) recall(ctx context.Context, question string) (recalled, error) {
	var answer recalled
	err := postJSON(ctx, &r.http, r.url+"/v1/recall", map[string]string{"query": question}, &answer)
	return answer, err
}

// reachable asks once, without a retry: an agent that starts before its sidecar fails here.
func (r *remote) reachable(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+"/v1/zones", nil)
	if err != nil {
		return err
	}
	return do(&r.http, request, nil)
}

// statusError is an answer other than 2xx.
type statusError struct {
	status int
	body   string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.body) }

func postJSON(ctx context.Context, client *http.Client, url string, body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	return do(client, request, answer)
}

// do sends the request and decodes a 2xx answer into answer, unless that is nil.
func do(client *http.Client, request *http.Request, answer any) error {
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return &statusError{status: response.StatusCode, body: strings.TrimSpace(string(body))}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(body, answer)
}
