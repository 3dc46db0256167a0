// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"bufio"
	"context"
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

	_ "memorytrust.dev/operator/internal/server/upstream" // what is tested runs as a process; a change of it must run the test anew
)

// The programs under test and around it, built once.
var programs struct{ screener, agent string }

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gateway-")
	if err != nil {
		panic(err)
	}
	programs.screener, programs.agent = filepath.Join(dir, "screener"), filepath.Join(dir, "test-agent")
	for program, path := range map[string]string{programs.screener: "cmd/screener", programs.agent: "test/agent"} {
		if out, err := exec.Command("go", "build", "-o", program, "memorytrust.dev/operator/"+path).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			os.Exit(1)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running program and what it said.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it said its last

	mu   sync.Mutex
	said strings.Builder
}

// launch runs a program until the test ends. Every line of its output goes to look.
func launch(t *testing.T, env []string, look func(line string), name string, args ...string) *process {
	t.Helper()
	// Not t.Context: it ends before what the test cleans up by talking to the process.
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{cmd: exec.CommandContext(ctx, name, args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Dir = t.TempDir()
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	p.cmd.WaitDelay = 15 * time.Second
	reader, writer := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = writer, writer
	must(t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		_ = writer.Close()
	}()
	go func() {
		defer close(p.done)
		lines := bufio.NewScanner(reader)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			p.mu.Lock()
			p.said.WriteString(lines.Text() + "\n")
			p.mu.Unlock()
			look(lines.Text())
		}
		_, _ = io.Copy(io.Discard, reader) // whatever it says, it is not held up
	}()
	t.Cleanup(func() {
		cancel()
		<-p.done
	})
	return p
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// await waits for what a process says when it is ready.
func await[T any](t *testing.T, p *process, ready <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-ready:
	case <-p.done:
		t.Fatalf("%s ended:\n%s", filepath.Base(p.cmd.Path), p.output())
	case <-time.After(time.Minute):
		t.Fatalf("%s is not ready:\n%s", filepath.Base(p.cmd.Path), p.output())
	}
	return value
}

// peer is an MCP server that wants a credential.
type peer struct {
	*process
	url        string // without a path
	credential string
	file       string // that holds the credential
}

// startPeer runs an MCP server of the sample agent.
func startPeer(t *testing.T, mode string) *peer {
	t.Helper()
	up := &peer{credential: "credential-of-" + mode, file: filepath.Join(t.TempDir(), "credential")}
	must(t, os.WriteFile(up.file, []byte(up.credential+"\n"), 0o600))
	ready := make(chan string, 1)
	up.process = launch(t, []string{"CREDENTIAL=" + up.credential}, first(ready), programs.agent, mode, "--listen", "127.0.0.1:0")
	up.url = "http://" + await(t, up.process, ready)
	return up
}

// first hands the first line on.
func first(ready chan<- string) func(string) {
	var once sync.Once
	return func(line string) { once.Do(func() { ready <- line }) }
}

// screener is a running screener.
type screener struct {
	*process
	agent, channel, admin string // addresses
	data                  string
}

// chatToken is the token of the channel of users.
const chatToken = "token-of-the-chat-frontend"

// startScreener runs a screener under a policy, with whatever else is on its command line.
func startScreener(t *testing.T, policy string, args ...string) *screener {
	t.Helper()
	return startScreenerIn(t, t.TempDir(), policy, args...)
}

// startScreenerIn does so with what another one left in a directory.
func startScreenerIn(t *testing.T, dir, policy string, args ...string) *screener {
	t.Helper()
	file, token := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "chat-token")
	must(t, os.WriteFile(file, []byte(policy), 0o600))
	must(t, os.WriteFile(token, []byte(chatToken), 0o600))
	s := &screener{data: filepath.Join(dir, "memory.db")}
	args = append([]string{
		"--policy", file, "--data", s.data, "--channel-token", "chat=" + token, "--agent-addr", "127.0.0.1:0", "--channel-addr", "127.0.0.1:0",
		"--admin-addr", "127.0.0.1:0", "--health-addr", "127.0.0.1:0",
	}, args...)
	ready := make(chan map[string]string, 1)
	addresses := map[string]string{}
	s.process = launch(t, nil, func(line string) {
		var said struct{ Msg, Port, Address string }
		if json.Unmarshal([]byte(line), &said) != nil || said.Msg != "Listening" {
			return
		}
		if addresses[said.Port] = said.Address; len(addresses) == 4 {
			ready <- addresses
		}
	}, programs.screener, args...)
	at := await(t, s.process, ready)
	s.agent, s.channel, s.admin = at["agent"], at["channel"], at["admin"]
	t.Cleanup(func() {
		if said := s.output(); strings.Contains(said, "panic") || strings.Contains(said, "credential-of-") {
			t.Errorf("the screener's log:\n%s", said)
		}
	})
	return s
}

// upstream is the URL of an upstream at the screener.
func (s *screener) upstream(name string) string {
	return "http://" + s.agent + "/upstreams/" + name + "/mcp"
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
