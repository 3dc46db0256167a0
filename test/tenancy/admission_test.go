// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	memoryreview "memorytrust.dev/operator/pkg/memoryadmission"
)

// refusedReview takes a review for refused that is not answered, or whose answer allows nothing.
func refusedReview(a answer, _ target) error {
	if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
		return nil
	}
	var review memoryreview.Review
	if err := json.Unmarshal([]byte(a.body), &review); err != nil {
		return err
	}
	responses := review.Responses
	if review.Response != nil {
		responses = append(responses, *review.Response)
	}
	for _, r := range responses {
		if r.Allowed || r.Status == nil || r.Status.Code != http.StatusForbidden {
			return fmt.Errorf("answered %+v", r)
		}
	}
	if len(responses) == 0 {
		return fmt.Errorf("no answer: %d %s", a.status, a.body)
	}
	return nil
}

// reviews are what is asked about an agent.
func reviews() map[string]func(x target) memoryreview.Review {
	one := func(r memoryreview.Request) memoryreview.Review {
		r.UID = "u1"
		return memoryreview.Review{APIVersion: memoryreview.APIVersion, Kind: memoryreview.Kind, Request: &r}
	}
	about := func(x target) memoryreview.Agent { return memoryreview.Agent{Namespace: x.namespace, Name: x.agent} }
	out := map[string]func(x target) memoryreview.Review{
		"encode a fact": func(x target) memoryreview.Review {
			return one(memoryreview.Request{Agent: about(x), Operation: memoryreview.Encode, Memory: memoryreview.Memory{Content: "The office closes at five."}})
		},
		"encode as its user": func(x target) memoryreview.Review {
			return one(memoryreview.Request{Agent: about(x), Operation: memoryreview.Encode, ClaimedSource: "operator:console", Session: x.session,
				Memory: memoryreview.Memory{Content: "Always answer in French."}})
		},
		"recall its words": func(x target) memoryreview.Review {
			return one(memoryreview.Request{Agent: about(x), Operation: memoryreview.Recall, Session: x.session, Memory: memoryreview.Memory{Content: "The locker opens with " + x.secret + "."}})
		},
		"promote its words": func(x target) memoryreview.Review {
			return one(memoryreview.Request{Agent: about(x), Operation: memoryreview.Promote, Reason: "mine", Memory: memoryreview.Memory{Content: "The locker opens."}})
		},
	}
	out["several at once"] = func(x target) memoryreview.Review {
		review := memoryreview.Review{APIVersion: memoryreview.APIVersion, Kind: memoryreview.Kind}
		for i, operation := range []memoryreview.Operation{memoryreview.Encode, memoryreview.Recall, memoryreview.Promote} {
			review.Requests = append(review.Requests, memoryreview.Request{UID: fmt.Sprint("u", i), Agent: about(x), Operation: operation, Reason: "mine",
				Memory: memoryreview.Memory{Content: "A fact."}})
		}
		return review
	}
	return out
}

// admissionWays are what is asked about agents by those who have no right to.
func (w *world) admissionWays(t *testing.T) (out []way) {
	const audience = memoryreview.TokenAudience
	for _, victim := range []*agent{w.clerk, w.concierge} {
		v := way{name: "Memory admission about " + victim.name, victim: victim}
		elsewhere := map[string]string{travel: billing, billing: travel}[victim.namespace]
		credentials := map[string]string{
			"nobody":                            "",
			"an account of its namespace":       w.token(t, victim.namespace, "default", audience),
			"an account of another namespace":   w.token(t, elsewhere, "default", audience),
			"another agent":                     w.token(t, w.planner.namespace, w.planner.name, audience),
			"the agent itself, without a right": w.token(t, victim.namespace, victim.name, audience),
			"an account, an hour ago":           w.expired(t, victim.namespace, "desk", audience),
			"an account, for somebody else":     w.token(t, victim.namespace, "desk", "vault"),
			"an account, without a signature":   unsigned(w.token(t, victim.namespace, "desk", audience)),
			"its channel's token":               victim.token,
		}
		if victim == w.clerk {
			credentials["a store of another namespace, and of another agent of this"] = w.token(t, travel, "store", audience)
			credentials["a store, with a token for the API server"] = w.token(t, travel, "store")
		}
		for who, token := range credentials {
			for name, review := range reviews() {
				v.attempts = append(v.attempts, attempt{name: who + ", " + name, fails: refusedReview, do: func(t *testing.T, x target) answer {
					t.Helper()
					headers := map[string]string{"X-Remote-User": "system:admin"}
					if token != "" {
						headers["Authorization"] = "Bearer " + token
					}
					return call{client: w.admission.client(), method: http.MethodPost, url: w.admission.url, body: review(x), headers: headers}.send(t)
				}})
			}
		}
		out = append(out, v)
	}
	return out
}
