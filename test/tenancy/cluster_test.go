// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/policy"
)

// cluster is an API server that knows the operator's kinds, with what signs certificates and tokens in it.
type cluster struct {
	environment *envtest.Environment
	config      *rest.Config
	client      client.Client
	set         *kubernetes.Clientset
	authority   certs.State
	signer      jose.Signer // of ServiceAccount tokens, as the API server has it
	issuer      *policy.Issuer
}

const issuerURL = "https://tenancy.example"

// startCluster runs an API server until the test ends.
func startCluster(t *testing.T) *cluster {
	t.Helper()
	dir := t.TempDir()
	c := &cluster{environment: &envtest.Environment{
		CRDDirectoryPaths: []string{filepath.Join("..", "..", "config", "crd", "bases")}, ErrorIfCRDPathMissing: true,
		ControlPlaneStartTimeout: 5 * time.Minute, // machines that build something else meanwhile are slow
	}}
	c.aggregate(t, dir)
	c.signTokens(t, dir)
	var err error
	c.config, err = c.environment.Start()
	must(t, err)
	t.Cleanup(func() { _ = c.environment.Stop() })
	c.config.QPS, c.config.Burst = 500, 500
	scheme := runtime.NewScheme()
	must(t, clientgoscheme.AddToScheme(scheme))
	must(t, v1alpha1.AddToScheme(scheme))
	c.client, err = client.New(c.config, client.Options{Scheme: scheme})
	must(t, err)
	c.set, err = kubernetes.NewForConfig(c.config)
	must(t, err)
	c.authority, _, _, err = certs.Plan(certs.State{}, time.Now(), certs.DefaultOptions())
	must(t, err)
	keys, err := c.set.RESTClient().Get().AbsPath("/openid/v1/jwks").DoRaw(t.Context())
	must(t, err)
	c.issuer, err = policy.NewIssuer(issuerURL, keys)
	must(t, err)
	for _, namespace := range []string{travel, billing, systemNamespace} {
		must(t, c.client.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}))
	}
	return c
}

// aggregate lets the API server speak for its users to the memory API.
func (c *cluster) aggregate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	der := selfSigned(t, key, "front-proxy", true)
	raw, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	cert, keyFile := writePEM(t, dir, "proxy.crt", "CERTIFICATE", der), writePEM(t, dir, "proxy.key", "EC PRIVATE KEY", raw)
	c.environment.ControlPlane.GetAPIServer().Configure().
		Set("requestheader-client-ca-file", cert).Set("requestheader-allowed-names", "front-proxy").
		Set("requestheader-username-headers", "X-Remote-User").Set("requestheader-group-headers", "X-Remote-Group").
		Set("requestheader-extra-headers-prefix", "X-Remote-Extra-").
		Set("proxy-client-cert-file", cert).Set("proxy-client-key-file", keyFile)
}

// signTokens gives the API server a key for ServiceAccount tokens that the test has as well, for tokens past their time.
func (c *cluster) signTokens(t *testing.T, dir string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	private := writePEM(t, dir, "sa.key", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
	c.environment.ControlPlane.GetAPIServer().Configure().
		Set("service-account-key-file", private).Set("service-account-signing-key-file", private).Set("service-account-issuer", issuerURL)
	c.signer, err = jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: keyID(t, key)}}, nil)
	must(t, err)
}

// keyID is the id that API servers give a key: the hash of its DER form.
func keyID(t *testing.T, key *rsa.PrivateKey) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	must(t, err)
	sum := sha256.Sum256(der)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// selfSigned makes a certificate that nobody else vouches for.
func selfSigned(t *testing.T, key *ecdsa.PrivateKey, name string, authority bool) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: authority, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	return der
}

func writePEM(t *testing.T, dir, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	return path
}

// account makes a ServiceAccount, once.
func (c *cluster) account(t *testing.T, namespace, name string) {
	t.Helper()
	_ = c.client.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
}

// token is one that the API server makes for a ServiceAccount; no audience stands for the API server's own.
func (c *cluster) token(t *testing.T, namespace, name string, audiences ...string) string {
	t.Helper()
	c.account(t, namespace, name)
	answer, err := c.set.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), name,
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: audiences, ExpirationSeconds: ptr.To[int64](3600)}},
		metav1.CreateOptions{})
	must(t, err)
	return answer.Status.Token
}

// expired is a token that the API server made an hour ago for ten minutes, and would have taken then.
func (c *cluster) expired(t *testing.T, namespace, name string, audiences ...string) string {
	t.Helper()
	c.account(t, namespace, name)
	account, err := c.set.CoreV1().ServiceAccounts(namespace).Get(t.Context(), name, metav1.GetOptions{})
	must(t, err)
	if len(audiences) == 0 {
		audiences = []string{issuerURL}
	}
	made := time.Now().Add(-time.Hour)
	claims := jwt.Claims{
		Issuer: issuerURL, Subject: "system:serviceaccount:" + namespace + ":" + name, Audience: audiences, IssuedAt: jwt.NewNumericDate(made),
		NotBefore: jwt.NewNumericDate(made), Expiry: jwt.NewNumericDate(made.Add(10 * time.Minute)),
	}
	private := map[string]any{"kubernetes.io": map[string]any{
		"namespace": namespace, "serviceaccount": map[string]any{"name": name, "uid": string(account.UID)},
	}}
	token, err := jwt.Signed(c.signer).Claims(claims).Claims(private).Serialize()
	must(t, err)
	return token
}

// kubeconfig returns the file with which a user that the API server knows by a certificate gets in.
func (c *cluster) kubeconfig(t *testing.T, name string, groups ...string) string {
	t.Helper()
	user, err := c.environment.ControlPlane.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	must(t, err)
	raw, err := user.KubeConfig()
	must(t, err)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must(t, os.WriteFile(path, raw, 0o600))
	return path
}

// bind gives a ClusterRole to subjects in a namespace.
func (c *cluster) bind(t *testing.T, namespace, role string, subjects ...rbacv1.Subject) {
	t.Helper()
	must(t, c.client.Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "tenancy-"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role}, Subjects: subjects,
	}))
}

func person(name string) rbacv1.Subject {
	return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}
}

func members(group string) rbacv1.Subject {
	return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: group}
}

func accountSubject(namespace, name string) rbacv1.Subject {
	return rbacv1.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}
}

// leaf is a certificate of the operator's authority.
func (c *cluster) leaf(t *testing.T, usage x509.ExtKeyUsage, names ...string) map[string][]byte {
	t.Helper()
	data, _, err := c.authority.Leaf(nil, certs.LeafRequest{DNSNames: names, Usage: usage}, time.Now(), certs.DefaultOptions())
	must(t, err)
	return data
}

// directory is a mounted Secret.
func directory(t *testing.T, data map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, value := range data {
		must(t, os.WriteFile(filepath.Join(dir, name), value, 0o600))
	}
	return dir
}

func eventually(t *testing.T, what string, reached func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !reached() {
		select {
		case <-ctx.Done():
			t.Fatal("not within a minute: " + what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
