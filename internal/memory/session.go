// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/provenance/canon"
)

// Labels of the messages that sessions and turns are signed as.
const (
	labelSession = "memsession/v1"
	labelTurn    = "memturn/v1"
)

// Bounds of a turn.
const (
	MaxTurnBytes   = 64 << 10 // of its content
	MaxTurnIDBytes = 128
)

// OpenedSession is a session that an authenticated channel of class UserInput opened. Only such a session starts clean: any
// other has delivered to it what was delivered to the agent in the last half hour.
type OpenedSession struct {
	Namespace string
	ID        string
	Writer    Writer // channel and principal that opened it
	OpenedAt  time.Time
	Tag       []byte // over Message
}

// Message is what the tag of an opened session covers, for the agent with this id.
func (s OpenedSession) Message(agentID string) []byte {
	return canon.New(labelSession).String(agentID).String(s.Namespace).String(s.ID).
		String(s.Writer.Channel).String(s.Writer.Principal).Time(s.OpenedAt).Message()
}

// Validate checks a session that is opened. It returns a *FieldError.
func (s OpenedSession) Validate() error {
	if s.Namespace == "" {
		return &FieldError{"namespace", "name the namespace"}
	}
	if s.ID == "" {
		return &FieldError{"session", "name the session"}
	}
	if err := checkText("session", s.ID, MaxSessionBytes); err != nil {
		return err
	}
	if !s.Writer.Authenticated() || s.OpenedAt.IsZero() || len(s.Tag) == 0 {
		return &FieldError{"session", "an authenticated channel opens it, at a time, and signs that"}
	}
	return nil
}

// Turn is what a user said in a session. The newest one of a session is its current turn.
type Turn struct {
	Namespace string
	Session   string
	ID        string // of the client, used once for each writer
	Writer    Writer // the zero Writer where harness code reported it on the agent's port
	Content   string // valid UTF-8; empty once its time is over
	At        time.Time
	Tag       []byte // over Message
}

// Message is what the tag of a turn covers, for the agent with this id.
func (t Turn) Message(agentID string) []byte {
	sum := sha256.Sum256([]byte(t.Content))
	return canon.New(labelTurn).String(agentID).String(t.Namespace).String(t.Session).String(t.ID).
		String(t.Writer.Channel).String(t.Writer.Principal).Time(t.At).Bytes(sum[:]).Message()
}

// Validate checks a turn. It returns a *FieldError.
func (t Turn) Validate() error {
	if t.Namespace == "" {
		return &FieldError{"namespace", "name the namespace"}
	}
	for _, f := range []struct {
		name, value string
		most        int
	}{{"session", t.Session, MaxSessionBytes}, {"id", t.ID, MaxTurnIDBytes}} {
		if f.value == "" {
			return &FieldError{f.name, "give one"}
		}
		if err := checkText(f.name, f.value, f.most); err != nil {
			return err
		}
	}
	switch {
	case strings.TrimSpace(t.Content) == "":
		return &FieldError{"content", "say something: a turn cannot be empty"}
	case len(t.Content) > MaxTurnBytes:
		return &FieldError{"content", fmt.Sprintf("shorten to at most %d bytes", MaxTurnBytes)}
	case !utf8.ValidString(t.Content):
		return &FieldError{"content", "send valid UTF-8"}
	case t.At.IsZero() || len(t.Tag) == 0:
		return &FieldError{"id", "a turn has a time, and is signed"}
	}
	return nil
}
