// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"
	"errors"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
)

// conversation is on whose behalf a request speaks. It comes from the URL, which the harness writes, and never from
// arguments, which a model writes.
type conversation struct {
	caller  gate.Caller // the agent's own port, in the namespace of the URL
	session string      // memory session that the URL names; else that of the protocol, or none
}

type conversationKey struct{}

var errNoConversation = errors.New("the request did not come through the endpoint")

// conversationOf reads the URL of a request. The gate checks the names.
func conversationOf(r *http.Request) (conversation, error) {
	query := r.URL.Query()
	for _, name := range []string{"namespace", "session"} {
		if len(query[name]) > 1 {
			return conversation{}, errors.New(name + ": give it once")
		}
	}
	return conversation{
		caller:  gate.Caller{Namespace: query.Get("namespace")},
		session: query.Get("session"),
	}, nil
}

// conversationIn returns the conversation a request of this session belongs to: the values of the request that opened
// the session reach every later one, so that its namespace and the memory session it names are fixed. A session of the protocol
// is a memory session of the same id unless the URL names one, which a user may have opened.
func conversationIn(ctx context.Context, s mcp.Session) (conversation, error) {
	c, ok := ctx.Value(conversationKey{}).(conversation)
	if !ok {
		return c, errNoConversation
	}
	if c.session == "" {
		c.session = s.ID()
	}
	return c, nil
}
