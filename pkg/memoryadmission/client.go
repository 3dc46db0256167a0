// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	// defaultTimeout of one call, above the second that the webhook takes at most.
	defaultTimeout = 2 * time.Second
	// attempts of one call: a replica of the operator may be on its way out.
	attempts  = 2
	retryWait = 50 * time.Millisecond
	// maxAnswerBytes bounds what is read of an answer.
	maxAnswerBytes = 8 << 20
	// maxTokenBytes bounds a token file.
	maxTokenBytes = 64 << 10
)

// ErrBadAnswer says that an answer was none to what was asked. Nothing is allowed by it.
var ErrBadAnswer = errors.New("not an answer to this review")

// StatusError is the answer to a review that was refused as a whole.
type StatusError struct {
	// HTTPStatus of the answer.
	HTTPStatus int
	// Status as the webhook gave it; only Code is set where it gave none.
	Status Status
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("memory admission answers %d %s: %s", e.HTTPStatus, e.Status.Reason, e.Status.Message)
}

// Options of a Client.
type Options struct {
	// URL of the webhook; DefaultURL when empty.
	URL string
	// CAFile holds the certificate authorities of the webhook, PEM. It is read again when it changes. Required, unless HTTPClient is
	// set.
	CAFile string
	// TokenFile holds the bearer token of the caller. It is read at each call: the kubelet renews projected tokens.
	TokenFile string
	// Token returns the bearer token, in place of TokenFile.
	Token func(context.Context) (string, error)
	// Timeout of one call, retry included; 2 s when zero.
	Timeout time.Duration
	// HTTPClient replaces the one that CAFile is for.
	HTTPClient *http.Client
}

// Client asks the operator about memories. It is safe for concurrent use.
type Client struct {
	url     string
	token   func(context.Context) (string, error)
	timeout time.Duration
	client  func() (*http.Client, error)
}

// New returns a client. Files are not read yet.
func New(o Options) (*Client, error) {
	target, err := url.Parse(cmp.Or(o.URL, DefaultURL))
	if err != nil || target.Scheme != "https" || target.Host == "" || target.User != nil {
		return nil, errors.New("memory admission: the URL must be https://host[:port]" + Path)
	}
	c := &Client{url: target.String(), token: o.Token, timeout: cmp.Or(o.Timeout, defaultTimeout)}
	if c.token == nil {
		if o.TokenFile == "" {
			return nil, errors.New("memory admission: give TokenFile or Token: callers prove who they are")
		}
		c.token = func(context.Context) (string, error) { return readToken(o.TokenFile) }
	}
	switch {
	case o.HTTPClient != nil:
		c.client = func() (*http.Client, error) { return o.HTTPClient, nil }
	case o.CAFile == "":
		return nil, errors.New("memory admission: give CAFile, the authority of the webhook's certificate")
	default:
		c.client = (&reloadingClient{file: o.CAFile}).get
	}
	return c, nil
}

func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	raw, err := io.ReadAll(io.LimitReader(f, maxTokenBytes))
	if err != nil {
		return "", err
	}
	if token := strings.TrimSpace(string(raw)); token != "" {
		return token, nil
	}
	return "", fmt.Errorf("%s holds no token", path)
}

// Do asks about one memory. Unless the error is nil and the response allowed, the operation must not go ahead.
func (c *Client) Do(ctx context.Context, request Request) (Response, error) {
	responses, err := c.Review(ctx, request)
	if err != nil {
		return Response{}, err
	}
	return responses[0], nil
}

// Review asks about memories and returns one response for each, in their order. More than MaxRequests, or MaxBodyBytes, are
// asked about in several calls. Requests without a UID get one. An error means that none of them may go ahead: a *StatusError, ErrBadAnswer, or that the
// webhook cannot be reached.
func (c *Client) Review(ctx context.Context, requests ...Request) ([]Response, error) {
	out := make([]Response, 0, len(requests))
	for len(requests) > 0 {
		n := min(len(requests), MaxRequests)
		answered, err := c.call(ctx, requests[:n])
		if err != nil {
			return nil, err
		}
		out, requests = append(out, answered...), requests[n:]
	}
	return out, nil
}

// call is one review of at most MaxRequests.
func (c *Client) call(ctx context.Context, requests []Request) ([]Response, error) {
	asked := Review{APIVersion: APIVersion, Kind: Kind, Requests: make([]Request, len(requests))}
	for i, r := range requests {
		if r.UID == "" {
			r.UID = rand.Text()
		}
		asked.Requests[i] = r
	}
	body, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("memory admission: %w", err)
	}
	if half := len(requests) / 2; len(body) > MaxBodyBytes && half > 0 {
		first, err := c.call(ctx, asked.Requests[:half])
		if err != nil {
			return nil, err
		}
		second, err := c.call(ctx, asked.Requests[half:])
		return append(first, second...), err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	for attempt := 1; ; attempt++ {
		answered, err := c.try(ctx, body)
		if err == nil {
			return match(asked.Requests, answered.Responses)
		}
		if attempt == attempts || !temporary(err) {
			return nil, fmt.Errorf("memory admission: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("memory admission: %w", err)
		case <-time.After(retryWait):
		}
	}
}

// temporary reports whether another replica, or a moment later, may answer better. Nothing is kept there, so that asking twice does
// no harm.
func temporary(err error) bool {
	var status *StatusError
	if !errors.As(err, &status) {
		var unreachable *url.Error
		return errors.As(err, &unreachable) && !errors.Is(err, context.Canceled)
	}
	switch status.HTTPStatus {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	}
	return false
}

func (c *Client) try(ctx context.Context, body []byte) (Review, error) {
	token, err := c.token(ctx)
	if err != nil {
		return Review{}, fmt.Errorf("token: %w", err)
	}
	client, err := c.client()
	if err != nil {
		return Review{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return Review{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return Review{}, err
	}
	defer response.Body.Close() //nolint:errcheck // nothing was written
	return readAnswer(response)
}

func readAnswer(response *http.Response) (Review, error) {
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return Review{}, err
	}
	var answer Review
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	bad := len(raw) > maxAnswerBytes || kind != "application/json" || json.Unmarshal(raw, &answer) != nil ||
		answer.APIVersion != APIVersion || answer.Kind != Kind
	if response.StatusCode != http.StatusOK {
		refused := &StatusError{HTTPStatus: response.StatusCode, Status: Status{Code: response.StatusCode}}
		if !bad && answer.Status != nil {
			refused.Status = *answer.Status
		}
		return Review{}, refused
	}
	if bad {
		return Review{}, ErrBadAnswer
	}
	return answer, nil
}

// match brings the responses into the order of the requests. There has to be exactly one for each.
func match(requests []Request, responses []Response) ([]Response, error) {
	byUID := make(map[string]Response, len(responses))
	for _, r := range responses {
		byUID[r.UID] = r
	}
	out := make([]Response, len(requests))
	for i, r := range requests {
		response, ok := byUID[r.UID]
		if !ok || len(byUID) != len(requests) || len(responses) != len(requests) {
			return nil, fmt.Errorf("memory admission: %w", ErrBadAnswer)
		}
		out[i] = response
	}
	return out, nil
}
