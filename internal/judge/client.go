// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

const (
	// maxAnswerBytes bounds an answer of the endpoint, decompressed. One about a hundred texts takes some 10 KiB.
	maxAnswerBytes = 1 << 20
	// schemaName is how the schema of the answer is called.
	schemaName = "verdicts"
	dialLimit  = 5 * time.Second
	idleLimit  = 90 * time.Second
)

// Errors of the transport. They hold nothing of what was sent or received.
var (
	errTooLarge = errors.New("the answer is too long")
	errRedirect = errors.New("the endpoint redirects")
)

// client talks to one endpoint with one model and key.
type client struct {
	url, model, key string
	transport       *http.Transport
	chat            openai.ChatCompletionService
}

// newClient returns a client that tries each call once, follows no redirect, and reads nothing from the environment but proxies.
func newClient(s Settings) *client {
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialLimit}).DialContext,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: dialLimit,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: singlesAtOnce,
		IdleConnTimeout:     idleLimit,
	}
	options := []option.RequestOption{
		option.WithBaseURL(s.URL),
		option.WithHTTPClient(&http.Client{Transport: bounded{transport}}),
		option.WithMaxRetries(0),
	}
	if s.Key != "" {
		options = append(options, option.WithAPIKey(s.Key))
	}
	// The service and not openai.NewClient, which takes keys and addresses from the environment.
	return &client{url: s.URL, model: s.Model, key: s.Key, transport: transport, chat: openai.NewChatCompletionService(options...)}
}

// suits reports whether the client talks to whom the settings say.
func (c *client) suits(s Settings) bool {
	return c.url == s.URL && c.model == s.Model && c.key == s.Key
}

func (c *client) close() { c.transport.CloseIdleConnections() }

// ask makes one call about texts, and returns one opinion about each or why there are none.
func (c *client) ask(ctx context.Context, texts []string) ([]opinion, Cause) {
	system, user, err := prompt(texts)
	if err != nil {
		return nil, CauseMalformed
	}
	var response *http.Response
	completion, err := c.chat.New(ctx, openai.ChatCompletionNewParams{
		Model:    c.model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(user)},
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: schemaName, Strict: param.NewOpt(true), Schema: schema()},
		}},
	}, option.WithResponseInto(&response))
	if err != nil {
		return nil, causeOf(ctx, err, response)
	}
	if len(completion.Choices) != 1 || completion.Choices[0].FinishReason == "length" {
		return nil, CauseMalformed
	}
	opinions, err := parse(completion.Choices[0].Message.Content, len(texts))
	if err != nil {
		return nil, CauseMalformed
	}
	return opinions, ""
}

// causeOf sorts out why a call failed. What the endpoint does not take, or answers in a way nobody can read, may be due to one of
// the texts: a filter of its own, or the length of all of them together.
func causeOf(ctx context.Context, err error, response *http.Response) Cause {
	var status *openai.Error
	var timeout net.Error
	switch {
	case ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		return CauseTimeout
	case errors.As(err, &status):
		switch status.StatusCode {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return CauseMalformed
		}
		return CauseUnavailable
	case errors.Is(err, errRedirect):
		return CauseUnavailable
	case errors.Is(err, errTooLarge), response != nil && response.StatusCode < http.StatusMultipleChoices:
		return CauseMalformed
	}
	return CauseUnavailable
}

// bounded is a transport that reads no more of an answer than it has to, and takes no redirect: the key and the memories are for
// the endpoint of the policy and nobody else.
type bounded struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return nil, errors.Join(errRedirect, response.Body.Close())
	}
	response.Body = &boundedBody{ReadCloser: response.Body, left: maxAnswerBytes}
	return response, nil
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errTooLarge
	}
	return n, err
}
