// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"memorytrust.dev/operator/internal/server/admin"
)

const (
	// maxPage is how many objects one answer holds, also where no limit was asked for; the list goes on with continue.
	maxPage = 2000
	// maxAsked is the most a screener lists at once.
	maxAsked = 100
	// maxNamed is how many agents a warning names.
	maxNamed = 10
)

// position is where a list goes on: at this cursor of this agent. It is no secret and gives no right: the agent has to be one that the
// request may list.
type position struct {
	Version   int    `json:"v"`
	Namespace string `json:"ns"`
	Agent     string `json:"agent"`
	Cursor    string `json:"cursor,omitempty"`
	Selection string `json:"sel"` // of the list it continues
}

// positionVersion is that of the form in which positions are written.
const positionVersion = 1

func (p position) String() string {
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and a number always marshal
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// readPosition reads what String returned. It returns an error of the API.
func readPosition(text, selection string) (position, error) {
	var p position
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil || p.Version != positionVersion || p.Agent == "" {
		return position{}, apierrors.NewBadRequest("continue: is not what a list of this API gave; start the list again")
	}
	if p.Selection != selection {
		return position{}, apierrors.NewBadRequest("continue: belongs to a list with other selectors; repeat those it was given with")
	}
	return p, nil
}

// selectionKey identifies a list request but for where it goes on.
func selectionKey(resource, namespace string, s selected) string {
	sum := sha256.Sum256([]byte(resource + "\x00" + namespace + "\x00" + s.key()))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// fetch returns a page of one agent's objects, of at most limit, and the cursor of the next one.
type fetch[T any] func(ctx context.Context, a Agent, r Reader, cursor string, limit int) ([]T, string, error)

// walk collects a page of a list over agents in order of namespace and name, and returns what continues it. Agents that cannot be asked
// are named in a warning, and the list goes on with the others.
func walk[T any](
	ctx context.Context, s *Service, about subject, sel selected, o *metainternalversion.ListOptions, get fetch[T],
) (items []T, next string, err error) {
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return nil, "", err
	}
	namespace := request.NamespaceValue(ctx)
	w := walker[T]{Service: s, caller: c, about: about, limit: maxPage, selection: selectionKey(about.resource.Resource, namespace, sel), get: get}
	if o != nil && o.Limit > 0 {
		w.limit = int(min(o.Limit, maxPage))
	}
	agents, own, err := s.visible(ctx, c, namespace)
	if err != nil {
		return nil, "", err
	}
	w.warnOwn(ctx, own, sel)
	var from position
	if o != nil && o.Continue != "" {
		if from, err = readPosition(o.Continue, w.selection); err != nil {
			return nil, "", err
		}
	}
	if err := w.run(ctx, agents, sel, from); err != nil {
		return nil, "", err
	}
	for _, group := range w.silent {
		warning.AddWarning(ctx, "", fmt.Sprintf("not listed: %s: %s", few(group.agents), group.why))
	}
	if w.next != "" && (o == nil || o.Limit == 0) {
		warning.AddWarning(ctx, "", fmt.Sprintf("the list is longer than %d and goes on with continue; ask with a limit", maxPage))
	}
	return w.items, w.next, nil
}

// walker is a walk under way.
type walker[T any] struct {
	*Service
	caller    caller
	about     subject
	limit     int
	selection string
	get       fetch[T]

	items  []T
	silent silence
	next   string
}

func (w *walker[T]) run(ctx context.Context, agents []Agent, sel selected, from position) error {
	start := types.NamespacedName{Namespace: from.Namespace, Name: from.Agent}
	for _, agent := range agents {
		if !sel.takes(agent) || from.Agent != "" && compare(agent.NamespacedName, start) < 0 {
			continue
		}
		if len(w.items) >= w.limit {
			w.next = position{Version: positionVersion, Namespace: agent.Namespace, Agent: agent.Name, Selection: w.selection}.String()
			return nil
		}
		cursor := ""
		if agent.NamespacedName == start {
			cursor = from.Cursor
		}
		rest, err := w.collect(ctx, agent, cursor)
		if err != nil {
			return err
		}
		if rest != "" {
			w.next = position{
				Version: positionVersion, Namespace: agent.Namespace, Agent: agent.Name, Cursor: rest, Selection: w.selection,
			}.String()
			return nil
		}
	}
	return nil
}

// collect adds what there is of one agent from a cursor on, and returns the cursor of what has no room any more.
func (w *walker[T]) collect(ctx context.Context, agent Agent, cursor string) (string, error) {
	var got []T
	rest := ""
	err := w.Screeners.read(ctx, agent, w.caller.principal(), func(ctx context.Context, r Reader) error {
		got, rest = nil, cursor // another screener starts over
		for room := w.limit - len(w.items); ; {
			page, next, err := w.get(ctx, agent, r, rest, min(room-len(got), maxAsked))
			if err != nil {
				return err
			}
			got, rest = append(got, page...), next
			if next == "" || len(got) >= room {
				return nil
			}
		}
	})
	switch {
	case err == nil:
	case cursor != "" && staleCursor(err):
		return "", apierrors.NewResourceExpired("continue: the list cannot be continued any more; start it again")
	case cursor == "" && (elsewhere(err) || errors.Is(err, errNoScreener)):
		noteSilence(ctx, agent, err)
		w.silent.add(agent.String(), whySilent(err))
		return "", nil
	default:
		return "", w.about.failed(ctx, agent, err)
	}
	w.items = append(w.items, got...)
	return rest, nil
}

// staleCursor reports whether a screener does not take a cursor.
func staleCursor(err error) bool {
	var failure *admin.Failure
	if !errors.As(err, &failure) || failure.Status != http.StatusUnprocessableEntity {
		return false
	}
	for _, f := range failure.Fields {
		if strings.HasSuffix(f.Location, "cursor") {
			return true
		}
	}
	return false
}

// warnOwn says that a ServiceAccount's own agents are left out.
func (w *walker[T]) warnOwn(ctx context.Context, own []string, sel selected) {
	if len(own) > 0 && (sel.fields[fieldAgent] == "" || sel.takes(Agent{NamespacedName: types.NamespacedName{Namespace: w.caller.namespace, Name: own[0]}})) {
		warning.AddWarning(ctx, "", "not listed: "+few(own)+": the ServiceAccount that an agent runs as does not see its memory here")
	}
}

// few names agents, and says how many more there are.
func few(agents []string) string {
	if len(agents) <= maxNamed {
		return names(agents)
	}
	return fmt.Sprintf("%s and %d more", names(agents[:maxNamed]), len(agents)-maxNamed)
}
