// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

const testIssuer = "https://kubernetes.default.svc.cluster.local"

// tokenNow is when the tokens of these tests are shown.
var tokenNow = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// signer signs ServiceAccount tokens as an API server does.
type signer struct {
	id        string
	algorithm jose.SignatureAlgorithm
	key       crypto.Signer
}

func newSigner(t testing.TB, algorithm jose.SignatureAlgorithm, id string) signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch algorithm {
	case jose.RS256, jose.PS256:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case jose.ES384:
		key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	default:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	return signer{id: id, algorithm: algorithm, key: key}
}

func (s signer) public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: s.key.Public(), KeyID: s.id, Algorithm: string(s.algorithm), Use: "sig"}
}

func (s signer) sign(t testing.TB, claims map[string]any) string {
	t.Helper()
	return signWith(t, jose.SigningKey{Algorithm: s.algorithm, Key: jose.JSONWebKey{Key: s.key, KeyID: s.id}}, claims)
}

func signWith(t testing.TB, key jose.SigningKey, claims map[string]any) string {
	t.Helper()
	made, err := jose.NewSigner(key, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := made.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// unsigned puts a token together from parts that nobody signed.
func unsigned(header string, claims map[string]any, signature string) string {
	payload, _ := json.Marshal(claims)
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(header)) + "." + encode(payload) + "." + signature
}

// projectedClaims are what the API server puts into a projected token of a ServiceAccount, changed in some entries; nil
// removes one.
func projectedClaims(account string, change map[string]any) map[string]any {
	namespace, name, _ := strings.Cut(account, "/")
	claims := map[string]any{
		"aud": []string{TokenAudience}, "iss": testIssuer, "sub": accountPrefix + namespace + ":" + name,
		"iat": tokenNow.Add(-time.Minute).Unix(), "nbf": tokenNow.Add(-time.Minute).Unix(), "exp": tokenNow.Add(59 * time.Minute).Unix(),
		"jti": "5b3b7a5e-8c1f-4f0c-8f57-6d3d0a0e9f11",
		"kubernetes.io": map[string]any{
			"namespace": namespace, "serviceaccount": map[string]any{"name": name, "uid": "1"}, "pod": map[string]any{"name": "p", "uid": "2"},
		},
	}
	for k, v := range change {
		if claims[k] = v; v == nil {
			delete(claims, k)
		}
	}
	return claims
}

func keySet(t testing.TB, keys ...jose.JSONWebKey) []byte {
	t.Helper()
	b, err := json.Marshal(jose.JSONWebKeySet{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// accountsState is a screener of agent helper, ServiceAccount agents/helper, under testdata/accounts.yaml.
func accountsState(t testing.TB, signers ...signer) *State {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "accounts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := CompileFor(p, Agent{Namespace: "agents", Name: "helper", ID: testAgentID, ServiceAccount: "helper"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewState(r, nil, ChannelDigests{"console": DigestToken([]byte("console-token-0123456789"))}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var keys []jose.JSONWebKey
	for _, signer := range signers {
		keys = append(keys, signer.public())
	}
	if s.Issuer, err = NewIssuer(testIssuer, keySet(t, keys...)); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAuthenticateAccounts(t *testing.T) {
	for _, algorithm := range []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.ES384} {
		cluster := newSigner(t, algorithm, "current")
		s := accountsState(t, cluster, newSigner(t, jose.RS256, "next"))
		for account, channel := range map[string]string{"frontends/bookings": "bookings", "agents/tool-runner": "tools"} {
			for name, change := range map[string]map[string]any{
				"as the API server makes it": nil,
				"one audience as a string":   {"aud": TokenAudience},
				"one audience of several":    {"aud": []string{testIssuer, TokenAudience}},
				"a clock ahead of ours":      {"iat": tokenNow.Add(29 * time.Second).Unix(), "nbf": tokenNow.Add(29 * time.Second).Unix()},
				"just over":                  {"exp": tokenNow.Add(-29 * time.Second).Unix()},
				"a whole day":                {"exp": tokenNow.Add(24*time.Hour - time.Minute).Unix()},
				"without nbf":                {"nbf": nil},
			} {
				c, err := s.authenticate(cluster.sign(t, projectedClaims(account, change)), tokenNow)
				if err != nil || c.Name != channel {
					t.Errorf("%s %s: %+v, %v, want channel %s", algorithm, name, c, err, channel)
				}
			}
		}
		if c, err := s.authenticate("console-token-0123456789", tokenNow); err != nil || c.Name != "console" {
			t.Errorf("a bearer token beside ServiceAccounts gives %+v, %v", c, err)
		}
	}
}

// Each of these is refused, for this reason; the good token above differs in nothing else.
func TestAuthenticateRefusesTokens(t *testing.T) {
	const good = "frontends/bookings"
	cluster, foreign, retired := newSigner(t, jose.RS256, "current"), newSigner(t, jose.RS256, "current"), newSigner(t, jose.ES256, "retired")
	s := accountsState(t, cluster, newSigner(t, jose.ES256, "next"))
	claims := projectedClaims(good, nil)
	with := func(change map[string]any) string { return cluster.sign(t, projectedClaims(good, change)) }
	at := func(d time.Duration) int64 { return tokenNow.Add(d).Unix() }
	signed := with(nil)
	header, rest, _ := strings.Cut(signed, ".")
	_, signature, _ := strings.Cut(rest, ".")
	der, err := x509.MarshalPKIXPublicKey(cluster.key.Public())
	must(t, err)
	hs256 := signWith(t, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{Key: der, KeyID: "current"}}, claims)
	ps256 := signWith(t, jose.SigningKey{Algorithm: jose.PS256, Key: jose.JSONWebKey{Key: cluster.key, KeyID: "current"}}, claims)
	curve := newSigner(t, jose.ES256, "current")
	embedded := signWith(t, jose.SigningKey{Algorithm: jose.RS256, Key: foreign.key}, claims)

	for name, tt := range map[string]struct {
		token string
		want  Refusal
	}{
		"empty":                             {"", RefusedUnknown},
		"no token at all":                   {"console-token-012345678", RefusedUnknown},
		"two dots and nothing":              {"..", RefusedAlgorithm},
		"no JSON":                           {"bm8.bm8.bm8", RefusedMalformed},
		"absurdly long":                     {signed + strings.Repeat("A", maxTokenBytes), RefusedUnknown},
		"wrong audience":                    {with(map[string]any{"aud": []string{testIssuer}}), RefusedAudience},
		"audience that begins alike":        {with(map[string]any{"aud": "memorytrust.dev"}), RefusedAudience},
		"no audience":                       {with(map[string]any{"aud": nil}), RefusedAudience},
		"wrong issuer":                      {with(map[string]any{"iss": testIssuer + "/"}), RefusedIssuer},
		"no issuer":                         {with(map[string]any{"iss": nil}), RefusedIssuer},
		"expired":                           {with(map[string]any{"exp": at(-31 * time.Second)}), RefusedExpired},
		"not yet valid":                     {with(map[string]any{"nbf": at(31 * time.Second)}), RefusedEarly},
		"issued in the future":              {with(map[string]any{"iat": at(31 * time.Second)}), RefusedEarly},
		"without expiry":                    {with(map[string]any{"exp": nil}), RefusedLifetime},
		"without time of issue":             {with(map[string]any{"iat": nil}), RefusedLifetime},
		"valid for more than a day":         {with(map[string]any{"exp": at(24 * time.Hour)}), RefusedLifetime},
		"valid for ever":                    {with(map[string]any{"exp": at(290 * 365 * 24 * time.Hour)}), RefusedLifetime},
		"times that are words":              {with(map[string]any{"exp": "tomorrow"}), RefusedMalformed},
		"unsigned":                          {unsigned(`{"alg":"none","kid":"current"}`, claims, ""), RefusedAlgorithm},
		"unsigned in capitals":              {unsigned(`{"alg":"NONE","kid":"current"}`, claims, ""), RefusedAlgorithm},
		"HMAC with the public key":          {hs256, RefusedAlgorithm},
		"another signature of the same key": {ps256, RefusedAlgorithm},
		"another kind of key of that id":    {curve.sign(t, claims), RefusedAlgorithm},
		"key of the token's own choice":     {embedded, RefusedKey},
		"unknown key":                       {newSigner(t, jose.RS256, "mine").sign(t, claims), RefusedKey},
		"key that was rotated away":         {retired.sign(t, claims), RefusedKey},
		"another cluster's key":             {foreign.sign(t, claims), RefusedSignature},
		"no signature":                      {header + "." + strings.SplitN(rest, ".", 2)[0] + ".", RefusedSignature},
		"tampered payload":                  {header + "." + strings.Split(unsigned("", projectedClaims("agents/tool-runner", nil), ""), ".")[1] + "." + signature, RefusedSignature},
		"critical extension":                {unsigned(`{"alg":"RS256","kid":"current","crit":["x"],"x":1}`, claims, signature), RefusedMalformed},
		"other ServiceAccount":              {cluster.sign(t, projectedClaims("frontends/payments", nil)), RefusedAccount},
		"same name elsewhere":               {cluster.sign(t, projectedClaims("agents/bookings", nil)), RefusedAccount},
		"a user":                            {with(map[string]any{"sub": "alice"}), RefusedAccount},
		"a ServiceAccount without name":     {with(map[string]any{"sub": accountPrefix + "frontends"}), RefusedAccount},
		"a name with a slash":               {with(map[string]any{"sub": accountPrefix + "frontends/bookings:"}), RefusedAccount},
		"own ServiceAccount":                {cluster.sign(t, projectedClaims("agents/helper", nil)), RefusedOwnAccount},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := s.authenticate(tt.token, tokenNow)
			var reason *TokenError
			if !errors.As(err, &reason) || reason.Reason != tt.want || c != (Channel{}) {
				t.Errorf("%+v, %v, want %s", c, err, tt.want)
			}
		})
	}
}

func TestAuthenticateAfterRotation(t *testing.T) {
	old, current := newSigner(t, jose.RS256, "old"), newSigner(t, jose.RS256, "new")
	claims := projectedClaims("frontends/bookings", nil)
	for name, tt := range map[string]struct {
		served   []signer
		old, new bool
	}{
		"before": {[]signer{old}, true, false},
		"during": {[]signer{old, current}, true, true},
		"after":  {[]signer{current}, false, true},
	} {
		s := accountsState(t, tt.served...)
		_, oldErr := s.authenticate(old.sign(t, claims), tokenNow)
		_, newErr := s.authenticate(current.sign(t, claims), tokenNow)
		if (oldErr == nil) != tt.old || (newErr == nil) != tt.new {
			t.Errorf("%s the rotation: old key %v, new key %v", name, oldErr, newErr)
		}
	}
}

// The agent is refused whatever the policy says: here its own token is in a Secret that is a channel.
func TestAuthenticateRefusesTheAgentsTokenFromASecret(t *testing.T) {
	cluster := newSigner(t, jose.ES256, "current")
	s := accountsState(t, cluster)
	own, other := cluster.sign(t, projectedClaims("agents/helper", nil)), cluster.sign(t, projectedClaims("frontends/payments", nil))
	for token, want := range map[string]bool{own: false, other: true} {
		state, err := NewState(s.Runtime, nil, ChannelDigests{"console": DigestToken([]byte(token))}, nil, nil)
		must(t, err)
		if c, err := state.authenticate(token, tokenNow); (err == nil) != want {
			t.Errorf("%+v, %v, want accepted %v", c, err, want)
		}
	}
}

func TestAuthenticateAccountsWithoutKeys(t *testing.T) {
	cluster := newSigner(t, jose.ES256, "current")
	s := accountsState(t, cluster)
	s.Issuer = nil
	_, err := s.authenticate(cluster.sign(t, projectedClaims("frontends/bookings", nil)), tokenNow)
	var reason *TokenError
	if !errors.As(err, &reason) || reason.Reason != RefusedNoKeys {
		t.Errorf("error %v, want %s", err, RefusedNoKeys)
	}
	// A digest for a channel that is a ServiceAccount is a left-over, and no way in.
	state, err := NewState(s.Runtime, nil, ChannelDigests{"bookings": DigestToken([]byte("a-token-of-before"))}, nil, nil)
	must(t, err)
	if c, err := state.Authenticate("a-token-of-before"); err == nil {
		t.Errorf("a left-over digest gives %+v", c)
	}
}

func TestIssuer(t *testing.T) {
	first, second := newSigner(t, jose.RS256, "a"), newSigner(t, jose.ES256, "b")
	weak, err := rsa.GenerateKey(rand.Reader, 1024) // refused below
	must(t, err)
	private := jose.JSONWebKey{Key: first.key, KeyID: "private", Algorithm: "RS256"}
	symmetric := jose.JSONWebKey{Key: []byte("0123456789abcdef0123456789abcdef"), KeyID: "symmetric", Algorithm: "HS256"}
	unnamed := second.public()
	unnamed.KeyID = ""
	forEncryption := second.public()
	forEncryption.KeyID, forEncryption.Use = "encryption", "enc"
	otherAlgorithm := first.public()
	otherAlgorithm.KeyID, otherAlgorithm.Algorithm = "pss", "PS256"

	i, err := NewIssuer(testIssuer, keySet(t, second.public(), private, symmetric, unnamed, forEncryption, otherAlgorithm,
		jose.JSONWebKey{Key: weak.Public(), KeyID: "weak", Algorithm: "RS256"}, first.public()))
	must(t, err)
	if diff := cmp.Diff([]string{"a", "b"}, i.KeyIDs()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	file, err := i.Encode()
	must(t, err)
	if strings.Contains(string(file), `"d"`) || strings.Contains(string(file), `"k"`) {
		t.Errorf("private parts are written:\n%s", file)
	}
	reordered, err := NewIssuer(testIssuer, keySet(t, first.public(), second.public()))
	must(t, err)
	again, err := reordered.Encode()
	must(t, err)
	if string(again) != string(file) {
		t.Errorf("the order of keys matters:\n%s\n%s", file, again)
	}
	back, err := ParseIssuer(file)
	must(t, err)
	if back.URL != testIssuer || !cmp.Equal(back.KeyIDs(), i.KeyIDs()) {
		t.Errorf("came back as %s %v", back.URL, back.KeyIDs())
	}
}

func TestIssuerRefuses(t *testing.T) {
	key := newSigner(t, jose.ES256, "a").public()
	good := keySet(t, key)
	many := make([]jose.JSONWebKey, maxIssuerKeys+1)
	for i := range many {
		many[i] = key
		many[i].KeyID = fmt.Sprint(i)
	}
	for name, tt := range map[string]struct {
		url, jwks, says string
	}{
		"no issuer":       {"", string(good), "1 to"},
		"endless issuer":  {strings.Repeat("x", maxIssuerURL+1), string(good), "1 to"},
		"no JSON":         {testIssuer, "<html>", "not JSON"},
		"no keys":         {testIssuer, `{"keys":[]}`, "no public key"},
		"something else":  {testIssuer, `{"kind":"Status"}`, "no public key"},
		"too many keys":   {testIssuer, string(keySet(t, many...)), "too many"},
		"the same key id": {testIssuer, string(keySet(t, key, key)), `"a"`},
		"too long":        {testIssuer, strings.Repeat(" ", maxIssuerBytes+1), "at most"},
	} {
		if _, err := NewIssuer(tt.url, []byte(tt.jwks)); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, tt.says)
		}
	}
	for _, file := range []string{"", "[]", `{"issuer":"x"}`, strings.Repeat(" ", maxIssuerBytes+1)} {
		if _, err := ParseIssuer([]byte(file)); err == nil {
			t.Errorf("%.20q was taken", file)
		}
	}
}

func TestCompileAccounts(t *testing.T) {
	r := accountsState(t, newSigner(t, jose.ES256, "a")).Runtime
	want := []Channel{
		{Name: "bookings", Class: provenance.UserInput, Principal: "booking-frontend", ServiceAccount: "frontends/bookings"},
		{Name: "console", Class: provenance.Manual, Principal: "alice@example.com"},
		{Name: "tools", Class: provenance.ToolOutput, Principal: "tool-runner", ServiceAccount: "agents/tool-runner"},
	}
	if diff := cmp.Diff(want, r.Channels); diff != "" || r.ServiceAccount != "agents/helper" {
		t.Errorf("ServiceAccount %s, channels (-want +got):\n%s", r.ServiceAccount, diff)
	}
	data, err := r.Encode()
	must(t, err)
	back, err := Decode(data)
	must(t, err)
	if diff := cmp.Diff(r, back); diff != "" {
		t.Errorf("came back otherwise (-want +got):\n%s", diff)
	}
}

func TestCompileRefusesAccounts(t *testing.T) {
	for name, tt := range map[string]struct {
		change      func(bookings *v1alpha1.Channel)
		field, says string
	}{
		"the agent's own": {func(c *v1alpha1.Channel) { c.ServiceAccountRef = &v1alpha1.ServiceAccountRef{Name: "helper"} },
			"spec.trust.channels[bookings].serviceAccountRef", "run the agent as another one"},
		"the agent's own, by namespace": {func(c *v1alpha1.Channel) {
			c.ServiceAccountRef = &v1alpha1.ServiceAccountRef{Name: "helper", Namespace: "agents"}
		}, "spec.trust.channels[bookings].serviceAccountRef", "agent helper itself"},
		"one of two channels": {func(c *v1alpha1.Channel) { c.ServiceAccountRef = &v1alpha1.ServiceAccountRef{Name: "tool-runner"} },
			"spec.trust.channels[tools].serviceAccountRef", "channel bookings"},
		"no name": {func(c *v1alpha1.Channel) { c.ServiceAccountRef.Name = "" },
			"spec.trust.channels[bookings].serviceAccountRef", "namespace/name"},
		"a name that hides a namespace": {func(c *v1alpha1.Channel) { c.ServiceAccountRef.Name = "a/b" },
			"spec.trust.channels[bookings].serviceAccountRef", "namespace/name"},
		"both": {func(c *v1alpha1.Channel) { c.TokenSecretRef = &v1alpha1.SecretKeyRef{Name: "x"} },
			"spec.trust.channels[1]", "exactly one"},
		"neither": {func(c *v1alpha1.Channel) { c.ServiceAccountRef = nil }, "spec.trust.channels[1]", "exactly one"},
	} {
		p := manifest(t, "accounts.yaml")
		tt.change(&p.Spec.Trust.Channels[1])
		_, err := CompileFor(p, Agent{Namespace: "agents", Name: "helper", ID: testAgentID, ServiceAccount: "helper"})
		var field *FieldError
		if !errors.As(err, &field) || field.Field != tt.field || !strings.Contains(field.Problem, tt.says) {
			t.Errorf("%s: error %v, want field %s and a text with %q", name, err, tt.field, tt.says)
		}
	}
	// The same name in another namespace is somebody else.
	p := manifest(t, "accounts.yaml")
	p.Spec.Trust.Channels[1].ServiceAccountRef.Name = "helper"
	if _, err := CompileFor(p, Agent{Namespace: "agents", Name: "helper", ID: testAgentID, ServiceAccount: "helper"}); err != nil {
		t.Errorf("frontends/helper: %v", err)
	}
}

func TestLoadDirWithIssuer(t *testing.T) {
	cluster := newSigner(t, jose.RS256, "current")
	s := accountsState(t, cluster)
	files := configFiles(t)
	var err error
	files[FilePolicy], err = s.Runtime.Encode()
	must(t, err)
	files[FileIssuer], err = s.Issuer.Encode()
	must(t, err)
	volume := &projected{t: t, dir: t.TempDir()}
	volume.write(files)
	first, err := LoadDir(volume.dir)
	must(t, err)
	token := cluster.sign(t, projectedClaims("frontends/bookings", nil))
	if c, err := first.authenticate(token, tokenNow); err != nil || c.Name != "bookings" {
		t.Errorf("the token gives %+v, %v", c, err)
	}
	// Other keys are another state, although the policy is the same.
	files[FileIssuer], err = accountsState(t, newSigner(t, jose.RS256, "current")).Issuer.Encode()
	must(t, err)
	volume.write(files)
	second, err := LoadDir(volume.dir)
	must(t, err)
	if _, err := second.authenticate(token, tokenNow); err == nil || first.fingerprint == second.fingerprint {
		t.Errorf("exchanged keys are not noticed: %v", err)
	}
}

func TestStandaloneAccounts(t *testing.T) {
	dir := t.TempDir()
	s := Standalone{PolicyFile: "testdata/accounts.yaml", KeyDir: filepath.Join(dir, "keys")}
	must(t, s.Init())
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "spec.trust.channels[bookings].serviceAccountRef") ||
		!strings.Contains(err.Error(), "--serviceaccount-keys") {
		t.Errorf("without keys: %v", err)
	}
	cluster := newSigner(t, jose.RS256, "current")
	s.IssuerURL, s.IssuerKeysFile = testIssuer, filepath.Join(dir, "jwks.json")
	must(t, os.WriteFile(s.IssuerKeysFile, keySet(t, cluster.public()), 0o600))
	first, err := s.Load()
	must(t, err)
	if c, err := first.authenticate(cluster.sign(t, projectedClaims("frontends/bookings", nil)), tokenNow); err != nil || c.Name != "bookings" {
		t.Errorf("the token gives %+v, %v", c, err)
	}
	must(t, os.WriteFile(s.IssuerKeysFile, keySet(t, newSigner(t, jose.RS256, "next").public()), 0o600))
	second, err := s.Load()
	must(t, err)
	if first.fingerprint == second.fingerprint {
		t.Error("exchanged keys are not noticed")
	}
	must(t, os.WriteFile(s.IssuerKeysFile, []byte("{}"), 0o600))
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "ServiceAccount tokens") {
		t.Errorf("a file without keys: %v", err)
	}
	token := filepath.Join(dir, "token")
	must(t, os.WriteFile(token, []byte("a-long-enough-token"), 0o600))
	s.Tokens = map[string]string{"bookings": token}
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), "bookings") {
		t.Errorf("a bearer token for a ServiceAccount: %v", err)
	}
}

func FuzzAuthenticate(f *testing.F) {
	cluster := newSigner(f, jose.ES256, "current")
	s := accountsState(f, cluster)
	good := cluster.sign(f, projectedClaims("frontends/bookings", nil))
	for _, seed := range []string{
		good, cluster.sign(f, projectedClaims("agents/helper", nil)), "", "..", "console-token-0123456789",
		unsigned(`{"alg":"none","kid":"current"}`, projectedClaims("frontends/bookings", nil), ""),
		unsigned(`{"alg":"ES256","kid":"current","crit":["b64"],"b64":false}`, projectedClaims("frontends/bookings", nil), "AAAA"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		c, err := s.authenticate(token, tokenNow)
		// Nobody but the cluster signs: what gets in says what the good token says.
		if err == nil && c.Name != "console" && decoded(token) != decoded(good) {
			t.Fatalf("%q gives channel %+v", token, c)
		}
	})
}

// decoded is a token without the freedom that base64 leaves in its last characters.
func decoded(token string) (out [3]string) {
	for i, part := range strings.SplitN(token, ".", 3) {
		raw, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil {
			raw = []byte(part)
		}
		out[i] = string(raw)
	}
	return out
}

func FuzzParseIssuer(f *testing.F) {
	i := accountsState(f, newSigner(f, jose.ES256, "a"), newSigner(f, jose.RS256, "b")).Issuer
	file, err := i.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte(`{"issuer":"x","jwks":{"keys":[{"kty":"oct","k":"AAAA","kid":"a"}]}}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		i, err := ParseIssuer(data)
		if err != nil {
			return
		}
		again, err := i.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseIssuer(again)
		if err != nil || back.URL != i.URL || !cmp.Equal(back.KeyIDs(), i.KeyIDs()) {
			t.Fatalf("accepted once and not again: %v", err)
		}
	})
}

func BenchmarkAuthenticate(b *testing.B) {
	rs256, es256 := newSigner(b, jose.RS256, "r"), newSigner(b, jose.ES256, "e")
	s := accountsState(b, rs256, es256)
	claims := projectedClaims("frontends/bookings", nil)
	for name, token := range map[string]string{
		"bearer": "console-token-0123456789", "RS256": rs256.sign(b, claims), "ES256": es256.sign(b, claims), "garbage": "aaaa.bbbb.cccc",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.authenticate(token, tokenNow)
				if (err == nil) == (name == "garbage") {
					b.Fatal(err)
				}
			}
		})
	}
}
