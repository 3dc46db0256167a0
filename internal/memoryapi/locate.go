// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/klog/v2"
	"k8s.io/utils/lru"

	"memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

const (
	// maxAtOnce is how many agents are asked at the same time for one request.
	maxAtOnce = 8
	// maxHints is how many ids are remembered with the agent that has them.
	maxHints = 16 << 10
)

// Service answers for people what is in agents' memories.
type Service struct {
	Agents     Agents
	Screeners  *Screeners
	Authorizer authorizer.UnconditionalAuthorizer

	hints *lru.Cache // of types.NamespacedName (namespace, id) to the name of an agent; wrong ones cost a question and no more
}

// NewService returns a service over these agents and screeners.
func NewService(agents Agents, screeners *Screeners, auth authorizer.UnconditionalAuthorizer) *Service {
	return &Service{Agents: agents, Screeners: screeners, Authorizer: auth, hints: lru.New(maxHints)}
}

func groupResource(resource string) schema.GroupResource {
	return schema.GroupResource{Group: v1alpha1.GroupName, Resource: resource}
}

// visible returns the agents of a namespace, or of all for "", whose memory the caller may see, and the names of those it may not: an
// agent's own ServiceAccount gets at its memory through the screener only, which knows what may be delivered.
func (s *Service) visible(ctx context.Context, c caller, namespace string) (agents []Agent, own []string, err error) {
	all, err := s.Agents.List(ctx, namespace)
	if err != nil {
		return nil, nil, apierrors.NewInternalError(err)
	}
	for _, a := range all {
		if c.runs(a) {
			own = append(own, a.Name)
		} else {
			agents = append(agents, a)
		}
	}
	return agents, own, nil
}

// found is something that was found, and where.
type found[T any] struct {
	agent Agent
	value T
}

// locate looks for what has an id among the agents of a namespace. get is called for several agents at once; an admin.Failure with
// status 404 of it says that the agent does not have it. What the agents that can be asked do not have may be with others; then the error says so.
func locate[T any](
	ctx context.Context, s *Service, c caller, about subject, namespace string, get func(context.Context, Reader) (T, error),
) (found[T], error) {
	agents, own, err := s.visible(ctx, c, namespace)
	if err != nil {
		return found[T]{}, err
	}
	key := types.NamespacedName{Namespace: namespace, Name: about.name}
	if hint, ok := s.hints.Get(key); ok {
		for i, a := range agents {
			if a.Name != hint {
				continue
			}
			hit, err := askFor(ctx, s, c, about, agents[i:i+1], get)
			if err == nil && hit.at != nil {
				return *hit.at, nil
			}
		}
	}
	hit, err := askFor(ctx, s, c, about, agents, get)
	switch {
	case err != nil:
		return found[T]{}, err
	case hit.at != nil:
		s.hints.Add(key, hit.at.agent.Name)
		return *hit.at, nil
	case len(own) > 0:
		return found[T]{}, ownMemory(about, own)
	case len(hit.silent) > 0:
		return found[T]{}, unavailable(fmt.Sprintf("%s %q: no agent has it that can be asked; not asked: %s",
			about.resource.Resource, about.name, hit.silent))
	}
	return found[T]{}, about.notFound()
}

// hits is what asking several agents came to.
type hits[T any] struct {
	at     *found[T]
	silent silence // agents that could not be asked
}

// askFor asks agents until one has it. An error is one of the agents' answers.
func askFor[T any](ctx context.Context, s *Service, c caller, about subject, agents []Agent, get func(context.Context, Reader) (T, error)) (hits[T], error) {
	var (
		mu  sync.Mutex
		out hits[T]
	)
	whole := ctx
	group, ctx := errgroup.WithContext(whole)
	group.SetLimit(maxAtOnce)
	for _, agent := range agents {
		group.Go(func() error {
			var value T
			err := s.Screeners.read(ctx, agent, c.principal(), func(ctx context.Context, r Reader) (err error) {
				value, err = get(ctx, r)
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				out.at = &found[T]{agent: agent, value: value}
				return errFound
			case absent(err), ctx.Err() != nil:
				return nil
			case elsewhere(err), errors.Is(err, errNoScreener):
				noteSilence(ctx, agent, err)
				out.silent.add(agent.Name, whySilent(err))
				return nil
			}
			return about.failed(ctx, agent, err)
		})
	}
	if err := group.Wait(); err != nil && !errors.Is(err, errFound) {
		return hits[T]{}, err
	}
	if out.at == nil && whole.Err() != nil { // not everybody was asked
		return hits[T]{}, about.failed(whole, Agent{}, whole.Err())
	}
	return out, nil
}

// noteSilence logs why an agent is left out, unless that shows in its pods.
func noteSilence(ctx context.Context, agent Agent, err error) {
	if !errors.Is(err, errNoScreener) {
		klog.FromContext(ctx).Info("Screener did not answer", "agent", agent.NamespacedName, "error", cmp.Or(errors.Unwrap(err), err).Error())
	}
}

// errFound ends the search.
var errFound = errors.New("found")

// absent reports whether a screener answered that it does not have something.
func absent(err error) bool {
	var failure *admin.Failure
	return errors.As(err, &failure) && failure.Status == http.StatusNotFound
}

// ownMemory refuses an agent's ServiceAccount whatever it asks of its own memory, whether it is there or not.
func ownMemory(about subject, agents []string) error {
	return apierrors.NewForbidden(about.resource, about.name, fmt.Errorf("the ServiceAccount that agent %s runs as neither sees nor decides "+
		"here what is in that agent's memory", names(agents)))
}

func names(agents []string) string { return strings.Join(agents, ", ") }

// silence are agents that could not be asked, by why.
type silence []silentAgents

type silentAgents struct {
	why    string
	agents []string
}

func (s *silence) add(agent, why string) {
	for i := range *s {
		if (*s)[i].why == why {
			(*s)[i].agents = append((*s)[i].agents, agent)
			return
		}
	}
	*s = append(*s, silentAgents{why: why, agents: []string{agent}})
}

// String names agents and says why they could not be asked, in the same order whoever answered first.
func (s silence) String() string {
	var parts []string
	for _, group := range s {
		parts = append(parts, few(slices.Sorted(slices.Values(group.agents)))+" ("+group.why+")")
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
