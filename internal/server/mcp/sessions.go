// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"sync"
	"time"
)

// sessions knows the open sessions, so that there are never more than max and none changes whom it is for.
type sessions struct {
	mu   sync.Mutex
	max  int
	open map[string]*openSession
}

type openSession struct {
	namespace string
	session   string // memory session that the URL named; may be empty
	used      time.Time
	close     func()
}

func newSessions(most int) *sessions { return &sessions{max: most, open: map[string]*openSession{}} }

// add registers a session and closes those unused for longest if there are too many.
func (s *sessions) add(id string, talk conversation, closeSession func()) {
	s.mu.Lock()
	s.open[id] = &openSession{namespace: talk.caller.Namespace, session: talk.session, used: time.Now(), close: closeSession}
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

// touch notes that a session is used, and returns what is wrong with the URL of the request, or "". It names the namespace the
// session was opened in; the memory session it may leave out, and not change. A session that is not known passes, the transport
// refuses it.
func (s *sessions) touch(id string, talk conversation) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.open[id]
	switch {
	case !ok:
		return ""
	case o.namespace != talk.caller.Namespace:
		return "namespace: a session stays in the namespace it was opened in; open a session of its own for another"
	case talk.session != "" && o.session != talk.session:
		return "session: a session of the protocol stays in the memory session it was opened for; open one of its own for another"
	}
	o.used = time.Now()
	return ""
}

func (s *sessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}
