// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package pgtest starts throwaway PostgreSQL servers for tests: real ones, with fsync on, that can be killed, stopped and
// started again. They listen on a Unix socket in a directory of their own and trust whoever reaches it.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// BinEnv names the directory with initdb and postgres; hack/postgres.sh prints one.
const BinEnv = "MEMORYTRUST_POSTGRES"

// startWait bounds how long a server may take to start, recovery included.
const startWait = time.Minute

// nobody is who servers run as when the tests run as root, which PostgreSQL refuses.
const nobody = 65534

// Server is a PostgreSQL server with one database for the tests.
type Server struct {
	dir     string // with the data, the socket and the log
	bin     string
	process *exec.Cmd
	ended   chan struct{}
}

// New makes a server and starts it. Whoever calls it calls Remove in the end.
func New() (*Server, error) {
	bin := os.Getenv(BinEnv)
	if bin == "" {
		return nil, fmt.Errorf("set %s to the directory of PostgreSQL's server programs: export %s=$(hack/postgres.sh)", BinEnv, BinEnv)
	}
	dir, err := os.MkdirTemp("", "mtpg-") // a path of a socket is at most 107 bytes long
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin}
	if err := errors.Join(s.prepare(), s.initialize(), s.Start()); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// prepare makes the directory one that the server's user can use, and copies the programs where that user cannot reach them.
func (s *Server) prepare() error {
	if os.Geteuid() != 0 {
		return nil
	}
	if err := os.Chown(s.dir, nobody, nobody); err != nil {
		return err
	}
	for dir := s.bin; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o005 != 0o005 {
			break
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
	programs := filepath.Join(s.dir, "programs")
	if err := os.CopyFS(programs, os.DirFS(filepath.Dir(s.bin))); err != nil {
		return err
	}
	s.bin = filepath.Join(programs, filepath.Base(s.bin))
	return nil
}

func (s *Server) initialize() error {
	out, err := s.command("initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8",
		"--pgdata="+s.data()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command runs a program of PostgreSQL in a process group of its own, as another user if need be.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, program), args...) // #nosec G204 -- the directory is the developer's
	c.Dir = s.dir
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return c
}

// errEnded says that a server ended by itself.
var errEnded = errors.New("the server ended")

// Start starts the server again after it ended, and waits until it takes connections. Processes of a server that was killed can
// outlive it for a moment, in which another one refuses to start.
func (s *Server) Start() error {
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		err := s.start()
		if !errors.Is(err, errEnded) || time.Since(begin) > startWait {
			return err
		}
	}
}

func (s *Server) start() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	c := s.command("postgres", "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=on", "-c", "synchronous_commit=on",
		"-c", "jit=off", "-c", "max_connections=300", "-c", "shared_buffers=128MB", "-c", "max_wal_size=2GB")
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr.Pdeathsig = syscall.SIGQUIT // tests that are cut off leave no server behind
	started, ended := make(chan error), make(chan struct{})
	go func() {
		// The signal comes when the thread ends that started the process.
		runtime.LockOSThread()
		err := c.Start()
		started <- err
		if err == nil {
			_ = c.Wait()
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	s.process, s.ended = c, ended
	return s.wait()
}

// wait waits until the server takes connections.
func (s *Server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), startWait)
	defer cancel()
	for {
		conn, err := s.Connect(ctx)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("%w: %s", errEnded, s.Log())
		case <-ctx.Done():
			return fmt.Errorf("the server does not take connections: %w: %s", err, s.Log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Log is what the server logged.
func (s *Server) Log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Connect opens a connection of the superuser.
func (s *Server) Connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, s.URL("postgres"))
}

// URL is the connection string of a role.
func (s *Server) URL(role string) string {
	return (&url.URL{
		Scheme: "postgres", Path: "/postgres", RawQuery: url.Values{"host": {s.dir}, "user": {role}}.Encode(),
	}).String()
}

// Socket is the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.dir, ".s.PGSQL.5432") }

// Kill ends the server and all of its processes at once, as a machine that loses power does.
func (s *Server) Kill() error {
	err := s.signal(syscall.SIGKILL)
	<-s.ended
	return err
}

// Restart ends the server as an operator does who does not wait for its clients, and starts it again.
func (s *Server) Restart() error {
	if err := s.process.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	<-s.ended
	return s.Start()
}

// Pause stops all of the server's processes where they are, and Resume lets them go on.
func (s *Server) Pause() error { return s.signal(syscall.SIGSTOP) }

// Resume undoes Pause.
func (s *Server) Resume() error { return s.signal(syscall.SIGCONT) }

// signal sends a signal to the server and to its processes, each of which has a process group of its own. The server comes
// first, stopped, so that it starts no others meanwhile.
func (s *Server) signal(signal syscall.Signal) error {
	pid := s.process.Process.Pid
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	children, err := childrenOf(pid)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := syscall.Kill(child, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return syscall.Kill(pid, signal)
}

func childrenOf(pid int) ([]int, error) {
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil, err
	}
	var out []int
	for field := range strings.FieldsSeq(string(list)) {
		child, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		out = append(out, child)
	}
	return out, nil
}

// Remove ends the server and removes all it wrote.
func (s *Server) Remove() error {
	if s.process != nil {
		select {
		case <-s.ended:
		default:
			_ = s.process.Process.Signal(syscall.SIGQUIT) // at once; there is nothing to keep
			_ = s.Resume()
			<-s.ended
		}
	}
	return os.RemoveAll(s.dir)
}
