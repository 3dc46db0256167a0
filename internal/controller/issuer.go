// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	logf "sigs.k8s.io/controller-runtime/pkg/log"

	"memorytrust.dev/operator/internal/policy"
)

// Where an API server says who signs its ServiceAccount tokens, and with which keys. The keys are read from the API server
// itself and not from the address in the first document, which may be somewhere in the internet.
const (
	discoveryPath = "/.well-known/openid-configuration"
	keySetPath    = "/openid/v1/jwks"
)

const (
	// issuerInterval is how often the keys are read again: an API server publishes a new key before it signs with it, and
	// whoever rotates keys waits longer than this.
	issuerInterval = 10 * time.Minute
	// issuerRetry is how soon a failed reading is tried again.
	issuerRetry = 30 * time.Second
	// issuerTimeout bounds one reading.
	issuerTimeout = 10 * time.Second
)

// issuerKeys reads the issuer of the cluster's ServiceAccount tokens and its keys, and remembers them for a while: screeners
// verify the tokens of channels with them, without asking anybody. Nothing is read before the first policy asks for it. The
// right to do so is ClusterRole system:service-account-issuer-discovery, bound in config/rbac.
type issuerKeys struct {
	api             rest.Interface
	interval, retry time.Duration
	clock           clock.PassiveClock

	mu      sync.Mutex
	file    []byte // nil before the first good reading
	problem string // of the last reading; empty when it was good
	due     time.Time
}

// issuerReading is what is known of the issuer.
type issuerReading struct {
	// file is the content of policy.FileIssuer, of the last good reading; nil before there was one.
	file []byte
	// problem is why there is no file, and the fix; a reading that fails later is only logged.
	problem string
	again   time.Time // when to look again
}

// current returns what is known, and reads it again when that is due.
func (k *issuerKeys) current(ctx context.Context) issuerReading {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := k.clock.Now(); !now.Before(k.due) {
		k.refresh(ctx, now)
	}
	r := issuerReading{file: k.file, again: k.due}
	if k.file == nil {
		r.problem = k.problem
	}
	return r
}

func (k *issuerKeys) refresh(ctx context.Context, now time.Time) {
	log := logf.FromContext(ctx)
	limited, cancel := context.WithTimeout(ctx, issuerTimeout)
	defer cancel()
	issuer, problem := k.read(limited)
	var file []byte
	if problem == "" {
		var err error
		if file, err = issuer.Encode(); err != nil {
			problem = err.Error()
		}
	}
	if problem != "" {
		if problem != k.problem {
			log.Info("Keys of ServiceAccount tokens cannot be read", "problem", problem, "lastGoodInForce", k.file != nil)
		}
		k.problem, k.due = problem, now.Add(k.retry)
		return
	}
	if string(file) != string(k.file) || k.problem != "" {
		log.Info("Keys of ServiceAccount tokens read", "issuer", issuer.URL, "keyIDs", issuer.KeyIDs())
	}
	k.file, k.problem, k.due = file, "", now.Add(k.interval)
}

// read asks the API server. The problem says what to do about it.
func (k *issuerKeys) read(ctx context.Context) (issuer *policy.Issuer, problem string) {
	document, err := k.api.Get().AbsPath(discoveryPath).DoRaw(ctx)
	if err != nil {
		return nil, discoveryProblem(discoveryPath, err)
	}
	var discovered struct {
		Issuer string `json:"issuer"`
	}
	if err := json.Unmarshal(document, &discovered); err != nil {
		return nil, fmt.Sprintf("the API server answers %s with something that is no JSON object", discoveryPath)
	}
	keys, err := k.api.Get().AbsPath(keySetPath).DoRaw(ctx)
	if err != nil {
		return nil, discoveryProblem(keySetPath, err)
	}
	if issuer, err = policy.NewIssuer(discovered.Issuer, keys); err != nil {
		return nil, fmt.Sprintf("what the API server serves under %s and %s cannot be used: %v", discoveryPath, keySetPath, err)
	}
	return issuer, ""
}

func discoveryProblem(path string, err error) string {
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return fmt.Sprintf("the operator may not read %s: bind ClusterRole system:service-account-issuer-discovery to its ServiceAccount, "+
			"as config/rbac does", path)
	case apierrors.IsNotFound(err):
		return fmt.Sprintf("the API server does not serve %s: start it with an https:// URL as --service-account-issuer", path)
	}
	return fmt.Sprintf("reading %s of the API server: %v", path, err)
}
