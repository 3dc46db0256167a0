// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// nodeEnv names the directory whose node_modules holds the packages of test/mcp/typescript; hack/node.sh prints it.
const nodeEnv = "MEMORYTRUST_NODE"

// node is where the servers from npm and the scripts of the tests are.
type node struct {
	program string
	scripts string // with the scripts, and node_modules beside them
}

// newNode finds Node.js and the packages.
func newNode(t *testing.T) node {
	t.Helper()
	packages := os.Getenv(nodeEnv)
	if packages == "" {
		t.Skipf("%s is not set: run this with %s=\"$(hack/node.sh)\"", nodeEnv, nodeEnv)
	}
	program, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("%s is set, and there is no node on PATH", nodeEnv)
	}
	dir := t.TempDir()
	must(t, os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(dir, "node_modules")))
	for _, from := range []string{"typescript", "../mcp/typescript"} {
		scripts, err := filepath.Glob(filepath.Join(from, "*.mjs"))
		must(t, err)
		for _, script := range scripts {
			text, err := os.ReadFile(script)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, filepath.Base(script)), text, 0o600))
		}
	}
	return node{program, dir}
}

// packaged is the program of a server from npm.
func (n node) packaged(server string) string {
	return filepath.Join(n.scripts, "node_modules/@modelcontextprotocol", server, "dist/index.js")
}

// script runs one of the scripts, which says "ok" at its end.
func (n node) script(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, n.program, append([]string{name}, args...)...)
	cmd.Dir = n.scripts
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ok ") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", bytes.TrimSpace(out))
}

// startMemory runs the reference memory server over streamable HTTP, with a credential.
func (n node) startMemory(t *testing.T, file string) *peer {
	t.Helper()
	up := &peer{credential: "credential-of-the-reference", file: filepath.Join(t.TempDir(), "credential")}
	must(t, os.WriteFile(up.file, []byte(up.credential), 0o600))
	ready := make(chan string, 1)
	up.process = launch(t, []string{"CREDENTIAL=" + up.credential, "MEMORY_FILE_PATH=" + file}, first(ready),
		n.program, filepath.Join(n.scripts, "bridge.mjs"), n.packaged("server-memory"))
	up.url = "http://" + await(t, up.process, ready)
	return up
}

// startEverything runs the server of all features of the protocol over HTTP; it wants no credential.
func (n node) startEverything(t *testing.T, transport string) *peer {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := probe.Addr().String()
	must(t, probe.Close())
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	ready := make(chan string, 1)
	up := &peer{url: "http://" + address}
	up.process = launch(t, []string{"PORT=" + port}, func(line string) {
		if strings.Contains(line, "port "+port) {
			ready <- line
		}
	}, n.program, n.packaged("server-everything"), transport)
	await(t, up.process, ready)
	return up
}

// upstreamPolicy is a policy with one upstream, and whatever else belongs to it.
func upstreamPolicy(kind, url, more string) string {
	return fmt.Sprintf(`
apiVersion: memorytrust.dev/v1alpha1
kind: MemoryTrustPolicy
metadata:
  name: gateway
spec:
  selector: {}
  trust:
    mode: Signed
    channels:
    - name: chat
      class: UserInput
      principal: carol@example.com
      tokenSecretRef: {name: chat-token}
  limits:
    writesPerMinute: 100000
  store: {type: Ephemeral}
  actions:
    rules:
    - name: all
      tools: ["*"]
      authority: Inform
  upstreams:
  - name: peer
    kind: %s
    url: %s
%s`, kind, url, more)
}
