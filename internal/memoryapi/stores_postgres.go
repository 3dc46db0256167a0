// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/readers"
	"memorytrust.dev/operator/internal/store/postgres"
)

const (
	// maxConnections is how many connections to databases there are at a time, of all agents together. Who reads holds one.
	maxConnections = 2
	// keepIdle is how long a connection that nobody uses is kept for the next page of a list.
	keepIdle = 30 * time.Second
	// turnWait is how long a request waits for a connection.
	turnWait = 5 * time.Second
	// databaseTimeout bounds connecting, and each step of a read.
	databaseTimeout = 4 * time.Second
)

// PostgresStores reads agents whose memory is in PostgreSQL, each with a role that reaches the rows of that agent and changes none.
type PostgresStores struct {
	directory string // the mounted Secret readers.Secret
	turns     chan struct{}
	open      func(context.Context, readers.Credential) (store, error)

	mu   sync.Mutex
	idle []*idleStore // oldest first
}

// store is an open store; *postgres.ReadOnly is one.
type store interface {
	gate.Records
	Close()
}

// idleStore is an open store that nobody uses.
type idleStore struct {
	agent      types.NamespacedName
	credential readers.Credential
	store      store
	timer      *time.Timer
}

// NewPostgresStores returns stores that are opened with what stands in a directory: the mounted Secret of package readers, as it is
// when a store is opened. An empty or absent one opens nothing.
func NewPostgresStores(directory string) *PostgresStores {
	return &PostgresStores{directory: directory, turns: make(chan struct{}, maxConnections), open: openReadOnly}
}

func openReadOnly(ctx context.Context, c readers.Credential) (store, error) {
	return postgres.OpenReadOnly(ctx, postgres.Options{URL: c.URI, Agent: c.AgentID, Timeout: databaseTimeout})
}

var _ Stores = (*PostgresStores)(nil)

// Open implements Stores. Its errors are answers for people.
func (p *PostgresStores) Open(ctx context.Context, agent Agent, principal string) (Reader, bool, error) {
	log := klog.FromContext(ctx).WithValues("agent", agent.NamespacedName)
	credential, ok, err := p.credential(agent)
	if err != nil {
		log.Error(err, "Credential for the store not read")
		return nil, false, unreadable("no pod of it runs, and what its database is read with is damaged; the log of memory-api says more")
	}
	if !ok {
		return nil, false, nil
	}
	if err := p.enter(ctx); err != nil {
		return nil, false, err
	}
	s := p.take(agent.NamespacedName, credential)
	if s == nil {
		s, err = p.open(ctx, credential)
	}
	if err != nil {
		<-p.turns
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		log.Error(err, "Store not opened")
		return nil, false, unreadable("no pod of it runs, and its database cannot be read at the moment; the log of memory-api says why")
	}
	log.V(1).Info("Store opened", "person", principal)
	return &stored{
		onlooker: gate.NewOnlooker(s, agent.Namespace, nil), agent: agent.String(),
		close: sync.OnceFunc(func() { p.give(agent.NamespacedName, credential, s) }),
	}, true, nil
}

// credential reads what an agent's store is opened with; false where there is nothing, or what there is was for another agent of the
// name.
func (p *PostgresStores) credential(agent Agent) (readers.Credential, bool, error) {
	entry := readers.Entry(agent.NamespacedName)
	if named, ok := readers.AgentOf(entry); p.directory == "" || !ok || named != agent.NamespacedName || !filepath.IsLocal(entry) {
		return readers.Credential{}, false, nil
	}
	raw, err := os.ReadFile(filepath.Join(p.directory, entry))
	if errors.Is(err, fs.ErrNotExist) {
		return readers.Credential{}, false, nil
	}
	if err != nil {
		return readers.Credential{}, false, err
	}
	c, err := readers.Decode(raw)
	return c, err == nil && c.AgentID == agent.ID, err
}

// enter waits for one of the connections.
func (p *PostgresStores) enter(ctx context.Context) error {
	busy := time.NewTimer(turnWait)
	defer busy.Stop()
	select {
	case p.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-busy.C:
		return unreadable("no pod of it runs, and databases are read by others at the moment")
	}
}

// take returns the agent's store if one is idle. Otherwise nil, and there is room for one more connection: who has a turn either takes
// an idle one or may make one.
func (p *PostgresStores) take(agent types.NamespacedName, c readers.Credential) store {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, s := range p.idle {
		if s.agent == agent && s.credential == c {
			p.drop(i)
			return s.store
		}
	}
	// Those in use, this one included, and the idle ones are to be no more than there may be.
	if len(p.turns)+len(p.idle) > maxConnections {
		s := p.idle[0]
		p.drop(0)
		s.store.Close()
	}
	return nil
}

// drop takes an idle store out.
func (p *PostgresStores) drop(i int) {
	p.idle[i].timer.Stop()
	p.idle = append(p.idle[:i:i], p.idle[i+1:]...)
}

// give keeps a store for a while, and lets the next one have a turn.
func (p *PostgresStores) give(agent types.NamespacedName, c readers.Credential, open store) {
	s := &idleStore{agent: agent, credential: c, store: open}
	p.mu.Lock()
	defer p.mu.Unlock()
	s.timer = time.AfterFunc(keepIdle, func() { p.expire(s) })
	p.idle = append(p.idle, s)
	<-p.turns
}

// expire closes a store that is idle still.
func (p *PostgresStores) expire(s *idleStore) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, idle := range p.idle {
		if idle == s {
			p.drop(i)
			s.store.Close()
			return
		}
	}
}
