// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

const apiRoot = "/apis/memory.memorytrust.dev/v1alpha1"

// inNamespace are the operations of the memory API about what one namespace has.
func inNamespace(namespace func(x target) string) (out []operation) {
	at := func(resource string, id func(target) string, rest string) func(target) string {
		return func(x target) string {
			return apiRoot + "/namespaces/" + namespace(x) + "/" + resource + "/" + id(x) + rest
		}
	}
	decision := func(x target) any {
		return map[string]any{"apiVersion": api.GroupVersion.String(), "kind": "MemoryDecision", "spec": map[string]any{"commit": x.commit, "reason": "mine"}}
	}
	for _, r := range records {
		resource := "memories"
		if r.name == "an approval" {
			resource = "approvals"
		}
		out = append(out, operation{name: "get " + r.name, method: http.MethodGet, path: at(resource, r.id, "")},
			operation{name: "content of " + r.name, method: http.MethodGet, path: at(resource, r.id, "/content")},
			operation{name: "approve " + r.name, method: http.MethodPost, path: at(resource, r.id, "/approve"), body: decision},
			operation{name: "reject " + r.name, method: http.MethodPost, path: at(resource, r.id, "/reject"), body: decision})
	}
	working := func(x target) string { return x.working }
	for _, sub := range []string{"log", "xray", "deliveries", "whatif"} {
		out = append(out, operation{name: sub + " of a memory", method: http.MethodGet, path: at("memories", working, "/"+sub)},
			operation{name: sub + " of a memory in a session", method: http.MethodGet, path: func(x target) string { return at("memories", working, "/"+sub)(x) + "?session=" + x.session }})
	}
	for _, verb := range []string{"promote", "quarantine", "forget", "purge", "reopen", "attest"} {
		out = append(out, operation{name: verb + " a memory", method: http.MethodPost, path: at("memories", working, "/"+verb), body: decision})
	}
	pair := func(x target) string { return x.pair }
	return append(out,
		operation{name: "delete a memory", method: http.MethodDelete, path: at("memories", working, "")},
		operation{name: "put a memory", method: http.MethodPut, path: at("memories", working, ""), body: decision},
		operation{name: "forget by dry run", method: http.MethodPost, path: func(x target) string { return at("memories", working, "/forget")(x) + "?dryRun=All" }, body: decision},
		operation{name: "get a contradiction", method: http.MethodGet, path: at("contradictions", pair, "")},
		operation{name: "content of a contradiction", method: http.MethodGet, path: at("contradictions", pair, "/content")},
		operation{name: "resolve a contradiction", method: http.MethodPost, path: at("contradictions", pair, "/resolve"), body: func(target) any {
			return map[string]any{"apiVersion": api.GroupVersion.String(), "kind": "ContradictionResolution", "spec": map[string]any{"verdict": "KeepA", "reason": "mine"}}
		}})
}

// lists are lists of the memory API that single out the victim's, in a namespace or in all.
func lists(root string) []operation {
	list := func(name, query string, value func(target) string) operation {
		return operation{name: "list " + name, method: http.MethodGet, path: func(x target) string { return apiRoot + root + "/memories?" + query + value(x) }}
	}
	return []operation{
		list("one by its name", "fieldSelector=metadata.name%3D", func(x target) string { return x.working }),
		list("one agent", "fieldSelector=agent%3D", func(x target) string { return x.agent }),
		list("one agent by label", "labelSelector=memorytrust.dev%2Fagent%3D", func(x target) string { return x.agent }),
	}
}

// noneListed takes a list for refused that has no memory in it.
func noneListed(a answer, x target) error {
	if a.status != http.StatusOK {
		return refusedStatus(a, x)
	}
	if !strings.Contains(a.body, `"items":[]`) {
		return fmt.Errorf("the list has items: %s", a.body)
	}
	return nil
}

// user is a client of the API server that it takes for somebody.
func (w *world) user(t *testing.T, name string, groups ...string) *http.Client {
	t.Helper()
	config := rest.CopyConfig(w.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: append(groups, "system:authenticated")}
	httpClient, err := rest.HTTPClientFor(config)
	must(t, err)
	return httpClient
}

// bearer is a client of the API server with a token, or with nothing.
func (w *world) bearer(t *testing.T, token string) *http.Client {
	t.Helper()
	config := rest.AnonymousClientConfig(w.config)
	config.BearerToken = token
	httpClient, err := rest.HTTPClientFor(config)
	must(t, err)
	return httpClient
}

// aggregatedWays are what people and ServiceAccounts can do through the API server, and what others can do at the memory API itself.
func (w *world) aggregatedWays(t *testing.T) (out []way) {
	server := strings.TrimSuffix(w.config.Host, "/")
	rita := w.user(t, "rita")
	eventually(t, "the reviewer's rights", func() bool {
		got := call{client: rita, method: http.MethodGet, url: server + apiRoot + "/namespaces/" + travel + "/memories/" + w.planner.there.working}.send(t)
		return got.status == http.StatusOK
	})
	victim := w.clerk
	its := func(x target) string { return x.namespace }
	mine := func(target) string { return travel }
	for who, client := range map[string]*http.Client{
		"a reviewer of travel": rita, "an admin of travel": w.user(t, "ada"), "a viewer of travel": w.user(t, "victor"), "nobody in particular": w.user(t, "mallory"),
		"another agent's account": w.bearer(t, w.token(t, travel, "planner")),
	} {
		v := way{name: "Aggregated API: " + who + ", memory of clerk", victim: victim}
		v.attempts = append(v.attempts, attempts(server, "in billing, ", client, nil, "", inNamespace(its))...)
		selected := lists("/namespaces/" + billing)
		everywhere := lists("")
		v.attempts = append(v.attempts, attempts(server, "in billing, ", client, nil, "", selected)...)
		v.attempts = append(v.attempts, attempts(server, "everywhere, ", client, nil, "", everywhere)...)
		if who == "a reviewer of travel" || who == "an admin of travel" {
			v.attempts = append(v.attempts, attempts(server, "in travel, ", client, nil, "", inNamespace(mine))...)
			named := lists("/namespaces/" + travel)
			for i := range named {
				named[i].fails = noneListed
			}
			v.attempts = append(v.attempts, attempts(server, "in travel, ", client, nil, "", named)...)
		}
		out = append(out, v)
	}
	own := way{name: "Aggregated API: the agent's own account, a reviewer by name, memory of clerk", victim: victim}
	own.attempts = attempts(server, "", w.bearer(t, w.token(t, billing, "clerk")), nil, "", inNamespace(its))
	out = append(out, own)
	return append(out, w.withoutRight(t, server), w.badCredentials(t, server), w.aroundTheServer(t))
}

// withoutRight are those who may see an agent's memory, at what they may not: content, decisions, their own memory.
func (w *world) withoutRight(t *testing.T, server string) way {
	t.Helper()
	v := way{name: "Aggregated API: with some rights, memory of planner", victim: w.planner}
	its := func(x target) string { return x.namespace }
	var beyond, decisions []operation
	for _, op := range inNamespace(its) {
		switch {
		case strings.HasPrefix(op.name, "get ") || strings.HasPrefix(op.name, "xray") || op.method == http.MethodDelete || op.method == http.MethodPut:
		default:
			beyond = append(beyond, op)
		}
		if op.method == http.MethodPost && !strings.Contains(op.name, "forget") && !strings.Contains(op.name, "purge") {
			decisions = append(decisions, op)
		}
	}
	beyond = append(beyond, operation{name: "xray of a memory with a query", method: http.MethodGet, path: func(x target) string {
		return apiRoot + "/namespaces/" + x.namespace + "/memories/" + x.working + "/xray?query=" + x.secret
	}})
	v.attempts = append(v.attempts, attempts(server, "a viewer, ", w.user(t, "victor"), nil, "", beyond)...)
	group := w.user(t, "system:serviceaccount:billing:crowd", "system:serviceaccounts", "system:serviceaccounts:billing")
	v.attempts = append(v.attempts, attempts(server, "an account by its group, ", group, nil, "", decisions)...)
	return v
}

// badCredentials are tokens that the API server does not take.
func (w *world) badCredentials(t *testing.T, server string) way {
	t.Helper()
	v := way{name: "Aggregated API: credentials of nobody, memory of clerk", victim: w.clerk}
	for who, client := range map[string]*http.Client{
		"anonymous": w.bearer(t, ""), "a token for memorytrust": w.bearer(t, w.token(t, billing, "clerk", "memorytrust")),
		"a token of an hour ago": w.bearer(t, w.expired(t, billing, "clerk")), "a token without a signature": w.bearer(t, unsigned(w.token(t, billing, "clerk"))),
		"the channel's token": w.bearer(t, w.clerk.token),
	} {
		v.attempts = append(v.attempts, attempts(server, who+", ", client, nil, "", inNamespace(func(x target) string { return x.namespace })[:6])...)
	}
	impersonating := map[string]string{"Impersonate-User": "rita"}
	ops := inNamespace(func(x target) string { return x.namespace })[:6]
	v.attempts = append(v.attempts, attempts(server, "an account that impersonates, ", w.bearer(t, w.token(t, travel, "planner")), impersonating, "", ops)...)
	remote := map[string]string{"X-Remote-User": "admin", "X-Remote-Group": "system:masters"}
	v.attempts = append(v.attempts, attempts(server, "an account that forges the proxy's headers, ", w.bearer(t, w.token(t, travel, "planner")), remote, "", ops)...)
	return v
}

// aroundTheServer are requests to the memory API itself, without the API server.
func (w *world) aroundTheServer(t *testing.T) way {
	t.Helper()
	v := way{name: "Aggregated API: the memory API itself, memory of clerk", victim: w.clerk}
	direct := func(own map[string][]byte) *http.Client {
		config := &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: w.roots(), ServerName: "memorytrust-memory-api." + systemNamespace + ".svc"}
		if own != nil {
			pair, err := tls.X509KeyPair(own["tls.crt"], own["tls.key"])
			must(t, err)
			config.Certificates = []tls.Certificate{pair}
		}
		return &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	}
	remote := map[string]string{"X-Remote-User": "admin", "X-Remote-Group": "system:masters"}
	account := map[string]string{"Authorization": "Bearer " + w.token(t, travel, "planner")}
	ops := slices.Concat(inNamespace(func(x target) string { return x.namespace })[:6], lists("/namespaces/"+billing))
	for who, c := range map[string]struct {
		client  *http.Client
		headers map[string]string
	}{
		"with the proxy's headers and no certificate":            {direct(nil), remote},
		"with the proxy's headers and the manager's certificate": {direct(w.leaf(t, x509.ExtKeyUsageClientAuth, admin.ClientName)), remote},
		"with the proxy's headers and its name":                  {direct(w.leaf(t, x509.ExtKeyUsageClientAuth, "front-proxy")), remote},
		"with an agent's token":                                  {direct(nil), account},
		"with nothing":                                           {direct(nil), nil},
	} {
		v.attempts = append(v.attempts, attempts("https://"+w.api, who+", ", c.client, c.headers, "", ops)...)
	}
	return v
}
