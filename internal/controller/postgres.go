// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

const (
	// defaultURIKey is the entry of the connection URI in the user's Secret.
	defaultURIKey = "uri"
	// provisionTimeout bounds making one role, so that a database that does not answer holds up one agent at a time.
	provisionTimeout = 15 * time.Second
	// provisionAgain is how long after a database refused it is asked again.
	provisionAgain = 30 * time.Second
)

// Provisioner makes the role of an agent in a database: it may log in with the password and reaches the agent's rows only. It is
// called again after a restart of the operator and after a change of the owner's URI, and then changes nothing but the password.
// Its errors hold no credentials.
type Provisioner func(ctx context.Context, ownerURI, agentID, role, password string) error

// provisioned remembers which roles were made since the operator started.
type provisioned struct {
	make   Provisioner
	suffix string // of the names of roles

	mu   sync.Mutex
	done map[types.NamespacedName][sha256.Size]byte
}

// ensureRole makes the agent's role in the database of its policy, and puts its connection URI into the Secret that the screener
// reads, also where the memory is not in the database yet. While the database does not answer, screeners keep what they have; what they
// have is never taken away, since the memory may have been moved.
func (r *AgentReconciler) ensureRole(ctx context.Context, s *agentScope, data map[string][]byte) error {
	store := s.status.resolution.policy.Spec.Store
	var have []byte
	if s.live.channels != nil {
		have = s.live.channels.Data[policy.FileStoreURI]
	}
	if have != nil {
		data[policy.FileStoreURI] = have
	}
	if store.Postgres == nil {
		return nil
	}
	owner, problem, err := readOwnerURI(ctx, s.objects, s.memory.Namespace, store.Postgres.OwnerSecretRef)
	if err != nil {
		return err
	}
	if problem == "" {
		var uri []byte
		if uri, err = r.roles.ensure(ctx, s.key, s.memory.Spec.AgentID, owner, have); err == nil {
			data[policy.FileStoreURI] = uri
			if s.storeType() == v1alpha1.StoreTypePostgres { // elsewhere there is nothing to read
				r.ensureReader(ctx, s, owner)
			}
			return nil
		}
		problem = err.Error()
	}
	s.soonest(s.now.Add(provisionAgain))
	f := no(ReasonStoreFailed, "The role of the agent in its database could not be made: %.300s", problem)
	s.status.storeProblem = &f
	return nil
}

// ensure makes the role if it was not made with this owner since the operator started, and returns its connection URI.
func (p *provisioned) ensure(ctx context.Context, agent types.NamespacedName, agentID, owner string, have []byte) ([]byte, error) {
	role := roleName(agentID) + p.suffix
	uri, password, err := roleURI(owner, role, have)
	if err != nil {
		return nil, err
	}
	print := sha256.Sum256([]byte(owner + "\x00" + uri))
	p.mu.Lock()
	known := p.done[agent] == print
	p.mu.Unlock()
	if known {
		return []byte(uri), nil
	}
	ctx, cancel := context.WithTimeout(ctx, provisionTimeout)
	defer cancel()
	if err := p.make(ctx, owner, agentID, role, password); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[agent] = print
	return []byte(uri), nil
}

// roleName names the role of an agent. Agents of different clusters that share a database have different ids.
func roleName(agentID string) string {
	sum := sha256.Sum256([]byte(agentID))
	return "mt_" + hex.EncodeToString(sum[:8])
}

// roleURI is the owner's URI with the role's name and password: the one it has, or a new one.
func roleURI(owner, role string, have []byte) (uri, password string, err error) {
	u, err := url.Parse(owner)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.User == nil {
		return "", "", errors.New("the connection URI is none: write it as postgres://owner:password@host:5432/database?sslmode=verify-full")
	}
	if old, err := url.Parse(string(have)); err == nil && old.User != nil && old.User.Username() == role {
		password, _ = old.User.Password()
	}
	if password == "" {
		password = rand.Text()
	}
	u.User = url.UserPassword(role, password)
	return u.String(), password, nil
}

// readOwnerURI reads the connection URI of the owner. The problem names the fix and holds nothing of it.
func readOwnerURI(ctx context.Context, reader client.Reader, namespace string, ref v1alpha1.SecretKeyRef) (uri, problem string, _ error) {
	var secret corev1.Secret
	name := types.NamespacedName{Namespace: namespace, Name: ref.Name}
	err := reader.Get(ctx, name, &secret)
	if client.IgnoreNotFound(err) != nil {
		return "", "", fmt.Errorf("reading Secret %s of the store: %w", name, err)
	}
	entry := cmp.Or(ref.Key, defaultURIKey)
	switch raw := secret.Data[entry]; {
	case apierrors.IsNotFound(err) || secret.Labels[v1alpha1.LabelKeySource] != v1alpha1.KeySourcePostgres:
		return "", fmt.Sprintf("there is no Secret %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelKeySource, v1alpha1.KeySourcePostgres), nil
	case len(raw) == 0:
		return "", fmt.Sprintf("Secret %s has no entry %s: put the connection URI there", ref.Name, entry), nil
	default:
		return string(raw), "", nil
	}
}
