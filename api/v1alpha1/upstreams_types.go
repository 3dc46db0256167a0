// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

// UpstreamKind says what an MCP server behind the screener is for.
// +kubebuilder:validation:Enum=Memory;Tools
type UpstreamKind string

const (
	// UpstreamKindMemory is a server that keeps memories: what goes in is screened before it is stored, what comes out before it
	// reaches the agent.
	UpstreamKindMemory UpstreamKind = "Memory"
	// UpstreamKindTools is a server whose tools act or fetch: calls are authorized, results are observed.
	UpstreamKindTools UpstreamKind = "Tools"
)

// UpstreamTransport says how an MCP server is spoken to.
// +kubebuilder:validation:Enum=StreamableHTTP;SSE
type UpstreamTransport string

const (
	// UpstreamTransportStreamableHTTP is the transport of today's servers.
	UpstreamTransportStreamableHTTP UpstreamTransport = "StreamableHTTP"
	// UpstreamTransportSSE is the HTTP transport of servers that speak the protocol of 2024-11-05.
	UpstreamTransportSSE UpstreamTransport = "SSE"
)

// UpstreamEffect says what a tool of an MCP server does.
// +kubebuilder:validation:Enum=Read;Write;Delete;Call;Refuse
type UpstreamEffect string

const (
	// UpstreamEffectRead is a tool of a Memory server that hands memories out.
	UpstreamEffectRead UpstreamEffect = "Read"
	// UpstreamEffectWrite is a tool of a Memory server that stores or changes memories.
	UpstreamEffectWrite UpstreamEffect = "Write"
	// UpstreamEffectDelete is a tool of a Memory server that deletes memories.
	UpstreamEffectDelete UpstreamEffect = "Delete"
	// UpstreamEffectCall is a tool of a Tools server.
	UpstreamEffectCall UpstreamEffect = "Call"
	// UpstreamEffectRefuse is a tool that the agent cannot call.
	UpstreamEffectRefuse UpstreamEffect = "Refuse"
)

// Upstream is an MCP server behind the screener. The agent reaches it at /upstreams/<name>/mcp of the screener's port, with the
// same tools, resources and prompts.
// +kubebuilder:validation:XValidation:rule="!has(self.toolRules) || self.toolRules.all(r, r.effect == 'Refuse' || (self.kind == 'Memory') == (r.effect in ['Read', 'Write', 'Delete']))",message="tools of a Memory upstream Read, Write or Delete, those of a Tools upstream Call; both can be refused"
// +kubebuilder:validation:XValidation:rule="!has(self.toolRules) || self.kind == 'Memory' || self.toolRules.all(r, !has(r.content))",message="content is for tools of a Memory upstream"
// +kubebuilder:validation:XValidation:rule="!has(self.toolRules) || self.kind == 'Tools' || self.toolRules.all(r, !has(r.class))",message="class is for tools of a Tools upstream: what a Memory upstream hands out has the class it was stored with"
// +kubebuilder:validation:XValidation:rule="!has(self.credentialHeader) || has(self.credentialSecretRef)",message="credentialHeader needs credentialSecretRef"
type Upstream struct {
	// name of the upstream, unique in the policy; it is part of the URL the agent uses.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="an upstream's name is lower-case letters, digits and '-', for example payments"
	// +required
	Name string `json:"name"`

	// url of the MCP server, for example http://graphiti.memory.svc:8000/mcp. Certificates are verified against the authorities of
	// the system. http:// is for loopback, for private addresses and for names within the cluster; what is said, and the
	// credential, travel unencrypted then. Redirects are not followed.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="self.matches('^https?://(([A-Za-z0-9_-]+[.])*[A-Za-z0-9_-]+|[[][0-9A-Fa-f:]+[]])(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$')",message="an upstream's url is http:// or https://, a host, perhaps a port and a path, and nothing else, for example http://graphiti.memory.svc:8000/mcp"
	// +kubebuilder:validation:XValidation:rule="self.startsWith('https://') || self.matches('^http://(localhost|127([.][0-9]{1,3}){3}|10([.][0-9]{1,3}){3}|172[.](1[6-9]|2[0-9]|3[01])([.][0-9]{1,3}){2}|192[.]168([.][0-9]{1,3}){2}|[[](::1|[Ff][CcDd][0-9A-Fa-f:]*)[]]|[A-Za-z][A-Za-z0-9-]*|([A-Za-z0-9-]+[.])+svc([.][A-Za-z0-9.-]+)?)(:[0-9]{1,5})?(/.*)?$')",message="memories and credential would travel unencrypted: use https://, or http:// with loopback, a private address or the name of a service within the cluster, such as http://graphiti.memory.svc:8000/mcp"
	// +required
	URL string `json:"url"`

	// kind is Memory for a server that keeps memories, or Tools for one whose tools act or fetch.
	// +required
	Kind UpstreamKind `json:"kind"`

	// transport is StreamableHTTP, or SSE for a server that speaks the protocol of 2024-11-05.
	// +kubebuilder:default=StreamableHTTP
	// +optional
	Transport UpstreamTransport `json:"transport,omitempty"`

	// credentialSecretRef names the Secret of this namespace that holds the server's credential. The Secret must carry the label
	// memorytrust.dev/key-source=upstream. Only the screener gets it: that is what keeps the agent from going around the screener,
	// and actions do not count as enforced without it. A new one takes effect within seconds.
	// +optional
	CredentialSecretRef *SecretKeyRef `json:"credentialSecretRef,omitempty"`

	// credentialHeader is the HTTP header that carries the credential. When it is not set, the credential is a bearer token in the
	// header Authorization.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z][A-Za-z0-9-]*$')",message="a header is letters, digits and '-', for example X-API-Key"
	// +kubebuilder:validation:XValidation:rule="!(self.lowerAscii() in ['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'accept', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id'])",message="this header belongs to the protocol; name another"
	// +optional
	CredentialHeader string `json:"credentialHeader,omitempty"`

	// urlEnv lists environment variables that receive the URL of this upstream at the screener, in every container of the agent. A
	// variable the container already sets is replaced.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:XValidation:rule="self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",message="an environment variable name is letters, digits and '_', and does not begin with a digit"
	// +listType=set
	// +optional
	URLEnv []string `json:"urlEnv,omitempty"`

	// toolRules say what tools do; the first that matches a tool's name applies. The tools of well-known memory servers need none.
	// A tool of a Memory upstream that is neither well known nor matched is refused; a tool of a Tools upstream without a rule is
	// called, and its results count as ToolOutput.
	// +kubebuilder:validation:MaxItems=64
	// +listType=atomic
	// +optional
	ToolRules []UpstreamToolRule `json:"toolRules,omitempty"`

	// timeoutSeconds is how long a call may take.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=600
	// +kubebuilder:default=60
	// +optional
	TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`

	// maxResultBytes is the longest answer accepted from the server, in bytes; the call fails beyond it.
	// +kubebuilder:validation:Minimum=1024
	// +kubebuilder:validation:Maximum=16777216
	// +kubebuilder:default=1048576
	// +optional
	MaxResultBytes int32 `json:"maxResultBytes,omitempty"`
}

// UpstreamToolRule says what some tools of an upstream do.
// +kubebuilder:validation:XValidation:rule="!has(self.content) || self.effect in ['Write', 'Delete']",message="content is for tools that Write or Delete"
type UpstreamToolRule struct {
	// tools are patterns of tool names; '*' stands for any run of characters, and a pattern must match the whole name.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +kubebuilder:validation:items:XValidation:rule="self.matches('^[A-Za-z0-9._:/@*-]+$')",message="a tool pattern is letters, digits, '.', '_', ':', '/', '@', '-' and '*', for example search_*"
	// +listType=atomic
	// +required
	Tools []string `json:"tools"`

	// effect is Read, Write or Delete for tools of a Memory upstream, Call for those of a Tools upstream, or Refuse.
	// +required
	Effect UpstreamEffect `json:"effect"`

	// content are the arguments that hold what is stored or deleted: paths like text or entities[*].observations[*]. When it is not
	// set, every string in the arguments is content.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=128
	// +listType=atomic
	// +optional
	Content []string `json:"content,omitempty"`

	// class of what tools of a Tools upstream answer; ToolOutput when it is not set.
	// +kubebuilder:validation:Enum=SubagentTrace;ToolOutput;WebContent;Unknown
	// +optional
	Class SourceClass `json:"class,omitempty"`
}
