// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// together keeps what is asked about the session of texts that are written at once, so that it is looked up once for all of them.
// nil keeps nothing. It is for one goroutine.
type together struct {
	turn struct {
		known, ok bool
		memory.Turn
	}
	session struct {
		known bool
		sessionStanding
	}
	shown struct {
		known  bool
		ids    []string
		lowest provenance.Class
	}
}

// turned returns the turn of the session, as look finds it.
func (t *together) turned(look func() (memory.Turn, bool, error)) (memory.Turn, bool, error) {
	if t != nil && t.turn.known {
		return t.turn.Turn, t.turn.ok, nil
	}
	turn, ok, err := look()
	if err == nil && t != nil {
		t.turn.known, t.turn.ok, t.turn.Turn = true, ok, turn
	}
	return turn, ok, err
}

// standing returns how the session stands, as look finds it.
func (t *together) standing(look func() (sessionStanding, error)) (sessionStanding, error) {
	if t != nil && t.session.known {
		return t.session.sessionStanding, nil
	}
	standing, err := look()
	if err == nil && t != nil {
		t.session.known, t.session.sessionStanding = true, standing
	}
	return standing, err
}

// showing returns the memories that set the mark of the session, and the lowest of their classes, as look finds them.
func (t *together) showing(look func() ([]string, provenance.Class, error)) ([]string, provenance.Class, error) {
	if t != nil && t.shown.known {
		return t.shown.ids, t.shown.lowest, nil
	}
	ids, lowest, err := look()
	if err == nil && t != nil {
		t.shown.known, t.shown.ids, t.shown.lowest = true, ids, lowest
	}
	return ids, lowest, err
}
