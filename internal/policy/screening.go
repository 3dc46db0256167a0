// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/screen"
)

// Defaults and bounds of spec.screening.
const (
	maxLexiconRefs = 16
	// maxLexicons bounds the entries of all ConfigMaps together.
	maxLexicons = 64
	// maxLexiconBytes bounds all lexicons of a policy together.
	maxLexiconBytes = 256 << 10
	// maxQuotedLexiconBytes bounds what they take in the runtime policy, where quotes and brackets are escaped: that has to fit into
	// a ConfigMap with everything else.
	maxQuotedLexiconBytes = 512 << 10
	maxLexiconName        = 600
	maxThreshold          = 1000
	maxEndpointURL        = 512
	maxJudgeModel         = 256

	defaultJudgeTimeoutSeconds = 10
	maxJudgeTimeoutSeconds     = 30
	defaultJudgeTextsPerMinute = 60
	maxJudgeTextsPerMinute     = 100000
	defaultJudgeCacheSeconds   = 86400
	maxJudgeCacheSeconds       = 2592000

	defaultCorrelationWindowSeconds = 2592000
	minCorrelationWindowSeconds     = 60
	maxCorrelationWindowSeconds     = 31536000
)

var (
	endpointPattern = regexp.MustCompile(`^https?://(([A-Za-z0-9_-]+[.])*[A-Za-z0-9_-]+|[[][0-9A-Fa-f:]+[]])(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$`)
	// endpointHTTPPattern holds loopback, private addresses, names without a dot and names of services.
	endpointHTTPPattern = regexp.MustCompile(`^http://(localhost|127([.][0-9]{1,3}){3}|10([.][0-9]{1,3}){3}|` +
		`172[.](1[6-9]|2[0-9]|3[01])([.][0-9]{1,3}){2}|192[.]168([.][0-9]{1,3}){2}|[[](::1|[Ff][CcDd][0-9A-Fa-f:]*)[]]|` +
		`[A-Za-z][A-Za-z0-9-]*|([A-Za-z0-9-]+[.])+svc([.][A-Za-z0-9.-]+)?)(:[0-9]{1,5})?(/.*)?$`)
	endpointHTTPSPattern = regexp.MustCompile(`^https://`)
	judgeModelPattern    = regexp.MustCompile(`^[!-~]+$`)
)

// Screening says how texts are screened. Zero fields mean the defaults of the API.
type Screening struct {
	Lexicons    []Lexicon   `json:"lexicons,omitempty"` // in the order of the policy, which counts
	Thresholds  Thresholds  `json:"thresholds,omitzero"`
	Judge       *Judge      `json:"judge,omitempty"` // nil: off
	Correlation Correlation `json:"correlation,omitzero"`
}

// Lexicon is the text of one lexicon. The name says where it came from, for messages.
type Lexicon struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Thresholds say from where on evidence counts, per mille. A zero field is as built in.
type Thresholds struct {
	DirectivePerMille int `json:"directivePerMille,omitempty"`
	IntentPerMille    int `json:"intentPerMille,omitempty"`
	CoveragePerMille  int `json:"coveragePerMille,omitempty"`
}

// Judge is the language model that is asked about texts of untrusted origin. The key of its endpoint travels apart, in a Secret.
type Judge struct {
	URL   string `json:"url"`
	Model string `json:"model"`
	// Key says that the endpoint wants a key: without one it is not asked.
	Key            bool  `json:"key,omitempty"`
	TimeoutSeconds int64 `json:"timeoutSeconds"`
	TextsPerMinute int   `json:"textsPerMinute"`
	CacheSeconds   int64 `json:"cacheSeconds"`
}

// Timeout is how long one operation waits for the judge.
func (j Judge) Timeout() time.Duration { return time.Duration(j.TimeoutSeconds) * time.Second }

// CacheFor is how long an answer holds.
func (j Judge) CacheFor() time.Duration { return time.Duration(j.CacheSeconds) * time.Second }

// Correlation says whether and for how long memories of untrusted origin are looked at together.
type Correlation struct {
	Mode          v1alpha1.CorrelationMode `json:"mode,omitempty"`
	WindowSeconds int64                    `json:"windowSeconds,omitempty"`
}

// Enabled reports whether memories are looked at together.
func (c Correlation) Enabled() bool {
	return or(c.Mode, v1alpha1.CorrelationEnabled) == v1alpha1.CorrelationEnabled
}

// Window is how long a memory is looked at together with later ones.
func (c Correlation) Window() time.Duration {
	return time.Duration(or(c.WindowSeconds, defaultCorrelationWindowSeconds)) * time.Second
}

// compileScreening applies the defaults of the API.
func compileScreening(s v1alpha1.ScreeningSpec, lexicons []Lexicon) Screening {
	out := Screening{
		Lexicons: lexicons,
		Thresholds: Thresholds{
			DirectivePerMille: int(s.Thresholds.DirectivePerMille),
			IntentPerMille:    int(s.Thresholds.IntentPerMille),
			CoveragePerMille:  int(s.Thresholds.CoveragePerMille),
		},
		Correlation: Correlation{
			Mode:          or(s.Correlation.Mode, v1alpha1.CorrelationEnabled),
			WindowSeconds: or(s.Correlation.WindowSeconds, defaultCorrelationWindowSeconds),
		},
	}
	if j := s.Judge; j != nil {
		out.Judge = &Judge{
			URL: j.URL, Model: j.Model, Key: j.APIKeySecretRef != nil,
			TimeoutSeconds: int64(or(j.TimeoutSeconds, defaultJudgeTimeoutSeconds)),
			TextsPerMinute: int(or(j.TextsPerMinute, defaultJudgeTextsPerMinute)),
			CacheSeconds:   int64(or(j.CacheSeconds, defaultJudgeCacheSeconds)),
		}
	}
	return out
}

// checkScreening checks what of spec.screening is not in the runtime policy.
func checkScreening(s v1alpha1.ScreeningSpec, lexicons []Lexicon) error {
	if len(s.LexiconRefs) > maxLexiconRefs {
		return fieldErrorf(fieldLexicons, "%d entries are too many: at most %d", len(s.LexiconRefs), maxLexiconRefs)
	}
	if len(s.LexiconRefs) > 0 && len(lexicons) == 0 {
		return fieldErrorf(fieldLexicons, "the lexicons are not here")
	}
	if j := s.Judge; j != nil && j.APIKeySecretRef != nil && (j.APIKeySecretRef.Name == "" || ownedName(j.APIKeySecretRef.Name)) {
		return fieldErrorf("spec.screening.judge.apiKeySecretRef.name", "name a Secret of your own; those named mt-* belong to the operator")
	}
	return nil
}

// fieldLexicons is the field that errors about lexicons name.
const fieldLexicons = "spec.screening.lexiconRefs"

// LexiconProblem returns what is wrong with a lexicon that a policy adds, if that is what an error of Compile is about.
func LexiconProblem(err error) (string, bool) {
	var field *FieldError
	if errors.As(err, &field) && field.Field == fieldLexicons {
		return field.Problem, true
	}
	return "", false
}

// validate checks a screening however it came about.
func (s Screening) validate() error {
	for field, n := range map[string]int{
		"directivePerMille": s.Thresholds.DirectivePerMille,
		"intentPerMille":    s.Thresholds.IntentPerMille,
		"coveragePerMille":  s.Thresholds.CoveragePerMille,
	} {
		if n == 0 {
			continue // as built in
		}
		if err := inRange("spec.screening.thresholds."+field, int64(n), 1, maxThreshold); err != nil {
			return err
		}
	}
	if s.Judge != nil {
		if err := s.Judge.validate(); err != nil {
			return err
		}
	}
	if err := s.Correlation.validate(); err != nil {
		return err
	}
	if err := s.validateLexicons(); err != nil {
		return err
	}
	_, err := s.engine()
	return err
}

func (j Judge) validate() error {
	const field = "spec.screening.judge"
	switch {
	case len(j.URL) > maxEndpointURL || !endpointPattern.MatchString(j.URL):
		return fieldErrorf(field+".url", "is http:// or https://, a host, perhaps a port and a path, and nothing else, for example https://api.openai.com/v1")
	case !endpointHTTPSPattern.MatchString(j.URL) && !endpointHTTPPattern.MatchString(j.URL):
		return fieldErrorf(field+".url", "memories and key would travel unencrypted: use https://, or http:// with loopback, a private "+
			"address or the name of a service within the cluster, such as http://judge.models.svc:8000/v1")
	case len(j.Model) > maxJudgeModel || !judgeModelPattern.MatchString(j.Model):
		return fieldErrorf(field+".model", "is required: printable ASCII without spaces, at most %d characters", maxJudgeModel)
	}
	for _, err := range []error{
		inRange(field+".timeoutSeconds", j.TimeoutSeconds, 1, maxJudgeTimeoutSeconds),
		inRange(field+".textsPerMinute", int64(j.TextsPerMinute), 1, maxJudgeTextsPerMinute),
		inRange(field+".cacheSeconds", j.CacheSeconds, 1, maxJudgeCacheSeconds),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c Correlation) validate() error {
	switch c.Mode {
	case "", v1alpha1.CorrelationEnabled, v1alpha1.CorrelationDisabled:
	default:
		return fieldErrorf("spec.screening.correlation.mode", "%.40q is not supported: use Enabled or Disabled", c.Mode)
	}
	return inRange("spec.screening.correlation.windowSeconds", or(c.WindowSeconds, defaultCorrelationWindowSeconds),
		minCorrelationWindowSeconds, maxCorrelationWindowSeconds)
}

// validateLexicons checks names and sizes; what is in the texts is for the engine to say.
func (s Screening) validateLexicons() error {
	if len(s.Lexicons) > maxLexicons {
		return fieldErrorf(fieldLexicons, "%d lexicons are too many: at most %d", len(s.Lexicons), maxLexicons)
	}
	total, quoted := 0, 0
	for _, l := range s.Lexicons {
		switch {
		case l.Name == "" || len(l.Name) > maxLexiconName:
			return fieldErrorf(fieldLexicons, "a lexicon needs a name of at most %d bytes", maxLexiconName)
		case !utf8.ValidString(l.Text):
			return fieldErrorf(fieldLexicons, "%s: is not valid UTF-8", l.Name)
		}
		if total += len(l.Text); total > maxLexiconBytes {
			return fieldErrorf(fieldLexicons, "the lexicons are too long: at most %d bytes together, and %s goes beyond it", maxLexiconBytes, l.Name)
		}
		text, err := json.Marshal(l.Text)
		if err != nil {
			return fmt.Errorf("encode lexicon: %w", err)
		}
		if quoted += len(text); quoted > maxQuotedLexiconBytes {
			return fieldErrorf(fieldLexicons, "the lexicons are too long: at most %d bytes together with quotes, brackets and control "+
				"characters escaped, and %s goes beyond it", maxQuotedLexiconBytes, l.Name)
		}
	}
	return nil
}

// engine returns the screener of these lexicons and thresholds. Its error is a *FieldError in the words of the manifest.
func (s Screening) engine() (*screen.Screener, error) {
	engine, err := engines.get(s.Lexicons, s.Thresholds)
	switch {
	case errors.Is(err, screen.ErrLexicon):
		return nil, fieldErrorf(fieldLexicons, "%s", trimPrefixes(err.Error(), "screen: ", screen.ErrLexicon.Error()+": "))
	case errors.Is(err, screen.ErrThresholds):
		return nil, fieldErrorf("spec.screening.thresholds", "%s", trimPrefixes(err.Error(), "screen: ", screen.ErrThresholds.Error()+": "))
	}
	return engine, err
}

// maxJudgeKeyBytes bounds the key of a judge's endpoint; a header line has to carry it.
const maxJudgeKeyBytes = 4096

// parseJudgeKey reads the key of the judge's endpoint: one line of printable ASCII. Its errors hold nothing of it.
func parseJudgeKey(data []byte) (string, error) {
	key := string(bytes.TrimSpace(data))
	switch {
	case len(key) > maxJudgeKeyBytes:
		return "", fmt.Errorf("longer than %d bytes", maxJudgeKeyBytes)
	case key != "" && !judgeModelPattern.MatchString(key):
		return "", errors.New("a key is printable ASCII without spaces, on one line")
	}
	return key, nil
}

// CheckJudgeKey says what is wrong with the key of a judge's endpoint, or nil. The error holds nothing of it.
func CheckJudgeKey(data []byte) error {
	key, err := parseJudgeKey(data)
	if err == nil && key == "" {
		return errors.New("it is empty")
	}
	return err
}
