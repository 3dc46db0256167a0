// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// CorrelationMode says whether memories are looked at together.
// +kubebuilder:validation:Enum=Enabled;Disabled
type CorrelationMode string

const (
	// CorrelationEnabled raises memories of untrusted origin that are harmless one by one and no longer so together.
	CorrelationEnabled CorrelationMode = "Enabled"
	// CorrelationDisabled looks at every memory alone.
	CorrelationDisabled CorrelationMode = "Disabled"
)

// ScreeningSpec says how texts are screened for directives. What is not set is as built in.
type ScreeningSpec struct {
	// lexiconRefs names ConfigMaps of this namespace with lexicons that are added to the built-in ones: phrases, rules and
	// exceptions. A ConfigMap must carry the label memorytrust.dev/policy-source=lexicon. A change of one takes effect within
	// seconds. While one is missing or cannot be used, the last good policy stays in force and the condition Ready says where it
	// is wrong. All lexicons together have at most 256 KiB. Exceptions keep a phrase from being found: whoever may change these
	// ConfigMaps has a say in what agents believe.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:XValidation:rule="self.all(a, self.exists_one(b, b.name == a.name && has(b.key) == has(a.key) && (!has(a.key) || b.key == a.key)))",message="each entry of a ConfigMap can be named once"
	// +listType=atomic
	// +optional
	LexiconRefs []LexiconRef `json:"lexiconRefs,omitempty"`

	// thresholds say from where on evidence counts.
	// +optional
	Thresholds ScreeningThresholds `json:"thresholds,omitzero"`

	// judge is a language model that is asked about texts of untrusted origin in which nothing else found a directive. It is off
	// unless it is set. It can only add suspicion: it never clears a text. Memories of untrusted origin are sent to it.
	// +optional
	Judge *JudgeSpec `json:"judge,omitempty"`

	// correlation looks at memories of untrusted origin together.
	// +kubebuilder:default={}
	// +optional
	Correlation CorrelationSpec `json:"correlation,omitzero"`
}

// LexiconRef points at one lexicon, or at all of them, in a ConfigMap of the same namespace.
type LexiconRef struct {
	// name of the ConfigMap.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('mt-')",message="ConfigMaps named mt-* belong to the operator; name one of your own"
	// +required
	Name string `json:"name"`

	// key of the entry; every entry, in the order of their names, when unset.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[-._a-zA-Z0-9]+$')",message="the key of an entry of a ConfigMap is letters, digits, '-', '_' and '.', for example en.lex"
	// +optional
	Key string `json:"key,omitempty"`
}

// ScreeningThresholds say from where on evidence counts, per mille. Lower values find more directives and stop more harmless
// texts. An unset one is as built in, and may be improved by a new release.
type ScreeningThresholds struct {
	// directivePerMille is the score of the lexicons from which a sentence is a directive.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	DirectivePerMille int32 `json:"directivePerMille,omitempty"`

	// intentPerMille is the probability, as the intent model sees it, from which a sentence is a directive without any evidence
	// in the lexicons.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	IntentPerMille int32 `json:"intentPerMille,omitempty"`

	// coveragePerMille is the share of a sentence that the intent model must know to judge it. A text of untrusted origin with a
	// sentence below it waits for a person.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	// +optional
	CoveragePerMille int32 `json:"coveragePerMille,omitempty"`
}

// JudgeSpec names a language model behind an endpoint that is compatible with OpenAI's chat completions and can answer by a
// JSON schema.
type JudgeSpec struct {
	// url of the endpoint, up to and without /chat/completions, for example https://api.openai.com/v1. Certificates are verified
	// against the authorities of the system. http:// is for loopback, for private addresses and for names within the cluster,
	// such as http://judge.models.svc:8000/v1; memories and key travel unencrypted then.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="self.matches('^https?://(([A-Za-z0-9_-]+[.])*[A-Za-z0-9_-]+|[[][0-9A-Fa-f:]+[]])(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$')",message="a judge's url is http:// or https://, a host, perhaps a port and a path, and nothing else, for example https://api.openai.com/v1"
	// +kubebuilder:validation:XValidation:rule="self.startsWith('https://') || self.matches('^http://(localhost|127([.][0-9]{1,3}){3}|10([.][0-9]{1,3}){3}|172[.](1[6-9]|2[0-9]|3[01])([.][0-9]{1,3}){2}|192[.]168([.][0-9]{1,3}){2}|[[](::1|[Ff][CcDd][0-9A-Fa-f:]*)[]]|[A-Za-z][A-Za-z0-9-]*|([A-Za-z0-9-]+[.])+svc([.][A-Za-z0-9.-]+)?)(:[0-9]{1,5})?(/.*)?$')",message="memories and key would travel unencrypted: use https://, or http:// with loopback, a private address or the name of a service within the cluster, such as http://judge.models.svc:8000/v1"
	// +required
	URL string `json:"url"`

	// model that is asked, as the endpoint calls it.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule="self.matches('^[!-~]+$')",message="the name of a model is printable ASCII without spaces"
	// +required
	Model string `json:"model"`

	// apiKeySecretRef names the Secret of this namespace that holds the key of the endpoint; unset for one that needs none. The
	// Secret must carry the label memorytrust.dev/key-source=judge. A new key in it takes effect within seconds.
	// +optional
	APIKeySecretRef *SecretKeyRef `json:"apiKeySecretRef,omitempty"`

	// timeoutSeconds is how long one write or recall waits for the judge. What it has not judged by then is marked RequiresReview.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=30
	// +kubebuilder:default=10
	// +optional
	TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`

	// textsPerMinute is how many texts each screener sends to the judge in a minute, on the average. Texts beyond it are marked
	// RequiresReview.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	// +kubebuilder:default=60
	// +optional
	TextsPerMinute int32 `json:"textsPerMinute,omitempty"`

	// cacheSeconds is how long an answer of the judge about a text holds under the same policy. Answers are kept in memory.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2592000
	// +kubebuilder:default=86400
	// +optional
	CacheSeconds int32 `json:"cacheSeconds,omitempty"`
}

// CorrelationSpec looks at memories of untrusted origin together, within one recall and across recalls and sessions.
type CorrelationSpec struct {
	// mode is Enabled to raise memories that together amount to a directive, or Disabled.
	// +kubebuilder:default=Enabled
	// +optional
	Mode CorrelationMode `json:"mode,omitempty"`

	// windowSeconds is how long a memory is looked at together with later ones. The default is 30 days.
	// +kubebuilder:validation:Minimum=60
	// +kubebuilder:validation:Maximum=31536000
	// +kubebuilder:default=2592000
	// +optional
	WindowSeconds int64 `json:"windowSeconds,omitempty"`
}
