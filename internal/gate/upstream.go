// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
)

// MaxUpstreamTexts is how many texts of one call are looked at; more are refused with it.
const MaxUpstreamTexts = 1000

// upstreamSource begins the source of what an upstream holds, hands out, or answers: "upstream:<name>", of a tool's result
// "upstream:<name>/<tool>". Revoking that source takes all of it away.
const upstreamSource = "upstream:"

// upstreamChannel is the writer of texts that an upstream handed out and that nobody wrote through us; the principal is its name.
const upstreamChannel = "upstream"

// UpstreamCall is a call of a tool of an upstream that an agent wants made.
type UpstreamCall struct {
	Upstream  string          // name in spec.upstreams
	Tool      string          // name of the tool, at most MaxToolBytes
	Session   string          // session of the agent; may be empty
	Arguments json.RawMessage // a JSON object of at most action.MaxBytes; nothing is an empty one
	Schema    json.RawMessage // input schema of the tool as it was offered; optional
}

// check returns a *memory.FieldError unless the policy in force has an upstream of that name and kind, and the call names tool and
// session as they can be named.
func (c UpstreamCall) check(r *policy.Runtime, kinds ...v1alpha1.UpstreamKind) error {
	u, ok := r.Upstream(c.Upstream)
	if !ok || !slices.Contains(kinds, u.Kind) {
		return &memory.FieldError{Field: "upstream",
			Fix: fmt.Sprintf("name one of the policy (spec.upstreams) whose kind is %s", oneOf(kinds))}
	}
	if err := checkTool(c.Tool); err != nil {
		return err
	}
	return checkSession(c.Session)
}

func oneOf(kinds []v1alpha1.UpstreamKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, " or ")
}

// checkTool returns a *memory.FieldError for what is no name of a tool.
func checkTool(tool string) error {
	if tool == "" || len(tool) > MaxToolBytes || !utf8.ValidString(tool) || strings.ContainsFunc(tool, unicode.IsControl) {
		return &memory.FieldError{Field: "tool",
			Fix: fmt.Sprintf("name the tool in at most %d bytes of valid UTF-8 without control characters", MaxToolBytes)}
	}
	return nil
}

// checkTexts bounds the texts of one call. It returns a *memory.FieldError or a *TooLargeError.
func checkTexts(r *policy.Runtime, texts []string) error {
	if len(texts) > MaxUpstreamTexts {
		return &memory.FieldError{Field: "texts",
			Fix: fmt.Sprintf("ask for less at a time: one call has at most %d texts, and this one %d", MaxUpstreamTexts, len(texts))}
	}
	for i, t := range texts {
		switch {
		case len(t) > r.MaxContentBytes:
			return &TooLargeError{Limit: r.MaxContentBytes}
		case !utf8.ValidString(t):
			return &memory.FieldError{Field: fmt.Sprintf("texts[%d]", i), Fix: "send valid UTF-8"}
		}
	}
	return nil
}

// distinct returns the texts that say something, each once, in their order.
func distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		if !seen[t] && strings.TrimSpace(t) != "" {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
