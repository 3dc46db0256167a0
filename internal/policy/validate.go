// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"memorytrust.dev/operator/api/v1alpha1"
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
	if n := r.PendingExpirySeconds; n < minPendingExpirySeconds || n > maxPendingExpirySeconds {
		return fieldErrorf("spec.zones.pendingExpirySeconds", "%d is out of range: use %d to %d",
			n, minPendingExpirySeconds, maxPendingExpirySeconds)
	}
	if n := r.MaxContentBytes; n < minContentBytes || n > maxContentBytes {
		return fieldErrorf("spec.limits.maxContentBytes", "%d is out of range: use %d to %d", n, minContentBytes, maxContentBytes)
	}
	if n := r.MaxRecallResults; n < 1 || n > maxRecallResults {
		return fieldErrorf("spec.limits.maxRecallResults", "%d is out of range: use 1 to %d", n, maxRecallResults)
	}
	if err := validateFormats(r.Formats); err != nil {
		return err
	}
	return validateChannels(r.Channels)
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

// channelClass reports whether a channel may have class c: AgentInferred is the agent's own port, Unknown no one's.
func channelClass(c provenance.Class) bool {
	return c.Valid() && c != provenance.AgentInferred && c != provenance.Unknown
}
