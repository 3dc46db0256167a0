// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/pkg/memoryadmission"
)

// keptAgents bounds the agents whose compiled policy is kept.
const keptAgents = 256

// openPoll is how often to look whether a namespace has been opened that somebody asks about for the first time.
const openPoll = 20 * time.Millisecond

// Errors of looking up what an agent runs on. Only callers with the right to ask get to see them.
var (
	errNoAgent    = errors.New("there is no such agent")
	errNotManaged = errors.New("the operator does not manage the namespace")
	errNotOpen    = errors.New("the namespace is being opened")
)

// notReadyError says what of an agent is missing or cannot be read. It holds nothing of keys.
type notReadyError struct{ what string }

func (e *notReadyError) Error() string { return e.what }

// Readers returns what reads the operator's labeled Secrets and ConfigMaps of a namespace. Without a reader, known says whether it
// was found out already that the operator does not manage the namespace.
type Readers func(namespace string) (reader client.Reader, known bool)

// states keeps what agents run on: exactly what their screeners are given, the runtime policy in its ConfigMap and the keys in
// their Secret. Deleting a policy therefore keeps the last one in force here as well, and a key that is disabled is none here
// as soon as it is none there.
type states struct {
	agents  client.Reader // has AgentMemory, in every replica
	readers Readers
	judges  bool

	mu   sync.Mutex
	kept *lru.Cache // memoryadmission.Agent -> *agentState
}

// agentState is what one agent runs on.
type agentState struct {
	admission *gate.Admission // holds the judge, for as long as the agent is kept

	mu      sync.Mutex // held while compiling, so that nothing is compiled twice at the same time
	version version
	state   *policy.State
}

// version tells apart the objects that a state was made of.
type version struct{ memory, policy, keys, channels string }

func newStates(agents client.Reader, readers Readers, judges bool) *states {
	return &states{agents: agents, readers: readers, judges: judges, kept: lru.New(keptAgents)}
}

// of returns what an agent runs on now, and what decides on it.
func (s *states) of(ctx context.Context, agent memoryadmission.Agent) (*policy.State, *gate.Admission, error) {
	var memory v1alpha1.AgentMemory
	err := s.agents.Get(ctx, client.ObjectKey{Namespace: agent.Namespace, Name: agent.Name}, &memory)
	if apierrors.IsNotFound(err) || err == nil && !memory.DeletionTimestamp.IsZero() {
		return nil, nil, errNoAgent
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading AgentMemory %s/%s: %w", agent.Namespace, agent.Name, err)
	}
	reader, err := s.reader(ctx, agent.Namespace)
	if err != nil {
		return nil, nil, err
	}
	found, err := readObjects(ctx, reader, agent)
	if err != nil {
		return nil, nil, err
	}
	kept := s.keep(agent)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if v := found.version(&memory); kept.state == nil || kept.version != v {
		lookups.WithLabelValues(lookupPolicy, foundFresh).Inc()
		state, err := found.compile(&memory, s.judges)
		if err != nil {
			lookups.WithLabelValues(lookupPolicy, foundError).Inc()
			kept.state = nil
			return nil, nil, err
		}
		kept.state, kept.version = state, v
	} else {
		lookups.WithLabelValues(lookupPolicy, foundCached).Inc()
	}
	return kept.state, kept.admission, nil
}

// reader waits, as long as there is time, until a namespace is opened that nobody asked about before.
func (s *states) reader(ctx context.Context, namespace string) (client.Reader, error) {
	for {
		reader, known := s.readers(namespace)
		switch {
		case reader != nil:
			return reader, nil
		case known:
			return nil, errNotManaged
		}
		select {
		case <-ctx.Done():
			return nil, errNotOpen
		case <-time.After(openPoll):
		}
	}
}

func (s *states) keep(agent memoryadmission.Agent) *agentState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.kept.Get(agent); ok {
		return found.(*agentState) //nolint:forcetypeassert // nothing else is put in
	}
	kept := &agentState{admission: gate.NewAdmission(gate.AdmissionConfig{})}
	s.kept.Add(agent, kept)
	return kept
}

// objects are those that an agent's screener runs on.
type objects struct {
	policy         corev1.ConfigMap
	keys, channels corev1.Secret
}

// readObjects reads them from a cache. That of the channels may be missing: it holds nothing but the key of the judge that is
// needed here.
func readObjects(ctx context.Context, reader client.Reader, agent memoryadmission.Agent) (*objects, error) {
	names, o := inject.NamesFor(agent.Name), &objects{}
	for name, want := range map[string]client.Object{
		names.PolicyConfigMap: &o.policy, names.KeySecret: &o.keys, names.ChannelsSecret: &o.channels,
	} {
		err := reader.Get(ctx, client.ObjectKey{Namespace: agent.Namespace, Name: name}, want)
		switch {
		case apierrors.IsNotFound(err) && name == names.PolicyConfigMap:
			return nil, &notReadyError{"no MemoryTrustPolicy has selected a pod of the agent yet"}
		case apierrors.IsNotFound(err) && name == names.KeySecret:
			return nil, &notReadyError{"the agent has no keys: see the conditions of its AgentMemory and ProvenanceKey"}
		case client.IgnoreNotFound(err) != nil:
			return nil, fmt.Errorf("reading %T %s/%s: %w", want, agent.Namespace, name, err)
		}
	}
	return o, nil
}

func (o *objects) version(memory *v1alpha1.AgentMemory) version {
	of := func(obj client.Object) string { return string(obj.GetUID()) + "/" + obj.GetResourceVersion() }
	// Of the AgentMemory only what identifies the agent counts: its status changes all the time.
	return version{
		memory: string(memory.UID) + "/" + memory.Spec.AgentID, policy: of(&o.policy), keys: of(&o.keys), channels: of(&o.channels),
	}
}

// compile makes the state of the objects. Its errors hold nothing of keys.
func (o *objects) compile(memory *v1alpha1.AgentMemory, judges bool) (*policy.State, error) {
	runtime, err := policy.Decode([]byte(o.policy.Data[policy.FilePolicy]))
	if err != nil {
		return nil, &notReadyError{"the compiled policy of the agent cannot be read"}
	}
	id := strings.TrimSpace(string(o.keys.Data[policy.FileAgentID]))
	if id != memory.Spec.AgentID || runtime.AgentID != id {
		return nil, &notReadyError{"policy, keys and AgentMemory are not of the same agent: see the conditions of its AgentMemory"}
	}
	entries := map[string][]byte{}
	for name, entry := range o.keys.Data {
		id, isKey := strings.CutPrefix(name, policy.KeyPrefix)
		if id, ok := strings.CutSuffix(id, policy.KeySuffix); isKey && ok {
			entries[id] = entry
		}
	}
	keyset, err := provenance.ParseKeyset(strings.TrimSpace(string(o.keys.Data[policy.FilePrimary])), entries)
	if err != nil {
		return nil, &notReadyError{"the keys of the agent cannot be used: see the conditions of its ProvenanceKey"}
	}
	if !judges {
		withoutJudge := *runtime
		withoutJudge.Screening.Judge, runtime = nil, &withoutJudge
	}
	// Without digests of bearer tokens: callers are authenticated by the API server.
	state, err := policy.NewState(runtime, keyset, nil, nil, nil)
	if err != nil {
		return nil, &notReadyError{"the policy of the agent cannot be used"}
	}
	if key := bytes.TrimSpace(o.channels.Data[policy.FileJudgeKey]); policy.CheckJudgeKey(key) == nil {
		state.JudgeKey = string(key)
	}
	return state, nil
}
