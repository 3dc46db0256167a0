// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/screen"
)

// State is everything a screener runs on, from one consistent set of files. It is immutable.
type State struct {
	Runtime *Runtime
	Keyset  *provenance.Keyset
	// Certificate of the channel and admin ports.
	Certificate *tls.Certificate
	// AdminCertificate of the admin port, where it is another than that of the channel port.
	AdminCertificate *tls.Certificate
	// ClientCAs sign the manager's client certificate; nil when there is no manager.
	ClientCAs *x509.CertPool
	// Issuer of the ServiceAccount tokens that channels take; nil where no key has arrived, so that none is taken.
	Issuer *Issuer
	// Actions are the rules about tool calls, ready to match.
	Actions *action.Rules
	// Screener is the engine of the policy's lexicons and thresholds.
	Screener *screen.Screener
	// StoreURI is the connection URI of the agent's database; empty where there is none.
	StoreURI string
	// JudgeKey is the key of the judge's endpoint; empty where none has arrived.
	JudgeKey string

	credentials map[string]string            // of upstreams, by name
	tokens      map[string][sha256.Size]byte // by channel name; channels of Runtime only
	fingerprint [sha256.Size]byte            // over the files it was read from
}

// NewState puts a state together. Channels of the policy without a digest cannot authenticate anybody until one
// arrives; digests of channels the policy does not know, or that are ServiceAccounts, are dropped.
func NewState(r *Runtime, k *provenance.Keyset, digests ChannelDigests, cert *tls.Certificate, clientCAs *x509.CertPool) (*State, error) {
	rules, err := r.Actions.compile()
	if err != nil {
		return nil, err
	}
	engine, err := r.Screening.engine()
	if err != nil {
		return nil, err
	}
	s := &State{
		Runtime: r, Keyset: k, Certificate: cert, ClientCAs: clientCAs, Actions: rules, Screener: engine, tokens: map[string][sha256.Size]byte{},
	}
	for _, c := range r.Channels {
		digest, ok := digests[c.Name]
		if !ok || c.ServiceAccount != "" {
			continue
		}
		raw, err := hex.DecodeString(digest)
		if err != nil || len(raw) != sha256.Size {
			return nil, fmt.Errorf("%s: the entry of channel %s is no hex SHA-256", FileChannels, c.Name)
		}
		s.tokens[c.Name] = [sha256.Size]byte(raw)
	}
	return s, nil
}

// DigestToken returns the digest of a bearer token as it stands in ChannelDigests.
func DigestToken(token []byte) string {
	sum := sha256.Sum256(token)
	return hex.EncodeToString(sum[:])
}

// Authenticate returns the channel that a token belongs to: the bearer token of a channel, or a token of the ServiceAccount
// of one. The error is a *TokenError. The time of comparing bearer tokens depends on the number of channels only.
func (s *State) Authenticate(token string) (Channel, error) { return s.authenticate(token, time.Now()) }

func (s *State) authenticate(token string, now time.Time) (Channel, error) {
	sum := sha256.Sum256([]byte(token))
	found, ok, accounts := Channel{}, false, false
	for _, c := range s.Runtime.Channels {
		accounts = accounts || c.ServiceAccount != ""
		want, known := s.tokens[c.Name]
		if subtle.ConstantTimeCompare(sum[:], want[:]) == 1 && known {
			found, ok = c, true
		}
	}
	switch {
	case ok && s.isAgents(token):
		return Channel{}, refused(RefusedOwnAccount)
	case ok:
		return found, nil
	case accounts:
		return s.authenticateAccount(token, now)
	}
	return Channel{}, refused(RefusedUnknown)
}

// parseState reads a state from the contents of a configuration directory, by file name.
func parseState(files map[string][]byte) (*State, error) {
	for _, name := range []string{FilePolicy, FileAgentID, FilePrimary, FileTLSCert, FileTLSKey, FileCA} {
		if len(files[name]) == 0 {
			return nil, fmt.Errorf("%s is missing or empty", name)
		}
	}
	runtime, err := Decode(files[FilePolicy])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", FilePolicy, err)
	}
	if id := strings.TrimSpace(string(files[FileAgentID])); id != runtime.AgentID {
		return nil, fmt.Errorf("%s: the keys belong to another agent than %s", FileAgentID, FilePolicy)
	}
	keyset, err := parseKeys(files)
	if err != nil {
		return nil, err
	}
	digests := ChannelDigests{}
	if raw := files[FileChannels]; len(raw) > 0 {
		if err := json.Unmarshal(raw, &digests); err != nil {
			return nil, fmt.Errorf("%s: not a JSON object of strings", FileChannels)
		}
	}
	// The errors of X509KeyPair tell what is wrong without quoting the files.
	cert, err := tls.X509KeyPair(files[FileTLSCert], files[FileTLSKey])
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", FileTLSCert, FileTLSKey, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(files[FileCA]) {
		return nil, fmt.Errorf("%s: no certificate in it", FileCA)
	}
	s, err := NewState(runtime, keyset, digests, &cert, pool)
	if err != nil {
		return nil, err
	}
	if s.JudgeKey, err = parseJudgeKey(files[FileJudgeKey]); err != nil {
		return nil, fmt.Errorf("%s: %w", FileJudgeKey, err)
	}
	if err := s.loadCredentials(files); err != nil {
		return nil, err
	}
	if s.StoreURI = strings.TrimSpace(string(files[FileStoreURI])); runtime.Postgres && s.StoreURI == "" {
		return nil, fmt.Errorf("%s is missing or empty", FileStoreURI)
	}
	if raw := files[FileIssuer]; len(raw) > 0 {
		if s.Issuer, err = ParseIssuer(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", FileIssuer, err)
		}
	}
	return s, nil
}

// parseKeys builds the keyset from the key files; their ids are in their names.
func parseKeys(files map[string][]byte) (*provenance.Keyset, error) {
	entries := map[string][]byte{}
	for name, data := range files {
		id, isKey := strings.CutPrefix(name, KeyPrefix)
		if id, ok := strings.CutSuffix(id, KeySuffix); isKey && ok {
			entries[id] = data
		}
	}
	if len(entries) == 0 {
		return nil, errors.New("no " + KeyPrefix + "<id>" + KeySuffix + " file: there is no key to sign with")
	}
	keyset, err := provenance.ParseKeyset(strings.TrimSpace(string(files[FilePrimary])), entries)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return keyset, nil
}
