// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

// upstreamCredentials is what became of the credentials of a policy's upstreams.
type upstreamCredentials struct {
	files    map[string][]byte // as the screener reads them
	problems []string          // one sentence per upstream without a usable credential, naming the fix
}

// readCredentials reads the credentials of a policy's upstreams. One without a usable credential is left out: the server then
// refuses the screener, and with it the agent.
func readCredentials(ctx context.Context, reader client.Reader, p *v1alpha1.MemoryTrustPolicy) (upstreamCredentials, error) {
	out := upstreamCredentials{files: map[string][]byte{}}
	for _, u := range p.Spec.Upstreams {
		if u.CredentialSecretRef == nil {
			continue
		}
		var secret corev1.Secret
		name := types.NamespacedName{Namespace: p.Namespace, Name: u.CredentialSecretRef.Name}
		err := reader.Get(ctx, name, &secret)
		if client.IgnoreNotFound(err) != nil {
			return out, fmt.Errorf("reading Secret %s of upstream %s: %w", name, u.Name, err)
		}
		raw, problem := credentialOf(*u.CredentialSecretRef, &secret, !apierrors.IsNotFound(err))
		if problem != "" {
			out.problems = append(out.problems, fmt.Sprintf("upstream %s: %s", u.Name, problem))
			continue
		}
		out.files[policy.FileCredential(u.Name)] = raw
	}
	return out, nil
}

// credentialOf returns the credential in the user's Secret, or what is wrong with it. The problem holds nothing of it.
func credentialOf(ref v1alpha1.SecretKeyRef, secret *corev1.Secret, found bool) (raw []byte, problem string) {
	entry := cmp.Or(ref.Key, defaultTokenKey)
	if !found || secret.Labels[v1alpha1.LabelKeySource] != v1alpha1.KeySourceUpstream {
		return nil, fmt.Sprintf("there is no Secret %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelKeySource, v1alpha1.KeySourceUpstream)
	}
	raw, ok := secret.Data[entry]
	if !ok {
		return nil, fmt.Sprintf("Secret %s has no entry %s: add the server's credential there", ref.Name, entry)
	}
	if _, err := policy.ParseCredential(raw); err != nil {
		return nil, fmt.Sprintf("entry %s of Secret %s cannot be used: %v", entry, ref.Name, err)
	}
	return raw, ""
}

// actionsEnforced says whether the tools of the policy's upstreams can be called in no other way than through the screener. What
// an agent calls that is no upstream, nobody but the agent knows.
func actionsEnforced(o agentObserved) finding {
	if o.resolution.policy == nil {
		return unknown(ReasonNoPolicy, "No MemoryTrustPolicy selects the agent")
	}
	spec := o.resolution.policy.Spec
	var tools []string
	for _, u := range spec.Upstreams {
		if u.Kind == v1alpha1.UpstreamKindTools {
			tools = append(tools, u.Name)
		}
	}
	switch {
	case len(tools) == 0:
		return no(ReasonNoUpstreams, "The agent calls its tools itself, so that actions are judged only when it asks: "+
			"put its tool servers into spec.upstreams of the policy, as kind Tools")
	case spec.Enforcement == v1alpha1.EnforcementDryRun:
		return no(ReasonDryRun, "In DryRun no call is refused: set spec.enforcement to Enforce")
	}
	if open := openUpstreams(spec.Upstreams, v1alpha1.UpstreamKindTools); len(open) > 0 {
		return no(ReasonUpstreamOpen, "These tool servers want no credential that only the screener has, so that the agent could call them "+
			"itself: have them want one, and name it in credentialSecretRef of spec.upstreams: %s", listedInOrder(open))
	}
	if o.credentials == nil {
		return unknown(ReasonProgressing, "The credentials of the upstreams have not been read yet")
	}
	if len(o.credentials.problems) > 0 {
		return no(ReasonUpstreamCredentialMissing, "%s", listedInOrder(o.credentials.problems))
	}
	if holders := credentialHolders(o.fleet.live, spec.Upstreams); len(holders) > 0 {
		return no(ReasonCredentialShared, "These pods were made before their policy and hold the credential of an upstream themselves, "+
			"delete them so that admission looks at them: %s", listed(holders))
	}
	return servedUpstreams(o, tools)
}

// servedUpstreams says what the screeners report of the tool servers.
func servedUpstreams(o agentObserved, tools []string) finding {
	var waiting, behind []string
	for _, pod := range o.fleet.running {
		r := o.reports[pod.UID]
		if r.reachable != metav1.ConditionTrue {
			waiting = append(waiting, pod.Name)
			continue
		}
		for _, name := range tools {
			if !serves(r, name) {
				behind = append(behind, pod.Name)
				break
			}
		}
	}
	switch {
	case len(behind) > 0:
		return no(ReasonOutdated, "The screeners in these pods do not serve all upstreams of the policy yet: %s", listed(behind))
	case len(waiting) > 0:
		return unknown(ReasonScreenerUnreachable, "The screeners in these pods have not said which upstreams they serve: %s", listed(waiting))
	}
	return yes(ReasonUpstreamsGuarded, "Calls of these tool servers pass the screener, which alone has their credentials: %s", listedInOrder(tools))
}

func serves(r report, upstream string) bool {
	for _, u := range r.status.Upstreams {
		if u.Name == upstream {
			return true
		}
	}
	return false
}

// openUpstreams lists the upstreams of a kind that want no credential, in the order of the policy.
func openUpstreams(upstreams []v1alpha1.Upstream, kind v1alpha1.UpstreamKind) []string {
	var out []string
	for _, u := range upstreams {
		if u.Kind == kind && u.CredentialSecretRef == nil {
			out = append(out, u.Name)
		}
	}
	return out
}

// credentialHolders lists the pods that refer to the credential of an upstream. Admission refuses such pods; these are older than
// the upstream.
func credentialHolders(pods []*corev1.Pod, upstreams []v1alpha1.Upstream) []string {
	secrets := map[string]bool{}
	for _, u := range upstreams {
		if u.CredentialSecretRef != nil {
			secrets[u.CredentialSecretRef.Name] = true
		}
	}
	var out []string
	for _, pod := range pods {
		if slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Secret != nil && secrets[v.Secret.SecretName] }) {
			out = append(out, pod.Name)
		}
	}
	slices.Sort(out)
	return out
}
