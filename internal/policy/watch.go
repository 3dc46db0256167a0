// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// defaultPoll is how often files are read without any event: file events are lost on some volumes, and inotify
	// instances run out on busy nodes.
	defaultPoll = 5 * time.Second
	// settle is how long events must be quiet before files are read; a swap makes several.
	settle = 20 * time.Millisecond
)

// Watcher keeps the newest good State of a screener. A bad update leaves the last good one in force.
type Watcher struct {
	dir    string
	load   func() (*State, error)
	log    *slog.Logger
	poll   time.Duration
	report func(error)
	about  func(string) bool

	reloading sync.Mutex
	current   atomic.Pointer[State]
	rejected  atomic.Pointer[string]
}

// WatcherOptions adjusts a Watcher; the zero value is good.
type WatcherOptions struct {
	// Load reads a state; LoadDir of the directory when nil.
	Load func() (*State, error)
	// Log receives transitions; slog.Default() when nil.
	Log *slog.Logger
	// Poll is how often files are read without any event; 5 seconds when zero.
	Poll time.Duration
	// Report is called after every swap (nil) and every newly rejected update (the reason).
	Report func(error)
	// About says which file names in the directory matter; those of a configuration directory when nil.
	About func(name string) bool
}

// NewWatcher returns a watcher of a configuration directory and reads it once, so that Current answers at once if the
// files are good.
func NewWatcher(dir string, o WatcherOptions) *Watcher {
	w := &Watcher{dir: dir, load: o.Load, log: o.Log, poll: o.Poll, report: o.Report, about: o.About}
	if w.load == nil {
		w.load = func() (*State, error) { return LoadDir(dir) }
	}
	if w.log == nil {
		w.log = slog.Default()
	}
	if w.poll <= 0 {
		w.poll = defaultPoll
	}
	if w.report == nil {
		w.report = func(error) {}
	}
	if w.about == nil {
		w.about = func(name string) bool { return name == dataLink || known(name) }
	}
	w.Reload()
	return w
}

// Current returns the state in force; ok is false as long as no good one was ever read.
func (w *Watcher) Current() (s *State, ok bool) {
	s = w.current.Load()
	return s, s != nil
}

// Rejected returns why the newest files were not taken, or "" if they are in force.
func (w *Watcher) Rejected() string {
	if reason := w.rejected.Load(); reason != nil {
		return *reason
	}
	return ""
}

// Reload reads the files now and swaps the state if they are good and differ.
func (w *Watcher) Reload() {
	w.reloading.Lock()
	defer w.reloading.Unlock()
	s, err := w.load()
	if err != nil {
		reason := err.Error()
		if w.Rejected() == reason {
			return
		}
		w.rejected.Store(&reason)
		w.log.Warn("Policy rejected", "reason", reason, "lastGoodInForce", w.current.Load() != nil)
		w.report(err)
		return
	}
	before := w.current.Load()
	if w.rejected.Swap(nil) == nil && before != nil && before.fingerprint == s.fingerprint {
		return
	}
	w.current.Store(s)
	w.log.Info("Policy loaded", "revision", s.Runtime.Revision, "policy", s.Runtime.PolicyName,
		"primaryKeyID", s.Keyset.PrimaryID())
	w.report(nil)
}

// Run reloads on file events and at every poll, until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	var events chan fsnotify.Event
	var faults chan error
	if watcher, err := w.events(); err != nil {
		w.log.Warn("File events are not available, polling only", "interval", w.poll.String(), "error", err.Error())
	} else {
		defer func() { _ = watcher.Close() }()
		events, faults = watcher.Events, watcher.Errors
	}
	w.Reload() // what changed before the events were on
	tick := time.NewTicker(w.poll)
	defer tick.Stop()
	quiet := time.NewTimer(w.poll)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if w.about(filepath.Base(e.Name)) {
				quiet.Reset(settle)
			}
		case err := <-faults: // events were lost
			w.log.Debug("File events lost", "error", err)
			quiet.Reset(settle)
		case <-quiet.C:
			w.Reload()
		case <-tick.C:
			w.Reload()
		}
	}
}

// events starts file events of the directory. The directory and not its files: they are replaced, not rewritten.
func (w *Watcher) events() (*fsnotify.Watcher, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := watcher.Add(w.dir); err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	return watcher, nil
}
