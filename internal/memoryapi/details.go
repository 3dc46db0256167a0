// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/admin"
)

// content is the subresource of that name.
type content struct{ of records }

// New implements rest.Storage.
func (content) New() runtime.Object { return &api.MemoryContent{} }

// Destroy implements rest.Storage.
func (content) Destroy() {}

// Get returns what a memory says.
func (s content) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	_, at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	return &api.MemoryContent{ObjectMeta: objectMeta(at.agent, name, at.value.CreatedAt), Commit: at.value.Commit, Text: textOf(at.value)}, nil
}

// history is the subresource log.
type history struct{ of records }

// New implements rest.Storage.
func (history) New() runtime.Object { return &api.MemoryLog{} }

// Destroy implements rest.Storage.
func (history) Destroy() {}

// NewGetOptions implements rest.GetterWithOptions.
func (history) NewGetOptions() (options runtime.Object, subpath bool, name string) {
	return &api.MemoryLogOptions{}, false, ""
}

// Get returns the versions of a memory, newest first.
func (s history) Get(ctx context.Context, name string, options runtime.Object) (runtime.Object, error) {
	o, ok := options.(*api.MemoryLogOptions)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("options of type %T", options))
	}
	c, at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var page admin.History
	err = s.of.Screeners.read(ctx, at.agent, c.principal(), func(ctx context.Context, r Reader) (err error) {
		page, err = r.Log(ctx, name, o.Continue, int(o.Limit))
		return err
	})
	if err != nil {
		return nil, s.of.about(name).failed(ctx, at.agent, err)
	}
	out := &api.MemoryLog{ObjectMeta: objectMeta(at.agent, name, at.value.CreatedAt), Continue: page.Next}
	for _, v := range page.Versions {
		out.Versions = append(out.Versions, api.MemoryVersion{Status: statusOf(at.agent, v), Text: textOf(v), Reason: v.Reason})
	}
	return out, nil
}

// deliveries is the subresource of that name.
type deliveries struct{ of records }

// New implements rest.Storage.
func (deliveries) New() runtime.Object { return &api.MemoryDeliveries{} }

// Destroy implements rest.Storage.
func (deliveries) Destroy() {}

// NewGetOptions implements rest.GetterWithOptions.
func (deliveries) NewGetOptions() (options runtime.Object, subpath bool, name string) {
	return &api.MemoryDeliveriesOptions{}, false, ""
}

// Get returns what of a memory was delivered to whom, newest first.
func (s deliveries) Get(ctx context.Context, name string, options runtime.Object) (runtime.Object, error) {
	o, ok := options.(*api.MemoryDeliveriesOptions)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("options of type %T", options))
	}
	c, at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	list, err := s.of.deliveries(ctx, c, at, o.Session, int(o.Limit))
	if err != nil {
		return nil, err
	}
	return &api.MemoryDeliveries{ObjectMeta: objectMeta(at.agent, name, at.value.CreatedAt), Deliveries: deliveriesOf(list)}, nil
}

// xray is the subresource of that name.
type xray struct{ of records }

// New implements rest.Storage.
func (xray) New() runtime.Object { return &api.MemoryXRay{} }

// Destroy implements rest.Storage.
func (xray) Destroy() {}

// NewGetOptions implements rest.GetterWithOptions.
func (xray) NewGetOptions() (options runtime.Object, subpath bool, name string) {
	return &api.MemoryXRayOptions{}, false, ""
}

// outcomeNotFound is the outcome for a memory that a query does not find.
const outcomeNotFound = "NotFound"

// maxOwnQuery is how much of a memory asks for itself, in runes.
const maxOwnQuery = 500

// Get explains what a recall makes of a memory: one of the caller's query, for which it needs the right to the content as well, since a
// score tells how much of the query is in it; otherwise one that asks for what the memory says.
func (s xray) Get(ctx context.Context, name string, options runtime.Object) (runtime.Object, error) {
	o, ok := options.(*api.MemoryXRayOptions)
	if !ok {
		return nil, apierrors.NewInternalError(fmt.Errorf("options of type %T", options))
	}
	c, err := callerOf(ctx, s.of.about(name).resource)
	if err != nil {
		return nil, err
	}
	if o.Query != "" {
		allowed, err := mayRead(ctx, s.of.Authorizer, c, "content")
		if err != nil {
			return nil, err
		}
		if !allowed {
			return nil, apierrors.NewForbidden(s.of.about(name).resource, name, errors.New("a query of your own needs the right to get memories/content, "+
				"since the answer tells how well the memory matches it; leave query out to ask for the memory itself"))
		}
	}
	_, at, err := s.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.explain(ctx, c, at, o)
}

func (s xray) explain(ctx context.Context, c caller, at found[gate.Inspected], o *api.MemoryXRayOptions) (runtime.Object, error) {
	query := o.Query
	if query == "" {
		query = beginning(at.value.Content, maxOwnQuery)
	}
	var x gate.XRay
	err := s.of.Screeners.read(ctx, at.agent, c.principal(), func(ctx context.Context, r Reader) (err error) {
		x, err = r.XRay(ctx, admin.ExplainRequest{Query: query})
		return err
	})
	if err != nil {
		return nil, s.of.about(at.value.ID).failed(ctx, at.agent, err)
	}
	out := &api.MemoryXRay{
		ObjectMeta: objectMeta(at.agent, at.value.ID, at.value.CreatedAt), Query: o.Query, At: metav1.NewTime(x.At), Session: o.Session,
		Status: statusOf(at.agent, at.value), Outcome: outcomeNotFound,
		Why: "The query does not find it: the words are others, or its state keeps it out of every search.",
	}
	for _, item := range x.Items {
		if item.ID == at.value.ID {
			addItem(out, item)
		}
	}
	if o.Session != "" {
		list, err := s.of.deliveries(ctx, c, at, o.Session, 0)
		if err != nil {
			return nil, err
		}
		out.Deliveries = deliveriesOf(list)
	}
	out.Text = xrayText(out)
	return out, nil
}

// addItem adds what the recall said of the memory, but for its beginning.
func addItem(out *api.MemoryXRay, item gate.XRayItem) {
	out.Outcome, out.Why, out.Band, out.TrustPerMille = item.Outcome, withoutQuotes(item.Why, out.Status.Reasons), item.Band, perMille(item.Trust)
	switch {
	case item.Anchored:
		out.Evidence = "Anchored"
	case item.SourceID:
		out.Evidence = "SourceOnly"
	case item.Evidence:
		out.Evidence = "TagOnly"
	default:
		out.Evidence = "None"
	}
	if p := item.Parts; p != nil {
		out.Score = &api.ScoreParts{
			RelevancePerMille: perMille(p.Relevance), TrustPerMille: perMille(p.Trust), DecayPerMille: perMille(p.Decay), ScorePerMille: perMille(p.Score),
		}
	}
}

// foundWhenWritten begins what an explanation quotes of the screening, words of the text included.
const foundWhenWritten = " When it was written, screening found: "

// withoutQuotes replaces in an explanation what it quotes of the text by the kinds of what was found.
func withoutQuotes(why string, kinds []string) string {
	before, _, ok := strings.Cut(why, foundWhenWritten)
	if !ok {
		return why
	}
	return before + foundWhenWritten + strings.Join(kinds, "; ") + "."
}

// xrayText says for people what an X-ray found.
func xrayText(x *api.MemoryXRay) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", x.Outcome, x.Why)
	fmt.Fprintf(&b, "zone %s, state %s, boundary %s, authority %s, class %s\n", x.Status.Zone, x.Status.State, x.Status.Boundary, x.Status.Authority, x.Status.Class)
	if x.Score != nil {
		fmt.Fprintf(&b, "score %d = relevance %d × trust %d × decay %d (per mille); trust %s; evidence %s\n",
			x.Score.ScorePerMille, x.Score.RelevancePerMille, x.Score.TrustPerMille, x.Score.DecayPerMille, x.Band, x.Evidence)
	}
	if x.Session != "" {
		fmt.Fprintf(&b, "delivered to the session: %d times\n", len(x.Deliveries))
	}
	return b.String()
}

// beginning returns the first runes of a text.
func beginning(s string, runes int) string {
	n := 0
	for i := range s {
		if n == runes {
			return s[:i]
		}
		n++
	}
	return s
}
