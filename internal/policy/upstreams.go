// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/provenance"
)

// Defaults and bounds of spec.upstreams.
const (
	maxUpstreams             = 16
	maxUpstreamRules         = 64
	maxUpstreamContent       = 16
	maxCredentialHeader      = 64
	defaultCredentialHeader  = "Authorization"
	defaultUpstreamSeconds   = 60
	maxUpstreamSeconds       = 600
	defaultUpstreamResult    = 1 << 20
	minUpstreamResult        = 1 << 10
	maxUpstreamResult        = 16 << 20
	maxCredentialBytes       = 8 << 10
	fieldUpstreams           = "spec.upstreams"
	fileCredentialPrefix     = "upstream-"
	bearer                   = "Bearer "
	messageUpstreamTransport = "memories and credential would travel unencrypted: use https://, or http:// with loopback, a private address or " +
		"the name of a service within the cluster, such as http://graphiti.memory.svc:8000/mcp"
)

var headerPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// protocolHeaders are those that a credential cannot be in, because the protocol writes them itself.
var protocolHeaders = []string{
	"host", "connection", "content-length", "content-type", "transfer-encoding", "accept", "mcp-session-id", "mcp-protocol-version", "last-event-id",
}

// Upstream is an MCP server behind the screener. Its credential travels apart, in a Secret.
type Upstream struct {
	Name      string                     `json:"name"`
	URL       string                     `json:"url"`
	Kind      v1alpha1.UpstreamKind      `json:"kind"`
	Transport v1alpha1.UpstreamTransport `json:"transport"`
	// CredentialHeader carries the credential; empty for a server that wants none.
	CredentialHeader string         `json:"credentialHeader,omitempty"`
	Rules            []UpstreamRule `json:"rules,omitempty"` // in the order of the policy, which counts
	TimeoutSeconds   int            `json:"timeoutSeconds"`
	MaxResultBytes   int            `json:"maxResultBytes"`
}

// UpstreamRule says what some tools of an upstream do.
type UpstreamRule struct {
	Tools  []string                `json:"tools"`
	Effect v1alpha1.UpstreamEffect `json:"effect"`
	// Content are paths of arguments, see action.ParsePath; none means every string.
	Content []string `json:"content,omitempty"`
	// Class of results; empty for tools of a Memory upstream.
	Class provenance.Class `json:"class,omitempty"`
}

// Rule returns the first rule that matches a tool.
func (u Upstream) Rule(tool string) (UpstreamRule, bool) {
	for _, r := range u.Rules {
		if slices.ContainsFunc(r.Tools, func(p string) bool { return action.NewPattern(p).Matches(tool) }) {
			return r, true
		}
	}
	return UpstreamRule{}, false
}

// Timeout is how long a call may take.
func (u Upstream) Timeout() time.Duration { return time.Duration(u.TimeoutSeconds) * time.Second }

// UpstreamPath is where the agent's port serves an upstream.
func UpstreamPath(name string) string { return v1alpha1.UpstreamPath(name) }

// FileCredential is the file of the configuration directory that holds the credential of an upstream.
func FileCredential(upstream string) string { return fileCredentialPrefix + upstream }

// Upstream returns an upstream of the policy by its name.
func (r *Runtime) Upstream(name string) (Upstream, bool) {
	at := slices.IndexFunc(r.Upstreams, func(u Upstream) bool { return u.Name == name })
	if at < 0 {
		return Upstream{}, false
	}
	return r.Upstreams[at], true
}

// Credential returns what the credential header of an upstream holds; false while none has arrived. It is a secret.
func (s *State) Credential(upstream string) (string, bool) {
	u, ok := s.Runtime.Upstream(upstream)
	value, has := s.credentials[upstream]
	switch {
	case !ok || !has || u.CredentialHeader == "":
		return "", false
	case strings.EqualFold(u.CredentialHeader, defaultCredentialHeader) && !strings.Contains(value, " "):
		return bearer + value, true
	}
	return value, true
}

// loadCredentials takes the credentials of the policy's upstreams out of the files. The error holds nothing of them.
func (s *State) loadCredentials(files map[string][]byte) error {
	s.credentials = map[string]string{}
	for _, u := range s.Runtime.Upstreams {
		raw, ok := files[FileCredential(u.Name)]
		if !ok || u.CredentialHeader == "" {
			continue
		}
		value, err := ParseCredential(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", FileCredential(u.Name), err)
		}
		s.credentials[u.Name] = value
	}
	return nil
}

// ParseCredential reads the credential of an upstream: one line of printable ASCII. Its errors hold nothing of it.
func ParseCredential(data []byte) (string, error) {
	value := strings.TrimSpace(string(data))
	switch {
	case value == "":
		return "", errors.New("it is empty")
	case len(value) > maxCredentialBytes:
		return "", fmt.Errorf("it is longer than %d bytes", maxCredentialBytes)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
		return "", errors.New("a credential is printable ASCII on one line")
	}
	return value, nil
}

// compileUpstreams sorts by name and applies the defaults of the API.
func compileUpstreams(upstreams []v1alpha1.Upstream) []Upstream {
	var out []Upstream
	for _, u := range upstreams {
		compiled := Upstream{
			Name: u.Name, URL: u.URL, Kind: u.Kind, Transport: or(u.Transport, v1alpha1.UpstreamTransportStreamableHTTP),
			TimeoutSeconds: int(or(u.TimeoutSeconds, defaultUpstreamSeconds)),
			MaxResultBytes: int(or(u.MaxResultBytes, defaultUpstreamResult)),
		}
		if u.CredentialSecretRef != nil {
			compiled.CredentialHeader = or(u.CredentialHeader, defaultCredentialHeader)
		}
		for _, r := range u.ToolRules {
			rule := UpstreamRule{
				Tools: slices.Clone(r.Tools), Effect: r.Effect, Content: slices.Clone(r.Content), Class: provenance.Class(r.Class),
			}
			if r.Effect == v1alpha1.UpstreamEffectCall {
				rule.Class = or(rule.Class, provenance.ToolOutput)
			}
			compiled.Rules = append(compiled.Rules, rule)
		}
		out = append(out, compiled)
	}
	slices.SortStableFunc(out, func(a, b Upstream) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// checkUpstreams checks what of spec.upstreams is not in the runtime policy.
func checkUpstreams(upstreams []v1alpha1.Upstream) error {
	for _, u := range upstreams {
		ref := u.CredentialSecretRef
		field := fmt.Sprintf("%s[%s]", fieldUpstreams, u.Name)
		switch {
		case ref == nil && u.CredentialHeader != "":
			return fieldErrorf(field+".credentialHeader", "needs credentialSecretRef")
		case ref != nil && (ref.Name == "" || ownedName(ref.Name)):
			return fieldErrorf(field+".credentialSecretRef.name", "name a Secret of your own; those named mt-* belong to the operator")
		}
	}
	return nil
}

func validateUpstreams(upstreams []Upstream) error {
	if len(upstreams) > maxUpstreams {
		return fieldErrorf(fieldUpstreams, "%d entries are too many: at most %d", len(upstreams), maxUpstreams)
	}
	seen := map[string]bool{}
	for _, u := range upstreams {
		if len(u.Name) > maxChannelName || !channelPattern.MatchString(u.Name) {
			return fieldErrorf(fieldUpstreams, "%.80q is no name: use lower-case letters, digits and '-', for example payments", u.Name)
		}
		if seen[u.Name] {
			return fieldErrorf(fieldUpstreams, "there are two entries named %s", u.Name)
		}
		seen[u.Name] = true
		if err := u.validate(fmt.Sprintf("%s[%s]", fieldUpstreams, u.Name)); err != nil {
			return err
		}
	}
	return nil
}

func (u Upstream) validate(field string) error {
	switch {
	case u.Kind != v1alpha1.UpstreamKindMemory && u.Kind != v1alpha1.UpstreamKindTools:
		return fieldErrorf(field+".kind", "%.40q is not supported: use Memory or Tools", u.Kind)
	case u.Transport != v1alpha1.UpstreamTransportStreamableHTTP && u.Transport != v1alpha1.UpstreamTransportSSE:
		return fieldErrorf(field+".transport", "%.40q is not supported: use StreamableHTTP or SSE", u.Transport)
	case len(u.URL) > maxEndpointURL || !endpointPattern.MatchString(u.URL):
		return fieldErrorf(field+".url", "is required: http:// or https://, a host, perhaps a port and a path, and nothing else, for example "+
			"http://graphiti.memory.svc:8000/mcp")
	case !endpointHTTPSPattern.MatchString(u.URL) && !endpointHTTPPattern.MatchString(u.URL):
		return fieldErrorf(field+".url", "%s", messageUpstreamTransport)
	case u.CredentialHeader != "" && (len(u.CredentialHeader) > maxCredentialHeader || !headerPattern.MatchString(u.CredentialHeader)):
		return fieldErrorf(field+".credentialHeader", "%.80q is no header: use letters, digits and '-', for example X-API-Key", u.CredentialHeader)
	case slices.Contains(protocolHeaders, strings.ToLower(u.CredentialHeader)):
		return fieldErrorf(field+".credentialHeader", "%s belongs to the protocol; name another", u.CredentialHeader)
	case len(u.Rules) > maxUpstreamRules:
		return fieldErrorf(field+".toolRules", "%d entries are too many: at most %d", len(u.Rules), maxUpstreamRules)
	}
	for _, err := range []error{
		inRange(field+".timeoutSeconds", int64(u.TimeoutSeconds), 1, maxUpstreamSeconds),
		inRange(field+".maxResultBytes", int64(u.MaxResultBytes), minUpstreamResult, maxUpstreamResult),
	} {
		if err != nil {
			return err
		}
	}
	for i, r := range u.Rules {
		if err := r.validate(fmt.Sprintf("%s.toolRules[%d]", field, i), u.Kind); err != nil {
			return err
		}
	}
	return nil
}

// effects of the tools of each kind of upstream.
var effects = map[v1alpha1.UpstreamKind][]v1alpha1.UpstreamEffect{
	v1alpha1.UpstreamKindMemory: {
		v1alpha1.UpstreamEffectRead, v1alpha1.UpstreamEffectWrite, v1alpha1.UpstreamEffectDelete, v1alpha1.UpstreamEffectRefuse,
	},
	v1alpha1.UpstreamKindTools: {v1alpha1.UpstreamEffectCall, v1alpha1.UpstreamEffectRefuse},
}

// classesOfResults are those that what a tool answers can have.
var classesOfResults = []provenance.Class{provenance.SubagentTrace, provenance.ToolOutput, provenance.WebContent, provenance.Unknown}

func (r UpstreamRule) validate(field string, kind v1alpha1.UpstreamKind) error {
	stores := r.Effect == v1alpha1.UpstreamEffectWrite || r.Effect == v1alpha1.UpstreamEffectDelete
	switch {
	case !slices.Contains(effects[kind], r.Effect):
		return fieldErrorf(field+".effect", "%.40q is not supported: tools of a Memory upstream Read, Write or Delete, those of a Tools upstream "+
			"Call; both can be refused with Refuse", r.Effect)
	case len(r.Tools) == 0 || len(r.Tools) > action.MaxTools:
		return fieldErrorf(field+".tools", "give 1 to %d patterns", action.MaxTools)
	case len(r.Content) > maxUpstreamContent:
		return fieldErrorf(field+".content", "%d entries are too many: at most %d", len(r.Content), maxUpstreamContent)
	case len(r.Content) > 0 && !stores:
		return fieldErrorf(field+".content", "is for tools that Write or Delete")
	case r.Class != "" && kind != v1alpha1.UpstreamKindTools:
		return fieldErrorf(field+".class", "is for tools of a Tools upstream: what a Memory upstream hands out has the class it was stored with")
	case r.Class != "" && !slices.Contains(classesOfResults, r.Class):
		return fieldErrorf(field+".class", "%.40q is not supported: use SubagentTrace, ToolOutput, WebContent or Unknown", r.Class)
	}
	for i, p := range r.Tools {
		if err := action.CheckPattern(p); err != nil {
			return fieldErrorf(fmt.Sprintf("%s.tools[%d]", field, i), "%v", err)
		}
	}
	for i, p := range r.Content {
		if _, err := action.ParsePath(p); err != nil {
			return fieldErrorf(fmt.Sprintf("%s.content[%d]", field, i), "%v", err)
		}
	}
	return nil
}
