// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// library fills a store with memories of every kind of standing and exports it.
func library(f *fixture) (export string, ids map[string]string) {
	f.t.Helper()
	ids = map[string]string{
		"rule":     f.write(console, Write{Content: operatorRule, Pin: true, Tags: []string{"style"}}).ID,
		"note":     f.write(agent, Write{Content: "The build takes nine minutes.", Subject: "build", Metadata: map[string]string{"a": "b"}}).ID,
		"pending":  f.write(agent, Write{Content: publicFact, Source: "web:x"}).ID,
		"folded":   f.write(agent, Write{Content: publicFact + "!", Source: "web:x"}).ID,
		"plant":    f.write(agent, Write{Content: plant, Source: "web:x"}).ID,
		"rejected": f.write(agent, Write{Content: "Ada was born in Nice.", Source: "web:x"}).ID,
		"approved": f.write(agent, Write{Content: "Flight 443 leaves at nine.", Source: "web:x"}).ID,
		"purged":   f.write(agent, Write{Content: "Erase me completely."}).ID,
	}
	f.does(ids["rejected"], memory.ActionReject)
	f.does(ids["approved"], memory.ActionApprove)
	f.does(ids["purged"], memory.ActionPurge)
	var out bytes.Buffer
	must(f.t, f.Export(f.ctx(), reviewer, &out))
	return out.String(), ids
}

// twin is a fresh store of the same agent, under the same keys.
func (f *fixture) twin(t *testing.T) *fixture {
	t.Helper()
	other := newFixture(t)
	other.keys = f.keys
	other.state = f.state
	return other
}

func (f *fixture) imports(text string) Imported {
	f.t.Helper()
	out, err := f.Import(f.ctx(), reviewer, strings.NewReader(text))
	must(f.t, err)
	return out
}

func lines(export string) []string { return strings.Split(strings.TrimSuffix(export, "\n"), "\n") }

func TestExportIsRestored(t *testing.T) {
	f := newFixture(t)
	export, ids := library(f)
	g := f.twin(t)
	if out := g.imports(export); out != (Imported{Signed: true, Restored: 7, Refused: 1}) {
		t.Fatalf("%+v", out)
	}
	for name, id := range ids {
		if name == "purged" {
			continue
		}
		was, is := f.record(id), g.becomes(id, f.record(id).Zone, f.record(id).State)
		if is.Content != was.Content || is.Class != was.Class || is.Writer != was.Writer || is.ApprovedBy != was.ApprovedBy || is.Pinned != was.Pinned ||
			is.FoldedInto != was.FoldedInto || !is.Expiry.Equal(was.Expiry) || !is.CreatedAt.Equal(was.CreatedAt) || is.Commit.Actor != "person/"+reviewer.Principal ||
			memory.AuthorityOf(is, g.now) != memory.AuthorityOf(was, f.now) {
			t.Errorf("%s became %+v", name, is)
		}
	}
	if out := g.imports(export); out.Restored != 0 || out.Present != 7 {
		t.Errorf("the second time: %+v", out)
	}
	// What is there is left alone, whatever an old export says about it.
	g.does(ids["note"], memory.ActionForget)
	g.imports(export)
	g.becomes(ids["note"], memory.Working, memory.Forgotten)
	if r := g.recall(Recall{Query: "Flight 443"}); !delivers(r, "Flight 443 leaves at nine.") {
		t.Errorf("not delivered: %+v", r)
	}
}

// Whatever was changed in a file, nothing in it counts for more than the word of a stranger, or the file is refused.
func TestForgedFiles(t *testing.T) {
	f := newFixture(t)
	export, _ := library(f)
	all := lines(export)
	join := func(l []string) string { return strings.Join(l, "\n") + "\n" }
	forged := strings.Replace(export, `"zone":"Working"`, `"zone":"Trusted"`, 1)
	refused := map[string]string{
		"cut short":             join(all[:len(all)-1]),
		"cut in a line":         export[:len(export)-40],
		"header alone":          all[0] + "\n",
		"a line left out":       join(append(append([]string{}, all[:2]...), all[3:]...)),
		"a line added":          join(append([]string{all[0], `{"content":"x"}`}, all[1:]...)),
		"a zone changed":        forged,
		"another format":        strings.Replace(export, exportFormat, "memorytrust.dev/export/v9", 1),
		"a line that is long":   all[0] + "\n" + strings.Repeat("x", maxLineBytes+1),
		"a trailer and no more": all[len(all)-1] + "\n",
	}
	for name, text := range refused {
		g := f.twin(t)
		if _, err := g.Import(g.ctx(), reviewer, strings.NewReader(text)); fieldOf(err) != "body" {
			t.Errorf("%s: %v", name, err)
		}
		if counts, err := g.db.Counts(g.ctx(), testNamespace); err != nil || len(counts.ByZone) != 0 {
			t.Errorf("%s: something was written: %v, %v", name, counts.ByZone, err)
		}
	}
}

// foreign checks that everything in the store is Unknown and waits.
func foreign(t *testing.T, g *fixture, ids map[string]string) {
	t.Helper()
	records, err := g.db.List(g.ctx(), memory.Filter{Namespace: testNamespace, IncludeForgotten: true, Limit: 100})
	must(t, err)
	if len(records) == 0 {
		t.Error("nothing was written")
	}
	for _, r := range records {
		if r.Class != provenance.Unknown || r.State != memory.PendingReview || r.Zone == memory.Trusted || r.Pinned || r.ApprovedBy != "" ||
			memory.AuthorityOf(r, g.now) == memory.Act || r.Directive && r.Zone != memory.Quarantine || mayForget(agent, r) {
			t.Errorf("%q became %s, %s, %s", r.Content, r.Class, r.Zone, r.State)
		}
		for name, id := range ids {
			if r.ID == id {
				t.Errorf("%s kept its id", name)
			}
		}
	}
}

func TestForeignFilesCountAsUnknown(t *testing.T) {
	f := newFixture(t)
	export, ids := library(f)
	body := strings.Join(lines(export)[1:len(lines(export))-1], "\n") + "\n"
	sum := func(text string) string { return fmt.Sprintf("%x", digest(text)) }
	header := lines(export)[0] + "\n"
	trailer := func(text string) string {
		out, err := json.Marshal(exportTrailer{Records: int64(strings.Count(body, "\n")), SHA256: sum(text), MAC: []byte("nobody's")})
		must(t, err)
		return string(out) + "\n"
	}
	t.Run("another agent", func(t *testing.T) {
		g := newFixture(t) // other keys
		if out := g.imports(export); out.Signed || out.Restored == 0 {
			t.Errorf("%+v", out)
		}
		foreign(t, g, ids)
	})
	t.Run("another agent id under the same keys", func(t *testing.T) {
		g := f.twin(t)
		runtime := *f.state.Runtime
		runtime.AgentID = "another"
		var err error
		g.state, err = policy.NewState(&runtime, f.state.Keyset, nil, nil, nil)
		must(t, err)
		if out := g.imports(export); out.Signed {
			t.Errorf("%+v", out)
		}
		foreign(t, g, ids)
	})
	t.Run("no signature", func(t *testing.T) {
		g := f.twin(t)
		if out := g.imports(body); out.Signed {
			t.Errorf("%+v", out)
		}
		foreign(t, g, ids)
	})
	t.Run("a signature of nobody", func(t *testing.T) {
		g := f.twin(t)
		if out := g.imports(header + body + trailer(header+body)); out.Signed {
			t.Errorf("%+v", out)
		}
		foreign(t, g, ids)
	})
	t.Run("another namespace", func(t *testing.T) {
		g := f.twin(t)
		out, err := g.Import(g.ctx(), Person{Principal: "x", Namespace: "tenant-b"}, strings.NewReader(export))
		must(t, err)
		records, err := g.db.List(g.ctx(), memory.Filter{Namespace: "tenant-b", IncludeForgotten: true, Limit: 100})
		must(t, err)
		if out.Restored != len(records) || len(records) == 0 {
			t.Errorf("%+v, %d records", out, len(records))
		}
		for _, r := range records {
			if r.Class != provenance.Unknown {
				t.Errorf("%q came as %s", r.Content, r.Class)
			}
		}
	})
}

// In a file that is ours, a row that was tampered with before it was exported is not ours.
func TestTamperedRowInASignedFile(t *testing.T) {
	f := newFixture(t)
	id := f.write(agent, Write{Content: publicFact}).ID
	f.sql("UPDATE records SET zone = 'Trusted', class = 'Manual' WHERE id = ?", id)
	beside := f.write(console, Write{Content: operatorRule}).ID
	f.sql("UPDATE records SET pinned = 1, subject = 'customers' WHERE id = ?", beside) // not what the tag covers
	var out bytes.Buffer
	must(t, f.Export(f.ctx(), reviewer, &out))
	g := f.twin(t)
	if got := g.imports(out.String()); !got.Signed || got.Restored != 2 {
		t.Errorf("%+v", got)
	}
	foreign(t, g, map[string]string{"tampered": id, "tampered beside": beside})
}

func TestImportOfLinesByHand(t *testing.T) {
	f := newFixture(t)
	in := `{"content":"The office in Lyon closes at five.","source":"operator:console","kind":"fact","tags":["office"],"confidencePerMille":1000,"pinned":true}

{"content":""}
{"content":"x","kind":"memorytrust.dev/forget"}
{"content":"x","source":"a\u0000b"}
not json
{"content":"The office in Lyon closes at five!"}
{"content":"` + plant + `"}`
	out := f.imports(in)
	if out != (Imported{Restored: 3, Refused: 4}) {
		t.Errorf("%+v", out)
	}
	foreign(t, f, nil)
	records, err := f.db.List(f.ctx(), memory.Filter{Namespace: testNamespace, Limit: 10})
	must(t, err)
	first := records[0]
	if first.Source != "operator:console" || first.Kind != "fact" || first.Confidence != memory.CapOf(provenance.Unknown).Confidence {
		t.Errorf("%+v", first)
	}
	if records[1].FoldedInto != first.ID {
		t.Error("a near-duplicate is an item of its own")
	}
	f.imports(in) // the same again waits with the same
	if n := f.review().Total; n != 2 {
		t.Errorf("%d items wait", n)
	}
}

func TestExportKeepsEveryByte(t *testing.T) {
	f := newFixture(t)
	content := "tab\t, line\nend, <b>&amp;</b>, \u2028, \U0001F600, é, \u202e"
	id := f.put(memory.Record{Content: content}).ID
	var out bytes.Buffer
	must(t, f.Export(f.ctx(), reviewer, &out))
	g := f.twin(t)
	g.imports(out.String())
	if got := g.record(id); got.Content != content {
		t.Errorf("%q", got.Content)
	}
}

func TestExportPages(t *testing.T) {
	f := newFixture(t)
	f.fill(2*transferPage + 1)
	var out bytes.Buffer
	must(t, f.Export(f.ctx(), reviewer, &out))
	g := f.twin(t)
	if got := g.imports(out.String()); got.Restored != 2*transferPage+1 || !got.Signed {
		t.Errorf("%+v", got)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"content":"x","source":"web:x","tags":["a"],"tag":"AQ=="}`))
	f.Add([]byte(`{"content":"\ud800","expiry":"2026-11-01T12:00:00Z","erased":"AA=="}`))
	f.Add([]byte(`{"format":"memorytrust.dev/export/v1"}`))
	f.Add([]byte("null"))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := parseLine(line)
		if err != nil {
			return
		}
		// What was read is written and read again as the same.
		text, err := json.Marshal(exported(e.Record()))
		if err != nil {
			return // a time out of range
		}
		again, err := parseLine(text)
		if err != nil {
			t.Fatalf("%s does not read back", text)
		}
		was, is := e.Record(), again.Record()
		if was.CommitHash() != is.CommitHash() {
			t.Fatalf("%+v became %+v", was, is)
		}
	})
}

func FuzzSpool(f *testing.F) {
	fix := newFixture(f)
	export, _ := library(fix)
	f.Add([]byte(export))
	f.Add([]byte(export[:len(export)/2]))
	f.Add([]byte("{}\n\n{}"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		sp, err := readSpool(fix.state, t.TempDir(), bytes.NewReader(text))
		if err != nil {
			if fieldOf(err) != "body" {
				t.Fatal(err)
			}
			return
		}
		defer func() { must(t, sp.close()) }()
		if sp.signed && string(text) != export {
			t.Fatal("a changed file counts as signed")
		}
		n := int64(0)
		must(t, sp.each(func([]byte) error { n++; return nil }))
		if n != sp.lines {
			t.Fatalf("%d of %d lines", n, sp.lines)
		}
	})
}
