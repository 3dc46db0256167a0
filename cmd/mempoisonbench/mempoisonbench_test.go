// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memorytrust.dev/operator/internal/bench"
	"memorytrust.dev/operator/internal/screen"
)

// wordScreener flags what holds a word, leaves what holds another to a person, and sees nothing else.
type wordScreener struct{ flags, abstains string }

func (w wordScreener) Screen(in screen.Input) screen.Verdict {
	switch {
	case w.flags != "" && strings.Contains(in.Text, w.flags):
		return screen.Verdict{Directive: true, ScorePerMille: 900, Reasons: []string{`override: "` + w.flags + `"`}}
	case w.abstains != "" && strings.Contains(in.Text, w.abstains):
		return screen.Verdict{Abstained: true, ScorePerMille: 100}
	}
	return screen.Verdict{}
}

// outcome is what a call of the program leaves behind.
type outcome struct {
	code        int
	out, errors string
}

// call runs the program with an engine of the test's choice, or the real one for nil.
func call(t *testing.T, engine bench.Screener, stdin string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	if engine == nil {
		code := run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
		return outcome{code, out.String(), errs.String()}
	}
	p := program{
		stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs,
		screener: func(*bench.Policy) (bench.Screener, error) { return engine, nil },
	}
	code := p.run(t.Context(), args)
	return outcome{code, out.String(), errs.String()}
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const attackRows = `{"id":"a1","text":"WICKED one","label":"attack","lang":"en","kind":"memory"}
{"id":"a2","text":"missed","label":"attack","lang":"de","kind":"memory"}
{"id":"a3","text":"STRANGE letters","label":"attack","lang":"de","kind":"memory"}
{"id":"a4","text":"WICKED label","label":"attack","lang":"en","kind":"memory","source":"operator:console"}
{"id":"a5","text":"WICKED page","label":"attack","lang":"en","kind":"memory","source":"web:x.example"}
`

const benignRows = `{"id":"b1","text":"It rains.","label":"benign","lang":"en","kind":"persona"}
`

var engine = wordScreener{flags: "WICKED", abstains: "STRANGE"}

// revisions change with every field that a policy gets.
var revisions = regexp.MustCompile(`("revision": ?"|, revision )[0-9a-f]{16}`)

var times = regexp.MustCompile(`"microsPerText": [0-9.e+-]+`)

// The JSON is what others read: names and order of its fields are as in the golden file.
func TestEvalJSON(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, content := range map[string]string{"attack.jsonl": attackRows, "benign.jsonl": benignRows} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := call(t, engine, "", "eval", "--in", "attack.jsonl", "--json", "out.json", "benign.jsonl")
	if got.code != exitDone {
		t.Fatalf("exit %d: %s", got.code, got.errors)
	}
	raw, err := os.ReadFile("out.json")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "eval.json", times.ReplaceAllString(string(raw), `"microsPerText": 0`))
	stdout := call(t, engine, "", "eval", "--in", "attack.jsonl", "--in", "benign.jsonl", "--json", "-")
	if times.ReplaceAllString(stdout.out, "") != times.ReplaceAllString(string(raw), "") {
		t.Error("--json - writes something else")
	}
}

// goldenDir is absolute, because tests change the directory.
var goldenDir, _ = filepath.Abs("testdata")

func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, engineName(), "memorytrust VERSION")
	got = revisions.ReplaceAllString(got, "${1}REVISION")
	path := filepath.Join(goldenDir, name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant %s:\n%s", got, name, want)
	}
}

// fields are the columns of the table's line that begins with these cells.
func fields(t *testing.T, table string, cells ...string) []string {
	t.Helper()
	for line := range strings.Lines(table) {
		got := strings.Fields(line)
		if len(got) > len(cells) && strings.Join(got[:len(cells)], " ") == strings.Join(cells, " ") {
			return got
		}
	}
	t.Fatalf("no line begins with %q:\n%s", cells, table)
	return nil
}

func TestEvalModes(t *testing.T) {
	attacks := file(t, "attack.jsonl", attackRows)
	for mode, flagged := range map[string]string{"prefix": "2", "signed": "3"} {
		got := call(t, engine, "", "eval", "--in", attacks, "--mode", mode)
		if got.code != exitDone {
			t.Fatalf("exit %d: %s", got.code, got.errors)
		}
		if line := fields(t, got.out, attacks, "en", "attack"); line[3] != "3" || line[4] != flagged {
			t.Errorf("%s: n and flagged are %s and %s, want 3 and %s", mode, line[3], line[4], flagged)
		}
		line := fields(t, got.out, attacks, "de", "attack")
		if line[4] != "0" || !strings.Contains(got.out, "50.0 %") {
			t.Errorf("%s: the abstention is not apart: %q", mode, line)
		}
	}
}

func TestEvalReadsStdinAndPolicy(t *testing.T) {
	policy := file(t, "p.yaml", "apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\nmetadata: {name: strict}\n"+
		"spec: {trust: {mode: Signed, channels: [{name: chat, class: UserInput, principal: x, tokenSecretRef: {name: t}}]}, store: {type: Ephemeral}}\n")
	got := call(t, engine, attackRows, "eval", "--in", "-", "--policy", policy, "-o", "json")
	if got.code != exitDone {
		t.Fatalf("exit %d: %s", got.code, got.errors)
	}
	var e bench.Evaluation
	if err := json.Unmarshal([]byte(got.out), &e); err != nil {
		t.Fatal(err)
	}
	if e.Mode != "signed" || e.Policy == nil || e.Policy.Name != "strict" || e.Rows[0].File != "standard input" || !e.Rows[3].Flagged {
		t.Errorf("%+v", e)
	}
	markdown := call(t, engine, benignRows, "eval", "--in", "-", "-o", "markdown")
	if !strings.Contains(markdown.out, "| standard input | en | benign | 1 | 0 | - | 0.0 % (0.0–79.3) |") {
		t.Errorf("markdown:\n%s", markdown.out)
	}
}

// What comes from a file cannot move the cursor.
func TestEvalEscapes(t *testing.T) {
	row := `{"id":"a","text":"x","label":"attack","lang":"\u001b[2Jxx"}`
	got := call(t, engine, row, "eval", "--in", "-")
	if strings.Contains(got.out, "\x1b") || !strings.Contains(got.out, `\u001b[2Jxx`) {
		t.Errorf("%q", got.out)
	}
}

func TestUsageErrors(t *testing.T) {
	bad := file(t, "bad.jsonl", benignRows+`{"id":"b2","label":"benign"}`)
	good := file(t, "good.jsonl", benignRows)
	catalog := file(t, "catalog.json", `{"format": "memorytrust.dev/mempoisonbench-catalog/v1", "name": "n", "version": "1",`+"\n"+`"texts": [{"id": ""}]}`)
	tests := map[string]struct {
		args []string
		want string
	}{
		"no files":            {[]string{"eval"}, "--in"},
		"missing file":        {[]string{"eval", "--in", "/no/such/file"}, "/no/such/file"},
		"bad row":             {[]string{"eval", "--in", good, bad}, "bad.jsonl:2: \"text\" is missing"},
		"stdin twice":         {[]string{"eval", "--in", "-", "--in", "-"}, "once"},
		"other mode":          {[]string{"eval", "--in", good, "--mode", "both"}, "use one of prefix, signed"},
		"other output":        {[]string{"eval", "--in", good, "-o", "yaml"}, "table, json, markdown"},
		"other flag":          {[]string{"eval", "--inn", good}, "unknown flag"},
		"no policy":           {[]string{"eval", "--in", good, "--policy", good}, "MemoryTrustPolicy"},
		"endpoint":            {[]string{"eval", "--in", good, "--endpoint", "localhost:1"}, "--endpoint"},
		"workers":             {[]string{"eval", "--in", good, "--endpoint-workers", "0"}, "1 to 64"},
		"unknown command":     {[]string{"evil"}, `unknown command "evil"`},
		"argument of run":     {[]string{"run", "x"}, `unexpected argument "x"`},
		"suite":               {[]string{"run", "--suite", "txts"}, "unknown suite"},
		"mode of run":         {[]string{"run", "--mode", "all"}, "both, prefix, signed"},
		"catalog":             {[]string{"run", "--catalog", catalog}, `catalog.json:2: "id"`},
		"limit":               {[]string{"run", "--min-pairs-per-mille", "1001"}, "0 to 1000"},
		"baseline twice":      {[]string{"run", "--baseline", good, "--save-baseline", good}, "do not go together"},
		"baseline is no JSON": {[]string{"run", "--baseline", bad}, "bad.jsonl: no baseline"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := call(t, engine, "", test.args...)
			if got.code != exitUsage || !strings.Contains(got.errors, test.want) {
				t.Errorf("exit %d, %q; want 2 and %q", got.code, got.errors, test.want)
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"eval", "--help"}, {"run", "--help"}, {"--version"}} {
		if got := call(t, nil, "", args...); got.code != exitDone || got.out == "" {
			t.Errorf("%q: exit %d, %q", args, got.code, got.errors)
		}
	}
}

const catalog = `{
  "format": "memorytrust.dev/mempoisonbench-catalog/v1", "name": "test", "version": "1",
  "texts": [
    {"id": "bad", "expect": "withhold", "category": "c", "lang": "en", "text": "WICKED pay at once.", "source": "web:x.example"},
    {"id": "good", "expect": "deliver", "category": "d", "lang": "en", "text": "It rains in Bergen.", "source": "web:x.example"}
  ],
  "pairs": [{"id": "pair", "category": "c", "lang": "en", "form": "report", "attack": "WICKED pay.", "benign": "They paid."}],
  "trials": [{"id": "trial", "category": "t", "lang": "en", "text": "WICKED trial.", "source": "automation:x"}]
}`

func TestRunGoodAndWeak(t *testing.T) {
	path, dir := file(t, "catalog.json", catalog), t.TempDir()
	baseline, message := filepath.Join(dir, "baseline.json"), filepath.Join(dir, "message.json")
	args := []string{"run", "--catalog", path, "--suite", "content,texts,pairs,trials", "--temp-dir", dir}

	good := call(t, engine, "", append(args, "--save-baseline", baseline, "--termination-message", message)...)
	if good.code != exitDone || !strings.Contains(good.out, "all limits kept") {
		t.Fatalf("exit %d, %s\n%s", good.code, good.errors, good.out)
	}
	raw, err := os.ReadFile(message)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "termination.json", string(raw)+"\n")

	weak := call(t, wordScreener{}, "", append(args, "--termination-message", message)...)
	if weak.code != exitLimits || !strings.Contains(weak.errors, "prefix: attacks that reach the agent: 1/1") {
		t.Errorf("weak engine: exit %d, %s", weak.code, weak.errors)
	}
	if raw, err = os.ReadFile(message); err != nil || !strings.Contains(string(raw), `"passed":false`) {
		t.Errorf("its message: %s, %v", raw, err)
	}
	lax := []string{"--max-attack-success-per-mille", "1000", "--min-pairs-per-mille", "0", "--baseline", baseline}
	if worse := call(t, wordScreener{}, "", append(args, lax...)...); worse.code != exitWorse || !strings.Contains(worse.errors, "texts signed bad of test") {
		t.Errorf("against the baseline: exit %d, %s", worse.code, worse.errors)
	}
	weakened := file(t, "lax.yaml", "apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\nmetadata: {name: strict}\n"+
		"spec: {benchmark: {limits: {attackSuccessPerMille: 1000, pairsPerMille: 0}}, store: {type: Ephemeral}}\n")
	if got := call(t, wordScreener{}, "", append(args, "--policy", weakened)...); got.code != exitDone {
		t.Errorf("under the limits of the policy: exit %d, %s", got.code, got.errors)
	}
	if got := call(t, wordScreener{}, "", append(args, "--policy", weakened, "--min-pairs-per-mille", "1")...); got.code != exitLimits {
		t.Errorf("under that of a flag: exit %d, %s", got.code, got.errors)
	}
	if same := call(t, engine, "", append(args, "--baseline", baseline)...); same.code != exitDone {
		t.Errorf("the same against the baseline: exit %d, %s", same.code, same.errors)
	}
	left, err := filepath.Glob(filepath.Join(dir, "mempoisonbench-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary stores were left behind: %q, %v", left, err)
	}
}

func TestRunFormats(t *testing.T) {
	path := file(t, "catalog.json", catalog)
	args := []string{"run", "--catalog", path, "--suite", "content,texts,pairs,trials", "--mode", "signed", "-o"}
	golden(t, "run.json", call(t, engine, "", append(args, "json")...).out)
	golden(t, "run.md", call(t, engine, "", append(args, "markdown")...).out)
}

// Another harness is asked about the same vectors, and what it does not answer makes the run incomplete.
func TestEndpoint(t *testing.T) {
	broken := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if broken != "" && strings.Contains(string(raw), broken) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]bool{"flagged": strings.Contains(string(raw), "WICKED")})
	}))
	defer server.Close()
	path, rows := file(t, "catalog.json", catalog), file(t, "rows.jsonl", attackRows)
	evaluated := call(t, wordScreener{}, "", "eval", "--in", rows, "--endpoint", server.URL)
	if line := fields(t, evaluated.out, rows, "en", "attack"); evaluated.code != exitDone || line[4] != "3" {
		t.Errorf("eval: exit %d, %q", evaluated.code, line)
	}
	if got := call(t, wordScreener{}, "", "run", "--catalog", path, "--endpoint", server.URL); got.code != exitDone ||
		!strings.Contains(got.out, "controls, chains, actions, dormancy: an endpoint") {
		t.Errorf("run: exit %d, %s\n%s", got.code, got.errors, got.out)
	}
	broken = "Bergen"
	if got := call(t, nil, "", "run", "--catalog", path, "--endpoint", server.URL); got.code != exitIncomplete ||
		!strings.Contains(got.errors, "status 500") {
		t.Errorf("broken endpoint: exit %d, %s", got.code, got.errors)
	}
	broken = "missed"
	if got := call(t, nil, "", "eval", "--in", rows, "--endpoint", server.URL); got.code != exitIncomplete ||
		!strings.Contains(got.errors, "1 of 5 texts") {
		t.Errorf("broken endpoint: exit %d, %s", got.code, got.errors)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"run", "--suite", "actions"}, nil, &out, &errs); code != exitFailed {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}
