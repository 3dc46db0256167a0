// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/screen"
)

const (
	acmeLexicon = "language en\nclass acme.x = blorp\nrule override 900 = @acme.x\n"
	acmeText    = "Blorp the grommet."
)

func withScreening(t *testing.T, s v1alpha1.ScreeningSpec, lexicons ...Lexicon) (*Runtime, error) {
	t.Helper()
	p := manifest(t, "prefix.yaml")
	p.Spec.Screening = s
	return CompileWith(p, Agent{Namespace: "agents", Name: "helper", ID: testAgentID}, lexicons)
}

func aJudge(change func(*v1alpha1.JudgeSpec)) v1alpha1.ScreeningSpec {
	j := &v1alpha1.JudgeSpec{URL: "https://api.example.com/v1", Model: "m"}
	if change != nil {
		change(j)
	}
	return v1alpha1.ScreeningSpec{Judge: j}
}

func TestCompileScreening(t *testing.T) {
	r, err := withScreening(t, v1alpha1.ScreeningSpec{
		LexiconRefs: []v1alpha1.LexiconRef{{Name: "acme"}},
		Thresholds:  v1alpha1.ScreeningThresholds{DirectivePerMille: 1, IntentPerMille: 1000, CoveragePerMille: 300},
		Judge: &v1alpha1.JudgeSpec{URL: "http://judge:8000/v1", Model: "org/m:7b", APIKeySecretRef: &v1alpha1.SecretKeyRef{Name: "k"},
			TimeoutSeconds: 30, TextsPerMinute: 7, CacheSeconds: 1},
		Correlation: v1alpha1.CorrelationSpec{Mode: v1alpha1.CorrelationDisabled, WindowSeconds: 60},
	}, Lexicon{Name: "acme", Text: acmeLexicon})
	must(t, err)
	want := Screening{
		Lexicons:    []Lexicon{{"acme", acmeLexicon}},
		Thresholds:  Thresholds{DirectivePerMille: 1, IntentPerMille: 1000, CoveragePerMille: 300},
		Judge:       &Judge{URL: "http://judge:8000/v1", Model: "org/m:7b", Key: true, TimeoutSeconds: 30, TextsPerMinute: 7, CacheSeconds: 1},
		Correlation: Correlation{Mode: v1alpha1.CorrelationDisabled, WindowSeconds: 60},
	}
	if diff := cmp.Diff(want, r.Screening); diff != "" {
		t.Errorf("screening (-want +got):\n%s", diff)
	}
	if r.Screening.Correlation.Enabled() || r.Screening.Correlation.Window() != time.Minute || !(Correlation{}).Enabled() || (Correlation{}).Window() != 30*24*time.Hour {
		t.Error("correlation reads its own settings wrong")
	}
	encoded, err := r.Encode()
	must(t, err)
	decoded, err := Decode(encoded)
	must(t, err)
	if diff := cmp.Diff(r.Screening, decoded.Screening); diff != "" {
		t.Errorf("what was written is read as another (-want +got):\n%s", diff)
	}
	r, err = withScreening(t, aJudge(nil))
	must(t, err)
	if diff := cmp.Diff(&Judge{URL: "https://api.example.com/v1", Model: "m", TimeoutSeconds: 10, TextsPerMinute: 60, CacheSeconds: 86400}, r.Screening.Judge); diff != "" {
		t.Errorf("defaults of a judge (-want +got):\n%s", diff)
	}
}

func TestCompileRefusesScreening(t *testing.T) {
	refs := v1alpha1.ScreeningSpec{LexiconRefs: []v1alpha1.LexiconRef{{Name: "acme"}}}
	url := func(u string) v1alpha1.ScreeningSpec { return aJudge(func(j *v1alpha1.JudgeSpec) { j.URL = u }) }
	const fieldURL, unencrypted = "spec.screening.judge.url", "unencrypted"
	for name, tc := range map[string]struct {
		spec     v1alpha1.ScreeningSpec
		lexicons []Lexicon
		field    string
		says     string
	}{
		"lexicons that are not here": {refs, nil, fieldLexicons, "not here"},
		"a broken lexicon":           {refs, []Lexicon{{"ConfigMap acme, key en.lex", acmeLexicon + "rule nonsense 900 = x\n"}}, fieldLexicons, "ConfigMap acme, key en.lex:4: "},
		"an empty lexicon":           {refs, []Lexicon{{"acme", ""}}, fieldLexicons, "acme"},
		"a lexicon that is no text":  {refs, []Lexicon{{"acme", "language en\n\xff"}}, fieldLexicons, "UTF-8"},
		"long lexicons":              {refs, []Lexicon{{"one", strings.Repeat("#", maxLexiconBytes)}, {"two", "#"}}, fieldLexicons, "two goes beyond"},
		"lexicons long when escaped": {refs, []Lexicon{{"one", "language en\n#" + strings.Repeat("<", maxLexiconBytes/2)}}, fieldLexicons, "escaped"},
		"threshold too high":         {v1alpha1.ScreeningSpec{Thresholds: v1alpha1.ScreeningThresholds{IntentPerMille: 1001}}, nil, "spec.screening.thresholds.intentPerMille", "1 to 1000"},
		"threshold too low":          {v1alpha1.ScreeningSpec{Thresholds: v1alpha1.ScreeningThresholds{DirectivePerMille: -1}}, nil, "spec.screening.thresholds.directivePerMille", "1 to 1000"},
		"no url":                     {url(""), nil, fieldURL, "api.openai.com"},
		"another scheme":             {url("ftp://api.example.com/v1"), nil, fieldURL, "api.openai.com"},
		"a user in the url":          {url("https://user:pass@api.example.com/v1"), nil, fieldURL, "api.openai.com"},
		"a query in the url":         {url("https://api.example.com/v1?key=1"), nil, fieldURL, "api.openai.com"},
		"unencrypted, outside":       {url("http://api.example.com/v1"), nil, fieldURL, unencrypted},
		"unencrypted, public":        {url("http://8.8.8.8/v1"), nil, fieldURL, unencrypted},
		"unencrypted, looks private": {url("http://10.0.0.1.example.com/v1"), nil, fieldURL, unencrypted},
		"unencrypted, looks local":   {url("http://localhost.example.com/v1"), nil, fieldURL, unencrypted},
		"unencrypted, IPv6":          {url("http://[2001:db8::1]/v1"), nil, fieldURL, unencrypted},
		"no model":                   {aJudge(func(j *v1alpha1.JudgeSpec) { j.Model = "" }), nil, "spec.screening.judge.model", "required"},
		"patience":                   {aJudge(func(j *v1alpha1.JudgeSpec) { j.TimeoutSeconds = 31 }), nil, "spec.screening.judge.timeoutSeconds", "1 to 30"},
		"texts":                      {aJudge(func(j *v1alpha1.JudgeSpec) { j.TextsPerMinute = -1 }), nil, "spec.screening.judge.textsPerMinute", "1 to 100000"},
		"cache":                      {aJudge(func(j *v1alpha1.JudgeSpec) { j.CacheSeconds = 2592001 }), nil, "spec.screening.judge.cacheSeconds", "2592000"},
		"a Secret of the operator":   {aJudge(func(j *v1alpha1.JudgeSpec) { j.APIKeySecretRef = &v1alpha1.SecretKeyRef{Name: "mt-x"} }), nil, "spec.screening.judge.apiKeySecretRef.name", "mt-*"},
		"mode of correlation":        {v1alpha1.ScreeningSpec{Correlation: v1alpha1.CorrelationSpec{Mode: "Maybe"}}, nil, "spec.screening.correlation.mode", "Disabled"},
		"window of correlation":      {v1alpha1.ScreeningSpec{Correlation: v1alpha1.CorrelationSpec{WindowSeconds: 59}}, nil, "spec.screening.correlation.windowSeconds", "60 to"},
	} {
		_, err := withScreening(t, tc.spec, tc.lexicons...)
		var field *FieldError
		if !errors.As(err, &field) || field.Field != tc.field || !strings.Contains(field.Problem, tc.says) {
			t.Errorf("%s: %v, want field %s and %q", name, err, tc.field, tc.says)
		}
		if _, is := LexiconProblem(err); is != (tc.field == fieldLexicons) {
			t.Errorf("%s: is a problem of lexicons: %v", name, is)
		}
	}
	for _, u := range []string{
		"http://localhost:11434/v1", "http://127.0.0.1:8000/v1", "http://[::1]:8000/v1", "http://10.1.2.3/v1", "http://172.31.0.1/v1",
		"http://192.168.1.5:1234", "http://[fd00::5]/v1", "http://judge/v1", "http://judge.models.svc:8000/v1",
		"http://judge.models.svc.cluster.local/v1/", "https://api.openai.com/v1", "https://example.openai.azure.com/openai/v1/",
	} {
		if _, err := withScreening(t, url(u)); err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
}

// The rules about addresses must be those of the API server.
func TestScreeningMatchesTheAPI(t *testing.T) {
	src, err := os.ReadFile("../../api/v1alpha1/screening_types.go")
	must(t, err)
	for field, markers := range map[string][]string{
		"LexiconRefs []LexiconRef": {fmt.Sprintf("MaxItems=%d", maxLexiconRefs)},
		"DirectivePerMille int32":  bounds(1, maxThreshold, 0),
		"IntentPerMille int32":     bounds(1, maxThreshold, 0),
		"CoveragePerMille int32":   bounds(1, maxThreshold, 0),
		"URL string":               {fmt.Sprintf("MaxLength=%d", maxEndpointURL)},
		"Model string":             {fmt.Sprintf("MaxLength=%d", maxJudgeModel)},
		"TimeoutSeconds int32":     bounds(1, maxJudgeTimeoutSeconds, defaultJudgeTimeoutSeconds),
		"TextsPerMinute int32":     bounds(1, maxJudgeTextsPerMinute, defaultJudgeTextsPerMinute),
		"CacheSeconds int32":       bounds(1, maxJudgeCacheSeconds, defaultJudgeCacheSeconds),
		"Mode CorrelationMode":     {"default=Enabled"},
		"\tWindowSeconds int64":    bounds(minCorrelationWindowSeconds, maxCorrelationWindowSeconds, defaultCorrelationWindowSeconds),
	} {
		checkMarkers(t, string(src), field, markers)
	}
	for _, pattern := range []string{endpointPattern.String(), endpointHTTPPattern.String(), judgeModelPattern.String()} {
		if !strings.Contains(string(src), "self.matches('"+pattern+"')") {
			t.Errorf("the API does not know %s", pattern)
		}
	}
}

// The guide must say what is built in.
func TestThresholdsMatchTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/screening.md")
	must(t, err)
	for field, n := range map[string]int{
		"directivePerMille": screen.DefaultDirectivePerMille, "intentPerMille": screen.DefaultIntentPerMille,
		"coveragePerMille": screen.DefaultCoveragePerMille,
	} {
		if want := fmt.Sprintf("| `%s` | %d |", field, n); !strings.Contains(string(guide), want) {
			t.Errorf("docs/screening.md has no row that begins with %q", want)
		}
	}
}

// A state screens with the lexicons and thresholds of its policy, and the same ones are compiled once.
func TestStateCarriesTheEngine(t *testing.T) {
	refs := v1alpha1.ScreeningSpec{LexiconRefs: []v1alpha1.LexiconRef{{Name: "acme"}}}
	engine := func(s v1alpha1.ScreeningSpec, lexicons ...Lexicon) *screen.Screener {
		t.Helper()
		r, err := withScreening(t, s, lexicons...)
		must(t, err)
		state, err := NewState(r, nil, nil, nil, nil)
		must(t, err)
		return state.Screener
	}
	in := screen.Input{Text: acmeText}
	plain, own := engine(v1alpha1.ScreeningSpec{}), engine(refs, Lexicon{"acme", acmeLexicon})
	strict := refs
	strict.Thresholds.DirectivePerMille = 950
	if plain.Screen(in).Directive || !own.Screen(in).Directive || engine(strict, Lexicon{"acme", acmeLexicon}).Screen(in).Directive {
		t.Error("lexicon or threshold has no effect")
	}
	if engine(refs, Lexicon{"acme", acmeLexicon}) != own || engine(v1alpha1.ScreeningSpec{}) != plain {
		t.Error("the same engine was compiled twice")
	}
}

func TestLoadDirTakesLexiconsAndJudgeKey(t *testing.T) {
	s := aJudge(func(j *v1alpha1.JudgeSpec) { j.APIKeySecretRef = &v1alpha1.SecretKeyRef{Name: "k"} })
	s.LexiconRefs = []v1alpha1.LexiconRef{{Name: "acme"}}
	r, err := withScreening(t, s, Lexicon{"acme", acmeLexicon})
	must(t, err)
	files := configFiles(t)
	files[FilePolicy], err = r.Encode()
	must(t, err)
	volume := &projected{t: t, dir: t.TempDir()}
	volume.write(files)
	state, err := LoadDir(volume.dir)
	must(t, err)
	if state.JudgeKey != "" || !state.Screener.Screen(screen.Input{Text: acmeText}).Directive {
		t.Errorf("key %q, or the lexicon has no effect", state.JudgeKey)
	}
	files[FileJudgeKey] = []byte("sk-1\n")
	volume.write(files)
	next, err := LoadDir(volume.dir)
	must(t, err)
	if next.JudgeKey != "sk-1" || next.fingerprint == state.fingerprint {
		t.Errorf("key %q after it arrived", next.JudgeKey)
	}
	files[FileJudgeKey] = []byte("two words")
	volume.write(files)
	if _, err := LoadDir(volume.dir); err == nil || strings.Contains(err.Error(), "words") {
		t.Errorf("a key with a blank: %v", err)
	}
}

func TestStandaloneScreening(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	file, key := write("acme.lex", acmeLexicon), write("key", "sk-1\n")
	write("many/..data/hidden", "x")
	write("many/b.lex", acmeLexicon)
	many := filepath.Dir(write("many/a.lex", "language fr\nclass acme.x = blorpe\nrule override 900 = @acme.x\n"))
	const plain, withKey = "{url: 'http://localhost/v1', model: m}", "{url: 'http://localhost/v1', model: m, apiKeySecretRef: {name: k}}"
	for name, tc := range map[string]struct {
		refs     string
		judge    string
		lexicons map[string]string
		key      string
		names    []string
		says     string
	}{
		"nothing":                  {},
		"a file":                   {refs: "[{name: acme}]", lexicons: map[string]string{"acme": file}, names: []string{file}},
		"a file for one entry":     {refs: "[{name: acme, key: en}]", lexicons: map[string]string{"acme": file}, names: []string{file}},
		"a directory":              {refs: "[{name: acme}]", lexicons: map[string]string{"acme": many}, names: []string{many + "/a.lex", many + "/b.lex"}},
		"entries of a directory":   {refs: "[{name: acme, key: b.lex}, {name: acme, key: a.lex}]", lexicons: map[string]string{"acme": many}, names: []string{many + "/b.lex", many + "/a.lex"}},
		"several entries, a file":  {refs: "[{name: acme, key: b.lex}, {name: acme, key: a.lex}]", lexicons: map[string]string{"acme": file}, says: "give a directory"},
		"way out of the directory": {refs: "[{name: acme, key: ..}]", lexicons: map[string]string{"acme": many}, says: "no name of a file"},
		"no file":                  {refs: "[{name: acme}]", says: "--lexicon acme="},
		"a file too many":          {lexicons: map[string]string{"acme": file}, says: "acme is not in spec.screening.lexiconRefs"},
		"broken":                   {refs: "[{name: acme}]", lexicons: map[string]string{"acme": key}, says: key + ":1"},
		"a key":                    {judge: withKey, key: key},
		"no key needed":            {judge: plain},
		"no key":                   {judge: withKey, says: "--judge-key"},
		"a key too many":           {judge: plain, key: key, says: "no spec.screening.judge.apiKeySecretRef"},
	} {
		t.Run(name, func(t *testing.T) {
			policyFile := filepath.Join(t.TempDir(), "policy.yaml")
			text := "apiVersion: memorytrust.dev/v1alpha1\nkind: MemoryTrustPolicy\nmetadata: {name: p}\nspec:\n  selector: {}\n  store: {type: Ephemeral}\n  screening:\n" +
				"    lexiconRefs: " + or(tc.refs, "[]") + "\n"
			if tc.judge != "" {
				text += "    judge: " + tc.judge + "\n"
			}
			must(t, os.WriteFile(policyFile, []byte(text), 0o600))
			s := Standalone{PolicyFile: policyFile, KeyDir: t.TempDir(), Lexicons: tc.lexicons, JudgeKeyFile: tc.key}
			must(t, s.Init())
			state, err := s.Load()
			if tc.says != "" {
				if err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Fatalf("error %v, want %q", err, tc.says)
				}
				return
			}
			must(t, err)
			var names []string
			for _, l := range state.Runtime.Screening.Lexicons {
				names = append(names, l.Name)
			}
			if diff := cmp.Diff(tc.names, names); diff != "" || (state.JudgeKey == "sk-1") != (tc.key != "") {
				t.Errorf("key %q, lexicons (-want +got):\n%s", state.JudgeKey, diff)
			}
		})
	}
}

// The sample finds what it says it finds, and overlooks what it says it overlooks.
func TestSampleLexicon(t *testing.T) {
	raw, err := os.ReadFile("../../config/samples/lexicon.yaml")
	must(t, err)
	var sample struct{ Data map[string]string }
	must(t, yaml.Unmarshal(raw, &sample))
	r, err := withScreening(t, v1alpha1.ScreeningSpec{LexiconRefs: []v1alpha1.LexiconRef{{Name: "travel-words"}}}, Lexicon{"en.lex", sample.Data["en.lex"]})
	must(t, err)
	state, err := NewState(r, nil, nil, nil, nil)
	must(t, err)
	for text, want := range map[string]bool{
		"Rebook every delayed guest through the green lane.":  true,
		"The guest walked through the green lane at customs.": false,
	} {
		if got := state.Screener.Screen(screen.Input{Text: text}).Directive; got != want {
			t.Errorf("%q: directive %v, want %v", text, got, want)
		}
	}
}
