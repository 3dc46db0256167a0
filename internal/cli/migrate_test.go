// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// migrationServer answers as an API server does of which a move is asked: with one status after the other, nil for one that does not
// answer at the moment.
func migrationServer(t *testing.T, statuses ...*memoryv1alpha1.StoreMigrationStatus) (kubeconfig string, dryRuns *[]bool) {
	t.Helper()
	dryRuns = &[]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/apis/memory.memorytrust.dev/v1alpha1/namespaces/travel/stores/concierge/migrate" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		out := memoryv1alpha1.StoreMigration{TypeMeta: metav1.TypeMeta{APIVersion: memoryv1alpha1.GroupVersion.String(), Kind: "StoreMigration"}}
		if r.Method == http.MethodPost {
			if err := json.NewDecoder(r.Body).Decode(&out); err != nil {
				t.Error(err)
			}
			*dryRuns = append(*dryRuns, out.Spec.DryRun)
		}
		w.Header().Set("Content-Type", "application/json")
		next := statuses[0]
		if statuses = statuses[1:]; next == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_ = json.NewEncoder(w).Encode(metav1.Status{
				TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: 503, Reason: metav1.StatusReasonServiceUnavailable,
			})
			return
		}
		out.Status = *next
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(server.Close)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: '"+server.URL+
		"'}}]\nusers: [{name: u, user: {}}]\ncontexts: [{name: x, context: {cluster: c, user: u, namespace: travel}}]\ncurrent-context: x\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return kubeconfig, dryRuns
}

func TestMigrate(t *testing.T) {
	copying := &memoryv1alpha1.StoreMigrationStatus{Store: "Embedded", Phase: "Copying", Copied: 500, Total: 60000}
	done := &memoryv1alpha1.StoreMigrationStatus{
		Store: "Postgres", Phase: "Done", AuditSize: 7, AuditRoot: "cm9vdA==", Digest: "d1ge57", HeldMilliseconds: 40,
		Rows: []memoryv1alpha1.TableRows{{Table: "records", Rows: 5}, {Table: "words", Rows: 30}},
	}
	failed := &memoryv1alpha1.StoreMigrationStatus{Store: "Embedded", Phase: "Failed", Message: "the copy differs\x1b[2J"}
	for name, tc := range map[string]struct {
		args     []string
		statuses []*memoryv1alpha1.StoreMigrationStatus
		code     int
		stdout   []string
		stderr   []string
	}{
		"done, with a restart in between": {
			nil, []*memoryv1alpha1.StoreMigrationStatus{copying, nil, done}, terminal.ExitDone,
			[]string{"is in PostgreSQL", "the same 35 rows in 2 tables", "7 entries", "cm9vdA==", "d1ge57", "Left to do", "no way back"},
			[]string{"Copying: 500 of 60000 rows"},
		},
		"rows of tables": {[]string{"-o", "wide"}, []*memoryv1alpha1.StoreMigrationStatus{done}, terminal.ExitDone, []string{"records              5"}, nil},
		"failed": {
			nil, []*memoryv1alpha1.StoreMigrationStatus{failed}, terminal.ExitFailed, []string{"To try again: kubectl memtrust migrate concierge -n travel"},
			[]string{"the memory was not moved: the copy differs\\u001b[2J"},
		},
		"dry run": {
			[]string{"--dry-run"}, []*memoryv1alpha1.StoreMigrationStatus{{Store: "Embedded", Total: 9, Message: "9 rows would be moved"}}, terminal.ExitDone,
			[]string{"Nothing was changed: 9 rows would be moved", "To move it: kubectl memtrust migrate concierge"}, nil,
		},
		"without waiting": {[]string{"--wait=false"}, []*memoryv1alpha1.StoreMigrationStatus{copying}, terminal.ExitDone, []string{"is being moved: Copying, 500 of 60000"}, nil},
		"for programs":    {[]string{"-o", "json"}, []*memoryv1alpha1.StoreMigrationStatus{copying, done}, terminal.ExitDone, []string{`"kind": "StoreMigration"`, `"phase": "Done"`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			kubeconfig, dryRuns := migrationServer(t, tc.statuses...)
			var out, errs bytes.Buffer
			code := Run(t.Context(), append([]string{"migrate", "concierge", "--kubeconfig", kubeconfig}, tc.args...), Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if code != tc.code {
				t.Errorf("code %d, want %d: %s", code, tc.code, errs.String())
			}
			flat := func(b bytes.Buffer) string { return strings.Join(strings.Fields(b.String()), " ") }
			for _, want := range tc.stdout {
				if !strings.Contains(out.String(), want) && !strings.Contains(flat(out), want) {
					t.Errorf("output lacks %q:\n%s", want, out.String())
				}
			}
			for _, want := range tc.stderr {
				if !strings.Contains(flat(errs), want) {
					t.Errorf("errors lack %q:\n%s", want, errs.String())
				}
			}
			if strings.ContainsRune(out.String()+errs.String(), '\x1b') {
				t.Error("the terminal gets what others wrote")
			}
			if len(*dryRuns) != 1 || (*dryRuns)[0] != (name == "dry run") {
				t.Errorf("moves asked for: %v", *dryRuns)
			}
		})
	}
}
