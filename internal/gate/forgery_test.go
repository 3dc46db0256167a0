// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/audit"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// A forgery is what someone does to the file who can write to it and has no key: it returns what came of it, which must be
// nothing. Families are grouped by what they forge; each is tried in a store of its own.
type forgery func(f *fixture) (tried int, gained []string)

// TestForgeries does to the file what whoever can write to it can do, and looks whether any way in believes it.
func TestForgeries(t *testing.T) {
	families := map[string]forgery{}
	for _, group := range []map[string]forgery{rowForgeries, tagForgeries, replayForgeries, originForgeries, exportForgeries, approvalForgeries} {
		for name, f := range group {
			if families[name] != nil {
				t.Fatalf("two families are called %q", name)
			}
			families[name] = f
		}
	}
	var tried, accepted atomic.Int64
	t.Run("families", func(t *testing.T) { // ends when all of them have
		for _, name := range slices.Sorted(maps.Keys(families)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				n, gained := families[name](newFixture(t, users))
				if n == 0 {
					t.Fatal("nothing was tried")
				}
				tried.Add(int64(n))
				accepted.Add(int64(len(gained)))
				for _, g := range gained {
					t.Errorf("accepted: %s", g)
				}
			})
		}
	})
	t.Logf("forgeries tried %d in %d families, accepted %d", tried.Load(), len(families), accepted.Load())
	if len(families) < 24 {
		t.Errorf("only %d families", len(families))
	}
}

// doors tries every way in that could believe a memory that was forged, and returns those that do. None may deliver it, take a
// decision that builds on it, derive from it, or carry it into another store as more than nobody's.
func (f *fixture) doors(id, content string) (gained []string) {
	f.t.Helper()
	in := func(door string, open bool) {
		if open {
			gained = append(gained, door+" believes "+id)
		}
	}
	has := func(list []Delivered) bool {
		return slices.ContainsFunc(list, func(d Delivered) bool { return d.ID == id || d.Content == content })
	}
	for _, query := range []string{"", content} {
		in("recall", has(f.recall(Recall{Query: query, Limit: 50}).Memories))
	}
	listed, err := f.List(f.ctx(), agent, Listing{Limit: MaxPage})
	must(f.t, err)
	in("list", has(listed.Memories))
	for _, reading := range []Reading{{}, {At: f.now}, {Commit: commitOf(f.rowOf(id))}} {
		_, err = f.Get(f.ctx(), agent, id, reading)
		in("get", err == nil)
	}
	for _, action := range []memory.Action{memory.ActionApprove, memory.ActionPromote, memory.ActionAttest, memory.ActionReopen} {
		_, err := f.Decide(f.ctx(), reviewer, id, Decision{Action: action, Commit: commitOf(f.rowOf(id)), Reason: "looks fine", Zone: memory.Trusted})
		in(string(action), err == nil)
	}
	_, err = f.Pin(f.ctx(), reviewer, id, true, commitOf(f.rowOf(id)), "looks fine")
	in("pin", err == nil)
	attested, _ := f.Attest(f.ctx(), reviewer, Attestation{IDs: []string{id}, Reason: "looks fine"})
	in("attest", attested.Attested > 0)
	child, err := f.Encode(f.ctx(), console, Write{Content: "So it is.", Parents: []string{id}})
	in("lineage", err == nil && child.Class != provenance.Unknown)
	in("the trust report", f.vouchedFor(id))
	in("an import", f.exportBelieves(content))
	return gained
}

// vouchedFor reports whether the trust report counts a memory among those that mode Signed trusts.
func (f *fixture) vouchedFor(id string) bool {
	checked, err := f.newest(f.ctx(), f.state, testNamespace, id)
	return err == nil && claims(checked.record, f.now) && trustLoss(checked) == ""
}

// exportBelieves exports everything, imports it into an empty store of the same agent, and reports whether a text counts there.
func (f *fixture) exportBelieves(content string) bool {
	var out bytes.Buffer
	return f.Export(f.ctx(), reviewer, &out) == nil && f.importBelieves(out.String(), content)
}

// importBelieves reports whether a text counts in an empty store of the same agent after an import.
func (f *fixture) importBelieves(text, content string) bool {
	other := newFixture(f.t, users)
	other.keys, other.state, other.now = f.keys, f.state, f.now
	if _, err := other.Import(other.ctx(), reviewer, strings.NewReader(text)); err != nil {
		return false
	}
	believed := func(d Delivered) bool {
		return d.Content == content && (d.Authority == memory.Act || d.Boundary == memory.Safe || d.Zone == memory.Trusted || d.Class.High())
	}
	return slices.ContainsFunc(other.recall(Recall{Limit: 50}).Memories, believed) ||
		slices.ContainsFunc(other.recall(Recall{Query: content, Limit: 50}).Memories, believed)
}

// tryRow forges by one statement about a memory's row, and tries every door.
func tryRow(write func(f *fixture) string, set string) forgery {
	return func(f *fixture) (int, []string) {
		id := write(f)
		f.sql("UPDATE records SET "+set+" WHERE id = ?", id)
		return 1, f.doors(id, f.rowOf(id).Content)
	}
}

// What there is to forge.
func quarantined(f *fixture) string {
	return f.write(agent, Write{Content: plant, Source: "web:example.org"}).ID
}
func waiting(f *fixture) string {
	return f.write(agent, Write{Content: publicFact, Source: "web:example.org"}).ID
}
func ruling(f *fixture) string { return f.write(console, Write{Content: operatorRule}).ID }

func rejected(f *fixture) string {
	id := waiting(f)
	f.does(id, memory.ActionReject)
	return id
}

func forgotten(f *fixture) string {
	id := ruling(f)
	f.does(id, memory.ActionForget)
	return id
}

func derived(f *fixture) string {
	parent := waiting(f)
	return f.write(console, Write{Content: "The office in Lyon closes early.", Parents: []string{parent}}).ID
}

// rowOf reads a row in whichever namespace it claims to be.
func (f *fixture) rowOf(id string) memory.Record {
	f.t.Helper()
	var namespace string
	f.query("SELECT namespace FROM records WHERE id = ?", []any{id}, &namespace)
	r, err := f.db.Get(f.ctx(), namespace, id)
	must(f.t, err)
	return r
}

// query reads one row behind the gate's back.
func (f *fixture) query(query string, args []any, into ...any) {
	f.t.Helper()
	must(f.t, f.behind().QueryRowContext(f.ctx(), query, args...).Scan(into...))
}

const withoutTriggers = "DROP TRIGGER IF EXISTS audit_stays; DROP TRIGGER IF EXISTS audit_kept; DROP TRIGGER IF EXISTS versions_stay; " +
	"DROP TRIGGER IF EXISTS versions_kept; DROP TRIGGER IF EXISTS contents_stay; DROP TRIGGER IF EXISTS contents_kept; "

// putRow makes the row of a record say what r says.
func (f *fixture) putRow(id string, r memory.Record) {
	f.t.Helper()
	list := func(l []string) any {
		if len(l) == 0 {
			return nil
		}
		text, err := json.Marshal(l)
		must(f.t, err)
		return string(text)
	}
	var expiry, parents any
	if !r.Expiry.IsZero() {
		expiry = r.Expiry.UnixMicro()
	}
	if len(r.Commit.Parents) > 0 {
		parents = slices.Concat(r.Commit.Parents...)
	}
	f.sql(`UPDATE records SET namespace = ?, seq = ?, branch = ?, zone = ?, state = ?, approved_by = ?, expiry = ?, class = ?, source = ?,
		channel = ?, principal = ?, parents = ?, kind = ?, tags = ?, session = ?, directive = ?, reasons = ?, capped_by = ?, pinned = ?,
		supersedes = ?, folded_into = ?, tag = ?, signed_by = ?, commit_hash = ?, commit_parents = ?, change = ?, actor = ?, reason = ?,
		created_at = ?, updated_at = ?, content = ?, erased = ? WHERE id = ?`,
		r.Namespace, int64(r.Seq), r.Branch, string(r.Zone), string(r.State), r.ApprovedBy, expiry, string(r.Class), r.Source,
		r.Writer.Channel, r.Writer.Principal, list(r.Parents), r.Kind, list(r.Tags), r.Session, r.Directive, list(r.Reasons),
		list(r.CappedBy), r.Pinned, list(r.Supersedes), r.FoldedInto, r.Tag, r.Tag[:min(5, len(r.Tag))], r.Commit.Hash, parents,
		string(r.Commit.Change), r.Commit.Actor, r.Commit.Reason, r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro(), r.Content, r.Erased, id)
}

// putLeaf makes an entry of the audit log say what r says, in whatever form the log has.
func (f *fixture) putLeaf(seq uint64, r memory.Record) {
	f.t.Helper()
	leaf := audit.Entry{
		Seq: seq, Namespace: r.Namespace, RecordID: r.ID, Change: string(r.Commit.Change), Actor: r.Commit.Actor, Reason: r.Commit.Reason,
		Time: r.UpdatedAt, RecordHash: [32]byte(r.Commit.Hash),
	}.Encode()
	hash := audit.LeafHash(leaf)
	f.sql(withoutTriggers+"UPDATE audit SET leaf = ?, record_id = ? WHERE seq = ?", leaf, r.ID, int64(seq))
	f.sql("UPDATE audit_hashes SET hash = ? WHERE idx = ?", hash[:], audit.LeafIndex(seq))
}

// consistent rewrites everything about a record that needs no key: row, version, contents and log.
func (f *fixture) consistent(r memory.Record) {
	f.t.Helper()
	hash := r.CommitHash()
	r.Commit.Hash = hash[:]
	f.putRow(r.ID, r)
	f.putLeaf(r.Seq, r)
	body, err := json.Marshal(r.Portable())
	must(f.t, err)
	f.exec(withoutTriggers+"UPDATE versions SET hash = ?, body = ?, record_id = ? WHERE seq = ?", hash[:], string(body), r.ID, int64(r.Seq))
	f.exec(withoutTriggers+"UPDATE contents SET content = ?, sha256 = ?, record_id = ? WHERE seq = ?", r.Content, digest(r.Content), r.ID, int64(r.Seq))
}

// exec is sql where it does not matter whether anything is there to change.
func (f *fixture) exec(query string, args ...any) {
	f.t.Helper()
	_, err := f.behind().ExecContext(f.ctx(), query, args...)
	must(f.t, err)
}

// rowForgeries change what a row says, more or less thoroughly.
var rowForgeries = map[string]forgery{
	"zone flipped":             tryRow(quarantined, "zone = 'Working'"),
	"zone flipped to Trusted":  tryRow(waiting, "zone = 'Trusted'"),
	"zone and state flipped":   tryRow(quarantined, "zone = 'Trusted', state = 'Active'"),
	"state flipped":            tryRow(waiting, "state = 'Active'"),
	"rejection taken back":     tryRow(rejected, "state = 'PendingReview', zone = 'Working'"),
	"forgotten memory revived": tryRow(forgotten, "state = 'Active'"),
	"approver invented":        tryRow(quarantined, "zone = 'Working', state = 'Approved', approved_by = 'carol@example.com'"),
	"attestation invented":     tryRow(waiting, "state = 'Approved', approved_by = 'carol@example.com'"),
	"expiry lifted":            tryRow(waiting, "expiry = NULL"),
	"class raised":             tryRow(waiting, "class = 'UserInput'"),
	"source raised":            tryRow(waiting, "source = 'operator:console'"),
	"source looks alike":       tryRow(ruling, "source = 'ch\u0430nnel:console'"),
	"writer raised":            tryRow(waiting, "channel = 'console', principal = 'alice'"),
	"origin raised": tryRow(quarantined, "class = 'Manual', channel = 'console', principal = 'alice', source = 'channel:console', "+
		"zone = 'Trusted', state = 'Active', expiry = NULL"),
	"writer shifted":     tryRow(ruling, "channel = 'console/ali', principal = 'ce'"),
	"principal swapped":  tryRow(ruling, "principal = 'bob'"),
	"parents cut":        tryRow(derived, "parents = NULL"),
	"parents swapped":    tryRow(derived, `parents = '["01928b7a-5c1e-7aaa-8bbb-0123456789ab"]'`),
	"parents unreadable": tryRow(derived, "parents = '{'"),
	"branch renamed":     tryRow(ruling, "branch = 'other'"),
	"seq moved on":       tryRow(ruling, "seq = seq + 1"),
	"content replaced":   tryRow(ruling, "content = '"+plant+"'"),
	"content replaced, marked purged": func(f *fixture) (int, []string) {
		id := ruling(f)
		f.sql("UPDATE records SET content = ?, erased = ? WHERE id = ?", plant, digest(operatorRule), id)
		return 1, f.doors(id, plant)
	},
	"row rewritten with its hash": func(f *fixture) (int, []string) {
		r := f.record(waiting(f))
		r.Class, r.Kind = provenance.UserInput, "rule"
		hash := r.CommitHash()
		r.Commit.Hash = hash[:]
		f.putRow(r.ID, r)
		return 1, f.doors(r.ID, publicFact)
	},
	"row, version and log rewritten": func(f *fixture) (tried int, gained []string) {
		for name, change := range map[string]func(r *memory.Record){
			"words": func(r *memory.Record) { r.Content = plant + " " + r.ID },
			"class": func(r *memory.Record) { r.Class, r.Writer = provenance.UserInput, chat.writer() },
			"zone":  func(r *memory.Record) { r.Zone, r.State, r.Expiry = memory.Trusted, memory.Active, time.Time{} },
		} {
			r := f.record(waiting(f))
			change(&r)
			f.consistent(r)
			tried++
			for _, g := range f.doors(r.ID, r.Content) {
				gained = append(gained, name+": "+g)
			}
		}
		return tried, gained
	},
	"moved into another namespace": func(f *fixture) (int, []string) {
		id := ruling(f)
		f.sql("UPDATE records SET namespace = 'other' WHERE id = ?", id)
		got, err := f.Get(f.ctx(), Caller{Namespace: "other"}, id, Reading{})
		if err == nil {
			return 1, []string{"the other namespace is given " + got.ID}
		}
		return 1, nil
	},
	"moved out of another namespace": func(f *fixture) (int, []string) {
		other := console
		other.Namespace = "other"
		id := f.write(other, Write{Content: operatorRule}).ID
		r := f.rowOf(id)
		r.Namespace = testNamespace
		f.consistent(r)
		return 1, f.doors(id, operatorRule)
	},
	"ids swapped": func(f *fixture) (int, []string) {
		bad, good := quarantined(f), ruling(f)
		f.sql("UPDATE records SET id = 'x' WHERE id = ?", good)
		f.sql("UPDATE records SET id = ? WHERE id = ?", good, bad)
		f.sql("UPDATE records SET id = ? WHERE id = 'x'", bad)
		return 2, append(f.doors(good, plant), f.doors(bad, plant)...)
	},
	"contents swapped": func(f *fixture) (int, []string) {
		a, b := ruling(f), f.write(console, Write{Content: "Never answer in French."}).ID
		f.sql("UPDATE records SET content = CASE id WHEN ? THEN 'Never answer in French.' ELSE ? END WHERE id IN (?, ?)", a, operatorRule, a, b)
		return 2, append(f.doors(a, "Never answer in French."), f.doors(b, operatorRule)...)
	},
	"memory invented": func(f *fixture) (int, []string) {
		r := f.record(ruling(f))
		bad := memory.NewID()
		f.sql("UPDATE records SET id = ?, content = ? WHERE id = ?", bad, plant, r.ID) // its id is free then, and its words others
		r.ID, r.Content = bad, plant
		f.putLeaf(r.Seq, r)
		f.consistent(r)
		return 1, f.doors(bad, plant)
	},
	"memory of another agent": func(f *fixture) (int, []string) {
		theirs := newFixture(f.t, users)
		theirs.keys = f.keys
		other := *f.state.Runtime
		other.AgentID = "5a3c1e0d-3d3f-4a1f-9c11-0b0e7a526f3c"
		state := *f.state
		state.Runtime = &other
		theirs.state = &state
		r := theirs.record(ruling(theirs))
		mine := f.record(ruling(f))
		f.sql("UPDATE records SET id = ? WHERE id = ?", r.ID, mine.ID)
		f.consistent(r)
		return 1, f.doors(r.ID, operatorRule)
	},
	"purged words put back": func(f *fixture) (int, []string) {
		id := ruling(f)
		f.does(id, memory.ActionPurge)
		r := f.record(id)
		r.Content, r.Erased, r.State = operatorRule, nil, memory.Active
		f.consistent(r)
		return 1, f.doors(id, operatorRule)
	},
}

// tryTags puts other tags in the place of a memory's own. The row is the best a forger can make of it.
func tryTags(make func(f *fixture, r memory.Record) [][]byte) forgery {
	return func(f *fixture) (tried int, gained []string) {
		r := f.record(quarantined(f))
		r.Zone, r.State, r.Class, r.Writer, r.Source = memory.Trusted, memory.Active, provenance.Manual, console.writer(), "channel:console"
		r.Directive, r.Reasons, r.Expiry = false, nil, time.Time{}
		for _, tag := range make(f, r) {
			r.Tag = tag
			f.consistent(r)
			tried++
			if v, err := f.newest(f.ctx(), f.state, testNamespace, r.ID); err != nil || v.fault == "" {
				gained = append(gained, fmt.Sprintf("tag %x verifies (%v)", tag, err))
			}
		}
		return tried, append(gained, f.doors(r.ID, plant)...)
	}
}

// tagForgeries are tags that a forger can come by. That none of very many verifies over a message is tested in package
// provenance; here they are tried where they are read.
var tagForgeries = map[string]forgery{
	"tag removed":   tryTags(func(*fixture, memory.Record) [][]byte { return [][]byte{{}} }),
	"tag of before": tryTags(func(_ *fixture, r memory.Record) [][]byte { return [][]byte{r.Tag} }),
	"tag truncated": tryTags(func(_ *fixture, r memory.Record) [][]byte {
		return [][]byte{r.Tag[:len(r.Tag)-1], r.Tag[:21], r.Tag[:6], r.Tag[:5], r.Tag[:1]}
	}),
	"tag extended": tryTags(func(_ *fixture, r memory.Record) [][]byte {
		return [][]byte{append(slices.Clone(r.Tag), 0), append(slices.Clone(r.Tag), r.Tag...)}
	}),
	"tag without key id": tryTags(func(_ *fixture, r memory.Record) [][]byte { return [][]byte{r.Tag[5:]} }),
	"tag with other prefix": tryTags(func(_ *fixture, r memory.Record) [][]byte {
		return [][]byte{append([]byte{0}, r.Tag[1:]...), append([]byte{2}, r.Tag[1:]...)}
	}),
	"tag of a trusted memory": tryTags(func(f *fixture, _ memory.Record) [][]byte {
		return [][]byte{f.record(ruling(f)).Tag}
	}),
	"key id swapped": tryTags(func(f *fixture, r memory.Record) [][]byte {
		second := f.newKey()
		f.loadKeys(append(f.state.Keyset.KeyIDs(), second))
		prefix, _ := provenance.TagPrefix(second)
		none, _ := provenance.TagPrefix("1")
		return [][]byte{append(prefix, r.Tag[5:]...), append(none, r.Tag[5:]...)}
	}),
	"key of another agent": tryTags(func(f *fixture, r memory.Record) [][]byte {
		theirs := newFixture(f.t)
		tag, err := signer(theirs.state)(r)
		must(f.t, err)
		mine := f.state.Keyset.PrimaryID()
		prefix, _ := provenance.TagPrefix(mine)
		return [][]byte{tag, append(prefix, tag[5:]...)}
	}),
	"signed for another agent": tryTags(func(f *fixture, r memory.Record) [][]byte {
		tag, err := f.state.Keyset.Sign(r.Tuple("5a3c1e0d-3d3f-4a1f-9c11-0b0e7a526f3c").Message())
		must(f.t, err)
		return [][]byte{tag}
	}),
	"key revoked": tryTags(func(f *fixture, r memory.Record) [][]byte {
		tag, err := signer(f.state)(r) // by whoever stole the key
		must(f.t, err)
		f.load(f.newKey())
		return [][]byte{tag}
	}),
	"v1 tag for v2": tryTags(func(f *fixture, r memory.Record) [][]byte {
		tag, err := f.state.Keyset.SignV1(testAgentID, r.Source, r.Content)
		must(f.t, err)
		return [][]byte{tag}
	}),
	"tag of something else that is signed": tryTags(func(f *fixture, r memory.Record) [][]byte {
		var out [][]byte
		for _, message := range [][]byte{
			memory.OpenedSession{Namespace: r.Namespace, ID: r.ID, Writer: r.Writer, OpenedAt: r.CreatedAt}.Message(testAgentID),
			memory.Turn{Namespace: r.Namespace, ID: r.ID, Writer: r.Writer, Content: r.Content, At: r.CreatedAt}.Message(testAgentID),
			exportMessage(testAgentID, exportTrailer{Records: 1, SHA256: r.ID}),
			[]byte(r.Content),
		} {
			tag, err := f.state.Keyset.Sign(message)
			must(f.t, err)
			out = append(out, tag)
		}
		return out
	}),
	"tag with a flipped bit": func(f *fixture) (tried int, gained []string) {
		r := f.record(ruling(f))
		for i := range len(r.Tag) * 8 {
			forged := r
			forged.Tag = slices.Clone(r.Tag)
			forged.Tag[i/8] ^= 1 << (i % 8)
			if tried++; checkVersion(f.state, testNamespace, forged) == "" {
				gained = append(gained, fmt.Sprintf("bit %d", i))
			}
			if i%64 == 0 {
				f.consistent(forged)
				gained = append(gained, f.doors(r.ID, operatorRule)...)
			}
		}
		return tried, gained
	},
}
