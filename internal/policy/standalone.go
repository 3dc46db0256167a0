// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"memorytrust.dev/operator/internal/provenance"
)

// minTokenBytes is the shortest bearer token a channel takes, as the API says.
const minTokenBytes = 16

// selfSignedLife is how long the certificate a standalone screener makes for itself is valid.
const selfSignedLife = 10 * 365 * 24 * time.Hour

// Standalone describes a screener without a cluster: the policy is a manifest, and keys, identity and certificates are
// kept in a directory of their own.
type Standalone struct {
	PolicyFile string            // MemoryTrustPolicy as YAML or JSON
	KeyDir     string            // made when missing, mode 0700; files in it have mode 0600
	Tokens     map[string]string // channel name -> file with its bearer token
	CertFile   string            // with KeyFile; a self-signed certificate in KeyDir when empty
	KeyFile    string
	// IssuerURL and IssuerKeysFile, a JSON Web Key Set, are those of the cluster whose ServiceAccounts are channels.
	IssuerURL      string
	IssuerKeysFile string
	// Lexicons are files or directories by the name of the ConfigMap they stand for.
	Lexicons     map[string]string
	JudgeKeyFile string // key of the judge's endpoint
	// Credentials are files with the credentials of upstreams, by the name of the upstream.
	Credentials map[string]string
	// StoreURIFile holds the connection URI of the agent's database, for a policy with spec.store.type Postgres.
	StoreURIFile string
}

// DefaultStandaloneAgent names the agent of a policy read from a file.
const DefaultStandaloneAgent = "local"

// defaultStandaloneNamespace is used when the manifest names none, as kubectl would.
const defaultStandaloneNamespace = "default"

// Init makes identity, key and certificates if they are not there yet. What is there stays: a new key could not verify
// what the old one signed.
func (s Standalone) Init() error {
	if err := os.MkdirAll(s.KeyDir, 0o700); err != nil {
		return fmt.Errorf("make key directory: %w", err)
	}
	_, err := os.Stat(s.path(FileAgentID))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.makeIdentity(); err != nil {
			return fmt.Errorf("make keys: %w", err)
		}
	case err != nil:
		return fmt.Errorf("look for keys: %w", err)
	}
	if err := s.initAdmin(); err != nil {
		return fmt.Errorf("make certificates of the admin port: %w", err)
	}
	if s.CertFile != "" {
		return nil
	}
	if _, err := os.Stat(s.path(FileTLSCert)); errors.Is(err, fs.ErrNotExist) {
		if err := s.makeCertificate(); err != nil {
			return fmt.Errorf("make certificate: %w", err)
		}
	}
	return nil
}

// CertificatePath is where the certificate of the channel port lies, for clients that want to trust it.
func (s Standalone) CertificatePath() string { return or(s.CertFile, s.path(FileTLSCert)) }

func (s Standalone) path(name string) string { return filepath.Join(s.KeyDir, name) }

// makeIdentity writes the key first and the agentID last, because Init takes the agentID as proof that all is there.
func (s Standalone) makeIdentity() error {
	id, entry, err := provenance.NewKey()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{KeyPrefix + id + KeySuffix, entry},
		{FilePrimary, []byte(id)},
		{FileAgentID, []byte(uuid.NewString())},
	} {
		if err := writeDurable(s.path(f.name), f.data); err != nil {
			return err
		}
	}
	return nil
}

func (s Standalone) makeCertificate() error {
	template, err := template("MemoryTrust screener", x509.ExtKeyUsageServerAuth)
	if err != nil {
		return err
	}
	localhost(template)
	// A client that is to trust exactly this certificate needs it to be its own authority.
	template.IsCA, template.BasicConstraintsValid = true, true
	pair, err := issue(template, nil)
	if err != nil {
		return err
	}
	return s.writePair(FileTLSCert, FileTLSKey, pair)
}

// writeDurable writes a new file of mode 0600 that is whole or not there.
func writeDurable(path string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Load reads policy, keys, tokens and certificate.
func (s Standalone) Load() (*State, error) {
	manifest, err := readBounded(s.PolicyFile)
	if err != nil {
		return nil, fmt.Errorf("policy file: %w", err)
	}
	p, err := ParseManifest(manifest)
	if err != nil {
		return nil, err
	}
	files, err := readFiles(s.KeyDir)
	if err != nil {
		return nil, fmt.Errorf("key directory: %w", err)
	}
	agentID := string(bytes.TrimSpace(files[FileAgentID]))
	lexicons, err := s.lexicons(p.Spec.Screening.LexiconRefs)
	if err != nil {
		return nil, err
	}
	agent := Agent{Namespace: or(p.Namespace, defaultStandaloneNamespace), Name: DefaultStandaloneAgent, ID: agentID}
	r, err := CompileWith(p, agent, lexicons)
	if err != nil {
		return nil, err
	}
	keyset, err := parseKeys(files)
	if err != nil {
		return nil, err
	}
	digests, err := s.digests(r)
	if err != nil {
		return nil, err
	}
	issuer, err := s.issuer(r)
	if err != nil {
		return nil, err
	}
	cert, err := tls.LoadX509KeyPair(s.CertificatePath(), or(s.KeyFile, s.path(FileTLSKey)))
	if err != nil {
		return nil, fmt.Errorf("certificate of the channel port: %w", err)
	}
	adminCert, clientCAs, err := s.loadAdmin()
	if err != nil {
		return nil, fmt.Errorf("certificates of the admin port: %w", err)
	}
	state, err := NewState(r, keyset, digests, &cert, clientCAs)
	if err != nil {
		return nil, err
	}
	if state.JudgeKey, err = s.judgeKey(p.Spec.Screening); err != nil {
		return nil, err
	}
	if err := s.credentials(state, files); err != nil {
		return nil, err
	}
	if err := s.storeURI(state, files); err != nil {
		return nil, err
	}
	state.AdminCertificate, state.Issuer = adminCert, issuer
	files[FilePolicy], files[FileJudgeKey] = manifest, []byte(state.JudgeKey)
	for i, l := range lexicons {
		files[fmt.Sprintf("lexicon/%d/%s", i, l.Name)] = []byte(l.Text)
	}
	for name, digest := range digests {
		files[FileChannels+"/"+name] = []byte(digest)
	}
	if issuer != nil {
		if files[FileIssuer], err = issuer.Encode(); err != nil {
			return nil, err
		}
	}
	files[FileTLSCert] = bytes.Join(cert.Certificate, nil)
	files[fileAdminCert] = bytes.Join(adminCert.Certificate, nil)
	state.fingerprint = fingerprint(files)
	return state, nil
}

// digests reads the token files. One for a channel that the policy does not have is a mistake worth stopping for.
func (s Standalone) digests(r *Runtime) (ChannelDigests, error) {
	out := ChannelDigests{}
	for name, path := range s.Tokens {
		at := slices.IndexFunc(r.Channels, func(c Channel) bool { return c.Name == name })
		switch {
		case at < 0:
			return nil, fmt.Errorf("channel %s is not in spec.trust.channels of the policy", name)
		case r.Channels[at].ServiceAccount != "":
			return nil, fmt.Errorf("channel %s has no bearer token: its policy says serviceAccountRef", name)
		}
		token, err := readBounded(path)
		if err != nil {
			return nil, fmt.Errorf("token of channel %s: %w", name, err)
		}
		token = bytes.TrimSpace(token)
		if len(token) < minTokenBytes {
			return nil, fmt.Errorf("token of channel %s: %d bytes are too few, at least %d are needed", name, len(token), minTokenBytes)
		}
		out[name] = DigestToken(token)
	}
	return out, nil
}

// issuer reads the keys that tokens of ServiceAccounts are verified with; nil where none is a channel.
func (s Standalone) issuer(r *Runtime) (*Issuer, error) {
	at := slices.IndexFunc(r.Channels, func(c Channel) bool { return c.ServiceAccount != "" })
	switch {
	case at < 0:
		return nil, nil
	case s.IssuerKeysFile == "":
		return nil, fieldErrorf("spec.trust.channels["+r.Channels[at].Name+"].serviceAccountRef", "outside a cluster nobody delivers the "+
			"keys of its tokens: give --serviceaccount-issuer and --serviceaccount-keys of the cluster it is in, or use tokenSecretRef")
	}
	jwks, err := readBounded(s.IssuerKeysFile)
	if err != nil {
		return nil, fmt.Errorf("keys of ServiceAccount tokens: %w", err)
	}
	issuer, err := NewIssuer(s.IssuerURL, jwks)
	if err != nil {
		return nil, fmt.Errorf("keys of ServiceAccount tokens: %w", err)
	}
	return issuer, nil
}
