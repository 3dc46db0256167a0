// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Bounds of an endpoint.
const (
	// DefaultEndpointTimeout is how long an answer may take.
	DefaultEndpointTimeout = 30 * time.Second
	// DefaultEndpointWorkers is how many requests run at once.
	DefaultEndpointWorkers = 8
	maxEndpointAnswer      = 64 << 10
)

// Endpoint is a harness of somebody else, reached by HTTP:
//
//	POST URL                     Content-Type: application/json
//	{"id": "…", "text": "…", "source": "…" or null}
//	200 {"flagged": true or false}      and, where it has them: "abstained", "reasons", "score" (per mille)
//
// Anything else is an error: another status, a longer answer than 64 KiB, no JSON object, or no boolean "flagged" in it.
// Nothing is tried twice and no redirect is followed, so that a number of requests means a number of answers.
type Endpoint struct {
	url    string
	client *http.Client
}

// NewEndpoint returns the harness at an http or https URL. A timeout of 0 is DefaultEndpointTimeout.
func NewEndpoint(address string, timeout time.Duration) (*Endpoint, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL cannot be read") // the error quotes it, and it may hold a password
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, errors.New("want a URL that begins with http:// or https:// and names a host")
	}
	if timeout <= 0 {
		timeout = DefaultEndpointTimeout
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: DefaultEndpointWorkers, MaxConnsPerHost: 2 * DefaultEndpointWorkers,
		IdleConnTimeout: timeout, MaxResponseHeaderBytes: maxEndpointAnswer,
	}
	return &Endpoint{url: address, client: &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Name is the URL without what may be secret in it.
func (e *Endpoint) Name() string {
	u, err := url.Parse(e.url)
	if err != nil {
		return "endpoint"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// question is the body of a request.
type question struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Source *string `json:"source"`
}

// reply is the body of an answer.
type reply struct {
	Flagged   *bool    `json:"flagged"`
	Abstained bool     `json:"abstained"`
	Reasons   []string `json:"reasons"`
	Score     float64  `json:"score"`
}

// Answer implements Harness.
func (e *Endpoint) Answer(ctx context.Context, v Vector) (a Answer, err error) {
	body, err := json.Marshal(question(v))
	if err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return Answer{}, errors.New("the endpoint cannot be asked")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	response, err := e.client.Do(request)
	if err != nil {
		var failed *url.Error // says the URL again
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return Answer{}, fmt.Errorf("no answer: %w", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxEndpointAnswer+1))
	switch {
	case err != nil:
		return Answer{}, fmt.Errorf("the answer broke off: %w", err)
	case response.StatusCode != http.StatusOK:
		return Answer{}, fmt.Errorf("the answer has status %d, want 200", response.StatusCode)
	case len(raw) > maxEndpointAnswer:
		return Answer{}, fmt.Errorf("the answer is longer than %d bytes", maxEndpointAnswer)
	}
	return readReply(raw)
}

// readReply reads an answer. It keeps no more of what a stranger says than a report needs.
func readReply(raw []byte) (Answer, error) {
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return Answer{}, errors.New(`the answer is not the JSON object {"flagged": true or false}`)
	}
	if r.Flagged == nil {
		return Answer{}, errors.New(`the answer has no "flagged"`)
	}
	a := Answer{Flagged: *r.Flagged, Abstained: r.Abstained && !*r.Flagged, ScorePerMille: int(min(max(r.Score, 0), 1000))}
	for _, reason := range r.Reasons[:min(len(r.Reasons), maxReplyReasons)] {
		runes := []rune(reason)
		a.Reasons = append(a.Reasons, string(runes[:min(len(runes), maxReplyReasonRunes)]))
	}
	return a, nil
}

// Bounds of the reasons that are kept of an answer.
const (
	maxReplyReasons     = 8
	maxReplyReasonRunes = 200
)
