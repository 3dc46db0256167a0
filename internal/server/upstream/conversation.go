// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"errors"
	"net/http"

	"memorytrust.dev/operator/internal/gate"
)

// conversation is on whose behalf a request speaks, as on the endpoint of the memory itself: it comes from the URL, which the
// harness writes, and never from arguments, which a model writes.
type conversation struct {
	caller  gate.Caller // the agent's own port, in the namespace of the URL
	session string      // memory session that the URL names; else that of the protocol, or none
}

// conversationOf reads the URL of a request. The gate checks the names.
func conversationOf(r *http.Request) (conversation, error) {
	query := r.URL.Query()
	for _, name := range []string{"namespace", "session"} {
		if len(query[name]) > 1 {
			return conversation{}, errors.New(name + ": give it once")
		}
	}
	return conversation{caller: gate.Caller{Namespace: query.Get("namespace")}, session: query.Get("session")}, nil
}
