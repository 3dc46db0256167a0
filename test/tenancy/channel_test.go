// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/policy"
)

// channelWays are what others can do at an agent's channel port.
func (w *world) channelWays(t *testing.T) (out []way) {
	for _, victim := range []*agent{w.clerk, w.concierge} {
		v := way{name: "REST: channel port of " + victim.name, victim: victim}
		other := w.planner
		for name, token := range map[string]string{
			"without a token":                  "",
			"with another agent's token":       other.token,
			"with a token of nobody":           strings.Repeat("x", len(victim.token)),
			"as another agent's account":       w.token(t, other.namespace, other.name, policy.TokenAudience),
			"as its own agent's account":       w.token(t, victim.namespace, victim.name, policy.TokenAudience),
			"as an account of its namespace":   w.token(t, victim.namespace, "default", policy.TokenAudience),
			"as a desk of another namespace":   w.token(t, map[string]string{travel: billing, billing: travel}[victim.namespace], "desk", policy.TokenAudience),
			"as its desk, for the API server":  w.token(t, victim.namespace, "desk"),
			"as its desk, for somebody else":   w.token(t, victim.namespace, "desk", "vault"),
			"as its desk, an hour ago":         w.expired(t, victim.namespace, "desk", policy.TokenAudience),
			"as its desk, with a torn token":   w.token(t, victim.namespace, "desk", policy.TokenAudience) + "x",
			"as its desk, without a signature": unsigned(w.token(t, victim.namespace, "desk", policy.TokenAudience)),
		} {
			var headers map[string]string
			if token != "" {
				headers = map[string]string{"Authorization": "Bearer " + token}
			}
			ops := append([]operation{}, aboutRecord(records[0])[4:]...)
			ops = append(ops, aboutRecord(records[1])[6], searches()[9], searches()[15])
			for i := range ops {
				ops[i].fails = unauthorized
			}
			v.attempts = append(v.attempts, attempts("https://"+victim.channel, name+", ", victim.channelClient(), headers, "", ops)...)
		}
		out = append(out, v)
	}
	// A token of one's own channel: what is the other's is not there.
	for _, p := range [][2]*agent{{w.planner, w.clerk}, {w.concierge, w.clerk}} {
		from, victim := p[0], p[1]
		v := way{name: fmt.Sprintf("REST: channel of %s, memory of %s", from.name, victim.name), victim: victim}
		headers := map[string]string{"Authorization": "Bearer " + from.token}
		for _, r := range records {
			v.attempts = append(v.attempts, attempts("https://"+from.channel, "", from.channelClient(), headers, "", aboutRecord(r)[4:])...)
		}
		out = append(out, v)
	}
	return out
}

func unauthorized(a answer, _ target) error {
	if a.status != http.StatusUnauthorized {
		return fmt.Errorf("status %d", a.status)
	}
	return nil
}

// unsigned is a token whose signature is that of nothing.
func unsigned(token string) string { return token[:strings.LastIndex(token, ".")+1] + "AAAA" }
