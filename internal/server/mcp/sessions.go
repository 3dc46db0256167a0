// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"sync"
	"time"
)

// sessions knows the open sessions, so that there are never more than max and none changes its namespace.
type sessions struct {
	mu   sync.Mutex
	max  int
	open map[string]*openSession
}

type openSession struct {
	namespace string
	used      time.Time
	close     func()
}

func newSessions(most int) *sessions { return &sessions{max: most, open: map[string]*openSession{}} }

// add registers a session and closes those unused for longest if there are too many.
func (s *sessions) add(id, namespace string, closeSession func()) {
	s.mu.Lock()
	s.open[id] = &openSession{namespace: namespace, used: time.Now(), close: closeSession}
	var evicted []func()
	for len(s.open) > s.max {
		oldest := ""
		for other, o := range s.open {
			if other != id && (oldest == "" || o.used.Before(s.open[oldest].used)) {
				oldest = other
			}
		}
		if oldest == "" {
			break
		}
		evicted = append(evicted, s.open[oldest].close)
		delete(s.open, oldest)
	}
	s.mu.Unlock()
	for _, c := range evicted {
		c()
	}
}

// touch notes that a session is used. It reports whether namespace is the session's; a session that is not known passes,
// the transport refuses it.
func (s *sessions) touch(id, namespace string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.open[id]
	if !ok {
		return true
	}
	if o.namespace != namespace {
		return false
	}
	o.used = time.Now()
	return true
}

func (s *sessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}
