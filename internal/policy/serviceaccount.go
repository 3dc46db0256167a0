// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// TokenAudience is the audience that a ServiceAccount token must be made for. A token for the API server, which every pod
// may hold, is none for a screener, and the other way round.
const TokenAudience = "memorytrust"

const (
	// maxTokenBytes bounds a ServiceAccount token; API servers make them about 1 KiB long.
	maxTokenBytes = 8 << 10
	// tokenLeeway is how far the clocks of API server and node may be apart.
	tokenLeeway = 30 * time.Second
	// MaxTokenLifetime is the longest a ServiceAccount token may be valid for. The screener cannot see that its pod or
	// account was deleted meanwhile: this bounds for how long it does not know.
	MaxTokenLifetime = 24 * time.Hour
	// accountPrefix begins the claim sub of every ServiceAccount token.
	accountPrefix = "system:serviceaccount:"
)

// Refusal is why a channel's token was refused, as a word for logs.
type Refusal string

// Refusals.
const (
	// RefusedUnknown is a token that belongs to no channel.
	RefusedUnknown Refusal = "UnknownToken"
	// RefusedNoKeys is a ServiceAccount token before the keys of its issuer have arrived.
	RefusedNoKeys Refusal = "IssuerKeysMissing"
	// RefusedMalformed is a ServiceAccount token that cannot be read.
	RefusedMalformed Refusal = "MalformedToken"
	// RefusedAlgorithm is a token that is signed in another way than its key signs.
	RefusedAlgorithm Refusal = "AlgorithmNotAllowed"
	// RefusedKey is a token of a key the issuer does not publish, or no longer.
	RefusedKey Refusal = "UnknownKey"
	// RefusedSignature is a token whose signature is not that of its key.
	RefusedSignature Refusal = "BadSignature"
	// RefusedIssuer is a token of another issuer.
	RefusedIssuer Refusal = "OtherIssuer"
	// RefusedAudience is a token that was not made for TokenAudience.
	RefusedAudience Refusal = "OtherAudience"
	// RefusedExpired is a token past its time.
	RefusedExpired Refusal = "TokenExpired"
	// RefusedEarly is a token before its time.
	RefusedEarly Refusal = "TokenNotYetValid"
	// RefusedLifetime is a token that is valid without end, or for longer than MaxTokenLifetime.
	RefusedLifetime Refusal = "LifetimeTooLong"
	// RefusedAccount is a good token of a ServiceAccount that is no channel.
	RefusedAccount Refusal = "OtherServiceAccount"
	// RefusedOwnAccount is a token of the agent itself, which is no channel whatever the policy says.
	RefusedOwnAccount Refusal = "AgentsOwnServiceAccount"
)

// TokenError says why a token was refused. It is for the log of the screener; whoever sent the token learns nothing but that.
type TokenError struct{ Reason Refusal }

// Error implements error.
func (e *TokenError) Error() string { return "token refused: " + string(e.Reason) }

func refused(reason Refusal) error { return &TokenError{Reason: reason} }

// authenticateAccount returns the channel of the ServiceAccount that a token was made for.
func (s *State) authenticateAccount(token string, now time.Time) (Channel, error) {
	if !looksSigned(token) {
		return Channel{}, refused(RefusedUnknown)
	}
	if s.Issuer == nil {
		return Channel{}, refused(RefusedNoKeys)
	}
	account, err := s.Issuer.verify(token, now)
	if err != nil {
		return Channel{}, err
	}
	if account == s.Runtime.ServiceAccount {
		return Channel{}, refused(RefusedOwnAccount)
	}
	for _, c := range s.Runtime.Channels {
		if c.ServiceAccount == account {
			return c, nil
		}
	}
	return Channel{}, refused(RefusedAccount)
}

// isAgents reports whether a token says that it is of the agent's own ServiceAccount. It is believed unverified, as it speaks
// against whoever sends it: a policy may hold the agent's own token in a Secret by mistake.
func (s *State) isAgents(token string) bool {
	if s.Runtime.ServiceAccount == "" || !looksSigned(token) {
		return false
	}
	parsed, err := jwt.ParseSigned(token, tokenAlgorithms)
	if err != nil {
		return false
	}
	var claims jwt.Claims
	if err := parsed.UnsafeClaimsWithoutVerification(&claims); err != nil {
		return false
	}
	account, ok := accountOf(claims.Subject)
	return ok && account == s.Runtime.ServiceAccount
}

// looksSigned reports whether a token has the outer form of a compact JSON Web Signature (RFC 7515).
func looksSigned(token string) bool {
	return len(token) <= maxTokenBytes && strings.Count(token, ".") == 2
}

// verify returns the ServiceAccount, "namespace/name", that a token of this issuer was made for, or a *TokenError.
func (i *Issuer) verify(token string, now time.Time) (string, error) {
	parsed, err := jwt.ParseSigned(token, tokenAlgorithms)
	if unexpected := new(jose.ErrUnexpectedSignatureAlgorithm); errors.As(err, &unexpected) {
		return "", refused(RefusedAlgorithm)
	}
	if err != nil || len(parsed.Headers) != 1 {
		return "", refused(RefusedMalformed)
	}
	key, ok := i.keys[parsed.Headers[0].KeyID]
	switch {
	case !ok:
		return "", refused(RefusedKey)
	case parsed.Headers[0].Algorithm != key.Algorithm:
		return "", refused(RefusedAlgorithm)
	}
	var claims jwt.Claims
	if err := parsed.Claims(key.Key, &claims); errors.Is(err, jose.ErrCryptoFailure) {
		return "", refused(RefusedSignature)
	} else if err != nil {
		return "", refused(RefusedMalformed)
	}
	if err := i.check(claims, now); err != nil {
		return "", err
	}
	account, ok := accountOf(claims.Subject)
	if !ok {
		return "", refused(RefusedAccount)
	}
	return account, nil
}

// check holds verified claims against what a projected token for screeners says.
func (i *Issuer) check(c jwt.Claims, now time.Time) error {
	err := c.ValidateWithLeeway(jwt.Expected{Issuer: i.URL, AnyAudience: jwt.Audience{TokenAudience}, Time: now}, tokenLeeway)
	switch {
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return refused(RefusedIssuer)
	case errors.Is(err, jwt.ErrInvalidAudience):
		return refused(RefusedAudience)
	case errors.Is(err, jwt.ErrExpired):
		return refused(RefusedExpired)
	case err != nil:
		return refused(RefusedEarly)
	case c.Expiry == nil || c.IssuedAt == nil || c.IssuedAt.Time().Before(c.Expiry.Time().Add(-MaxTokenLifetime)):
		return refused(RefusedLifetime)
	}
	return nil
}

// accountOf turns the claim sub into "namespace/name".
func accountOf(subject string) (string, bool) {
	account, ok := strings.CutPrefix(subject, accountPrefix)
	if !ok {
		return "", false
	}
	namespace, name, ok := strings.Cut(account, ":")
	account = namespace + "/" + name
	return account, ok && validAccount(account)
}
