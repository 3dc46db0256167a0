// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-jose/go-jose/v4"
)

// Bounds of an issuer. An API server publishes one key, and two or three while they are exchanged.
const (
	maxIssuerBytes = 128 << 10
	maxIssuerURL   = 1024
	maxIssuerKeys  = 64
	maxKeyID       = 256
	minRSABits     = 2048
)

// tokenAlgorithms are the signatures an API server makes. All of them are asymmetric, so that nobody who can read the keys
// of an Issuer can sign with them.
var tokenAlgorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.ES384, jose.ES512}

// Issuer is who signs the ServiceAccount tokens of a cluster, with its public keys. It is immutable.
type Issuer struct {
	// URL as it stands in the claim iss of a token.
	URL  string
	keys map[string]jose.JSONWebKey // by key id, each with its one algorithm
}

// issuerFile is the content of FileIssuer.
type issuerFile struct {
	Issuer string          `json:"issuer"`
	JWKS   json.RawMessage `json:"jwks"`
}

// NewIssuer takes the issuer's URL and its keys as a JSON Web Key Set (RFC 7517), as an API server serves it under
// /openid/v1/jwks. Keys that sign no ServiceAccount tokens are left out; without any other it is an error.
func NewIssuer(url string, jwks []byte) (*Issuer, error) {
	if url == "" || len(url) > maxIssuerURL {
		return nil, fmt.Errorf("the issuer must have 1 to %d characters", maxIssuerURL)
	}
	if len(jwks) > maxIssuerBytes {
		return nil, fmt.Errorf("the key set is %d bytes long, at most %d are read", len(jwks), maxIssuerBytes)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(jwks, &set); err != nil {
		return nil, errors.New("the key set is not JSON with a list of keys")
	}
	if len(set.Keys) > maxIssuerKeys {
		return nil, fmt.Errorf("%d keys are too many: at most %d", len(set.Keys), maxIssuerKeys)
	}
	i := &Issuer{URL: url, keys: map[string]jose.JSONWebKey{}}
	for _, raw := range set.Keys {
		key, ok := tokenKey(raw)
		if !ok {
			continue
		}
		if _, twice := i.keys[key.KeyID]; twice {
			return nil, fmt.Errorf("two keys have the id %.40q", key.KeyID)
		}
		i.keys[key.KeyID] = key
	}
	if len(i.keys) == 0 {
		return nil, errors.New("no public key in the key set that can sign a ServiceAccount token")
	}
	return i, nil
}

// tokenKey reads one key, reduced to what verifying takes. It refuses all that is no public key for signatures.
func tokenKey(raw []byte) (jose.JSONWebKey, bool) {
	var key jose.JSONWebKey
	if err := key.UnmarshalJSON(raw); err != nil {
		return jose.JSONWebKey{}, false
	}
	algorithm, ok := algorithmOf(key.Key)
	if !ok || key.Algorithm != "" && key.Algorithm != string(algorithm) || key.Use != "" && key.Use != "sig" {
		return jose.JSONWebKey{}, false
	}
	if key.KeyID == "" || len(key.KeyID) > maxKeyID {
		return jose.JSONWebKey{}, false
	}
	return jose.JSONWebKey{Key: key.Key, KeyID: key.KeyID, Algorithm: string(algorithm), Use: "sig"}, true
}

// algorithmOf is the one algorithm that a key signs with; false for private, symmetric and weak keys.
func algorithmOf(key any) (jose.SignatureAlgorithm, bool) {
	switch k := key.(type) {
	case *rsa.PublicKey:
		return jose.RS256, k.N.BitLen() >= minRSABits
	case *ecdsa.PublicKey:
		switch k.Curve {
		case elliptic.P256():
			return jose.ES256, true
		case elliptic.P384():
			return jose.ES384, true
		case elliptic.P521():
			return jose.ES512, true
		}
	}
	return "", false
}

// ParseIssuer reads what Encode wrote. Errors quote nothing but key ids.
func ParseIssuer(data []byte) (*Issuer, error) {
	if len(data) > maxIssuerBytes {
		return nil, fmt.Errorf("%d bytes are too long: at most %d are read", len(data), maxIssuerBytes)
	}
	var file issuerFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, errors.New("not a JSON object with issuer and jwks")
	}
	return NewIssuer(file.Issuer, file.JWKS)
}

// Encode returns the content of FileIssuer. Equal issuers give equal bytes, in whatever order their keys came.
func (i *Issuer) Encode() ([]byte, error) {
	set := jose.JSONWebKeySet{Keys: slices.SortedFunc(maps.Values(i.keys), func(a, b jose.JSONWebKey) int {
		return cmp.Compare(a.KeyID, b.KeyID)
	})}
	keys, err := json.Marshal(set)
	if err != nil {
		return nil, fmt.Errorf("encode the keys of ServiceAccount tokens: %w", err)
	}
	b, err := json.MarshalIndent(issuerFile{Issuer: i.URL, JWKS: keys}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the issuer of ServiceAccount tokens: %w", err)
	}
	return append(b, '\n'), nil
}

// KeyIDs returns the ids of the keys, sorted.
func (i *Issuer) KeyIDs() []string { return slices.Sorted(maps.Keys(i.keys)) }
