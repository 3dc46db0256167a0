// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
)

// officePolicy is that of an agent that pays: users say what they want through a channel, what it remembers and the tools it
// calls are behind the screener.
const officePolicy = `
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: office
spec:
  selector: {}
  trust:
    mode: Signed
    channels:
    - name: chat
      class: UserInput
      principal: carol@example.com
      tokenSecretRef: {name: chat-token}
  limits:
    writesPerMinute: 10000
  upstreams:
  - name: graph
    url: %s/mcp
    kind: Memory
    credentialSecretRef: {name: graph-credential}
  - name: tools
    url: %s/mcp
    kind: Tools
    credentialSecretRef: {name: tools-credential}
    toolRules:
    - tools: [fetch_page]
      effect: Call
      class: WebContent
  actions:
    rules:
    - name: payments
      tools: [send_payment]
      authority: Act
      sensitive: [to, amount]
    - name: reading
      tools: [fetch_page]
      authority: Inform
  store: {type: Ephemeral}
`

// office is a screener with the servers of such an agent behind it.
type office struct {
	*screener
	t            *testing.T
	graph, tools *peer
	namespace    string // tenant of the agent; its own when empty
	turns        int
}

// openOffice starts all of it.
func openOffice(t *testing.T) *office {
	t.Helper()
	o := openServers(t)
	o.open(t.TempDir())
	return o
}

// open starts the screener of an office, with what one left in a directory.
func (o *office) open(dir string) {
	o.t.Helper()
	o.screener = startScreenerIn(o.t, dir, fmt.Sprintf(officePolicy, o.graph.url, o.tools.url),
		"--upstream-credential", "graph="+o.graph.file, "--upstream-credential", "tools="+o.tools.file)
}

// openServers starts the servers, which nobody stands in front of.
func openServers(t *testing.T) *office {
	t.Helper()
	return &office{t: t, graph: startPeer(t, "memory-server"), tools: startPeer(t, "tools-server")}
}

// anew gives the office to another tenant: what the servers hold is gone, and the screener knows nothing.
func (o *office) anew(t *testing.T, namespace string) *office {
	t.Helper()
	o.graph.reset(t)
	o.tools.reset(t)
	return &office{screener: o.screener, t: t, graph: o.graph, tools: o.tools, namespace: namespace}
}

// of adds the tenant and a session to an address.
func (o *office) of(address, session string) string {
	query := url.Values{}
	for name, value := range map[string]string{"namespace": o.namespace, "session": session} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

// asks asks the agent's port of the screener.
func (o *office) asks(path string, body any) reply {
	o.t.Helper()
	return o.rest(o.t, o.of(path, ""), body)
}

// says is what the backend of the user's chat tells the screener.
func (o *office) says(path string, body any) reply {
	o.t.Helper()
	return o.chat(o.t, o.of(path, ""), body)
}

// userOpens opens a session on behalf of a user. Without a screener there is nobody to tell.
func (o *office) userOpens(session string) {
	o.t.Helper()
	if o.screener == nil {
		return
	}
	if r := o.says("/v1/sessions", map[string]string{"session": session}); r.status != http.StatusCreated {
		o.t.Fatal(r)
	}
}

// userSays is what a user says in a session.
func (o *office) userSays(session, text string) {
	o.t.Helper()
	if o.screener == nil {
		return
	}
	o.turns++
	turn := map[string]string{"id": fmt.Sprintf("turn-%d", o.turns), "session": session, "content": text}
	if r := o.says("/v1/turns", turn); r.status != http.StatusCreated {
		o.t.Fatal(r)
	}
}

// decides is a person who approves or rejects what waits.
func (o *office) decides(verb, id string) {
	o.t.Helper()
	args := []string{verb, id, "--reason", "checked by telephone"}
	if o.namespace != "" {
		args = append(args, "--namespace", o.namespace)
	}
	o.person(o.t, args...)
}
