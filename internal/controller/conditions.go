// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"

	"memorytrust.dev/operator/api/v1alpha1"
)

// Reasons that several kinds use.
const (
	// ReasonNamespaceNotManaged surfaces when an agent is in a namespace whose Secrets the operator may not hold.
	ReasonNamespaceNotManaged = "NamespaceNotManaged"
	// ReasonAvailable surfaces when everything the condition asks for is there.
	ReasonAvailable = "Available"
	// ReasonProgressing surfaces while the operator is at work and nothing is wrong.
	ReasonProgressing = "Progressing"
	// ReasonNoPods surfaces when an agent has no running pods to ask.
	ReasonNoPods = "NoPods"
	// ReasonNoAgents surfaces when a policy selects no agent at the moment.
	ReasonNoAgents = "NoAgents"
)

// Reasons of AgentMemory.
const (
	// ReasonPolicyInForce surfaces when a policy selects the agent.
	ReasonPolicyInForce = "PolicyInForce"
	// ReasonNoPolicy surfaces when no policy selects the agent any more; the last one stays in force.
	ReasonNoPolicy = "NoPolicy"
	// ReasonPolicyInvalid surfaces when the policy in force cannot be compiled for the agent.
	ReasonPolicyInvalid = "PolicyInvalid"
	// ReasonStoreFailed surfaces when the cluster refuses the claim of a Persistent store, or a database the role of an agent.
	ReasonStoreFailed = "StoreFailed"
	// ReasonScreenerMissing surfaces when a running pod of the agent has no screener.
	ReasonScreenerMissing = "ScreenerMissing"
	// ReasonScreenerUnreachable surfaces when a screener does not answer the operator.
	ReasonScreenerUnreachable = "ScreenerUnreachable"
	// ReasonPolicyRejected surfaces when a screener refuses the newest files and runs on the last good ones.
	ReasonPolicyRejected = "PolicyRejected"
	// ReasonOutdated surfaces when a screener does not run the current policy and keys yet.
	ReasonOutdated = "Outdated"
	// ReasonAllInSync surfaces when every screener runs the current policy and keys.
	ReasonAllInSync = "AllInSync"
	// ReasonVersionSkew surfaces when screeners are in sync, but not all of the release the operator injects.
	ReasonVersionSkew = "VersionSkew"
	// ReasonChannelsWorking surfaces when trust mode is Signed and every channel has a token.
	ReasonChannelsWorking = "ChannelsWorking"
	// ReasonPrefixTrust surfaces when origins are trusted by prefix, which nobody authenticates.
	ReasonPrefixTrust = "PrefixTrust"
	// ReasonNoUpstreams surfaces when the agent's tools are not called through the screener.
	ReasonNoUpstreams = "NoUpstreams"
	// ReasonDryRun surfaces when nothing is refused because the policy says DryRun.
	ReasonDryRun = "DryRun"
	// ReasonUpstreamOpen surfaces when a tool server wants no credential, so that the agent can call it around the screener.
	ReasonUpstreamOpen = "UpstreamOpen"
	// ReasonCredentialShared surfaces when a pod of the agent holds the credential of an upstream itself.
	ReasonCredentialShared = "CredentialShared"
	// ReasonUpstreamsGuarded surfaces when every tool server of the policy can be called through the screener only.
	ReasonUpstreamsGuarded = "UpstreamsGuarded"
	// ReasonIsolated surfaces when the agent's ServiceAccount can do none of what would defeat the protection.
	ReasonIsolated = "Isolated"
	// ReasonExcessRights surfaces when the agent's ServiceAccount has rights that defeat the protection.
	ReasonExcessRights = "ExcessRights"
	// ReasonInPlace surfaces when the memory is where the policy keeps it.
	ReasonInPlace = "InPlace"
	// ReasonMoving surfaces while the memory is being moved to a database.
	ReasonMoving = "Moving"
	// ReasonNotMoved surfaces when the memory is to be in a database and pods keep it, or one of their own, in embedded stores.
	ReasonNotMoved = "NotMoved"
	// ReasonCheckFailed surfaces when the rights of the agent's ServiceAccount could not be looked up.
	ReasonCheckFailed = "CheckFailed"
)

// Reasons of MemoryTrustPolicy.
const (
	// ReasonApplied surfaces when the policy is applied to every agent it selects.
	ReasonApplied = "Applied"
	// ReasonInvalidSelector surfaces when spec.selector cannot be read.
	ReasonInvalidSelector = "InvalidSelector"
	// ReasonOverlapped surfaces when another policy goes before this one for a pod that both select.
	ReasonOverlapped = "Overlapped"
	// ReasonChannelTokenMissing surfaces when a channel has no usable token; the other channels work.
	ReasonChannelTokenMissing = "ChannelTokenMissing"
	// ReasonLexiconInvalid surfaces when a lexicon that the policy adds is missing or cannot be used; the last good policy stays.
	ReasonLexiconInvalid = "LexiconInvalid"
	// ReasonJudgeKeyMissing surfaces when the judge has no usable key; what it was to judge is marked for review.
	ReasonJudgeKeyMissing = "JudgeKeyMissing"
	// ReasonUpstreamCredentialMissing surfaces when an upstream has no usable credential; it refuses the screener.
	ReasonUpstreamCredentialMissing = "UpstreamCredentialMissing"
	// ReasonKeysMissing surfaces when an agent has no usable keyset.
	ReasonKeysMissing = "KeysMissing"
	// ReasonNotProtected surfaces when something that the stated guarantees need is missing.
	ReasonNotProtected = "NotProtected"
	// ReasonTrustWouldBeLost surfaces when trust mode is Signed under DryRun and memories would lose trust under Enforce.
	ReasonTrustWouldBeLost = "TrustWouldBeLost"
	// ReasonGuaranteed surfaces when all that the stated guarantees need is there.
	ReasonGuaranteed = "Guaranteed"
)

// Reasons of ProvenanceKey.
const (
	// ReasonNoAgent surfaces when the agent has no AgentMemory yet.
	ReasonNoAgent = "NoAgent"
	// ReasonDuplicate surfaces when an older ProvenanceKey refers to the same agent.
	ReasonDuplicate = "Duplicate"
	// ReasonAgentIDMismatch surfaces when the key Secret belongs to another identity than the AgentMemory.
	ReasonAgentIDMismatch = "AgentIDMismatch"
	// ReasonKeysInvalid surfaces when the key Secret holds an entry that is no key.
	ReasonKeysInvalid = "KeysInvalid"
	// ReasonKeyRegenerated surfaces from when a key was lost and replaced until it is restored.
	ReasonKeyRegenerated = "KeyRegenerated"
	// ReasonRotating surfaces while a new key waits to become primary.
	ReasonRotating = "WaitingForScreeners"
	// ReasonScreenersNotReporting surfaces when screeners have not reported the new key for two minutes.
	ReasonScreenersNotReporting = "ScreenersNotReporting"
	// ReasonTooManyKeys surfaces when a rotation would exceed the most keys a keyset may hold.
	ReasonTooManyKeys = "TooManyKeys"
	// ReasonRevoking surfaces while screeners still report a key that is compromised.
	ReasonRevoking = "RevokingCompromisedKey"
	// ReasonSecretUnchanged surfaces when a rotation is asked for and the user's Secret still holds the same key.
	ReasonSecretUnchanged = "SecretUnchanged"
	// ReasonKeySourceMissing surfaces when the user's Secret, its label or its entry is missing; the keys in force stay.
	ReasonKeySourceMissing = "KeySourceMissing"
	// ReasonKeySourceInvalid surfaces when the user's Secret holds no usable key; the keys in force stay.
	ReasonKeySourceInvalid = "KeySourceInvalid"
	// ReasonKeySourceCompromised surfaces when the user's Secret holds a compromised key; a key of the operator stands in.
	ReasonKeySourceCompromised = "KeySourceCompromised"
	// ReasonIdle surfaces when no rotation is under way.
	ReasonIdle = "Idle"
)

// maxMessage bounds a condition message; the API allows 32 KiB, people read less.
const maxMessage = 1024

// finding is what a pure status function says about one condition.
type finding struct {
	Status  metav1.ConditionStatus
	Reason  string
	Message string
}

func yes(reason, format string, args ...any) finding {
	return finding{metav1.ConditionTrue, reason, fmt.Sprintf(format, args...)}
}

func no(reason, format string, args ...any) finding {
	return finding{metav1.ConditionFalse, reason, fmt.Sprintf(format, args...)}
}

func unknown(reason, format string, args ...any) finding {
	return finding{metav1.ConditionUnknown, reason, fmt.Sprintf(format, args...)}
}

// set puts a finding into conditions.
func (f finding) set(conditions *[]metav1.Condition, kind string, generation int64) {
	message := f.Message
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage-3], "") + "..."
	}
	meta.SetStatusCondition(conditions, metav1.Condition{
		Type: kind, Status: f.Status, Reason: f.Reason, Message: message, ObservedGeneration: generation,
	})
}

// listed joins names, sorted, and says how many it left out.
func listed(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	return listedInOrder(names)
}

// listedInOrder joins names and says how many it left out.
func listedInOrder(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// recordTransitions sends an event for every condition whose status or reason changed. A condition that appears in a
// good state is no news.
func recordTransitions(recorder events.EventRecorder, obj runtime.Object, before, after []metav1.Condition) {
	for i := range after {
		now := &after[i]
		was := meta.FindStatusCondition(before, now.Type)
		if was != nil && was.Status == now.Status && was.Reason == now.Reason {
			continue
		}
		good := goodStatus(now.Type)
		if was == nil && now.Status == good {
			continue
		}
		kind := corev1.EventTypeNormal
		if now.Status != good && now.Reason != ReasonProgressing && !expectedAtFirst[now.Reason] {
			kind = corev1.EventTypeWarning
		}
		recorder.Eventf(obj, nil, kind, now.Reason, now.Type, "%s is %s: %s", now.Type, now.Status, now.Message)
	}
}

// expectedAtFirst are reasons that every agent goes through, or lives with by choice; they warn of nothing.
var expectedAtFirst = map[string]bool{
	ReasonOutdated: true, ReasonRotating: true, ReasonNoAgent: true, ReasonNoAgents: true, ReasonNoUpstreams: true,
	ReasonDryRun: true, ReasonUpstreamOpen: true,
	ReasonPrefixTrust: true, ReasonNotProtected: true, ReasonKeysMissing: true, ReasonNoPods: true,
	ReasonNoBenchmark: true, ReasonNeverRan: true, ReasonPolicyChanged: true, ReasonScreenerChanged: true, ReasonSuitesChanged: true,
}

// goodStatus is the status of a condition that needs nobody's attention.
func goodStatus(kind string) metav1.ConditionStatus {
	if kind == v1alpha1.ConditionRotationBlocked || kind == v1alpha1.ConditionRotating {
		return metav1.ConditionFalse
	}
	return metav1.ConditionTrue
}
