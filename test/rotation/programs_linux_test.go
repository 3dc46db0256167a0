// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "memorytrust.dev/operator/internal/controller" // what is tested runs as processes; a change of it must run the test anew
	_ "memorytrust.dev/operator/internal/server/admin"
	_ "memorytrust.dev/operator/internal/server/health"
	_ "memorytrust.dev/operator/internal/server/mcp"
	_ "memorytrust.dev/operator/internal/server/rest"
	_ "memorytrust.dev/operator/internal/store/sqlite"
	_ "memorytrust.dev/operator/webhook"
)

// buildPrograms builds manager and screener into a directory.
func buildPrograms(ctx context.Context, dir string) error {
	out, err := exec.CommandContext(ctx, "go", "build", "-o", dir,
		"memorytrust.dev/operator/cmd/manager", "memorytrust.dev/operator/cmd/screener").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// program is a running process.
type program struct {
	cmd   *exec.Cmd
	log   string        // path of what it said
	ended chan struct{} // closed when it has
}

// start runs a program with its output going to a new file of dir. It does not outlive the test.
func start(dir, binary string, env []string, args ...string) (*program, error) {
	out, err := os.CreateTemp(dir, filepath.Base(binary)+"-*.log")
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	p := &program{cmd: exec.Command(binary, args...), log: out.Name(), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // a test that times out cleans nothing up
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
	}()
	return p, nil
}

func (p *program) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// end sends a signal and waits until the process is gone.
func (p *program) end(s syscall.Signal) {
	p.signal(s)
	<-p.ended
}

// used returns the processor time of a running process.
func (p *program) used() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ") // after the name; proc_pid_stat(5)
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// complaints returns the lines of the log that a healthy program does not write.
func (p *program) complaints(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(p.log)
	must(t, err)
	var out []string
	for line := range bytes.Lines(data) {
		s := strings.TrimSpace(string(line))
		if strings.Contains(s, `"level":"ERROR"`) || strings.Contains(s, `"level":"WARN"`) || strings.HasPrefix(s, "panic:") {
			out = append(out, s)
		}
	}
	return out
}

// freePort returns a port that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	return port
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
