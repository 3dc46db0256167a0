// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"regexp"
	"slices"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/screen"
)

// What is told about a tool that cannot be used. Nothing of its definition is.
const (
	tellWaits    = "This tool cannot be used: its definition waits for review by a person."
	tellChanged  = "This tool cannot be used: its definition is another than the one that was accepted, and waits for review by a person."
	tellRejected = "This tool cannot be used: a person rejected its definition."
	tellFull     = "This tool cannot be used: its definition has to be reviewed by a person, and the queue has no room " +
		"(spec.limits.maxPending)."
	tellInstructs = "This tool cannot be used: its definition says more than what the tool does, and waits for review by a person."
	tellTampered  = "This tool cannot be used: what is recorded of its definition is not what was signed. An operator has to look at " +
		"the store."
	// tellUnreadable also stands for what is longer than action.MaxBytes.
	tellUnreadable = "This tool cannot be used: its definition is no JSON of at most 64 KiB."
)

// reasonChanged is the reason, for people, of a definition that is not the first of its tool.
const reasonChanged = "definition: another than the one that was accepted"

// definitionName matches names of tools, servers and prompts, and URIs with or without variables.
var definitionName = regexp.MustCompile(`^[A-Za-z0-9@][A-Za-z0-9@._:/{}?&=+%#*~-]{0,255}$`)

// instructs returns the reasons, for people, why a definition says more than what its tool does; none for one that is clean. To
// tell the model to use the tool is what descriptions are for, and so is telling it to remember something where the tool stores
// memories. What nobody can judge is not clean. Names and addresses are no sentences: of them only the lexicon has a say.
func (p *pinning) instructs(ctx context.Context, d definition) []string {
	var names, texts []text
	for _, t := range distinct(d.Texts) {
		if t := (text{words: words{content: t}}); definitionName.MatchString(t.content) {
			names = append(names, t)
		} else {
			texts = append(texts, t)
		}
	}
	for _, row := range inRows(texts) {
		texts = append(texts, row.text)
	}
	allowed := []string{string(screen.FamilyCommand)}
	if u, _ := p.state.Runtime.Upstream(d.Upstream); u.Kind == v1alpha1.UpstreamKindMemory {
		allowed = append(allowed, string(screen.FamilyMemoryWrite))
	}
	var reasons []string
	for i, v := range p.gate.screening(p.state).verdicts(ctx, append(texts, names...)...) {
		if i >= len(texts) && v.Tier != screen.TierLexical {
			continue
		}
		says := slices.ContainsFunc(v.Families, func(f string) bool { return !slices.Contains(allowed, f) })
		if v.Abstained || v.Directive && says {
			reasons = union(reasons, v.Reasons)
		}
	}
	return reasons[:min(len(reasons), screen.MaxReasons)]
}
