// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/sync/singleflight"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	authenticationclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	"k8s.io/utils/clock"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

const (
	// tokenTTL is how long an accepted token is not asked about again, and so how long a revoked one is taken at most.
	tokenTTL = 60 * time.Second
	// badTokenTTL is the same for one that was refused.
	badTokenTTL = 10 * time.Second
	// keptTokens bounds the tokens remembered, by hash.
	keptTokens = 4096
	// maxTokenBytes bounds a token.
	maxTokenBytes = 16 << 10
)

// errUnauthenticated says that a token is none the cluster takes.
var errUnauthenticated = errors.New("the token is not one that the cluster takes")

// identity is who the API server says a caller is.
type identity struct {
	user authenticationv1.UserInfo
	// bound says that the token was made for memorytrust. One made for the API server is held by every pod and shown to others, so
	// that whoever has it is nobody in particular.
	bound bool
	// key is a hash of all that an authorizer may look at.
	key [sha256.Size]byte
}

// authenticator asks the API server whose a token is.
type authenticator struct {
	reviews authenticationclient.TokenReviewInterface
	clock   clock.PassiveClock
	kept    *utilcache.LRUExpireCache // [sha256.Size]byte -> *identity, nil for a refused token
	flight  singleflight.Group
}

func newAuthenticator(reviews authenticationclient.TokenReviewInterface, c clock.PassiveClock) *authenticator {
	return &authenticator{reviews: reviews, clock: c, kept: utilcache.NewLRUExpireCacheWithClock(keptTokens, c)}
}

// authenticate returns whose a token is, errUnauthenticated, or why that could not be found out.
func (a *authenticator) authenticate(ctx context.Context, token string) (*identity, error) {
	if token == "" || len(token) > maxTokenBytes {
		return nil, errUnauthenticated
	}
	key := sha256.Sum256([]byte(token))
	if found, ok := a.kept.Get(key); ok {
		lookups.WithLabelValues(lookupToken, foundCached).Inc()
		id, _ := found.(*identity)
		if id == nil {
			return nil, errUnauthenticated
		}
		return id, nil
	}
	// Callers that come with the same token at the same time share one review.
	found, err, _ := a.flight.Do(string(key[:]), func() (any, error) { return a.review(ctx, token) })
	if err != nil {
		lookups.WithLabelValues(lookupToken, foundError).Inc()
		return nil, err
	}
	lookups.WithLabelValues(lookupToken, foundFresh).Inc()
	id, _ := found.(*identity)
	if id == nil {
		a.kept.Add(key, id, badTokenTTL)
		return nil, errUnauthenticated
	}
	if ttl := min(tokenTTL, a.left(token)); ttl > 0 {
		a.kept.Add(key, id, ttl)
	}
	return id, nil
}

// review asks the API server; nil stands for a token that it does not take.
func (a *authenticator) review(ctx context.Context, token string) (*identity, error) {
	spec := authenticationv1.TokenReviewSpec{Token: token}
	bound := audienceOf(token)
	if bound {
		spec.Audiences = []string{memoryadmission.TokenAudience}
	}
	// One caller's haste must not end what others wait for.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Budget)
	defer cancel()
	answer, err := a.reviews.Create(ctx, &authenticationv1.TokenReview{Spec: spec}, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("asking whose a token is: %w", err)
	}
	status := answer.Status
	switch {
	case !status.Authenticated || status.Error != "" || status.User.Username == "":
		return nil, nil
	case bound && !slices.Contains(status.Audiences, memoryadmission.TokenAudience):
		return nil, nil // an authenticator that knows nothing of audiences
	}
	return &identity{user: status.User, bound: bound, key: userKey(status.User)}, nil
}

// jwtAlgorithms are those a token may say it is signed with. Nothing is verified here.
var jwtAlgorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// claimsOf reads what a token says about itself, unverified.
func claimsOf(token string) (jwt.Claims, bool) {
	var claims jwt.Claims
	if strings.Count(token, ".") != 2 {
		return claims, false
	}
	parsed, err := jwt.ParseSigned(token, jwtAlgorithms)
	if err != nil || parsed.UnsafeClaimsWithoutVerification(&claims) != nil {
		return jwt.Claims{}, false
	}
	return claims, true
}

// audienceOf reports whether a token says that it was made for memorytrust. It decides which question is asked and is believed no
// further.
func audienceOf(token string) bool {
	claims, ok := claimsOf(token)
	return ok && claims.Audience.Contains(memoryadmission.TokenAudience)
}

// left is how long a token that was accepted is still valid, as it says itself.
func (a *authenticator) left(token string) time.Duration {
	claims, ok := claimsOf(token)
	if !ok || claims.Expiry == nil {
		return tokenTTL
	}
	return claims.Expiry.Time().Sub(a.clock.Now())
}

// userKey is a hash of a user: two that differ in anything have different keys.
func userKey(u authenticationv1.UserInfo) [sha256.Size]byte {
	h := sha256.New()
	write := func(list ...string) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(list))))
		for _, s := range list {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
			h.Write([]byte(s))
		}
	}
	write(u.Username, u.UID)
	write(u.Groups...)
	for _, key := range slices.Sorted(maps.Keys(u.Extra)) {
		write(key)
		write(u.Extra[key]...)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// account is the ServiceAccount, "namespace/name", that an identity is.
func (id *identity) account() (string, bool) {
	rest, ok := strings.CutPrefix(id.user.Username, "system:serviceaccount:")
	namespace, name, found := strings.Cut(rest, ":")
	return namespace + "/" + name, ok && found && namespace != "" && name != ""
}
