//go:build e2e

// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/util/cert"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
)

const (
	databaseImage = "memorytrust.dev/test-postgres:1" // of test/cluster/postgres
	databasePort  = 5432
	superPassword = "password-of-the-superuser"
	ownerPassword = "password-of-the-owner"
	// databaseFiles is where the server finds its password and certificate, databaseVolume where its data is.
	databaseFiles, databaseVolume = "/etc/database", "/data"
)

// storeInPostgres replaces the store of a policy of these tests.
const storeInPostgres = `{type: Postgres, postgres: {ownerSecretRef: {name: memory-owner}}}`

// database is a PostgreSQL server in a pod of a namespace of its own. Its data outlives the server's process, not the pod.
type database struct {
	pod     *corev1.Pod
	service *corev1.Service
}

// startDatabase runs a server, with an owner of memories as docs/postgres.md asks for one: no superuser.
func startDatabase(ctx context.Context) *database {
	GinkgoHelper()
	namespace := newNamespace(ctx, nil)
	labels := map[string]string{"app": "db"}
	d := &database{pod: databasePod(namespace, labels), service: &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "db"},
		Spec:       corev1.ServiceSpec{Selector: labels, Ports: []corev1.ServicePort{{Port: databasePort}}},
	}}
	certificate, key, err := cert.GenerateSelfSignedCertKey("db."+namespace+".svc", nil, nil)
	Expect(err).NotTo(HaveOccurred())
	Expect(k8s.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "db"},
		Data:       map[string][]byte{"password": []byte(superPassword), "tls.crt": certificate, "tls.key": key},
	})).To(Succeed())
	Expect(k8s.Create(ctx, d.service)).To(Succeed())
	createPod(ctx, d.pod)
	waitUntilReady(ctx, d.pod)

	admin := d.connect(ctx, url.UserPassword("postgres", superPassword), "postgres")
	for _, statement := range []string{
		"CREATE ROLE memorytrust_owner LOGIN CREATEROLE PASSWORD '" + ownerPassword + "'",
		"CREATE DATABASE memorytrust OWNER memorytrust_owner",
	} {
		_, err := admin.Exec(ctx, statement)
		Expect(err).NotTo(HaveOccurred())
	}
	return d
}

func databasePod(namespace string, labels map[string]string) *corev1.Pod {
	security := restricted()
	security.ReadOnlyRootFilesystem = ptr.To(true)
	const files, data = "files", "data"
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "db", Labels: labels},
		Spec: corev1.PodSpec{
			ServiceAccountName:           "default",
			AutomountServiceAccountToken: ptr.To(false),
			SecurityContext:              &corev1.PodSecurityContext{FSGroup: ptr.To[int64](65532)},
			Containers: []corev1.Container{{
				Name: "postgres", Image: databaseImage, SecurityContext: security,
				VolumeMounts: []corev1.VolumeMount{
					{Name: files, MountPath: databaseFiles, ReadOnly: true}, {Name: data, MountPath: databaseVolume},
				},
				ReadinessProbe: &corev1.Probe{
					ProbeHandler:  corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(databasePort)}},
					PeriodSeconds: 1,
				},
			}},
			Volumes: []corev1.Volume{
				// PostgreSQL takes no key that others may read.
				{Name: files, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "db", DefaultMode: ptr.To[int32](0o440)}}},
				{Name: data, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
		},
	}
}

// connect opens a connection until the end of the spec.
func (d *database) connect(ctx context.Context, user *url.Userinfo, name string) *pgx.Conn {
	GinkgoHelper()
	at := url.URL{Scheme: "postgres", User: user, Host: forward(d.pod.Namespace, d.pod.Name, databasePort), Path: "/" + name, RawQuery: "sslmode=require"}
	var conn *pgx.Conn
	Eventually(ctx, func() (err error) { // the port is open before the server takes connections
		conn, err = pgx.Connect(ctx, at.String())
		return err
	}).Should(Succeed())
	DeferCleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// asRole opens a connection as the screeners of an agent do, with what the operator gave them.
func (d *database) asRole(ctx context.Context, namespace, agent string) *pgx.Conn {
	GinkgoHelper()
	var secret corev1.Secret
	Expect(k8s.Get(ctx, client.ObjectKey{Namespace: namespace, Name: inject.NamesFor(agent).ChannelsSecret}, &secret)).To(Succeed())
	uri, err := url.Parse(string(secret.Data[policy.FileStoreURI]))
	Expect(err).NotTo(HaveOccurred(), "the URI of agent %s", agent)
	Expect(uri.User).NotTo(BeNil(), "the operator gave agent %s no role", agent)
	return d.connect(ctx, uri.User, strings.TrimPrefix(uri.Path, "/"))
}

// own puts the owner's URI where policies of a namespace find it.
func (d *database) own(ctx context.Context, namespace string) {
	GinkgoHelper()
	uri := "postgres://memorytrust_owner:" + ownerPassword + "@db." + d.pod.Namespace + ".svc:5432/memorytrust?sslmode=require"
	Expect(k8s.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: "memory-owner", Labels: map[string]string{v1alpha1.LabelKeySource: v1alpha1.KeySourcePostgres},
		},
		StringData: map[string]string{"uri": uri},
	})).To(Succeed())
}

// crash ends the server and its processes at once, without writing what is in memory; the kubelet starts another on the same data.
// Until letIn nobody reaches that one.
func (d *database) crash(ctx context.Context) {
	GinkgoHelper()
	d.serve(ctx, map[string]string{"app": "nothing"})
	before := d.restarts(ctx)
	_, err := execIn(ctx, d.pod.Namespace, d.pod.Name, "postgres", "/bin/sh", "-c", "kill -QUIT 1")
	Expect(err).NotTo(HaveOccurred())
	Eventually(ctx, func() int32 { return d.restarts(ctx) }).WithTimeout(90 * time.Second).Should(BeNumerically(">", before))
}

// restarts is how often the server was started again.
func (d *database) restarts(ctx context.Context) int32 {
	GinkgoHelper()
	Expect(k8s.Get(ctx, client.ObjectKeyFromObject(d.pod), d.pod)).To(Succeed())
	Expect(d.pod.Status.ContainerStatuses).To(HaveLen(1))
	return d.pod.Status.ContainerStatuses[0].RestartCount
}

// letIn ends what crash began.
func (d *database) letIn(ctx context.Context) {
	GinkgoHelper()
	waitUntilReady(ctx, d.pod)
	d.serve(ctx, d.pod.Labels)
}

func (d *database) serve(ctx context.Context, selector map[string]string) {
	GinkgoHelper()
	patch := client.MergeFrom(d.service.DeepCopy())
	d.service.Spec.Selector = selector
	Expect(k8s.Patch(ctx, d.service, patch)).To(Succeed())
}
