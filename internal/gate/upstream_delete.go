// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"errors"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// deletesOwn is the message of a deletion that nobody is asked about.
const deletesOwn = "Allowed: whatever it deletes the agent wrote itself."

// AuthorizeUpstreamDelete says whether a call that deletes texts is made. The agent may delete what the ledger knows as its own, of
// class AgentInferred or lower, as it may forget its own memories; whatever else, and what nobody can tell the texts of, goes by the
// rules about tool calls. Its errors are those of Authorize, and *TooLargeError; none of them allows anything.
func (g *Gate) AuthorizeUpstreamDelete(ctx context.Context, c Caller, call UpstreamCall, texts []string) (Authorized, error) {
	defer g.metrics.time("upstreamDelete")()
	d, err := g.deleting(ctx, c, call, texts)
	if err != nil {
		return Authorized{}, err
	}
	if err := g.allowWrite(d.state.Runtime, c, d.now); err != nil {
		return Authorized{}, err
	}
	own := len(d.texts) > 0
	for _, t := range d.texts {
		own = own && d.owns(c, d.ledger[t])
	}
	var out Authorized
	if own {
		standing, err := g.standingOf(ctx, d.state, d.namespace, call.Session, d.now)
		if err != nil {
			return Authorized{}, err
		}
		out = Authorized{
			Decision: ActionAllow, Required: memory.Inform, Authority: standing.authority(), Mark: standing.mark,
			Arguments: []ActionArgument{}, Responsible: []Responsible{}, Enforced: true, Message: deletesOwn,
		}
	} else if out, err = g.authorizeUpstream(ctx, d.state, c, d.namespace, call); err != nil {
		return Authorized{}, err
	}
	g.metrics.upstreamAuthorized(call.Upstream, upstreamDelete, out)
	return out, nil
}

// ForgetUpstream takes note that an upstream has deleted texts. It returns ErrNotReady, a *TooLargeError, a *memory.FieldError, or an
// error of the store; until it is repeated, the ledger knows the texts as before.
func (g *Gate) ForgetUpstream(ctx context.Context, c Caller, call UpstreamCall, texts []string) error {
	defer g.metrics.time("upstreamForget")()
	for attempt := 1; ; attempt++ {
		d, err := g.deleting(ctx, c, call, texts)
		if err != nil {
			return err
		}
		if err := d.forget(ctx, c); !errors.Is(err, memory.ErrConflict) || attempt == commitAttempts {
			return err
		}
	}
}

// deletion is a deletion of texts and what the ledger knows of them.
type deletion struct {
	gate      *Gate
	state     *policy.State
	namespace string
	now       time.Time
	texts     []string
	ledger    map[string]known
}

func (g *Gate) deleting(ctx context.Context, c Caller, call UpstreamCall, texts []string) (*deletion, error) {
	s, namespace, err := g.enter(c)
	if err != nil {
		return nil, err
	}
	if err := call.check(s.Runtime, v1alpha1.UpstreamKindMemory); err != nil {
		return nil, err
	}
	if err := checkTexts(s.Runtime, texts); err != nil {
		return nil, err
	}
	d := &deletion{gate: g, state: s, namespace: namespace, now: g.now(), texts: distinct(texts)}
	d.ledger, err = g.ledger(ctx, s, namespace, call.Upstream, d.texts)
	return d, err
}

// owns reports whether a text is the caller's own, as far as the ledger knows.
func (d *deletion) owns(c Caller, k known) bool {
	v, is := k.says(d.state.Runtime, d.now)
	return is && v.fault == "" && remains(v.record) && mayForget(c, v.record) &&
		(k.user.absent() || k.user.fault == "" && mayForget(c, k.user.record))
}

// forget forgets the records of the texts. One that was rejected stays rejected, and one that does not verify is not signed again.
func (d *deletion) forget(ctx context.Context, c Caller) error {
	w := &deciding{gate: d.gate, state: d.state, namespace: d.namespace, actor: c.writer().String(), now: d.now}
	for _, t := range d.texts {
		for _, e := range []entry{d.ledger[t].own, d.ledger[t].user} {
			if !e.there || e.fault != "" {
				continue
			}
			if err := w.act(e.verified, memory.ActionForget, memory.ChangeDelete, whyForgotten); err != nil {
				return err
			}
			if err := w.gone(ctx, e.record.ID, memory.ActionForget, memory.ChangeDelete); err != nil {
				return err
			}
		}
	}
	_, err := w.commit(ctx)
	return err
}
