// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog/v2"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/server/admin"
)

const resourceStores = "stores"

// mover is a screener that tells where its memory is and moves it. *admin.Client is one.
type mover interface {
	Store(ctx context.Context) (admin.StoreStatus, error)
	Migrate(ctx context.Context, dryRun bool) (admin.StoreStatus, error)
	Status(ctx context.Context) (admin.Status, error)
}

var _ mover = (*admin.Client)(nil)

// stores serves where agents' memories are.
type stores struct{ *Service }

var (
	_ rest.Getter               = stores{}
	_ rest.Lister               = stores{}
	_ rest.Scoper               = stores{}
	_ rest.SingularNameProvider = stores{}
)

// New implements rest.Storage.
func (stores) New() runtime.Object { return &api.AgentStore{} }

// NewList implements rest.Lister.
func (stores) NewList() runtime.Object { return &api.AgentStoreList{} }

// Destroy implements rest.Storage.
func (stores) Destroy() {}

// NamespaceScoped implements rest.Scoper.
func (stores) NamespaceScoped() bool { return true }

// GetSingularName implements rest.SingularNameProvider.
func (stores) GetSingularName() string { return "store" }

var storeTable = columns{
	definitions: []metav1.TableColumnDefinition{
		column("Name", "Agent whose memory it is"), column("Type", "Where the memory is"), column("Memories", "Live memories"),
		column("Commits", "Entries of the audit log"), column("Reachable", "Whether a screener runs that can be asked"),
		wide("Embedded", "Pods that keep memories in a store of their own"),
	},
	cells: func(obj runtime.Object) []any {
		s := obj.(*api.AgentStore) //nolint:forcetypeassert // convert gives nothing else
		return []any{s.Name, s.Status.Type, s.Status.Memories, s.Status.Commits, s.Status.Reachable, cell(strings.Join(s.Status.EmbeddedPods, ","))}
	},
}

// ConvertToTable implements rest.TableConvertor.
func (stores) ConvertToTable(_ context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return storeTable.convert(object, options)
}

func (s stores) about(name string) subject {
	return subject{resource: groupResource(resourceStores), kind: "AgentStore", name: name}
}

// find returns the agent of a name that the caller may see.
func (s stores) find(ctx context.Context, name string) (caller, Agent, error) {
	about := s.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return caller{}, Agent{}, err
	}
	agents, own, err := s.visible(ctx, c, request.NamespaceValue(ctx))
	if err != nil {
		return caller{}, Agent{}, err
	}
	for _, a := range agents {
		if a.Name == name {
			return c, a, nil
		}
	}
	if slices.Contains(own, name) {
		return caller{}, Agent{}, ownMemory(about, []string{name})
	}
	return caller{}, Agent{}, about.notFound()
}

// Get implements rest.Getter.
func (s stores) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	c, agent, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	out := s.object(ctx, c, agent)
	return &out, nil
}

// List implements rest.Lister.
func (s stores) List(ctx context.Context, _ *internalversion.ListOptions) (runtime.Object, error) {
	c, err := callerOf(ctx, groupResource(resourceStores))
	if err != nil {
		return nil, err
	}
	agents, _, err := s.visible(ctx, c, request.NamespaceValue(ctx))
	if err != nil {
		return nil, err
	}
	out := &api.AgentStoreList{Items: make([]api.AgentStore, len(agents))}
	var group errgroup.Group
	group.SetLimit(maxAtOnce)
	for i, agent := range agents {
		group.Go(func() error {
			out.Items[i] = s.object(ctx, c, agent)
			return nil
		})
	}
	return out, group.Wait()
}

// object is what is known of an agent's store, asking the first screener that answers.
func (s stores) object(ctx context.Context, c caller, agent Agent) api.AgentStore {
	out := api.AgentStore{
		ObjectMeta: metav1.ObjectMeta{Namespace: agent.Namespace, Name: agent.Name, Labels: map[string]string{v1alpha1.LabelAgent: agent.Name}},
		Status:     api.AgentStoreStatus{Type: agent.Store, Memories: agent.Memories, Commits: agent.Commits, EmbeddedPods: agent.EmbeddedPods},
	}
	for _, address := range agent.Addresses {
		var status admin.Status
		err := s.Screeners.with(ctx, agent, address, c.principal(), readTimeout, func(ctx context.Context, d Decider) (err error) {
			m, ok := d.(mover)
			if !ok {
				return errNoScreener
			}
			status, err = m.Status(ctx)
			return err
		})
		if err != nil {
			continue
		}
		out.Status.Memories = 0
		for _, n := range status.Zones {
			out.Status.Memories += n
		}
		out.Status.Commits, out.Status.Reachable = status.AuditSize, true
		if status.Store != nil && status.Store.Kind == admin.StorePostgres {
			out.Status.Type = admin.StorePostgres
		}
		break
	}
	return out
}

// migration is the subresource that moves an agent's memory.
type migration struct{ of stores }

var (
	_ rest.NamedCreater = migration{}
	_ rest.Getter       = migration{}
)

// New implements rest.Storage.
func (migration) New() runtime.Object { return &api.StoreMigration{} }

// Destroy implements rest.Storage.
func (migration) Destroy() {}

// Get tells how far a move has come.
func (m migration) Get(ctx context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	c, agent, err := m.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	told, err := m.ask(ctx, c, agent)
	if err != nil {
		return nil, err
	}
	_, status := furthest(told)
	return migrationObject(agent, api.StoreMigrationSpec{}, status), nil
}

// Create begins a move, or says what would be moved.
func (m migration) Create(
	ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, o *metav1.CreateOptions,
) (runtime.Object, error) {
	in, ok := obj.(*api.StoreMigration)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the body is a %T and no StoreMigration", obj))
	}
	about := m.of.about(name)
	c, err := callerOf(ctx, about.resource)
	if err != nil {
		return nil, err
	}
	if err := mayDecide(ctx, m.of.Authorizer, c, about.resource); err != nil {
		return nil, err
	}
	if validate != nil {
		if err := validate(ctx, obj); err != nil {
			return nil, err
		}
	}
	c, agent, err := m.of.find(ctx, name)
	if err != nil {
		return nil, err
	}
	told, err := m.ask(ctx, c, agent)
	if err != nil {
		return nil, err
	}
	address, status := furthest(told)
	if histories := embedded(agent, told); len(histories) > 1 {
		return nil, about.invalid(fmt.Sprintf("these pods keep a memory each, with histories of their own, which cannot become one: %s; end all but the one whose memory "+
			"is to be kept (scale the agent to one pod), then try again", strings.Join(histories, ", ")), nil)
	} else if len(histories) == 1 {
		address = addressOf(agent, histories[0])
	}
	dryRun := in.Spec.DryRun || o != nil && len(o.DryRun) > 0
	err = m.with(ctx, c, agent, address, func(ctx context.Context, s mover) (err error) {
		status, err = s.Migrate(ctx, dryRun)
		return err
	})
	if err != nil {
		return nil, about.undecided(ctx, agent, err)
	}
	klog.FromContext(ctx).Info("Memory is moved", "person", c.principal(), "agent", agent.NamespacedName, "dryRun", dryRun)
	return migrationObject(agent, in.Spec, status), nil
}

// with lets do work with the screener at an address.
func (m migration) with(ctx context.Context, c caller, agent Agent, address string, do func(context.Context, mover) error) error {
	return m.of.Screeners.with(ctx, agent, address, c.principal(), decideTimeout, func(ctx context.Context, d Decider) error {
		s, ok := d.(mover)
		if !ok {
			return errNoScreener
		}
		return do(ctx, s)
	})
}

// ask asks every screener of an agent where it keeps the memory. All have to answer: one that does not may hold a memory of its own.
func (m migration) ask(ctx context.Context, c caller, agent Agent) (map[string]admin.StoreStatus, error) {
	about := m.of.about(agent.Name)
	if len(agent.Addresses) == 0 {
		return nil, about.undecided(ctx, agent, errNoScreener)
	}
	var mu sync.Mutex
	told := map[string]admin.StoreStatus{}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxAtOnce)
	for _, address := range agent.Addresses {
		group.Go(func() error {
			err := m.with(ctx, c, agent, address, func(ctx context.Context, s mover) error {
				status, err := s.Store(ctx)
				mu.Lock()
				defer mu.Unlock()
				told[address] = status
				return err
			})
			if err != nil {
				return about.failed(ctx, agent, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return told, nil
}

// furthest is what the screener tells that knows most of a move, and its address.
func furthest(told map[string]admin.StoreStatus) (address string, status admin.StoreStatus) {
	rank := func(s admin.StoreStatus) int {
		switch {
		case s.Kind == admin.StoreEmbedded && s.Migration != nil:
			return 3
		case s.Migration != nil:
			return 2
		}
		return 1
	}
	for _, a := range slices.Sorted(maps.Keys(told)) {
		if address == "" || rank(told[a]) > rank(status) {
			address, status = a, told[a]
		}
	}
	return address, status
}

// embedded names the pods that keep a memory in a store of their own, or may begin to at any time.
func embedded(agent Agent, told map[string]admin.StoreStatus) []string {
	var out []string
	for i, address := range agent.Addresses {
		if told[address].Kind == admin.StoreEmbedded {
			out = append(out, agent.Pods[i])
		}
	}
	slices.Sort(out)
	return out
}

func addressOf(agent Agent, pod string) string { return agent.Addresses[slices.Index(agent.Pods, pod)] }

func migrationObject(agent Agent, spec api.StoreMigrationSpec, s admin.StoreStatus) *api.StoreMigration {
	out := &api.StoreMigration{
		ObjectMeta: metav1.ObjectMeta{Namespace: agent.Namespace, Name: agent.Name, Labels: map[string]string{v1alpha1.LabelAgent: agent.Name}},
		Spec:       spec, Status: api.StoreMigrationStatus{Store: s.Kind},
	}
	m := s.Migration
	if m == nil {
		return out
	}
	status := &out.Status
	status.Phase, status.Copied, status.Total, status.Message = m.Phase, m.Copied, m.Total, m.Message
	status.Digest, status.AuditSize, status.AuditRoot, status.HeldMilliseconds = m.Digest, m.AuditSize, m.AuditRoot, m.HeldMilliseconds
	if !m.Began.IsZero() {
		status.Began = &metav1.Time{Time: m.Began}
	}
	if !m.Ended.IsZero() {
		status.Ended = &metav1.Time{Time: m.Ended}
	}
	for _, table := range slices.Sorted(maps.Keys(m.Rows)) {
		status.Rows = append(status.Rows, api.TableRows{Table: table, Rows: m.Rows[table]})
	}
	return out
}
