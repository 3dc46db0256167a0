// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/server/health"
	"memorytrust.dev/operator/internal/server/mcp"
	"memorytrust.dev/operator/internal/server/rest"
	"memorytrust.dev/operator/internal/server/upstream"
	"memorytrust.dev/operator/internal/store/postgres"
	"memorytrust.dev/operator/internal/store/sqlite"
	"memorytrust.dev/operator/internal/version"
)

// drainTimeout is how long requests may take to end once the process is told to.
const drainTimeout = 10 * time.Second

// switchTimeout is how long they may take to end when the memory has moved and the servers start again.
const switchTimeout = 2 * time.Second

// screener is the wired process.
type screener struct {
	options   options
	log       *slog.Logger
	store     memory.Store
	embedded  *sqlite.Store   // store, unless that is a database
	database  *postgres.Store // store, if it is one
	postgres  bool            // whether store is a database
	left      atomic.Bool     // whether the embedded store holds anything, as last looked at
	unsure    atomic.Bool     // whether an empty embedded store was opened without a policy that says where the memory is
	mover     *mover
	watcher   *policy.Watcher
	gate      *gate.Gate
	upstreams *upstream.Handler
	ports     []port
}

// port is one listening server.
type port struct {
	name     string
	listener net.Listener
	server   *http.Server
	tls      bool
}

// newScreener opens the store, reads the configuration and listens. Without a cluster a bad policy is an error; in one
// the screener waits for a good one.
func newScreener(ctx context.Context, o options, log *slog.Logger) (s *screener, err error) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics := gate.NewMetrics(registry)
	s = &screener{options: o, log: log, mover: newMover()}
	if s.watcher, err = watch(o, log, metrics); err != nil {
		return nil, err
	}
	if s.store, err = s.openStore(ctx); err != nil {
		return nil, err
	}
	registry.MustRegister(gate.NewStoreCollector(s.store, s.current))
	s.gate = gate.New(gate.Config{
		Store: s.store, State: s.current, Metrics: metrics, SpoolDir: filepath.Dir(o.data),
	})
	if err := s.listen(ctx, registry); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func watch(o options, log *slog.Logger, metrics *gate.Metrics) (*policy.Watcher, error) {
	if !o.standalone() {
		return policy.NewWatcher(o.configDir, policy.WatcherOptions{Log: log, Report: metrics.Reloaded}), nil
	}
	keys := o.keys()
	if err := keys.Init(); err != nil {
		return nil, err
	}
	w := policy.NewWatcher(filepath.Dir(o.policyFile), policy.WatcherOptions{
		Load: keys.Load, Log: log, Report: metrics.Reloaded,
		About: func(name string) bool { return name == filepath.Base(o.policyFile) },
	})
	if _, ok := w.Current(); !ok {
		return nil, errors.New(w.Rejected())
	}
	return w, nil
}

// listen opens all ports before any is served, so that a taken one ends the process before it promised anything.
func (s *screener) listen(ctx context.Context, registry *prometheus.Registry) error {
	commands, err := s.commands()
	if err != nil {
		return err
	}
	s.upstreams = upstream.NewHandler(s.gate, s.current, upstream.Options{
		Log: s.log, Commands: commands, Metrics: upstream.NewMetrics(registry),
	})
	agent, err := rest.NewAgentHandler(s.gate, s.log, rest.Beside{MCP: mcp.NewHandler(s.gate, s.log), Upstreams: s.upstreams})
	if err != nil {
		return err
	}
	channel, err := rest.NewChannelHandler(s.gate, s.log)
	if err != nil {
		return err
	}
	channels := rest.NewServer(channel, s.log)
	channels.TLSConfig = s.channelTLS()
	source := admin.Source{Store: s.store, State: s.current, Rejected: s.watcher.Rejected, Gate: s.gate, Upstreams: s.upstreamStatus, Stores: s}
	for _, p := range []struct {
		name, addr string
		server     *http.Server
		tls        bool
	}{
		{"health", s.options.healthAddr, rest.NewServer(health.NewHandler(s.gate.Ready, registry, s.log), s.log), false},
		{"agent", s.options.agentAddr, rest.NewServer(agent, s.log), false},
		{"channel", s.options.channelAddr, channels, true},
		{"admin", s.options.adminAddr, admin.NewServer(source, s.log), true},
	} {
		if p.addr == "" {
			continue
		}
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.addr)
		if err != nil {
			return fmt.Errorf("%s port: %w", p.name, err)
		}
		s.ports = append(s.ports, port{name: p.name, listener: l, server: p.server, tls: p.tls})
	}
	return nil
}

// upstreamStatus is what the admin port tells of upstreams.
func (s *screener) upstreamStatus() []admin.UpstreamStatus {
	var out []admin.UpstreamStatus
	for _, u := range s.upstreams.Status() {
		out = append(out, admin.UpstreamStatus(u))
	}
	return out
}

// commands are those of upstreams. A command for what the policy does not have is a mistake worth stopping for.
func (s *screener) commands() (map[string][]string, error) {
	commands, err := s.options.commands()
	if err != nil {
		return nil, err
	}
	for name := range commands {
		state, ok := s.watcher.Current()
		if ok {
			_, ok = state.Runtime.Upstream(name)
		}
		if !ok {
			return nil, fmt.Errorf("--upstream-command %s: the policy has no upstream of this name (spec.upstreams)", name)
		}
	}
	return commands, nil
}

func (s *screener) channelTLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS13,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			if state, ok := s.watcher.Current(); ok && state.Certificate != nil {
				return state.Certificate, nil
			}
			return nil, errors.New("no certificate loaded yet")
		},
	}
}

// serve runs all ports until ctx ends or one fails, then lets running requests end and closes the store.
func (s *screener) serve(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { s.watcher.Run(ctx); return nil })
	group.Go(func() error { return s.watchStore(ctx) })
	group.Go(func() error { s.mover.serve(ctx); return nil })
	group.Go(func() error { s.gate.Run(ctx, s.log); return nil })
	for _, p := range s.ports {
		s.log.Info("Listening", "port", p.name, "address", p.listener.Addr().String(), "version", version.Version)
		group.Go(p.serve)
	}
	group.Go(func() error {
		<-ctx.Done()
		return s.drain(context.WithoutCancel(ctx))
	})
	err := group.Wait()
	if errors.Is(err, errStoreMoved) {
		err = errStoreMoved // requests that did not end in time have to be made again, as at the end of the process
	}
	return errors.Join(err, s.close())
}

func (p port) serve() error {
	var err error
	if p.tls {
		err = p.server.ServeTLS(p.listener, "", "")
	} else {
		err = p.server.Serve(p.listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("%s port: %w", p.name, err)
}

// drain lets running requests end. Before the memory is opened elsewhere it does so for a moment only, since nobody is served meanwhile.
func (s *screener) drain(ctx context.Context) error {
	limit := drainTimeout
	select {
	case <-s.mover.moved:
		limit = switchTimeout
	default:
	}
	s.log.Info("Draining")
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// Sessions with upstreams end first: the streams of their notifications never end by themselves.
	s.upstreams.Close()
	var group errgroup.Group
	for _, p := range s.ports {
		group.Go(func() error { return p.server.Shutdown(ctx) })
	}
	return group.Wait()
}

// close closes what newScreener opened; listeners are closed twice when they were served, which does no harm.
func (s *screener) close() error {
	for _, p := range s.ports {
		_ = p.listener.Close()
		_ = p.server.Close() // what did not end in time
	}
	if s.upstreams != nil {
		s.upstreams.Close()
	}
	return s.store.Close()
}

// where is the memory, in words.
func (s *screener) where() string {
	if s.postgres {
		return "the database"
	}
	return s.options.data
}

// greet tells whoever started the screener by hand what it does and how to talk to it.
func (s *screener) greet(out io.Writer) {
	state, _ := s.watcher.Current()
	r := state.Runtime
	fmt.Fprintf(out, "Memory in %s is protected by policy %s: %s, trust %s, review %s.\n",
		s.where(), r.PolicyName, r.Enforcement, r.TrustMode, r.Review)
	for _, p := range s.ports {
		switch p.name {
		case "agent":
			fmt.Fprintf(out, "Agents talk to http://%s, for example:\n  curl -s http://%[1]s/v1/recall "+
				"-H 'Content-Type: application/json' -d '{\"query\": \"units\"}'\n"+
				"MCP clients use http://%[1]s%[2]s, or start 'screener mcp'.\n", p.listener.Addr(), rest.MCPPath)
			for _, u := range r.Upstreams {
				fmt.Fprintf(out, "The %s upstream %s is at http://%s%s\n", u.Kind, u.Name, p.listener.Addr(), policy.UpstreamPath(u.Name))
			}
		case "admin":
			fmt.Fprintf(out, "People review at %s: screener admin --data %s --addr %[1]s queue\n", p.listener.Addr(), s.options.data)
		case "channel":
			if len(r.Channels) > 0 {
				fmt.Fprintf(out, "Channels talk to https://%s with a bearer token; its certificate is %s\n",
					p.listener.Addr(), s.options.keys().CertificatePath())
			}
		}
	}
}
