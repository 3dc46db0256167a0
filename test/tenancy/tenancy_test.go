// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	_ "memorytrust.dev/operator/internal/server/rest" // what is tested runs as a process; a change of it must run the test anew
	"memorytrust.dev/operator/internal/store/postgres/pgtest"
)

// The namespaces.
const travel, billing = "travel", "billing"

// least is how many attempts there must be.
const least = 200

func metaOf(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

// world is everything that runs.
type world struct {
	*cluster
	concierge, planner, clerk *agent // SQLite in travel, and PostgreSQL in travel and in billing
	api                       string // address of the memory API itself
	admission                 admission
}

func newWorld(t *testing.T) *world {
	t.Helper()
	program := filepath.Join(t.TempDir(), "screener")
	if out, err := exec.Command("go", "build", "-o", program, "memorytrust.dev/operator/cmd/screener").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	db := pgtest.Of(pgtest.Own(t))
	w := &world{cluster: startCluster(t)}
	w.concierge = &agent{cluster: w.cluster, namespace: travel, name: "concierge", id: "0b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c11", ip: "127.46.1.1"}
	w.planner = &agent{cluster: w.cluster, namespace: travel, name: "planner", id: "1b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c12", ip: "127.46.1.2"}
	w.clerk = &agent{cluster: w.cluster, namespace: billing, name: "clerk", id: "2b0e7a52-6f3c-4c1e-9a55-3d3f0a4f1c13", ip: "127.46.1.3"}
	for _, a := range w.agents() {
		database := &db
		if a == w.concierge {
			database = nil
		}
		a.settle(t, database)
		a.run(t, program)
		a.seed(t)
	}
	w.api = w.serveMemoryAPI(t)
	w.admission = w.serveAdmission(t)
	w.bindings(t)
	return w
}

func (w *world) agents() []*agent { return []*agent{w.concierge, w.planner, w.clerk} }

// Nobody gets at the memory of another agent, or learns what is in it, over any way in.
func TestTenancy(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("KUBEBUILDER_ASSETS is not set: this suite needs kube-apiserver and etcd")
	}
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	w := newWorld(t)
	t.Run("what if, on both stores", w.whatIf)
	var ways []way
	for _, of := range []func(*testing.T) []way{w.restWays, w.channelWays, w.mcpWays, w.adminWays, w.aggregatedWays, w.databaseWays, w.admissionWays} {
		ways = append(ways, of(t)...)
	}
	var report strings.Builder
	var all tally
	for _, v := range ways {
		var got tally
		t.Run(v.name, func(t *testing.T) { got = v.try(t) })
		all.tried, all.successful = all.tried+got.tried, all.successful+got.successful
		fmt.Fprintf(&report, "%-62s %5d tried %3d successful\n", v.name, got.tried, got.successful)
	}
	t.Logf("attempts:\n%s%-62s %5d tried %3d successful", report.String(), "all", all.tried, all.successful)
	if all.tried < least {
		t.Errorf("only %d attempts", all.tried)
	}
}
