// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/server/admin"
)

// adminOperations are what the admin port does about one record.
func adminOperations(r record) (out []operation) {
	at := func(rest string) func(target) string {
		return func(x target) string { return "/v1/memories/" + r.id(x) + rest }
	}
	headers := func(x target) map[string]string {
		return map[string]string{admin.PrincipalHeader: "rita", "If-Match": "\"" + x.commit + "\""}
	}
	out = append(out, operation{name: "see " + r.name, method: http.MethodGet, path: at(""), headers: headers},
		operation{name: "log of " + r.name, method: http.MethodGet, path: at("/log"), headers: headers})
	for _, verb := range []string{"approve", "reject", "promote", "quarantine", "forget", "purge", "reopen", "attest"} {
		out = append(out, operation{name: verb + " " + r.name, method: http.MethodPost, path: at("/" + verb), headers: headers,
			body: func(target) any { return map[string]any{"reason": "mine", "zone": "Trusted"} }})
	}
	return out
}

// wholeStore are what the admin port does about everything.
func wholeStore() []operation {
	headers := func(target) map[string]string { return map[string]string{admin.PrincipalHeader: "rita"} }
	return []operation{
		{name: "status", method: http.MethodGet, path: fixed(admin.StatusPath), headers: headers},
		{name: "list", method: http.MethodGet, path: fixed("/v1/memories"), headers: headers},
		{name: "export", method: http.MethodGet, path: fixed("/v1/export"), headers: headers},
		{name: "deliveries", method: http.MethodGet, path: func(x target) string { return "/v1/deliveries?session=" + x.session }, headers: headers},
		{name: "x-ray", method: http.MethodPost, path: fixed("/v1/xray"), headers: headers, body: func(x target) any { return map[string]any{"query": x.secret} }},
		{name: "what if", method: http.MethodGet, path: func(x target) string { return "/v1/memories/" + x.working + "/whatif?session=" + x.session }, headers: headers},
		{name: "resolve a contradiction", method: http.MethodPost, path: func(x target) string { return "/v1/contradictions/" + x.pair + "/resolve" },
			headers: headers, body: func(target) any { return map[string]any{"verdict": "KeepA", "reason": "mine"} }},
		{name: "revoke", method: http.MethodPost, path: fixed("/v1/revocations"), headers: headers,
			body: func(x target) any { return map[string]any{"record": x.working, "reason": "mine"} }},
	}
}

// noHandshake takes an attempt for refused that gets no connection.
func noHandshake(a answer, _ target) error {
	if a.status != 0 || !strings.Contains(a.body, "handshake was refused") {
		return fmt.Errorf("status %d, %s", a.status, a.body)
	}
	return nil
}

// strangers are certificates that are not the manager's, by whose they are.
func (w *world) strangers(t *testing.T, victim *agent) map[string]map[string][]byte {
	t.Helper()
	client, server := x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth
	other, _, _, err := certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	must(t, err)
	fake, _, err := other.Leaf(nil, certs.LeafRequest{DNSNames: []string{admin.ClientName}, Usage: client}, time.Now(), certs.DefaultOptions())
	must(t, err)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	raw, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	self := map[string][]byte{
		"tls.crt": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: selfSigned(t, key, admin.ClientName, false)}),
		"tls.key": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw}),
	}
	return map[string]map[string][]byte{
		"without a certificate":                         nil,
		"with another agent's certificate":              w.leaf(t, server, admin.ServerName(w.planner.namespace, w.planner.name)),
		"with another agent's name as a client":         w.leaf(t, client, admin.ServerName(w.planner.namespace, w.planner.name)),
		"with its own certificate":                      w.leaf(t, server, admin.ServerName(victim.namespace, victim.name)),
		"with the manager's name among others":          w.leaf(t, client, admin.ClientName, "planner.example"),
		"with the manager's name as a server":           w.leaf(t, server, admin.ClientName),
		"with the memory API's certificate for serving": w.leaf(t, server, certs.MemoryAPIService+"."+systemNamespace+".svc"),
		"with the manager's name of another authority":  fake,
		"with the manager's name of nobody":             self,
	}
}

// adminWays are what others can do at an agent's admin port.
func (w *world) adminWays(t *testing.T) (out []way) {
	for _, victim := range []*agent{w.clerk, w.concierge} {
		v := way{name: "Admin port of " + victim.name, victim: victim}
		for whose, own := range w.strangers(t, victim) {
			ops := append(adminOperations(records[0]), wholeStore()...)
			if own != nil && !strings.Contains(whose, "another agent") { // one connection tells as much as many
				ops = slices.Concat(adminOperations(records[0])[:3], wholeStore()[:3])
			}
			for i := range ops {
				ops[i].fails = noHandshake
			}
			v.attempts = append(v.attempts, attempts("https://"+victim.admin, whose+", ", w.mutual(t, victim, own), nil, "", ops)...)
		}
		out = append(out, v)
	}
	// With the manager's certificate, as the memory API has it: one agent's port knows nothing of another's memory, whatever the tenant.
	for _, p := range [][2]*agent{{w.planner, w.clerk}, {w.clerk, w.planner}} {
		from, victim := p[0], p[1]
		v := way{name: fmt.Sprintf("Admin port of %s, memory of %s", from.name, victim.name), victim: victim}
		for _, r := range records {
			v.attempts = append(v.attempts, attempts("https://"+from.admin, "", w.manager(t, from), nil, "", adminOperations(r))...)
		}
		named := adminOperations(records[0])
		for i := range named {
			path := named[i].path
			named[i].path = func(x target) string { return path(x) + "?namespace=" + x.namespace }
		}
		v.attempts = append(v.attempts, attempts("https://"+from.admin, "in its namespace, ", w.manager(t, from), nil, "", named)...)
		out = append(out, v)
	}
	return out
}
