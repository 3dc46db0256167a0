// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/provenance"
)

// Defaults and bounds of the API, repeated here because a policy file never saw an API server. The markers in
// api/v1alpha1 are their source; a test compares the two.
const (
	defaultPendingExpirySeconds = 1209600 // 14 days
	minPendingExpirySeconds     = 60
	maxPendingExpirySeconds     = 31536000
	defaultMaxContentBytes      = 65536
	minContentBytes             = 256
	maxContentBytes             = 1048576
	defaultMaxRecallResults     = 20
	maxRecallResults            = 200
	defaultMaxPending           = 1000
	maxMaxPending               = 10000
	defaultWritesPerMinute      = 6000
	maxWritesPerMinute          = 1000000
	defaultCorroboration        = 2
	minCorroboration            = 2
	maxCorroboration            = 10
	defaultScanIntervalSeconds  = 86400
	minScanIntervalSeconds      = 60
	maxScanIntervalSeconds      = 2592000
	minClassSeconds             = 60
	maxClassSeconds             = 315360000
	minDecayPerDayPerMille      = 500
	maxDecayPerDayPerMille      = 1000
	maxFormats                  = 64
	maxPrefixBytes              = 128
	maxChannels                 = 16
	maxChannelName              = 63
	maxPrincipal                = 128
	maxServiceAccount           = 63 + 1 + 253
)

var (
	prefixPattern    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*(:[a-z0-9][a-z0-9._-]*)*$`)
	untrustedWord    = regexp.MustCompile(`(^|[^a-z0-9])(external|public|untrusted|anon|anonymous|unknown)($|[^a-z0-9])`)
	channelPattern   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	accountPattern   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	principalPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@:-]*$`)
)

// Compile turns a policy into the runtime policy of one agent. It applies the API's defaults and checks its rules
// itself, so that a policy read from a file gets the same treatment as one from an API server. The result depends on the
// arguments only. Errors name the field and what it takes.
func Compile(p *v1alpha1.MemoryTrustPolicy, namespace, agent, agentID string) (*Runtime, error) {
	return CompileFor(p, Agent{Namespace: namespace, Name: agent, ID: agentID})
}

// Agent is whom a policy is compiled for.
type Agent struct {
	Namespace, Name, ID string
	// ServiceAccount that the agent's pods run as, in Namespace; empty without a cluster. A policy that makes it a channel
	// is refused, because the agent could then say whatever it likes with the class of that channel.
	ServiceAccount string
}

// CompileFor is Compile for an agent in a cluster, of a policy without lexicons of its own.
func CompileFor(p *v1alpha1.MemoryTrustPolicy, a Agent) (*Runtime, error) {
	return CompileWith(p, a, nil)
}

// CompileWith is CompileFor with the texts of spec.screening.lexiconRefs, in that order. LexiconProblem tells errors about them
// from others.
func CompileWith(p *v1alpha1.MemoryTrustPolicy, a Agent, lexicons []Lexicon) (*Runtime, error) {
	if _, err := metav1.LabelSelectorAsSelector(&p.Spec.Selector); err != nil {
		return nil, fieldErrorf("spec.selector", "%v", err)
	}
	if err := checkStore(p.Spec.Store); err != nil {
		return nil, err
	}
	r := &Runtime{
		SchemaVersion:        SchemaVersion,
		Namespace:            a.Namespace,
		Agent:                a.Name,
		AgentID:              a.ID,
		PolicyName:           p.Name,
		Enforcement:          or(p.Spec.Enforcement, v1alpha1.EnforcementEnforce),
		TrustMode:            or(p.Spec.Trust.Mode, v1alpha1.TrustModePrefix),
		Formats:              compileFormats(p.Spec.Trust.Formats),
		Channels:             compileChannels(p.Spec.Trust.Channels, a.Namespace),
		Review:               or(p.Spec.Review, v1alpha1.ReviewModeMark),
		PendingExpirySeconds: or(p.Spec.Zones.PendingExpirySeconds, defaultPendingExpirySeconds),
		MaxContentBytes:      int(or(p.Spec.Limits.MaxContentBytes, defaultMaxContentBytes)),
		MaxRecallResults:     int(or(p.Spec.Limits.MaxRecallResults, defaultMaxRecallResults)),
		MaxPending:           int(or(p.Spec.Limits.MaxPending, defaultMaxPending)),
		WritesPerMinute:      int(or(p.Spec.Limits.WritesPerMinute, defaultWritesPerMinute)),
		Classes:              compileClasses(p.Spec.Zones.Classes),
		Corroboration:        int(or(p.Spec.Zones.Corroboration, defaultCorroboration)),
		ScanIntervalSeconds:  or(p.Spec.Contradictions.ScanIntervalSeconds, defaultScanIntervalSeconds),
		Actions:              compileActions(p.Spec.Actions),
		Screening:            compileScreening(p.Spec.Screening, lexicons),
		Upstreams:            compileUpstreams(p.Spec.Upstreams),
		Postgres:             p.Spec.Store.Type == v1alpha1.StoreTypePostgres,
	}
	if a.ServiceAccount != "" {
		r.ServiceAccount = a.Namespace + "/" + a.ServiceAccount
	}
	if err := checkChannels(p.Spec.Trust.Channels); err != nil {
		return nil, err
	}
	if err := checkScreening(p.Spec.Screening, lexicons); err != nil {
		return nil, err
	}
	if err := checkUpstreams(p.Spec.Upstreams); err != nil {
		return nil, err
	}
	if err := r.validate(); err != nil {
		return nil, err
	}
	revision, err := r.revision()
	if err != nil {
		return nil, err
	}
	r.Revision = revision
	return r, nil
}

// FieldError says which field of a policy cannot be used, and what it takes.
type FieldError struct {
	Field   string // path as in the manifest, for example spec.trust.formats[0].prefix
	Problem string
}

// Error implements error.
func (e *FieldError) Error() string { return e.Field + ": " + e.Problem }

func fieldErrorf(field, format string, args ...any) error {
	return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// or returns v, or the default when v is the zero value.
func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

func checkStore(s v1alpha1.StoreSpec) error {
	switch s.Type {
	case v1alpha1.StoreTypePersistent:
		return checkPostgres(s)
	case v1alpha1.StoreTypePostgres:
		if s.Persistent != nil {
			return fieldErrorf("spec.store.persistent", "is only allowed when spec.store.type is Persistent")
		}
		return checkPostgres(s)
	case v1alpha1.StoreTypeEphemeral:
		if err := checkPostgres(s); err != nil {
			return err
		}
		if s.Persistent != nil {
			return fieldErrorf("spec.store.persistent", "is only allowed when spec.store.type is Persistent")
		}
		return nil
	case "":
		return fieldErrorf("spec.store.type", "is required: Ephemeral (lost with the pod), Persistent or Postgres")
	default:
		return fieldErrorf("spec.store.type", "%q is not supported: use Ephemeral, Persistent or Postgres", s.Type)
	}
}

func checkPostgres(s v1alpha1.StoreSpec) error {
	const field = "spec.store.postgres"
	switch {
	case s.Postgres == nil && s.Type == v1alpha1.StoreTypePostgres:
		return fieldErrorf(field, "spec.store.type Postgres needs it: where the database is")
	case s.Postgres != nil && (s.Postgres.OwnerSecretRef.Name == "" || ownedName(s.Postgres.OwnerSecretRef.Name)):
		return fieldErrorf(field+".ownerSecretRef.name", "name a Secret of your own; those named mt-* belong to the operator")
	}
	return nil
}

// compileFormats sorts by prefix, since the order has no meaning, and falls back to the built-in list.
func compileFormats(formats []v1alpha1.TrustedFormat) []Format {
	out := make([]Format, 0, len(formats))
	for _, f := range formats {
		out = append(out, Format{Prefix: f.Prefix, Class: provenance.Class(f.Class)})
	}
	if len(out) == 0 {
		for _, f := range provenance.DefaultFormats {
			out = append(out, Format{Prefix: f.Prefix, Class: f.Class})
		}
	}
	slices.SortStableFunc(out, func(a, b Format) int { return strings.Compare(a.Prefix, b.Prefix) })
	return out
}

// checkChannels checks what of the channels is not in the runtime policy.
func checkChannels(channels []v1alpha1.Channel) error {
	for i, c := range channels {
		field := fmt.Sprintf("spec.trust.channels[%d]", i)
		if (c.TokenSecretRef == nil) == (c.ServiceAccountRef == nil) {
			return fieldErrorf(field, "needs exactly one of tokenSecretRef, for a bearer token in a Secret, and serviceAccountRef, for "+
				"projected ServiceAccount tokens")
		}
		if c.TokenSecretRef != nil && ownedName(c.TokenSecretRef.Name) {
			return fieldErrorf(field+".tokenSecretRef.name", "Secrets named mt-* belong to the operator; name one of your own")
		}
	}
	return nil
}

// ownedName reports whether a name is one of those that belong to the operator.
func ownedName(name string) bool { return strings.HasPrefix(name, "mt-") }

// compileChannels sorts by name. A ServiceAccount without a namespace is of the agent's.
func compileChannels(channels []v1alpha1.Channel, namespace string) []Channel {
	out := make([]Channel, 0, len(channels))
	for _, c := range channels {
		compiled := Channel{Name: c.Name, Class: provenance.Class(c.Class), Principal: c.Principal}
		if ref := c.ServiceAccountRef; ref != nil {
			compiled.ServiceAccount = or(ref.Namespace, namespace) + "/" + ref.Name
		}
		out = append(out, compiled)
	}
	slices.SortStableFunc(out, func(a, b Channel) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func compileClasses(classes []v1alpha1.ClassRules) []ClassRules {
	var out []ClassRules
	for _, c := range classes {
		out = append(out, ClassRules{
			Class: provenance.Class(c.Class), ExpirySeconds: c.ExpirySeconds, StaleAfterSeconds: c.StaleAfterSeconds,
			DecayPerDayPerMille: int(c.DecayPerDayPerMille), MaxPending: int(c.MaxPending),
		})
	}
	slices.SortStableFunc(out, func(a, b ClassRules) int { return strings.Compare(string(a.Class), string(b.Class)) })
	return out
}
