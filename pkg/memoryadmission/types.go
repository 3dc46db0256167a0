// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Package memoryadmission lets a store of agents' memories that is not MemoryTrust's own ask before it encodes a memory and before
// it hands one out: the types of the review, and a client. Whoever asks fails closed: where there is no answer, nothing is stored
// and nothing is delivered.
//
// It depends on the standard library alone.
package memoryadmission

import "time"

const (
	// APIVersion of a Review.
	APIVersion = "memorytrust.dev/v1alpha1"
	// Kind of a Review.
	Kind = "MemoryReview"
	// Path under which the operator's webhook service takes reviews, by POST.
	Path = "/memory-admission"
	// MaxRequests is the most requests one review holds.
	MaxRequests = 100
	// MaxBodyBytes is the most bytes one review has, encoded.
	MaxBodyBytes = 4 << 20
	// TokenAudience is what a ServiceAccount token has to be made for to count as the agent or as a channel of its policy.
	TokenAudience = "memorytrust"
	// DefaultURL of the webhook service, from within the cluster.
	DefaultURL = "https://memorytrust-webhook.memorytrust-system.svc" + Path
)

// Operation is what is asked about.
type Operation string

// The operations.
const (
	// Encode asks before a memory is stored.
	Encode Operation = "Encode"
	// Recall asks before a stored memory reaches a model.
	Recall Operation = "Recall"
	// Promote asks to raise a stored memory by one zone, on the word of whoever asks. It takes a right of its own.
	Promote Operation = "Promote"
)

// Zone is how far a memory is let in.
type Zone string

// The zones.
const (
	Quarantine Zone = "Quarantine"
	Working    Zone = "Working"
	Trusted    Zone = "Trusted"
)

// Boundary is what to do with a memory that is handed out.
type Boundary string

// The boundaries.
const (
	// Safe: it may be delivered as it is.
	Safe Boundary = "Safe"
	// RequiresReview: it is delivered marked as something that nobody vouched for.
	RequiresReview Boundary = "RequiresReview"
	// Blocked: it is not delivered.
	Blocked Boundary = "Blocked"
)

// Authority is what a memory may justify.
type Authority string

// The authorities.
const (
	// Act: a consequential action.
	Act Authority = "Act"
	// Inform: an answer, and no action.
	Inform Authority = "Inform"
	// None: nothing.
	None Authority = "None"
)

// Review is one call: a request or several, and the answers to them. It holds either Request and Response or Requests and Responses.
type Review struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Request    *Request   `json:"request,omitempty"`
	Requests   []Request  `json:"requests,omitempty"`
	Response   *Response  `json:"response,omitempty"`
	Responses  []Response `json:"responses,omitempty"`
	// Status is why the call as a whole was not answered. There are no responses then.
	Status *Status `json:"status,omitempty"`
}

// Agent names whose memory it is.
type Agent struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Request asks about one memory.
type Request struct {
	// UID tells this request from the others of its review; 1 to 128 printable ASCII characters.
	UID       string    `json:"uid"`
	Agent     Agent     `json:"agent"`
	Operation Operation `json:"operation"`
	Memory    Memory    `json:"memory"`
	// ClaimedSource is where the memory is said to come from, for Encode, and for Recall of one that was never signed. It can lower
	// what the memory counts for.
	ClaimedSource string `json:"claimedSource,omitempty"`
	// SignedSource is the one that was answered when the memory was stored, for Recall and Promote.
	SignedSource string `json:"signedSource,omitempty"`
	// Session of the agent. It is checked and plays no part: the webhook knows nothing of what was delivered there.
	Session string `json:"session,omitempty"`
	// Reason of a Promote, one line.
	Reason string `json:"reason,omitempty"`
}

// Memory is the text in question and what stands beside it.
type Memory struct {
	// ID of the memory in the store that asks, for its own use; at most 256 bytes.
	ID string `json:"id,omitempty"`
	// Content, valid UTF-8. It is signed byte for byte.
	Content string `json:"content"`
	// What else reaches readers. It is screened, each time, and not signed.
	Kind     string            `json:"kind,omitempty"`
	Subject  string            `json:"subject,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

// Response answers one request.
type Response struct {
	UID string `json:"uid"`
	// Allowed says whether the operation may go ahead. Where it is false nothing else may be relied on but Status.
	Allowed bool `json:"allowed"`
	// Zone and State are how the memory stands; empty where the request was not answered.
	Zone  Zone   `json:"zone,omitempty"`
	State string `json:"state,omitempty"`
	// Class is where the memory came from, from UserInput down to Unknown.
	Class     string    `json:"class,omitempty"`
	Authority Authority `json:"authority,omitempty"`
	Boundary  Boundary  `json:"boundary,omitempty"`
	// Expiry is when the memory stops being delivered; nil for never.
	Expiry *time.Time `json:"expiry,omitempty"`
	// SignedSource is to be kept with the memory and given back at Recall, "<base>#mac=<tag>".
	SignedSource string `json:"signedSource,omitempty"`
	// Warnings are for whoever runs the store, or for whoever reads the memory. They quote nothing of it.
	Warnings []string `json:"warnings,omitempty"`
	// AuditAnnotations are for a log.
	AuditAnnotations map[string]string `json:"auditAnnotations,omitempty"`
	// Status says why it is not allowed; nil where it is.
	Status *Status `json:"status,omitempty"`
}

// Status is why something was refused.
type Status struct {
	// Code as of HTTP.
	Code int `json:"code"`
	// Reason in one word, for programs; see the constants.
	Reason string `json:"reason"`
	// Message for people: what happened and what to do about it. It quotes nothing of the memory.
	Message string `json:"message"`
}

// Reasons of a Status.
const (
	// ReasonDirective: it installs standing behavior, and its origin is not trusted to.
	ReasonDirective = "Directive"
	// ReasonQuarantined: it waits for a person.
	ReasonQuarantined = "Quarantined"
	// ReasonExpired: nobody decided about it in time, or its time is over.
	ReasonExpired = "Expired"
	// ReasonTampered: its signed source was not made for this content and agent.
	ReasonTampered = "Tampered"
	// ReasonKeyUnavailable: the key that signed it is gone.
	ReasonKeyUnavailable = "KeyUnavailable"
	// ReasonUnreadable: it could not be screened.
	ReasonUnreadable = "Unreadable"
	// ReasonUnverified: what does not verify cannot be promoted.
	ReasonUnverified = "Unverified"
	// ReasonNotPossible: it cannot be promoted as it stands.
	ReasonNotPossible = "NotPossible"
	// ReasonUnauthorized: there is no token, or none that the cluster knows.
	ReasonUnauthorized = "Unauthorized"
	// ReasonForbidden: the caller lacks the right.
	ReasonForbidden = "Forbidden"
	// ReasonAgentNotFound: there is no such agent.
	ReasonAgentNotFound = "AgentNotFound"
	// ReasonNotReady: the agent has no policy or no keys yet, or the operator may not read them.
	ReasonNotReady = "NotReady"
	// ReasonInvalid: the request is not one.
	ReasonInvalid = "Invalid"
	// ReasonTooLarge: the memory or the review is longer than allowed.
	ReasonTooLarge = "TooLarge"
	// ReasonTimeout: there was no time left to decide.
	ReasonTimeout = "Timeout"
	// ReasonTooManyRequests: too much is asked at the same time.
	ReasonTooManyRequests = "TooManyRequests"
	// ReasonUnavailable: the API server could not be asked.
	ReasonUnavailable = "Unavailable"
)

// Keys of AuditAnnotations.
const (
	// AnnotationPolicy names the policy in force.
	AnnotationPolicy = "memorytrust.dev/policy"
	// AnnotationRevision is that of the policy.
	AnnotationRevision = "memorytrust.dev/policy-revision"
	// AnnotationWould is the reason for which only DryRun allowed it.
	AnnotationWould = "memorytrust.dev/would"
	// AnnotationFindings lists, by comma, the kinds of directives that were found.
	AnnotationFindings = "memorytrust.dev/findings"
	// AnnotationCappedBy lists, by comma, what lowered the class.
	AnnotationCappedBy = "memorytrust.dev/capped-by"
	// AnnotationApprovedBy names who promoted it.
	AnnotationApprovedBy = "memorytrust.dev/approved-by"
	// AnnotationNotConsidered lists, by comma, what an agent's own memory looks at and this webhook, which keeps nothing, cannot.
	AnnotationNotConsidered = "memorytrust.dev/not-considered"
)
