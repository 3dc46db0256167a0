// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mcp_test runs the official TypeScript clients, and the reference memory server beside ours, against a real
// screener process.
package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "memorytrust.dev/operator/internal/server/mcp" // what is tested runs as a process; a change of it must run the test anew
)

// nodeEnv names the directory whose node_modules holds the packages of typescript/package-lock.json; hack/node.sh prints it.
const nodeEnv = "MEMORYTRUST_NODE"

const policy = `apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: mcp-test
spec:
  selector:
    matchLabels:
      memorytrust.dev/agent: test
  store:
    type: Ephemeral
`

func TestTypeScript(t *testing.T) {
	packages := os.Getenv(nodeEnv)
	if packages == "" {
		t.Skipf("%s is not set: run this with %s=\"$(hack/node.sh)\"", nodeEnv, nodeEnv)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("%s is set, and there is no node on PATH", nodeEnv)
	}
	scripts := scriptsBeside(t, packages)
	screener := build(t)
	url := serve(t, screener)
	for name, args := range map[string][]string{
		"newest client over HTTP":      {"newest.mjs", url},
		"2024-11-05 client over stdio": {"oldest.mjs", screener, url},
		"reference memory server":      {"differential.mjs", url},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, args...)
			cmd.Dir = scripts
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "ok ") {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", bytes.TrimSpace(out))
		})
	}
}

// scriptsBeside returns a directory with the scripts and the packages they import: node looks for packages beside a script.
func scriptsBeside(t *testing.T, packages string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(dir, "node_modules")))
	scripts, err := filepath.Glob("typescript/*.mjs")
	must(t, err)
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, filepath.Base(script)), text, 0o600))
	}
	return dir
}

func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "screener")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "memorytrust.dev/operator/cmd/screener").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// serve runs a screener until the test ends and returns the URL of its MCP endpoint.
func serve(t *testing.T, screener string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte(policy), 0o600))
	cmd := exec.CommandContext(t.Context(), screener, "--policy", "policy.yaml", "--data", "memory.db",
		"--agent-addr", "127.0.0.1:0", "--channel-addr", "", "--admin-addr", "", "--health-addr", "127.0.0.1:0")
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	address := make(chan string, 1)
	var said strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			said.Write(append(lines.Bytes(), '\n'))
			var line struct{ Msg, Port, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "Listening" && line.Port == "agent" {
				address <- line.Address
			}
		}
	}()
	// t.Context ends before this runs, so the process has been told to go.
	t.Cleanup(func() {
		<-read
		_ = cmd.Wait()
		if strings.Contains(said.String(), "panic") || strings.Contains(said.String(), "evil.example") {
			t.Errorf("the screener's log:\n%s", said.String())
		}
	})
	select {
	case a := <-address:
		return "http://" + a + "/mcp"
	case <-read:
		t.Fatalf("the screener ended:\n%s", said.String())
	case <-time.After(time.Minute):
		t.Fatal("the screener does not listen")
	}
	return ""
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
