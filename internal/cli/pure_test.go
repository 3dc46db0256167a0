// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
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

// answers runs a command line against a server that gives one answer to everything.
func answers(t *testing.T, code int, contentType, body string, args ...string) result {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Warning", "299 - \"look \u202e out\"")
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return commandLine(t, append(args, "--server="+server.URL)...)
}

func commandLine(t *testing.T, args ...string) result {
	t.Helper()
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	var out, errs bytes.Buffer
	code := Run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return result{out.String(), errs.String(), code}
}

func failure(code int, reason metav1.StatusReason, message, details string) string {
	quoted, _ := json.Marshal(message) // a string
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":%s,"details":{%s}}`, code, reason, quoted, details)
}

// What the API answers becomes the code that is documented, and a sentence that says what to do.
func TestAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		status        int
		contentType   string
		body          string
		code          int
		says, saysNot string
	}{
		"group not served": {404, "text/plain", "404 page not found\n", terminal.ExitUnavailable, "kubectl get apiservice v1alpha1.memory.memorytrust.dev", ""},
		"not found":        {404, "application/json", failure(404, "NotFound", `memories "x" not found`, ""), terminal.ExitNotFound, "not found", "apiservice"},
		"no right": {
			403, "application/json", failure(403, "Forbidden", `User "u" cannot list resource "memories" in the namespace "n"`, ""),
			terminal.ExitRefused, "kubectl create rolebinding NAME", "clusterrolebinding",
		},
		"refused with a fix of its own": {403, "application/json", failure(403, "Forbidden", "log in", ""), terminal.ExitRefused, "log in", "rolebinding"},
		"logged out":                    {401, "application/json", failure(401, "Unauthorized", "Unauthorized", ""), terminal.ExitRefused, "log in", ""},
		"changed":                       {409, "application/json", failure(409, "Conflict", "it changed", ""), terminal.ExitChanged, "it changed", ""},
		"a rule": {
			422, "application/json", failure(422, "Invalid", "does not meet the rules", `"causes":[{"reason":"RuleNotMet","field":"anchor","message":"m"}]`),
			terminal.ExitRefused, "does not meet", "",
		},
		"a field": {
			422, "application/json", failure(422, "Invalid", "wrong", `"causes":[{"reason":"FieldValueInvalid","field":"spec.anchor.evidenceSHA256","message":"64 digits"}]`),
			terminal.ExitUsage, "--evidence-sha256: 64 digits", "spec.",
		},
		"a selector": {400, "application/json", failure(400, "BadRequest", "field selector: zone", ""), terminal.ExitUsage, "field selector", ""},
		"down":       {503, "text/plain", "service unavailable", terminal.ExitUnavailable, "", ""},
		"a fault":    {500, "application/json", failure(500, "InternalError", "the log says what is wrong", ""), terminal.ExitFailed, "the log says", ""},
		"tricks":     {500, "application/json", failure(500, "InternalError", "a\x1b[2Jb", ""), terminal.ExitFailed, `a\u001b[2Jb`, "\x1b"},
	} {
		got := answers(t, tt.status, tt.contentType, tt.body, "list", "-n", "travel")
		if got.code != tt.code || !strings.Contains(got.stderr, tt.says) || tt.saysNot != "" && strings.Contains(got.stderr, tt.saysNot) || got.stdout != "" {
			t.Errorf("%s: code %d, want %d: %s%s", name, got.code, tt.code, got.stdout, got.stderr)
		}
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if got := commandLine(t, "list", "--server="+address); got.code != terminal.ExitUnavailable || !strings.Contains(got.stderr, "cannot be reached") {
		t.Errorf("nobody listens: %d %s", got.code, got.stderr)
	}
	if got := commandLine(t, "list"); got.code != terminal.ExitUsage || !strings.Contains(got.stderr, "--kubeconfig") {
		t.Errorf("no cluster: %d %s", got.code, got.stderr)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("clusters: {"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := commandLine(t, "list", "--kubeconfig="+broken); got.code != terminal.ExitUsage || !strings.Contains(got.stderr, "--kubeconfig") {
		t.Errorf("a broken file: %d %s", got.code, got.stderr)
	}
}

// What the API warns of is told once, and cannot act on the terminal.
func TestWarnings(t *testing.T) {
	got := answers(t, 200, "application/json", `{"kind":"MemoryList","apiVersion":"memory.memorytrust.dev/v1alpha1","metadata":{},"items":[]}`, "list")
	if got.code != 0 || strings.Count(got.stderr, "warning: look") != 1 || raw(got.stderr) {
		t.Errorf("%d %q", got.code, got.stderr)
	}
}

func TestExitCodes(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		code int
	}{
		"nothing":     {nil, terminal.ExitDone},
		"usage":       {fmt.Errorf("x: %w", terminal.Usage("y")), terminal.ExitUsage},
		"preview":     {errRefused, terminal.ExitRefused},
		"the first":   {&partialError{first: terminal.Usage("y"), total: 2, bad: 1}, terminal.ExitUsage},
		"meanwhile":   {errChanged, terminal.ExitChanged},
		"too slow":    {context.DeadlineExceeded, terminal.ExitUnavailable},
		"interrupted": {context.Canceled, terminal.ExitFailed},
		"other":       {errors.New("x"), terminal.ExitFailed},
	} {
		if got := ExitCode(tt.err); got != tt.code {
			t.Errorf("%s: %d, not %d", name, got, tt.code)
		}
	}
}

// Undoing leads to where the decision was made, as whoever made it.
func TestUndoLine(t *testing.T) {
	o := &Options{}
	o.kubeconfig, o.overrides.CurrentContext = "/home/my files/config", "prod"
	o.overrides.AuthInfo.Impersonate, o.overrides.AuthInfo.ImpersonateGroups = "rita@example.com", []string{"a'b"}
	got := maker{Options: o, about: aboutApprovals, namespace: "travel"}.line("approvals forget", "id", "undo approve")
	want := `kubectl memtrust approvals forget id -n travel --kubeconfig '/home/my files/config' --context prod --as rita@example.com --as-group 'a'\''b' --reason 'undo approve'`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every decision can be taken back by one that exists, or says that it cannot.
func TestVerbs(t *testing.T) {
	for _, list := range [][]verb{decisions, approvalVerbs} {
		names := map[string]bool{}
		for _, v := range list {
			names[v.name] = true
		}
		for _, v := range list {
			if v.undo != "" && !names[v.undo] || v.undo == v.name {
				t.Errorf("%s is undone by %q", v.name, v.undo)
			}
		}
	}
}

func TestRelation(t *testing.T) {
	at := func(name string, s memoryv1alpha1.MemoryStatus) memoryv1alpha1.Memory {
		return memoryv1alpha1.Memory{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: s}
	}
	to := view{meta: metav1.ObjectMeta{Name: "x"}, status: memoryv1alpha1.MemoryStatus{
		Parents: []string{"parent", "other"}, Supersedes: []string{"old"}, FoldedInto: "lead", Source: "web:a",
	}}
	for want, m := range map[string]memoryv1alpha1.Memory{
		"it was derived from":   at("parent", memoryv1alpha1.MemoryStatus{Source: "web:a"}),
		"derived from it":       at("y", memoryv1alpha1.MemoryStatus{Parents: []string{"x"}}),
		"it replaces":           at("old", memoryv1alpha1.MemoryStatus{}),
		"replaces it":           at("y", memoryv1alpha1.MemoryStatus{Supersedes: []string{"x"}}),
		"says nearly the same":  at("lead", memoryv1alpha1.MemoryStatus{}),
		"same source":           at("y", memoryv1alpha1.MemoryStatus{Source: "web:a"}),
		"derived from the same": at("y", memoryv1alpha1.MemoryStatus{Parents: []string{"other"}}),
	} {
		if got, rank := relation(to, m); got != want || rank == 0 {
			t.Errorf("%q, not %q", got, want)
		}
	}
	for _, m := range []memoryv1alpha1.Memory{at("x", to.status), at("y", memoryv1alpha1.MemoryStatus{Source: "web:b"}), at("z", memoryv1alpha1.MemoryStatus{})} {
		if got, _ := relation(to, m); got != "" {
			t.Errorf("%s: %q", m.Name, got)
		}
	}
}

func FuzzReviewLine(f *testing.F) {
	for _, s := range []string{"approve x", "", "\x1b[2J", "?", "A  b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		word, _, _ := strings.Cut(line, " ")
		c, err := commandNamed(word)
		if (err == nil) != (c.do != nil) {
			t.Fatalf("%q: %v", line, err)
		}
		if err == nil && (c.names[0] == "approve") != (strings.EqualFold(word, "approve") || strings.EqualFold(word, "a")) {
			t.Fatalf("%q approves", line)
		}
	})
}
