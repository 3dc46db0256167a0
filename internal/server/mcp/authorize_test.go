// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

func TestAuthorize(t *testing.T) {
	user := gate.Caller{Channel: policy.Channel{Name: "chat", Class: provenance.UserInput, Principal: "bob"}}
	for name, legacy := range map[string]bool{"sessions": true, "no sessions": false} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(s *v1alpha1.MemoryTrustPolicySpec) {
				s.Trust.Channels = append(s.Trust.Channels, v1alpha1.Channel{
					Name: "chat", Class: "UserInput", Principal: "bob", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "chat-token"},
				})
				s.Actions.Rules = []v1alpha1.ActionRule{{Name: "payments", Tools: []string{"pay"}, Authority: "Act", Sensitive: []string{"amount"}}}
			})
			s := f.client("?session=ticket", legacy)
			ask := func(amount string) result {
				t.Helper()
				return called(t, s, "authorize", args{"tool": "pay", "arguments": args{"amount": json.Number(amount)}})
			}
			r := ask("100.10")
			out := value[gate.Authorized](t, r)
			if out.Decision != gate.ActionRequireApproval || out.Rule != "payments" || r.Meta[metaReviewID] != out.ApprovalID ||
				!strings.HasPrefix(r.texts[0], "RequireApproval. Not allowed as it stands.") {
				t.Errorf("%+v, text %q, meta %v", out, r.texts, r.Meta)
			}
			// What the model wrote reaches the hash as it was written.
			waiting, err := f.store.Get(t.Context(), "agents", out.ApprovalID)
			must(t, err)
			if !strings.Contains(waiting.Content, `"amount":100.10`) || waiting.Session != "ticket" {
				t.Errorf("the request is %s", waiting.Content)
			}
			_, err = f.gate.Turn(t.Context(), user, gate.TurnRequest{ID: "1", Session: "ticket", Content: "Pay 100.10 to Lyon Transport."})
			must(t, err)
			if out := value[gate.Authorized](t, ask("100.10")); out.Decision != gate.ActionAllow {
				t.Errorf("after the user's word: %+v", out)
			}
			if out := value[gate.Authorized](t, ask("1001.0")); out.Decision != gate.ActionRequireApproval {
				t.Errorf("another amount: %+v", out)
			}
			refused(t, s, "authorize", args{"arguments": args{}}, "tool", "required")
			refused(t, s, "authorize", args{"tool": "pay", "arguments": "all"}, "arguments: expected object")
			refused(t, s, "authorize", args{"tool": "pay", "session": "other"}, "session: unexpected property")
			refused(t, s, "authorize", args{"tool": "pay", "arguments": json.RawMessage(`{"amount": ` + strings.Repeat("9", 200) + `}`)}, "arguments", "number")
			if r := called(t, s, "list", args{"kinds": []string{"memorytrust.dev/action"}}); strings.Contains(r.raw, out.ApprovalID) {
				t.Errorf("a list has it: %s", r.raw)
			}
			if r := called(t, s, "queue", args{}); !strings.Contains(r.raw, out.ApprovalID) || strings.Contains(r.raw, "100.10") {
				t.Errorf("the queue: %s", r.raw)
			}
			refused(t, s, "show", args{"id": out.ApprovalID}, "no memory")
			refused(t, s, "revise", args{"id": out.ApprovalID, "expected_commit": strings.Repeat("0", 64), "content": "x"}, "no memory")
			refused(t, s, "forget", args{"id": out.ApprovalID}, "no memory")
			if after, err := f.store.Get(t.Context(), "agents", out.ApprovalID); err != nil || after.State != memory.PendingReview {
				t.Errorf("it is %s, %v", after.State, err)
			}
		})
	}
}
