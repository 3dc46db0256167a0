// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	_ "modernc.org/sqlite" // reads a screener's file

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

// agent is an agent of the cluster, with its screener as a process.
type agent struct {
	*cluster
	namespace, name, id string
	ip                  string // of its pod
	token               string // of its channel of users
	dir                 string // what the operator delivers to the screener
	data                string // the file that holds the memory; of no use with role
	keys                map[string][]byte

	role, roleURL string    // in the database
	owner         *pgx.Conn // of the database
	query         string    // for fingerprints

	rest, channel, admin string // addresses of ports
	there, absent        target
	texts                []string // what its memories say
}

// adminPort is where screeners are reached in this test: none of the real one's, which other tests use.
const adminPort = 19443

// settle makes the agent, and what the operator would make for it.
func (a *agent) settle(t *testing.T, db *pgtest.Database) {
	t.Helper()
	a.dir, a.data, a.token, a.keys = t.TempDir(), filepath.Join(t.TempDir(), "memory.db"), "token-of-the-chat-of-"+a.name, map[string][]byte{}
	a.account(t, a.namespace, a.name)
	a.account(t, a.namespace, "desk")
	must(t, a.client.Create(t.Context(), &v1alpha1.AgentMemory{
		ObjectMeta: metav1.ObjectMeta{Namespace: a.namespace, Name: a.name},
		Spec:       v1alpha1.AgentMemorySpec{AgentID: a.id, ServiceAccountName: a.name},
	}))
	id, entry, err := provenance.NewKey()
	must(t, err)
	a.keys[id] = entry
	files := a.leaf(t, x509.ExtKeyUsageServerAuth, admin.ServerName(a.namespace, a.name))
	files[policy.KeyPrefix+id+policy.KeySuffix], files[policy.FilePrimary], files[policy.FileAgentID] = entry, []byte(id), []byte(a.id)
	files[policy.FileCA] = a.authority.BundlePEM()
	files[policy.FileIssuer], err = a.issuer.Encode()
	must(t, err)
	files[policy.FileChannels], err = json.Marshal(policy.ChannelDigests{"chat": policy.DigestToken([]byte(a.token))})
	must(t, err)
	p := a.policy()
	if db != nil {
		a.provision(t, *db, p)
		files[policy.FileStoreURI] = []byte(a.roleURL)
	}
	r, err := policy.CompileFor(p, policy.Agent{Namespace: a.namespace, Name: a.name, ID: a.id, ServiceAccount: a.name})
	must(t, err)
	files[policy.FilePolicy], err = r.Encode()
	must(t, err)
	a.deliver(t, files)
	for name, data := range files {
		must(t, os.WriteFile(filepath.Join(a.dir, name), data, 0o600))
	}
}

// policy is one with a channel of users by a token, another by a ServiceAccount, and a rule about payments.
func (a *agent) policy() *v1alpha1.MemoryTrustPolicy {
	p := &v1alpha1.MemoryTrustPolicy{}
	p.Name = "standard"
	p.Spec.Store.Type = v1alpha1.StoreTypeEphemeral
	p.Spec.Limits.WritesPerMinute = 100000
	p.Spec.Trust.Channels = []v1alpha1.Channel{
		{Name: "chat", Class: "UserInput", Principal: "alice", TokenSecretRef: &v1alpha1.SecretKeyRef{Name: "chat-token"}},
		{Name: "desk", Class: "UserInput", Principal: "desk", ServiceAccountRef: &v1alpha1.ServiceAccountRef{Name: "desk"}},
	}
	p.Spec.Actions.Rules = []v1alpha1.ActionRule{{Name: "payments", Tools: []string{"pay_*"}, Authority: "Act", Sensitive: []string{"to"}}}
	return p
}

// provision gives the agent a role in the database, as the operator does.
func (a *agent) provision(t *testing.T, db pgtest.Database, p *v1alpha1.MemoryTrustPolicy) {
	t.Helper()
	a.owner, a.role = db.Admin(t), "mt_"+a.namespace+"_"+a.name
	a.roleURL = db.Role(t, a.owner, a.role)
	must(t, postgres.Provision(t.Context(), a.owner, a.id, a.role))
	p.Spec.Store.Type = v1alpha1.StoreTypePostgres
	p.Spec.Store.Postgres = &v1alpha1.PostgresStore{OwnerSecretRef: v1alpha1.SecretKeyRef{Name: "database"}}
}

// deliver puts policy and keys where memory admission reads them.
func (a *agent) deliver(t *testing.T, files map[string][]byte) {
	t.Helper()
	meta := func(name, label, value string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: a.namespace, Name: name, Labels: map[string]string{label: value, v1alpha1.LabelAgent: a.name}}
	}
	names := inject.NamesFor(a.name)
	keys := map[string][]byte{policy.FileAgentID: files[policy.FileAgentID], policy.FilePrimary: files[policy.FilePrimary]}
	for id, entry := range a.keys {
		keys[policy.KeyPrefix+id+policy.KeySuffix] = entry
	}
	must(t, a.client.Create(t.Context(), &corev1.Secret{
		ObjectMeta: meta(names.KeySecret, v1alpha1.LabelKeySource, v1alpha1.KeySourceGenerated), Data: keys,
	}))
	must(t, a.client.Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: meta(names.PolicyConfigMap, v1alpha1.LabelPolicySource, v1alpha1.PolicySourceGenerated),
		Data:       map[string]string{policy.FilePolicy: string(files[policy.FilePolicy])},
	}))
}

// run starts the screener, and makes the pod it runs in.
func (a *agent) run(t *testing.T, program string) {
	t.Helper()
	at := launch(t, program, "--config-dir", a.dir, "--data", a.data, "--agent-addr", "127.0.0.1:0", "--channel-addr", a.ip+":0",
		"--admin-addr", fmt.Sprintf("%s:%d", a.ip, adminPort), "--health-addr", "127.0.0.1:0")
	a.rest, a.channel, a.admin = at["agent"], at["channel"], at["admin"]
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: a.namespace, Name: a.name + "-0", Labels: map[string]string{v1alpha1.LabelAgent: a.name}},
		Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{{Name: inject.ContainerName, Image: "screener:v1"}},
			Containers:     []corev1.Container{{Name: "agent", Image: "agent:v1"}},
		},
	}
	must(t, a.client.Create(t.Context(), pod))
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: a.ip, PodIPs: []corev1.PodIP{{IP: a.ip}},
		InitContainerStatuses: []corev1.ContainerStatus{{
			Name: inject.ContainerName, Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}},
	}
	must(t, a.client.Status().Update(t.Context(), pod))
}

// launch runs a screener until the test ends, and returns the addresses of its ports.
func launch(t *testing.T, program string, args ...string) map[string]string {
	t.Helper()
	cmd := exec.Command(program, args...)
	reader, writer := io.Pipe()
	cmd.Stderr = writer
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		_ = writer.Close()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-ended
	})
	ready, addresses := make(chan struct{}), map[string]string{}
	var once sync.Once
	var said strings.Builder
	go func() {
		lines := bufio.NewScanner(reader)
		for lines.Scan() {
			var entry struct{ Msg, Port, Address string }
			if said.Len() < 1<<16 {
				said.WriteString(lines.Text() + "\n")
			}
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "Listening" && len(addresses) < 4 {
				if addresses[entry.Port] = entry.Address; len(addresses) == 4 {
					once.Do(func() { close(ready) })
				}
			}
		}
		_, _ = io.Copy(io.Discard, reader)
	}()
	select {
	case <-ready:
	case <-ended:
		t.Fatal("the screener ended: " + said.String())
	case <-time.After(time.Minute):
		t.Fatal("the screener does not start")
	}
	return addresses
}

// says are the texts that nobody else may get to see.
func (a *agent) says() []string { return append([]string{a.there.secret}, a.texts...) }

// quiet waits until what sessions met, which the store is told a moment later, is in it: until the journal beside it holds its
// header and nothing else.
func (a *agent) quiet(t *testing.T) {
	t.Helper()
	const header = 64
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		journal, err := os.Stat(a.data + "-met")
		must(t, err)
		if journal.Size() <= header {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d bytes are still in the journal of the store", journal.Size())
		}
	}
}

// fingerprint is a hash of all rows the agent has, table by table, but for the times of the screener's own probes.
func (a *agent) fingerprint(t *testing.T) string {
	t.Helper()
	if a.role != "" {
		return a.fingerprintPostgres(t)
	}
	a.quiet(t)
	db, err := sql.Open("sqlite", "file:"+a.data+"?mode=ro&_pragma=busy_timeout(10000)")
	must(t, err)
	defer db.Close() //nolint:errcheck // nothing was written
	rows, err := db.QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1")
	must(t, err)
	var tables []string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	must(t, rows.Err())
	var out strings.Builder
	for _, table := range tables {
		if table != "marks" && table != "probe" {
			fmt.Fprintf(&out, "%s %s\n", table, hashOf(t, db, table))
		}
	}
	return out.String()
}

func hashOf(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT * FROM \""+table+"\"") // #nosec G202 -- a name the database gave
	must(t, err)
	defer rows.Close() //nolint:errcheck // nothing was written
	columns, err := rows.Columns()
	must(t, err)
	h, n := sha256.New(), 0
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		must(t, rows.Scan(places...))
		fmt.Fprintf(h, "%v\n", values)
		n++
	}
	must(t, rows.Err())
	return fmt.Sprintf("%d %x", n, h.Sum(nil)[:8])
}

func (a *agent) fingerprintPostgres(t *testing.T) string {
	t.Helper()
	if a.query == "" {
		var parts []string
		for _, table := range tablesOf(t, a.owner) {
			probes := "''"
			if table == "logs" {
				probes = "'at'"
			}
			if table != "marks" {
				parts = append(parts, "SELECT '"+table+" ' || count(*) || ' ' || coalesce(md5(string_agg(x, '' ORDER BY x)), '') AS line FROM "+
					"(SELECT md5(CAST(to_jsonb(r) - "+probes+" AS text)) FROM memorytrust."+table+" r WHERE agent = $1) y (x)")
			}
		}
		a.query = "SELECT string_agg(line, E'\\n' ORDER BY line) FROM (" + strings.Join(parts, " UNION ALL ") + ") z"
	}
	var sum string
	must(t, a.owner.QueryRow(context.Background(), a.query, a.id).Scan(&sum))
	return sum
}

// tablesOf lists the tables that hold rows of agents.
func tablesOf(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	rows, err := conn.Query(context.Background(), `SELECT table_name FROM information_schema.columns
		WHERE table_schema = 'memorytrust' AND column_name = 'agent' AND table_name <> 'agents' ORDER BY 1`)
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return tables
}
