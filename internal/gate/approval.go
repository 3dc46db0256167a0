// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// kindAction is the kind of a record that asks a person to let the agent make one tool call. Its content is the call, its
// subject the tool, and its tag the hash of the call. It stays in Quarantine whatever is decided, since it is no memory: approved
// it allows the call once and is then forgotten, rejected it denies the call until it expires.
const kindAction = memory.ReservedKinds + "action"

// requestFactor is how many times longer a request waits for a person than an approval lasts.
const requestFactor = 12

// Bounds of looking for what was decided about a call.
const approvalPage = 100

// usedReason is the reason of the commit that uses an approval up.
const usedReason = "used"

// askedReason is the reason of the commit that takes back what another replica of the agent asked a moment before.
const askedReason = "asked at the same time"

// askLocks let the same call be asked about by one at a time: two at once would both find that nobody asked yet.
type askLocks [16]sync.Mutex

func (l *askLocks) of(hash string) *sync.Mutex { return &l[int(hash[0])%len(l)] }

// requestLifetime is how long a request that nobody decides about waits, and a rejection holds.
func requestLifetime(r *policy.Runtime) time.Duration {
	d := requestFactor * r.Actions.ApprovalLifetime()
	if span := r.PendingExpiry(); span > 0 {
		d = min(d, span)
	}
	return d
}

// actionContent is what a person approves, in the one form that is hashed, and its hash: tool, upstream, arguments, schema of the
// tool, session, and the revision of the policy. Whatever of it is another needs another approval.
func actionContent(r *policy.Runtime, q ActionRequest, args map[string]any, schema any) (content, hash string) {
	call := map[string]any{"tool": q.Tool, "arguments": args, "session": q.Session, "policy": r.Revision}
	if q.upstream != "" {
		call["upstream"] = q.upstream
	}
	if schema != nil {
		sum := action.Hash(schema)
		call["schema"] = hex.EncodeToString(sum[:])
	}
	sum := action.Hash(call)
	return string(action.Canonical(call)), hex.EncodeToString(sum[:])
}

// ActionCall is the tool call that a person decides about.
type ActionCall struct {
	Tool      string          `json:"tool" doc:"Name of the tool"`
	Upstream  string          `json:"upstream,omitempty" doc:"Upstream whose tool it is; absent for a call that the screener does not make itself"`
	Arguments json.RawMessage `json:"arguments" doc:"Arguments of the call, as they are hashed"`
	Session   string          `json:"session" doc:"Session it is to be made in"`
	Schema    string          `json:"schema,omitempty" doc:"SHA-256 of the tool's input schema, hex; absent where none was given"`
	Policy    string          `json:"policy" doc:"Revision of the policy the request was made under"`
}

// actionCall reads the call out of a request; nil if the record is none.
func actionCall(r memory.Record) *ActionCall {
	var call ActionCall
	if r.Kind != kindAction || json.Unmarshal([]byte(r.Content), &call) != nil {
		return nil
	}
	return &call
}

// askPerson looks up what a person decided about exactly this call, or asks one. An approval is used up by the very step that
// allows the call, so that of several at once exactly one finds it.
func (a *authorizing) askPerson(ctx context.Context, out *Authorized) (actionReason, error) {
	lock := a.gate.asks.of(a.hash)
	lock.Lock()
	defer lock.Unlock()
	for attempt := 1; ; attempt++ {
		why, err := a.tryAsk(ctx, out)
		if !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return why, err
		}
	}
}

func (a *authorizing) tryAsk(ctx context.Context, out *Authorized) (actionReason, error) {
	decided, err := a.decidedBefore(ctx)
	if err != nil {
		return "", err
	}
	if decided == nil {
		if decided, err = a.request(ctx, *out); err != nil {
			return "", err
		}
		if decided, err = a.agree(ctx, decided); err != nil {
			return "", err
		}
	}
	out.ApprovalID, out.Expires = decided.ID, decided.Expiry
	switch decided.State {
	case memory.Approved:
		if err := a.use(ctx, *decided); err != nil {
			return "", err
		}
		out.Decision, out.Expires = ActionAllow, time.Time{}
		return allowedByPerson, nil
	case memory.Rejected:
		out.Decision = ActionDeny
		return deniedByPerson, nil
	}
	return waitsForApproval, nil
}

// decidedBefore returns what is known of exactly this call: a rejection before an approval, before a request that waits. What
// does not verify, is over, or says anything else, is nothing.
func (a *authorizing) decidedBefore(ctx context.Context) (*memory.Record, error) {
	var best *memory.Record
	err := a.eachRequest(ctx, func(r memory.Record) {
		if best == nil || slices.Index(requestStates, r.State) < slices.Index(requestStates, best.State) {
			best = &r
		}
	})
	return best, err
}

// requestStates are those of a request that counts, what was decided first.
var requestStates = []memory.State{memory.Rejected, memory.Approved, memory.PendingReview}

// eachRequest visits the requests for exactly this call that count, oldest first.
func (a *authorizing) eachRequest(ctx context.Context, visit func(memory.Record)) error {
	f := memory.Filter{
		Namespace: a.namespace, Kinds: []string{kindAction}, Tags: []string{a.hash}, States: requestStates, IncludeForgotten: true,
		Limit: approvalPage,
	}
	for {
		page, err := a.gate.store.List(ctx, f)
		if err != nil {
			return err
		}
		checked, err := a.gate.verify(ctx, a.state, a.namespace, page)
		if err != nil {
			return err
		}
		for _, v := range checked {
			if a.decides(v) {
				visit(v.record)
			}
		}
		if len(page) < f.Limit {
			return nil
		}
		f.After = page[len(page)-1].ID
	}
}

// agree lets of the requests for one call, which replicas of the agent made at the same time, the first one stand: a person is asked
// once. Each looks after it wrote, so that whoever wrote later sees who was earlier, and takes its own back.
func (a *authorizing) agree(ctx context.Context, own *memory.Record) (*memory.Record, error) {
	first := own
	err := a.eachRequest(ctx, func(r memory.Record) {
		if r.Seq < first.Seq {
			first = &r
		}
	})
	if err != nil || first == own {
		return own, err
	}
	return first, a.forgo(ctx, *own, askedReason)
}

// decides reports whether a record is a request for exactly this call that counts. An approval has a person behind it.
func (a *authorizing) decides(v verified) bool {
	r := v.record
	if v.fault != "" || r.Kind != kindAction || r.Zone != memory.Quarantine || r.Content != a.content || r.Expired(a.now) {
		return false
	}
	switch r.State {
	case memory.Approved:
		return r.ApprovedBy != "" && !r.Expiry.IsZero()
	case memory.Rejected, memory.PendingReview:
		return true
	}
	return false
}

// request puts the call into the queue.
func (a *authorizing) request(ctx context.Context, out Authorized) (*memory.Record, error) {
	if err := a.gate.allowWrite(a.state.Runtime, a.caller, a.now); err != nil {
		return nil, err
	}
	o, err := resolveOrigin(a.state.Runtime, a.caller, "")
	if err != nil {
		return nil, err
	}
	o.lower(out.Mark, cappedBySession)
	record := memory.Record{
		ID: memory.NewID(), Namespace: a.namespace, Branch: memory.MainBranch, Zone: proposed.Zone, State: proposed.State,
		Expiry: memory.Timestamp(a.now.Add(requestLifetime(a.state.Runtime))), Class: o.class, Source: o.source, Writer: o.writer,
		Kind: kindAction, Tags: []string{a.hash}, Subject: a.tool, Session: a.session, Content: a.content, CappedBy: o.cappedBy,
		Reasons: requestReasons(out), CreatedAt: a.now, UpdatedAt: a.now,
	}
	for _, r := range out.Responsible {
		if memory.ValidID(r.ID) {
			record.Parents = append(record.Parents, r.ID)
		}
	}
	record = record.Normalized().Capped()
	if err := a.gate.enqueue(ctx, a.state, &record, ownItem, a.now); err != nil {
		return nil, err
	}
	stored, err := a.gate.propose(ctx, a.state, record, proposalAction)
	if err != nil {
		return nil, err
	}
	return &stored, nil
}

// requestReasons tell the person who decides why the call was not simply allowed.
func requestReasons(out Authorized) []string {
	rule := "no rule of the policy applies"
	switch {
	case out.FailedRule != "":
		rule = "the condition of rule " + out.FailedRule + " could not be evaluated"
	case out.Rule != "":
		rule = "rule " + out.Rule
	}
	reasons := []string{rule, reasonMark + string(out.Mark)}
	var missing []string
	size := 0
	for _, arg := range out.Arguments {
		if size += len(arg.Path) + 2; !arg.Grounded && size < memory.MaxReasonBytes/2 {
			missing = append(missing, arg.Path)
		}
	}
	if len(missing) > 0 {
		reasons = append(reasons, reasonMissing+strings.Join(missing, ", "))
	}
	return reasons
}

// use uses an approval up. Of two at once one gets memory.ErrConflict.
func (a *authorizing) use(ctx context.Context, approved memory.Record) error {
	return a.forgo(ctx, approved, usedReason)
}

// forgo takes a request out of what counts, as long as it is as it was read.
func (a *authorizing) forgo(ctx context.Context, r memory.Record, reason string) error {
	to, err := memory.Next(memory.ActionForget, r.Standing())
	if err != nil {
		return err
	}
	next := r
	next.Zone, next.State, next.UpdatedAt = to.Zone, to.State, a.now
	_, err = a.gate.store.Commit(ctx, memory.Change{
		Type: memory.ChangeDelete, Record: next, Actor: a.caller.writer().String(), Reason: reason, ExpectSeq: r.Seq,
		Sign: signer(a.state),
	})
	return err
}
