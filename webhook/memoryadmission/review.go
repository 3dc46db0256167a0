// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"errors"
	"net/http"

	"golang.org/x/sync/errgroup"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

// targetsAtOnce is how many rights, and agents, one review is looked up for at the same time.
const targetsAtOnce = 8

// reviewer answers requests of callers that the API server knows.
type reviewer struct {
	access *authorizer
	states *states
}

// review answers requests in their order. Those about the same agent are decided together.
func (r *reviewer) review(ctx context.Context, id *identity, requests []memoryadmission.Request) []memoryadmission.Response {
	out := make([]memoryadmission.Response, len(requests))
	var order []target
	byTarget := map[target][]int{}
	for i, request := range requests {
		t := targetOf(request)
		if byTarget[t] == nil {
			order = append(order, t)
		}
		byTarget[t] = append(byTarget[t], i)
	}
	var group errgroup.Group
	group.SetLimit(targetsAtOnce)
	for _, t := range order {
		group.Go(func() error {
			defer func() {
				if recover() != nil { // what it was may quote the memory
					logf.FromContext(ctx).Info("Memory admission broke off", "namespace", t.agent.Namespace, "agent", t.agent.Name)
					refuseAll(out, byTarget[t], unavailable())
				}
			}()
			r.decide(ctx, id, t, requests, byTarget[t], out)
			return nil
		})
	}
	_ = group.Wait() // what failed is in the responses
	for i := range out {
		out[i].UID = requests[i].UID
		observe(requests[i].Operation, out[i])
	}
	return out
}

// decide answers the requests at some places, all for one right.
func (r *reviewer) decide(
	ctx context.Context, id *identity, t target, requests []memoryadmission.Request, places []int, out []memoryadmission.Response,
) {
	log := logf.FromContext(ctx).WithValues("namespace", t.agent.Namespace, "agent", t.agent.Name)
	refuse := func(status *memoryadmission.Status) {
		log.V(1).Info("Memory admission refused", "caller", id.user.Username, "reason", status.Reason, "requests", len(places))
		refuseAll(out, places, status)
	}
	allowed, err := r.access.allowed(ctx, id, t)
	if err != nil {
		log.V(1).Info("Access to memory admission cannot be looked up", "error", err.Error())
		refuse(statusOf(ctx, err))
		return
	}
	if !allowed {
		refuse(forbidden(t))
		return
	}
	state, admission, err := r.states.of(ctx, t.agent)
	if err != nil {
		log.V(1).Info("Agent cannot be looked up", "error", err.Error())
		refuse(statusOf(ctx, err))
		return
	}
	caller, warning := callerOf(state, id)
	if t.promote && isAgents(state, id) {
		refuse(&memoryadmission.Status{Code: http.StatusForbidden, Reason: memoryadmission.ReasonForbidden,
			Message: "an agent does not promote its own memories, whatever its ServiceAccount may: have a person do it"})
		return
	}
	questions := make([]gate.AdmissionRequest, len(places))
	for n, i := range places {
		questions[n] = question(requests[i], caller, id.user.Username)
	}
	for n, decision := range admission.Review(ctx, state, questions) {
		i := places[n]
		out[i] = answer(ctx, state, requests[i], decision)
		if warning != "" && requests[i].Operation == memoryadmission.Encode {
			out[i].Warnings = append(out[i].Warnings, warning)
		}
		if decision.Allowed && t.promote {
			out[i].AuditAnnotations[memoryadmission.AnnotationApprovedBy] = id.user.Username
		}
	}
}

func refuseAll(out []memoryadmission.Response, places []int, status *memoryadmission.Status) {
	for _, i := range places {
		out[i] = memoryadmission.Response{Status: status}
	}
}

func question(r memoryadmission.Request, caller gate.Caller, username string) gate.AdmissionRequest {
	q := gate.AdmissionRequest{
		Operation: gate.AdmissionOperation(r.Operation), Caller: caller, Content: r.Memory.Content,
		Claimed: r.ClaimedSource, Signed: r.SignedSource, Session: r.Session,
		Kind: r.Memory.Kind, Subject: r.Memory.Subject, Tags: r.Memory.Tags, Metadata: r.Memory.Metadata,
	}
	if r.Operation == memoryadmission.Promote {
		q.Approver, q.Reason = username, r.Reason
	}
	return q
}

// callerOf is what a caller counts as under the policy of an agent: the agent, a channel, or somebody else, whose claims can only
// lower. The warning is why the caller counts for less than it may expect.
func callerOf(s *policy.State, id *identity) (_ gate.Caller, warning string) {
	account, ok := id.account()
	if !ok {
		return gate.Outsider(id.user.Username), ""
	}
	caller, known := gate.Caller{}, isAgents(s, id)
	for _, channel := range s.Runtime.Channels {
		if !known && channel.ServiceAccount == account {
			caller, known = gate.Caller{Channel: channel}, true
		}
	}
	switch {
	case !known:
		return gate.Outsider(id.user.Username), ""
	case !id.bound:
		return gate.Outsider(id.user.Username), "the token was made for the API server, which others get to see too: with one for audience " +
			memoryadmission.TokenAudience + " the caller would count as what its ServiceAccount is for the policy"
	}
	return caller, ""
}

// isAgents reports whether a caller is the agent itself.
func isAgents(s *policy.State, id *identity) bool {
	account, ok := id.account()
	return ok && account == s.Runtime.ServiceAccount
}

// statusOf is what callers are told who have the right to know.
func statusOf(ctx context.Context, err error) *memoryadmission.Status {
	var notReady *notReadyError
	unready := func(message string) *memoryadmission.Status {
		return &memoryadmission.Status{Code: http.StatusServiceUnavailable, Reason: memoryadmission.ReasonNotReady, Message: message}
	}
	switch {
	case errors.Is(err, errNoAgent):
		return &memoryadmission.Status{Code: http.StatusNotFound, Reason: memoryadmission.ReasonAgentNotFound,
			Message: "there is no AgentMemory of this name in the namespace: it is made when the first pod with the label memorytrust.dev/agent runs"}
	case errors.Is(err, errNotManaged):
		return unready("the operator may not hold Secrets in the namespace of the agent: bind its Role there with config/agent-namespace")
	case errors.Is(err, errNotOpen):
		return unready("the operator is only now reading the namespace of the agent: ask again")
	case errors.As(err, &notReady):
		return unready(notReady.what)
	case ctx.Err() != nil:
		return timedOut()
	}
	return unavailable()
}

func timedOut() *memoryadmission.Status {
	return &memoryadmission.Status{Code: http.StatusGatewayTimeout, Reason: memoryadmission.ReasonTimeout,
		Message: "not allowed: there was no time left to decide; ask again, about less at a time"}
}

func unavailable() *memoryadmission.Status {
	return &memoryadmission.Status{Code: http.StatusServiceUnavailable, Reason: memoryadmission.ReasonUnavailable,
		Message: "not allowed: the operator could not find out; ask again"}
}

// forbidden is the same for agents that exist and agents that do not.
func forbidden(t target) *memoryadmission.Status {
	right := "verb " + verbAsk + " on " + resourceAgents + "/" + subresourceAdmission
	if t.promote {
		right = "verb " + verbPromote + " on " + resourceAgents
	}
	return &memoryadmission.Status{Code: http.StatusForbidden, Reason: memoryadmission.ReasonForbidden,
		Message: "the caller needs the " + right + " of memorytrust.dev, in the namespace of the agent and for its name"}
}
