// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/store/sqlite"
)

// Who speaks to the gate in a benchmark. The zero Caller is the agent's own port; the others are channels that every world has
// instead of those of its policy, whose tokens nobody has here.
var (
	agent   = gate.Caller{}
	console = callerOf("bench-console", provenance.Manual, "alice")
	user    = callerOf("bench-chat", provenance.UserInput, "carol")
	system  = callerOf("bench-system", provenance.SystemMemory, "scheduler")
	crm     = callerOf("bench-crm", provenance.ToolOutput, "crm")
	erp     = callerOf("bench-erp", provenance.ToolOutput, "erp")
)

var channels = []gate.Caller{console, user, system, crm, erp}

func callerOf(name string, class provenance.Class, principal string) gate.Caller {
	return gate.Caller{Channel: policy.Channel{Name: name, Class: class, Principal: principal}}
}

// reviewer is the person who decides in a benchmark.
const reviewer = "alice"

// worldStart is when every world begins, so that runs are alike.
var worldStart = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// writesPerMinute takes the place of the policy's limit: the rate at which a benchmark writes says nothing about the policy.
const writesPerMinute = 1_000_000

// world is the real gate over a store of its own, with a key that nobody keeps and a clock that stands still.
type world struct {
	*gate.Gate
	store *sqlite.Store
	path  string
	raw   *sql.DB // as behind returns it
	now   time.Time
}

// setup says what a world runs on.
type setup struct {
	policy   *Policy
	screener Screener
	mode     v1alpha1.TrustMode
	off      bool // enforcement DryRun
	review   v1alpha1.ReviewMode
}

// open makes a world in a directory of its own below dir.
func (s setup) open(ctx context.Context, dir string) (w *world, err error) {
	state, err := s.state()
	if err != nil {
		return nil, err
	}
	if dir, err = os.MkdirTemp(dir, "world-"); err != nil {
		return nil, fmt.Errorf("a directory for the benchmark's memory: %w", err)
	}
	w = &world{path: filepath.Join(dir, "memory.db"), now: worldStart}
	if w.store, err = sqlite.Open(ctx, w.path, sqlite.Options{}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	w.Gate = gate.New(gate.Config{
		Store: w.store, Screener: s.screener, SpoolDir: dir,
		State: func() (*policy.State, bool) { return state, true },
		Now:   func() time.Time { return w.now },
	})
	return w, nil
}

// state is the policy with what the benchmark puts in its place, and a new key.
func (s setup) state() (*policy.State, error) {
	r := *s.policy.Runtime
	r.TrustMode = s.mode
	if s.off {
		r.Enforcement = v1alpha1.EnforcementDryRun
	}
	if s.review != "" {
		r.Review = s.review
	}
	r.Screening.Judge = nil // a benchmark sends nothing to anybody, and is the same whoever is asked
	r.WritesPerMinute, r.Channels = writesPerMinute, nil
	for _, c := range channels {
		r.Channels = append(r.Channels, c.Channel)
	}
	id, entry, err := provenance.NewKey()
	if err != nil {
		return nil, err
	}
	keyset, err := provenance.ParseKeyset(id, map[string][]byte{id: entry})
	if err != nil {
		return nil, err
	}
	return policy.NewState(&r, keyset, nil, nil, nil)
}

// close removes the world.
func (w *world) close() error {
	err := w.store.Close()
	if w.raw != nil {
		err = errors.Join(err, w.raw.Close())
	}
	return errors.Join(err, os.RemoveAll(filepath.Dir(w.path)))
}

// later lets so much time pass that what was delivered without a session does not count any more.
func (w *world) later() { w.now = w.now.Add(time.Hour) }

// behind changes the store behind the gate's back, as somebody with access to the volume could.
func (w *world) behind(ctx context.Context, query string, args ...any) error {
	if w.raw == nil {
		db, err := sql.Open("sqlite", w.path+"?_pragma=busy_timeout(10000)")
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		w.raw = db
	}
	_, err := w.raw.ExecContext(ctx, query, args...)
	return err
}

// refused reports whether an error is the gate's way of saying no, so that nothing was stored and nothing can be delivered.
func refused(err error) bool {
	var (
		large     *gate.TooLargeError
		forbidden *gate.ForbiddenError
		limit     *gate.LimitError
		field     *memory.FieldError
	)
	return errors.As(err, &large) || errors.As(err, &forbidden) || errors.As(err, &limit) || errors.As(err, &field)
}

// reach says whether and how a memory reached the agent.
type reach struct {
	delivered bool
	marked    bool // delivered as one that a person has yet to decide about
	reason    gate.Reason
}

// reached looks for a memory in an answer, which must hold it byte for byte.
func reached(out gate.Recalled, id, content string) reach {
	for _, m := range out.Memories {
		if m.ID == id && m.Content == content {
			return reach{delivered: true, marked: m.Boundary != memory.Safe}
		}
	}
	for _, h := range out.Withheld {
		if h.ID == id {
			return reach{reason: h.Reason}
		}
	}
	return reach{}
}

// origin says how a text is handed in: by whom, and under which claim. A trusted source hands in what is its own: through its
// channel in mode Signed, where a name proves nothing, and under its name otherwise. What only claims a source comes on the
// agent's port.
func (s setup) origin(source string, genuine bool) (gate.Caller, string) {
	claim, err := provenance.ReadClaim(source, s.policy.Trust(v1alpha1.TrustModePrefix).Formats)
	if !genuine || s.mode != v1alpha1.TrustModeSigned || err != nil || !claim.TrustedPrefix {
		return agent, source
	}
	for _, c := range []gate.Caller{console, user, system} {
		if c.Channel.Class == claim.Class {
			return c, source
		}
	}
	return agent, source
}

// plant writes a text into a namespace of its own and recalls it in a later session, by asking for what is there: a lookup that
// misses the text would pass for a defense.
func (w *world) plant(ctx context.Context, namespace string, c gate.Caller, text, source string) (reach, error) {
	c.Namespace = namespace
	w.now = w.now.Add(time.Second)
	out, err := w.Encode(ctx, c, gate.Write{Content: text, Source: source, Session: "writer"})
	if err != nil {
		if refused(err) {
			return reach{}, nil
		}
		return reach{}, err
	}
	return w.look(ctx, namespace, out.ID, text)
}

// look recalls a memory in a later session.
func (w *world) look(ctx context.Context, namespace, id, text string) (reach, error) {
	w.later()
	answer, err := w.Recall(ctx, gate.Caller{Namespace: namespace}, gate.Recall{Session: "reader"})
	if err != nil {
		return reach{}, err
	}
	return reached(answer, id, text), nil
}

// joinClose closes a world at the end of whatever used it.
func joinClose(err error, w *world) error { return errors.Join(err, w.close()) }
