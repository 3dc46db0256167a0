// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"math"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
)

// kindAction is the kind of a record that asks a person about a tool call. It is served as an approval and never as a memory: the right to
// decide about the one is not the right to decide about the other.
const kindAction = memory.ReservedKinds + "action"

func objectMeta(a Agent, id string, created time.Time) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: id, Namespace: a.Namespace, UID: types.UID(id), CreationTimestamp: metav1.NewTime(created),
		Labels: map[string]string{v1alpha1.LabelAgent: a.Name},
	}
}

// timestamp is a time that may be absent.
func timestamp(t time.Time) *metav1.Time {
	if t.IsZero() {
		return nil
	}
	return &metav1.Time{Time: t}
}

func memoryOf(a Agent, m gate.Inspected) api.Memory {
	return api.Memory{ObjectMeta: objectMeta(a, m.ID, m.CreatedAt), Status: statusOf(a, m)}
}

func statusOf(a Agent, m gate.Inspected) api.MemoryStatus {
	verdict := "Clean"
	if m.Directive {
		verdict = "Directive"
	}
	return api.MemoryStatus{
		Agent: a.Name, Zone: string(m.Zone), State: string(m.State), Boundary: string(m.Boundary), Authority: string(m.Authority),
		Class: string(m.Class), Source: m.Source, Writer: m.Writer, Kind: m.Kind, Verdict: verdict, Reasons: kindsOf(m.Reasons), CappedBy: m.CappedBy,
		ApprovedBy: m.ApprovedBy, Pinned: m.Pinned, Purged: m.Purged, Expiry: timestamp(m.Expiry), Parents: m.Parents, Supersedes: m.Supersedes,
		FoldedInto: m.FoldedInto, Fault: string(m.Fault), KeyID: m.KeyID, Commit: m.Commit, Change: string(m.Change), Actor: m.Actor,
		UpdatedAt: timestamp(m.UpdatedAt),
	}
}

// kindsOf leaves out of reasons what they quote of the text: a reason is a kind, followed by the words that matched in double quotes.
func kindsOf(reasons []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range reasons {
		kind, _, _ := strings.Cut(r, `"`)
		kind = strings.TrimRight(kind, ": ")
		if kind != "" && !seen[kind] {
			seen[kind] = true
			out = append(out, kind)
		}
	}
	return out
}

func textOf(m gate.Inspected) api.Text {
	text := api.Text{Content: m.Content, Subject: m.Subject, Tags: m.Tags, Metadata: m.Metadata, Session: m.Session, Reasons: m.Reasons}
	if call := m.Call; call != nil {
		text.Call = &api.ToolCall{
			Tool: call.Tool, Upstream: call.Upstream, Session: call.Session, SchemaSHA256: call.Schema, PolicyRevision: call.Policy,
		}
		if len(call.Arguments) > 0 {
			text.Call.Arguments = &runtime.RawExtension{Raw: call.Arguments}
		}
	}
	return text
}

// approvalOf reads a request out of its record without its content. Its reasons are those that gate gives requests.
func approvalOf(a Agent, m gate.Inspected) api.Approval {
	status := api.ApprovalStatus{
		Agent: a.Name, Tool: m.Subject, Session: m.Session, State: string(m.State), Expires: timestamp(m.Expiry), ApprovedBy: m.ApprovedBy,
		Responsible: m.Parents, Fault: string(m.Fault), Commit: m.Commit,
	}
	for _, r := range m.Reasons {
		if mark, ok := strings.CutPrefix(r, "mark of the session: "); ok {
			status.Mark = mark
		} else if paths, ok := strings.CutPrefix(r, "not named by the user: "); ok {
			status.Missing = strings.Split(paths, ", ")
		} else if rule, ok := strings.CutPrefix(r, "rule "); ok {
			status.Rule = rule
		}
	}
	return api.Approval{ObjectMeta: objectMeta(a, m.ID, m.CreatedAt), Status: status}
}

func contradictionOf(a Agent, c gate.InspectedContradiction) api.Contradiction {
	state := "Decided"
	if c.Open {
		state = "Open"
	}
	return api.Contradiction{
		ObjectMeta: objectMeta(a, c.ID, c.FoundAt),
		Status: api.ContradictionStatus{
			Agent: a.Name, A: sideOf(c.A), B: sideOf(c.B), State: state, Verdict: string(c.Verdict), DecidedBy: c.DecidedBy,
			DecidedAt: timestamp(c.DecidedAt),
		},
	}
}

func sideOf(m gate.Inspected) api.ContradictionSide {
	return api.ContradictionSide{
		Name: m.ID, Zone: string(m.Zone), State: string(m.State), Class: string(m.Class), Source: m.Source, Commit: m.Commit,
	}
}

func decisionStatus(d gate.Decided) api.DecisionStatus {
	out := api.DecisionStatus{
		Done: d.Done, Zone: string(d.Zone), State: string(d.State), Commit: d.Commit, Message: d.Message,
	}
	for _, r := range d.Rules {
		out.Rules = append(out.Rules, api.DecisionRule{Name: r.Name, Met: r.Met, Explain: r.Explain})
	}
	for _, m := range d.Affected {
		out.Affected = append(out.Affected, api.AffectedMemory{Name: m.ID, Why: m.Why, State: string(m.State)})
	}
	return out
}

func deliveriesOf(list []admin.DeliveryEntry) []api.Delivery {
	out := make([]api.Delivery, 0, len(list))
	for _, d := range list {
		out = append(out, api.Delivery{
			Session: d.Session, Class: string(d.Class), ScorePerMille: perMille(d.Score), Sequence: int64(d.Seq), //nolint:gosec // never that many
			At: metav1.NewTime(d.At),
		})
	}
	return out
}

// perMille turns a score from 0 to 1 into thousandths.
func perMille(score float64) int32 {
	return int32(math.Round(min(max(score, 0), 1) * 1000))
}
