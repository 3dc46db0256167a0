// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/server/admin/cli"
)

// standalone is a running screener without a cluster, and what is typed beside it.
type standalone struct {
	*process
	dir, data string
}

func startStandalone(t *testing.T) *standalone {
	t.Helper()
	dir := t.TempDir()
	file, data := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "memory.db")
	must(t, os.WriteFile(file, []byte(policyYAML), 0o600))
	return &standalone{process: start(t, "--policy="+file, "--data="+data), dir: dir, data: data}
}

// enter runs an admin command and returns its output and exit code.
func (s *standalone) enter(args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	var out, errs bytes.Buffer
	err := run(s.t.Context(), append([]string{"admin", "--data=" + s.data, "--addr=" + s.address("admin"), "--as=alice"}, args...), strings.NewReader(""), &out, &errs)
	if err != nil {
		errs.WriteString(err.Error())
	}
	return out.String(), errs.String(), cli.ExitCode(err)
}

// done runs an admin command that has to succeed.
func (s *standalone) done(args ...string) string {
	s.t.Helper()
	stdout, stderr, code := s.enter(args...)
	if code != cli.ExitDone {
		s.t.Fatalf("%v ended with %d: %s%s", args, code, stdout, stderr)
	}
	return stdout + stderr
}

// write stores a memory as the agent and returns its id.
func (s *standalone) write(body string) string {
	s.t.Helper()
	status, answer := s.post("/v1/memories", body)
	var out gate.Written
	if err := json.Unmarshal([]byte(answer), &out); err != nil || status != 201 {
		s.t.Fatalf("%d %s", status, answer)
	}
	return out.ID
}

func TestAdminWalkThrough(t *testing.T) {
	s := startStandalone(t)
	id := s.write(plant)
	fact := s.write(`{"content":"The museum closes at 5.","source":"web:example.org","tags":["museum"]}`)

	if out := s.done("queue"); !strings.Contains(out, id) || !strings.Contains(out, fact) || !strings.Contains(out, "forward every invoice") {
		t.Errorf("queue:\n%s", out)
	}
	if out := s.done("queue", "-o", "name"); out != id+"\n"+fact+"\n" {
		t.Errorf("names of the queue: %q", out)
	}
	if out := s.done("list", "--zone", "Quarantine", "--since", "1h"); !strings.Contains(out, id) || strings.Contains(out, fact) || strings.Contains(out, "invoice") {
		t.Errorf("list:\n%s", out)
	}
	if out := s.done("show", id); !strings.Contains(out, "  | From now on, always") || !strings.Contains(out, "Quarantine") {
		t.Errorf("show:\n%s", out)
	}
	out := s.done("reject", id, "--reason", "redirects invoices")
	if !strings.Contains(out, "  | From now on") || !strings.Contains(out, "Reject "+id+": done") || !strings.Contains(out, "screener admin reopen "+id) {
		t.Errorf("reject:\n%s", out)
	}
	if out := s.done("log", id); !strings.Contains(out, "person/alice") || !strings.Contains(out, "redirects invoices") {
		t.Errorf("log:\n%s", out)
	}
	s.done("reopen", id, "--reason", "look again")
	s.done("approve", fact, "--reason", "true")
	s.done("quarantine", fact, "--reason", "is it?")
	s.done("promote", fact, "--reason", "it is")
	if out := s.done("xray", "museum"); !strings.Contains(out, fact) {
		t.Errorf("xray:\n%s", out)
	}
	if out := s.done("xray", "museum", "--markdown"); !strings.HasPrefix(out, "#") {
		t.Errorf("xray:\n%s", out)
	}
	s.post("/v1/recall", `{"query":"museum","session":"s-1"}`)
	if out := s.done("deliveries", "--session", "s-1"); !strings.Contains(out, fact) {
		t.Errorf("deliveries:\n%s", out)
	}
	if out := s.done("scan"); !strings.Contains(out, "Compared") {
		t.Errorf("scan:\n%s", out)
	}
	if out := s.done("contradictions"); !strings.Contains(out, "0 shown") {
		t.Errorf("contradictions:\n%s", out)
	}
	if out := s.done("status"); !strings.Contains(out, "To decide:") || !strings.Contains(out, "default/local") {
		t.Errorf("status:\n%s", out)
	}
	s.done("forget", fact, "--reason", "old")
	if out := s.done("purge", fact, "--reason", "the author asked", "--yes"); !strings.Contains(out, "cannot be undone") {
		t.Errorf("purge:\n%s", out)
	}
	if out := s.done("show", fact); strings.Contains(out, "museum closes") || !strings.Contains(out, "erased") {
		t.Errorf("after the purge:\n%s", out)
	}
}

func TestAdminExitCodes(t *testing.T) {
	s := startStandalone(t)
	fact := s.write(`{"content":"The museum closes at 5.","source":"web:example.org"}`)
	old := s.head(fact).Commit
	s.done("approve", fact, "--reason", "true")
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"unknown command":        {[]string{"aprove", fact}, cli.ExitUsage, "aprove"},
		"no command":             {nil, cli.ExitUsage, "--help"},
		"no reason":              {[]string{"reject", fact}, cli.ExitUsage, "--reason"},
		"no id":                  {[]string{"show"}, cli.ExitUsage, "id of a memory"},
		"unknown flag":           {[]string{"queue", "--zome=x"}, cli.ExitUsage, "zome"},
		"no such format":         {[]string{"queue", "-o", "xml"}, cli.ExitUsage, "--output"},
		"no such person":         {[]string{"queue", "--as", "two words"}, cli.ExitUsage, "--as"},
		"no such verdict":        {[]string{"resolve", fact, "keep", "--reason=x"}, cli.ExitUsage, "keep-a"},
		"merge of nothing":       {[]string{"resolve", fact, "merge", "--reason=x"}, cli.ExitUsage, "--content"},
		"purge without thought":  {[]string{"purge", fact, "--reason=x"}, cli.ExitUsage, "--yes"},
		"bad time":               {[]string{"list", "--since=yesterday"}, cli.ExitUsage, "24h"},
		"no such zone":           {[]string{"list", "--zone=Attic"}, cli.ExitFailed, "zone"},
		"no such memory":         {[]string{"show", "0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21"}, cli.ExitNotFound, "no memory"},
		"no such file":           {[]string{"import", filepath.Join(s.dir, "none")}, cli.ExitFailed, "none"},
		"not possible":           {[]string{"approve", fact, "--reason=x"}, cli.ExitRefused, "not possible"},
		"against the rules":      {[]string{"promote", fact, "--reason=x"}, cli.ExitRefused, "not met"},
		"rules, only tried":      {[]string{"promote", fact, "--reason=x", "--dry-run"}, cli.ExitRefused, "only tried"},
		"changed meanwhile":      {[]string{"quarantine", fact, "--reason=x", "--commit", old}, cli.ExitChanged, "another version"},
		"evidence twice":         {[]string{"promote", fact, "--reason=x", "--evidence-file=a", "--evidence-sha256=b"}, cli.ExitUsage, "--evidence"},
		"keys of somebody else":  {[]string{"queue", "--data=" + filepath.Join(s.dir, "other.db")}, cli.ExitFailed, "--data"},
		"nobody listens there":   {[]string{"queue", "--addr=127.0.0.1:1"}, cli.ExitUnavailable, "screener"},
		"another name than that": {[]string{"queue", "--server-name=elsewhere.internal"}, cli.ExitFailed, "certificate"},
	} {
		stdout, stderr, code := s.enter(tt.args...)
		if code != tt.code || !strings.Contains(stdout+stderr, tt.says) {
			t.Errorf("%s ended with %d, want %d with %q: %s%s", name, code, tt.code, tt.says, stdout, stderr)
		}
	}
	if now := s.head(fact); now.Zone != "Working" || now.State != "Approved" {
		t.Errorf("something was changed: %s, %s", now.Zone, now.State)
	}
}

// head returns a memory as JSON output gives it.
func (s *standalone) head(id string) (out gate.Inspected) {
	s.t.Helper()
	must(s.t, json.Unmarshal([]byte(s.done("show", id, "-o", "json")), &out))
	return out
}

func TestAdminPromotesWithEvidence(t *testing.T) {
	s := startStandalone(t)
	fact := s.write(`{"content":"The museum closes at 5.","source":"web:example.org"}`)
	letter := filepath.Join(s.dir, "letter.txt")
	must(t, os.WriteFile(letter, []byte("We close at five."), 0o600))
	stdout, _, code := s.enter("promote", fact, "--reason=checked", "--evidence-source=TICKET-7", "--evidence-file="+letter, "--dry-run")
	if code != cli.ExitRefused || !strings.Contains(stdout, "met      anchor") || !strings.Contains(stdout, "not met  corroboration") {
		t.Errorf("code %d:\n%s", code, stdout)
	}
}

func TestAdminTransfers(t *testing.T) {
	s := startStandalone(t)
	fact := s.write(`{"content":"The museum closes at 5."}`)
	file := filepath.Join(s.dir, "export.ndjson")
	s.done("export", file)
	info, err := os.Stat(file)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if _, _, code := s.enter("export", file); code != cli.ExitUsage {
		t.Errorf("overwriting ended with %d", code)
	}
	if out := s.done("export", "-"); !strings.Contains(out, fact) {
		t.Errorf("to standard output: %s", out)
	}
	if out := s.done("import", file); !strings.Contains(out, "left 1 alone") {
		t.Errorf("import: %s", out)
	}
	leftover, err := filepath.Glob(filepath.Join(s.dir, ".export-*"))
	if err != nil || len(leftover) != 0 {
		t.Errorf("left over: %v (%v)", leftover, err)
	}
}

// What a memory holds cannot act on the terminal of whoever reviews it.
func TestAdminOutputIsInert(t *testing.T) {
	s := startStandalone(t)
	content := "ok\u202eevil\u202c \x1b[2Jgone\rx\u200b\U000e0041\nForged:  line"
	body, err := json.Marshal(map[string]any{"content": content, "source": "web:example.org", "kind": "k\u202e"})
	must(t, err)
	id := s.write(string(body))
	for _, args := range [][]string{{"queue"}, {"show", id}, {"list"}, {"log", id}, {"xray", "ok evil"}, {"approve", id, "--reason=\x1b[1mx\u202e", "--dry-run"}} {
		stdout, stderr, _ := s.enter(args...)
		if strings.ContainsAny(stdout+stderr, "\x1b\r\u202e\u202c\u200b\U000e0041") {
			t.Errorf("%v prints %q", args, stdout+stderr)
		}
		for line := range strings.Lines(stdout) {
			if strings.HasPrefix(line, "Forged:") {
				t.Errorf("%v lets the memory forge a line:\n%s", args, stdout)
			}
		}
	}
	if got := s.head(id); got.Content != content {
		t.Errorf("JSON gives %q", got.Content)
	}
	if out := s.done("show", id, "-o", "yaml"); !strings.Contains(out, "id: "+id) {
		t.Errorf("YAML: %s", out)
	}
}

func TestAdminHelp(t *testing.T) {
	for _, c := range newCommand().Commands() {
		if c.Name() != "admin" {
			continue
		}
		for _, sub := range c.Commands() {
			var help bytes.Buffer
			err := run(t.Context(), []string{"admin", sub.Name(), "--help"}, nil, &help, io.Discard)
			if err != nil || !strings.Contains(help.String(), "screener admin "+sub.Name()) || !strings.Contains(help.String(), "Examples:") {
				t.Errorf("%s: %v\n%s", sub.Name(), err, help.String())
			}
		}
		return
	}
	t.Error("there is no admin command")
}

// The admin port of a screener alone takes its own client certificate and nothing else, and people's names.
func TestAdminPortAlone(t *testing.T) {
	s := startStandalone(t)
	response, err := (&http.Client{}).Get("https://" + s.address("admin") + admin.StatusPath)
	if err == nil {
		_ = response.Body.Close()
		t.Errorf("without a certificate it answered %s", response.Status)
	}
	other := startStandalone(t)
	stdout, stderr, code := other.enter("status", "--addr="+s.address("admin"))
	if code != cli.ExitFailed {
		t.Errorf("with another screener's certificate: %d %s%s", code, stdout, stderr)
	}
}

// The bridge speaks MCP on standard input and output.
func TestMCPBridge(t *testing.T) {
	s := startStandalone(t)
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(t.Context(), []string{"mcp", "--url=http://" + s.address("agent") + "/mcp"}, in, out, io.Discard)
	}()
	lines := bufio.NewScanner(answers)
	lines.Buffer(nil, 1<<20)
	say := func(message string) string {
		t.Helper()
		_, err := fmt.Fprintln(feed, message)
		must(t, err)
		if !strings.Contains(message, `"id"`) {
			return ""
		}
		if !lines.Scan() {
			t.Fatalf("no answer to %s: %v", message, lines.Err())
		}
		return lines.Text()
	}
	if answer := say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`); !strings.Contains(answer, `"serverInfo"`) {
		t.Errorf("initialize: %s", answer)
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if answer := say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); !strings.Contains(answer, `"remember"`) {
		t.Errorf("tools: %s", answer)
	}
	must(t, feed.Close())
	if err := <-ended; err != nil {
		t.Errorf("the bridge ended with %v", err)
	}
	if err := run(t.Context(), []string{"mcp", "--url=nowhere"}, strings.NewReader(""), io.Discard, io.Discard); cli.ExitCode(err) != cli.ExitUsage {
		t.Errorf("a bad address: %v", err)
	}
}
