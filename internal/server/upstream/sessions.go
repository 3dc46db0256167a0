// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"sync"
	"time"
)

// sessions knows the agent's open sessions, so that there are never more than max and none changes whom it is for.
type sessions struct {
	mu   sync.Mutex
	max  int
	open map[string]*agentSession
}

// agentSession is one of them.
type agentSession struct {
	link  *link
	used  time.Time
	close func()
}

func newSessions(most int) *sessions { return &sessions{max: most, open: map[string]*agentSession{}} }

// add registers a session and closes those unused for longest if there are too many.
func (s *sessions) add(id string, l *link, closeSession func()) {
	s.mu.Lock()
	s.open[id] = &agentSession{link: l, used: time.Now(), close: closeSession}
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

// touch notes that a session is used, and returns what is wrong with the URL of the request, or "". It names the upstream and the
// namespace the session was opened for; the memory session it may leave out, and not change. A session that is not known passes,
// the transport refuses it.
func (s *sessions) touch(id, upstream string, talk conversation) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.open[id]
	if !ok {
		return ""
	}
	switch opened := o.link.talk; {
	case o.link.up.Name != upstream:
		return "a session stays with the upstream it was opened for; open a session of its own for another"
	case opened.caller.Namespace != talk.caller.Namespace:
		return "namespace: a session stays in the namespace it was opened in; open a session of its own for another"
	case talk.session != "" && opened.session != talk.session:
		return "session: a session of the protocol stays in the memory session it was opened for; open one of its own for another"
	}
	o.used = time.Now()
	return ""
}

// link returns the link of a session; nil for one that is not known.
func (s *sessions) link(id string) *link {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.open[id]; ok {
		return o.link
	}
	return nil
}

func (s *sessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

// take removes the sessions of links that are stale, and returns how to close them.
func (s *sessions) take(stale func(*link) bool) (closers []func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, o := range s.open {
		if stale(o.link) {
			closers = append(closers, o.close)
			delete(s.open, id)
		}
	}
	return closers
}

// count is how many sessions are open.
func (s *sessions) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// shared knows the links of agents that speak the protocol without sessions: one for each memory session, kept while it is used.
type shared struct {
	mu    sync.Mutex
	max   int
	links map[sharedKey]*sharedLink
}

type sharedKey struct{ upstream, namespace, session string }

type sharedLink struct {
	link *link
	uses int
	used time.Time
}

func newShared(most int) *shared { return &shared{max: most, links: map[sharedKey]*sharedLink{}} }

// use returns the link of a memory session, made anew when there is none or the one there is stale, until done is called.
func (s *shared) use(key sharedKey, stale func(*link) bool, open func() *link) (l *link, done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entry := s.links[key]
	if entry != nil && stale(entry.link) {
		entry.link.close()
		entry = nil
	}
	if entry == nil {
		s.makeRoom()
		entry = &sharedLink{link: open()}
		s.links[key] = entry
	}
	entry.uses++
	entry.used = time.Now()
	return entry.link, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		entry.uses--
		entry.used = time.Now()
	}
}

// makeRoom closes the link unused for longest if there are as many as there may be.
func (s *shared) makeRoom() {
	if len(s.links) < s.max {
		return
	}
	var oldest sharedKey
	var found *sharedLink
	for key, e := range s.links {
		if e.uses == 0 && (found == nil || e.used.Before(found.used)) {
			oldest, found = key, e
		}
	}
	if found != nil {
		found.link.close()
		delete(s.links, oldest)
	}
}

// sweep closes links that are stale, and those nobody used for long.
func (s *shared) sweep(stale func(*link) bool, idle time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, e := range s.links {
		if stale(e.link) || e.uses == 0 && time.Since(e.used) > idle {
			e.link.close()
			delete(s.links, key)
		}
	}
}
