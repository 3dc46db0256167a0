// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"math"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// validate checks a runtime policy however it came about. Field names are those of the manifest where the two differ,
// because that is where a person fixes them.
func (r *Runtime) validate() error {
	if r.SchemaVersion != SchemaVersion {
		return fieldErrorf("schemaVersion", "%q is not known to this screener, which reads %q", r.SchemaVersion, SchemaVersion)
	}
	for field, value := range map[string]string{"namespace": r.Namespace, "agent": r.Agent, "agentID": r.AgentID} {
		if value == "" || len(value) > 253 {
			return fieldErrorf(field, "is required, at most 253 characters")
		}
	}
	if err := r.validateModes(); err != nil {
		return err
	}
	if err := r.validateRanges(); err != nil {
		return err
	}
	if err := r.Actions.validate(); err != nil {
		return err
	}
	if err := r.Screening.validate(); err != nil {
		return err
	}
	if err := validateUpstreams(r.Upstreams); err != nil {
		return err
	}
	if err := validateClasses(r.Classes); err != nil {
		return err
	}
	if err := validateFormats(r.Formats); err != nil {
		return err
	}
	if err := validateChannels(r.Channels); err != nil {
		return err
	}
	return r.validateAccounts()
}

func (r *Runtime) validateRanges() error {
	for _, err := range []error{
		inRange("spec.zones.pendingExpirySeconds", r.PendingExpirySeconds, minPendingExpirySeconds, maxPendingExpirySeconds),
		inRange("spec.zones.corroboration", int64(r.Corroboration), minCorroboration, maxCorroboration),
		inRange("spec.contradictions.scanIntervalSeconds", r.ScanIntervalSeconds, minScanIntervalSeconds, maxScanIntervalSeconds),
		inRange("spec.limits.maxContentBytes", int64(r.MaxContentBytes), minContentBytes, maxContentBytes),
		inRange("spec.limits.maxRecallResults", int64(r.MaxRecallResults), 1, maxRecallResults),
		inRange("spec.limits.maxPending", int64(r.MaxPending), 1, maxMaxPending),
		inRange("spec.limits.writesPerMinute", int64(r.WritesPerMinute), 1, maxWritesPerMinute),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func inRange(field string, n, lowest, highest int64) error {
	if n < lowest || n > highest {
		return fieldErrorf(field, "%d is out of range: use %d to %d", n, lowest, highest)
	}
	return nil
}

func validateClasses(classes []ClassRules) error {
	seen := map[provenance.Class]bool{}
	for _, c := range classes {
		field := fmt.Sprintf("spec.zones.classes[%s]", c.Class)
		switch {
		case !c.Class.Valid():
			return fieldErrorf("spec.zones.classes", "class %.40q is not supported: use a source class, for example WebContent", c.Class)
		case seen[c.Class]:
			return fieldErrorf(field, "is there twice")
		}
		seen[c.Class] = true
		if err := c.validate(field); err != nil {
			return err
		}
	}
	return nil
}

// validate checks the rules of a class. Zero fields are not set.
func (c ClassRules) validate(field string) error {
	optional := func(name string, n, lowest, highest int64) error {
		if n == 0 {
			return nil
		}
		return inRange(field+"."+name, n, lowest, highest)
	}
	for _, err := range []error{
		optional("expirySeconds", c.ExpirySeconds, minClassSeconds, maxClassSeconds),
		optional("staleAfterSeconds", c.StaleAfterSeconds, minClassSeconds, maxClassSeconds),
		optional("decayPerDayPerMille", int64(c.DecayPerDayPerMille), minDecayPerDayPerMille, maxDecayPerDayPerMille),
		optional("maxPending", int64(c.MaxPending), 1, maxMaxPending),
	} {
		if err != nil {
			return err
		}
	}
	if builtIn := builtInDecay(c.Class); c.DecayPerDayPerMille > builtIn {
		return fieldErrorf(field+".decayPerDayPerMille", "%d is higher than what is built in for the class, %d: a policy can "+
			"only make memories fade sooner", c.DecayPerDayPerMille, builtIn)
	}
	if c.ExpirySeconds > 0 && c.StaleAfterSeconds >= c.ExpirySeconds {
		return fieldErrorf(field+".staleAfterSeconds", "%d is not shorter than expirySeconds, %d: the memory would be gone before it "+
			"is stale", c.StaleAfterSeconds, c.ExpirySeconds)
	}
	return nil
}

// builtInDecay is what is left of a memory's weight after a day, per mille.
func builtInDecay(class provenance.Class) int {
	return int(math.Round(memory.CapOf(class).DecayPerDay * 1000))
}

func (r *Runtime) validateModes() error {
	switch r.Enforcement {
	case v1alpha1.EnforcementEnforce, v1alpha1.EnforcementDryRun:
	default:
		return fieldErrorf("spec.enforcement", "%q is not supported: use Enforce or DryRun", r.Enforcement)
	}
	switch r.Review {
	case v1alpha1.ReviewModeMark, v1alpha1.ReviewModeWithhold:
	default:
		return fieldErrorf("spec.review", "%q is not supported: use Mark or Withhold", r.Review)
	}
	switch r.TrustMode {
	case v1alpha1.TrustModePrefix:
	case v1alpha1.TrustModeSigned:
		if len(r.Channels) == 0 {
			return fieldErrorf("spec.trust.channels",
				"mode Signed needs at least one: without an authenticated channel no memory could ever be trusted")
		}
	default:
		return fieldErrorf("spec.trust.mode", "%q is not supported: use Prefix or Signed", r.TrustMode)
	}
	return nil
}

func validateFormats(formats []Format) error {
	if len(formats) > maxFormats {
		return fieldErrorf("spec.trust.formats", "%d entries are too many: at most %d", len(formats), maxFormats)
	}
	seen := map[string]bool{}
	for _, f := range formats {
		field := "spec.trust.formats[" + f.Prefix + "]"
		switch {
		case len(f.Prefix) > maxPrefixBytes || !prefixPattern.MatchString(f.Prefix):
			return fieldErrorf("spec.trust.formats", "%.140q is no prefix: use lower-case words of letters, digits, '.', '_' or '-', "+
				"separated by ':', for example operator:console", f.Prefix)
		case untrustedWord.MatchString(f.Prefix):
			return fieldErrorf(field, "holds one of external, public, untrusted, anon, anonymous, unknown: such sources are always untrusted")
		case !f.Class.High():
			return fieldErrorf(field, "class %q is not supported: use UserInput, Manual or SystemMemory", f.Class)
		case seen[f.Prefix]:
			return fieldErrorf(field, "is there twice")
		}
		seen[f.Prefix] = true
	}
	return nil
}

func validateChannels(channels []Channel) error {
	if len(channels) > maxChannels {
		return fieldErrorf("spec.trust.channels", "%d entries are too many: at most %d", len(channels), maxChannels)
	}
	seen := map[string]bool{}
	for _, c := range channels {
		field := "spec.trust.channels[" + c.Name + "]"
		switch {
		case len(c.Name) > maxChannelName || !channelPattern.MatchString(c.Name):
			return fieldErrorf("spec.trust.channels", "%.80q is no channel name: use lower-case letters, digits and '-'", c.Name)
		case !channelClass(c.Class):
			return fieldErrorf(field, "class %q is not supported: use UserInput, Manual, SystemMemory, SubagentTrace, ToolOutput or WebContent", c.Class)
		case len(c.Principal) > maxPrincipal || !principalPattern.MatchString(c.Principal):
			return fieldErrorf(field, "principal must be letters, digits, '.', '_', '@', ':' or '-', at most %d", maxPrincipal)
		case seen[c.Name]:
			return fieldErrorf(field, "is there twice")
		}
		seen[c.Name] = true
	}
	return nil
}

// validateAccounts checks the ServiceAccounts of channels. The agent itself is none of them: it would vouch for what it says.
func (r *Runtime) validateAccounts() error {
	if r.ServiceAccount != "" && !validAccount(r.ServiceAccount) {
		return fieldErrorf("serviceAccount", "%.80q is no namespace/name", r.ServiceAccount)
	}
	channelOf := map[string]string{}
	for _, c := range r.Channels {
		field := "spec.trust.channels[" + c.Name + "].serviceAccountRef"
		other, taken := channelOf[c.ServiceAccount]
		switch {
		case c.ServiceAccount == "":
			continue
		case !validAccount(c.ServiceAccount):
			return fieldErrorf(field, "%.80q is no namespace/name of a ServiceAccount", c.ServiceAccount)
		case c.ServiceAccount == r.ServiceAccount:
			return fieldErrorf(field, "%s is the ServiceAccount of agent %s itself, which could then vouch for its own words: name the "+
				"ServiceAccount of the workload that speaks through the channel, or run the agent as another one", c.ServiceAccount, r.Agent)
		case taken:
			return fieldErrorf(field, "%s is the ServiceAccount of channel %s too: name another one", c.ServiceAccount, other)
		}
		channelOf[c.ServiceAccount] = c.Name
	}
	return nil
}

func validAccount(account string) bool {
	return len(account) <= maxServiceAccount && accountPattern.MatchString(account)
}

// channelClass reports whether a channel may have class c: AgentInferred is the agent's own port, Unknown no one's.
func channelClass(c provenance.Class) bool {
	return c.Valid() && c != provenance.AgentInferred && c != provenance.Unknown
}
