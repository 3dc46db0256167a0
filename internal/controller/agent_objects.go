// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/certs"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
)

// observedObjects are the agent's objects as the cache has them; nil stands for none.
type observedObjects struct {
	key, tls, channels *corev1.Secret
	policy             *corev1.ConfigMap
	claim              *corev1.PersistentVolumeClaim
}

func (s *agentScope) readObjects(ctx context.Context) error {
	var errs []error
	s.live.key = getAs[corev1.Secret](ctx, s.objects, s.key.Namespace, s.names.KeySecret, &errs)
	s.live.tls = getAs[corev1.Secret](ctx, s.objects, s.key.Namespace, s.names.TLSSecret, &errs)
	s.live.channels = getAs[corev1.Secret](ctx, s.objects, s.key.Namespace, s.names.ChannelsSecret, &errs)
	s.live.policy = getAs[corev1.ConfigMap](ctx, s.objects, s.key.Namespace, s.names.PolicyConfigMap, &errs)
	s.live.claim = getAs[corev1.PersistentVolumeClaim](ctx, s.objects, s.key.Namespace, s.names.StoreClaim, &errs)
	return errors.Join(errs...)
}

// getAs reads one object, nil when there is none, and collects errors.
func getAs[T any, P interface {
	*T
	client.Object
}](ctx context.Context, reader client.Reader, namespace, name string, errs *[]error) P {
	obj := P(new(T))
	err := reader.Get(ctx, types.NamespacedName{Namespace: namespace, Name: name}, obj)
	if err == nil {
		return obj
	}
	if !apierrors.IsNotFound(err) {
		*errs = append(*errs, fmt.Errorf("reading %T %s/%s: %w", obj, namespace, name, err))
	}
	return nil
}

// lastPolicy names the policy whose compilation is in the ConfigMap.
func (o observedObjects) lastPolicy() string {
	if o.policy == nil {
		return ""
	}
	return o.policy.Annotations[v1alpha1.AnnotationPolicy]
}

// revision of the runtime policy in the ConfigMap.
func (o observedObjects) revision() string {
	if o.policy == nil {
		return ""
	}
	return o.policy.Annotations[v1alpha1.AnnotationRevision]
}

// fingerprint changes whenever one of the mounted objects does; empty while one is missing. It is made of resource
// versions, not of contents: it ends up in an annotation that many may read.
func (o observedObjects) fingerprint() string {
	if o.key == nil || o.tls == nil || o.channels == nil || o.policy == nil {
		return ""
	}
	h := sha256.New()
	for _, obj := range []client.Object{o.key, o.tls, o.channels, o.policy} {
		fmt.Fprintf(h, "%s/%s\n", obj.GetUID(), obj.GetResourceVersion())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// ensureTLS keeps the screener's certificate good and its bundle current. It returns when the certificate is due.
func (r *AgentReconciler) ensureTLS(ctx context.Context, s *agentScope, authority certs.State) (time.Time, error) {
	request := certs.LeafRequest{
		DNSNames: []string{admin.ServerName(s.key.Namespace, s.key.Name)},
		Usage:    x509.ExtKeyUsageServerAuth,
	}
	var have map[string][]byte
	if s.live.tls != nil {
		have = s.live.tls.Data
	}
	data, due, err := authority.Leaf(have, request, s.now, r.certs)
	if err != nil {
		return due, fmt.Errorf("certificate of agent %s: %w", s.key, err)
	}
	return due, r.ensureSecret(ctx, s, s.live.tls, s.names.TLSSecret, corev1.SecretTypeTLS, data)
}

// ensureChannels keeps the digests of the channels' tokens current, and beside them the key of the judge and the credentials of
// upstreams.
func (r *AgentReconciler) ensureChannels(ctx context.Context, s *agentScope) error {
	tokens, err := readChannels(ctx, s.objects, r.issuer, s.status.resolution.policy)
	if err != nil {
		return err
	}
	s.status.channels = &tokens
	file, err := encodeDigests(tokens.digests)
	if err != nil {
		return err
	}
	data := map[string][]byte{policy.FileChannels: file}
	key, _, err := readJudgeKey(ctx, s.objects, s.status.resolution.policy) // what is wrong with it is in the policy's status
	if err != nil {
		return err
	}
	if key != nil {
		data[policy.FileJudgeKey] = key
	}
	credentials, err := readCredentials(ctx, s.objects, s.status.resolution.policy)
	if err != nil {
		return err
	}
	s.status.credentials = &credentials
	maps.Copy(data, credentials.files)
	if err := r.ensureRole(ctx, s, data); err != nil {
		return err
	}
	if tokens.issuer != nil {
		s.soonest(tokens.issuer.again)
		if file := s.live.issuerFile(*tokens.issuer); file != nil {
			data[policy.FileIssuer] = file
		}
	}
	return r.ensureSecret(ctx, s, s.live.channels, s.names.ChannelsSecret, corev1.SecretTypeOpaque, data)
}

// issuerFile is what screeners verify tokens of ServiceAccounts with: what the API server says, or else what they have.
func (o observedObjects) issuerFile(reading issuerReading) []byte {
	if reading.file == nil && o.channels != nil {
		return o.channels.Data[policy.FileIssuer]
	}
	return reading.file
}

// keepChannels leaves the channels of the last policy as they are, but for the keys of ServiceAccount tokens, which the
// cluster may exchange. If their Secret went, an empty one lets pods start.
func (r *AgentReconciler) keepChannels(ctx context.Context, s *agentScope) error {
	if s.live.channels != nil {
		if s.live.channels.Data[policy.FileIssuer] == nil {
			return nil
		}
		reading := r.issuer.current(ctx)
		s.soonest(reading.again)
		data := maps.Clone(s.live.channels.Data)
		data[policy.FileIssuer] = s.live.issuerFile(reading)
		return r.ensureSecret(ctx, s, s.live.channels, s.names.ChannelsSecret, corev1.SecretTypeOpaque, data)
	}
	file, err := encodeDigests(policy.ChannelDigests{})
	if err != nil {
		return err
	}
	data := map[string][]byte{policy.FileChannels: file}
	return r.ensureSecret(ctx, s, nil, s.names.ChannelsSecret, corev1.SecretTypeOpaque, data)
}

func (r *AgentReconciler) ensureSecret(
	ctx context.Context, s *agentScope, live *corev1.Secret, name string, kind corev1.SecretType, data map[string][]byte,
) error {
	if live != nil && maps.EqualFunc(live.Data, data, slices.Equal) &&
		includes(live.Labels, secretLabels(s.key.Name)) && hasOwner(live, s.memory) {
		return nil
	}
	desired := corev1apply.Secret(name, s.key.Namespace).
		WithLabels(secretLabels(s.key.Name)).
		WithOwnerReferences(ownedBy(s.memory)).
		WithType(kind).
		WithData(data)
	if err := r.client.Apply(ctx, desired, fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing Secret %s/%s: %w", s.key.Namespace, name, err)
	}
	return nil
}

// ensurePolicy keeps the runtime policy current. Without a policy in force, or while that cannot be compiled, the last one stays,
// with a current bundle.
func (r *AgentReconciler) ensurePolicy(ctx context.Context, s *agentScope, bundle []byte) error {
	name, revision, file := s.live.lastPolicy(), s.live.revision(), ""
	if s.live.policy != nil {
		file = s.live.policy.Data[policy.FilePolicy]
	}
	if p := s.status.resolution.policy; p != nil {
		compiled, obstacle, err := s.compile(ctx, p)
		if err != nil {
			return err
		}
		if s.status.obstacle = obstacle; obstacle == nil {
			encoded, err := compiled.Encode()
			if err != nil {
				return fmt.Errorf("policy of agent %s: %w", s.key, err)
			}
			name, revision, file = p.Name, compiled.Revision, string(encoded)
		}
	}
	if file == "" {
		return nil
	}
	s.status.revision = revision
	return r.applyPolicy(ctx, s, map[string]string{
		v1alpha1.AnnotationPolicy: name, v1alpha1.AnnotationRevision: revision,
	}, map[string]string{policy.FilePolicy: file, policy.FileCA: string(bundle)})
}

// compile compiles the policy in force with its lexicons. The obstacle is why that cannot be done.
func (s *agentScope) compile(ctx context.Context, p *v1alpha1.MemoryTrustPolicy) (*policy.Runtime, *finding, error) {
	lexicons, problem, err := readLexicons(ctx, s.objects, p)
	if err != nil {
		return nil, nil, err
	}
	var compiled *policy.Runtime
	if problem == "" {
		if compiled, err = compileFor(p, s.memory, lexicons); err == nil {
			return compiled, nil, nil
		}
		if problem, _ = policy.LexiconProblem(err); problem == "" {
			f := no(ReasonPolicyInvalid, "MemoryTrustPolicy %s cannot be applied, the last good one stays in force: %v", p.Name, err)
			return nil, &f, nil
		}
	}
	f := lexiconInvalid(p.Name, problem)
	return nil, &f, nil
}

func (r *AgentReconciler) applyPolicy(ctx context.Context, s *agentScope, annotations, data map[string]string) error {
	live := s.live.policy
	if live != nil && maps.Equal(live.Data, data) && includes(live.Annotations, annotations) &&
		includes(live.Labels, configMapLabels(s.key.Name)) && hasOwner(live, s.memory) {
		return nil
	}
	desired := corev1apply.ConfigMap(s.names.PolicyConfigMap, s.key.Namespace).
		WithLabels(configMapLabels(s.key.Name)).
		WithAnnotations(annotations).
		WithOwnerReferences(ownedBy(s.memory)).
		WithData(data)
	if err := r.client.Apply(ctx, desired, fieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("writing ConfigMap %s/%s: %w", s.key.Namespace, s.names.PolicyConfigMap, err)
	}
	return nil
}

// defaultStoreSize is the size of a claim whose policy came without the API's default.
const defaultStoreSize = "1Gi"

// ensureClaim makes the claim of a Persistent store, and grows it when the policy asks for more. It has no owner: the
// memory outlives policy and AgentMemory.
func (r *AgentReconciler) ensureClaim(ctx context.Context, s *agentScope) error {
	p := s.status.resolution.policy
	if p.Spec.Store.Type != v1alpha1.StoreTypePersistent {
		return nil
	}
	size := resource.MustParse(defaultStoreSize)
	var class *string
	if asked := p.Spec.Store.Persistent; asked != nil {
		class = asked.StorageClassName
		if !asked.Size.IsZero() {
			size = asked.Size
		}
	}
	desired := corev1apply.PersistentVolumeClaim(s.names.StoreClaim, s.key.Namespace).WithLabels(objectLabels(s.key.Name))
	spec := corev1apply.PersistentVolumeClaimSpec().WithAccessModes(corev1.ReadWriteOnce)
	if live := s.live.claim; live != nil {
		if have := live.Spec.Resources.Requests[corev1.ResourceStorage]; have.Cmp(size) >= 0 {
			return nil
		}
		class = live.Spec.StorageClassName // immutable; a changed policy concerns new claims only
	}
	if class != nil {
		spec.WithStorageClassName(*class)
	}
	spec.WithResources(corev1apply.VolumeResourceRequirements().WithRequests(corev1.ResourceList{corev1.ResourceStorage: size}))
	err := r.client.Apply(ctx, desired.WithSpec(spec), fieldOwner, client.ForceOwnership)
	terminating := apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause)
	if !terminating && (apierrors.IsForbidden(err) || apierrors.IsInvalid(err)) {
		// A quota, or a storage class that cannot grow: for people to solve, and no reason to keep the rest back.
		f := no(ReasonStoreFailed, "PersistentVolumeClaim %s was refused: %v", s.names.StoreClaim, err)
		s.status.obstacle = &f
		s.soonest(s.now.Add(time.Minute))
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing PersistentVolumeClaim %s/%s: %w", s.key.Namespace, s.names.StoreClaim, err)
	}
	return nil
}

// touchPods sets an annotation on running pods whose mounted objects changed, at which the kubelet refreshes them at
// once. It reports whether some had to wait for the rate limit.
func (r *AgentReconciler) touchPods(ctx context.Context, s *agentScope) (bool, error) {
	fingerprint := s.live.fingerprint()
	if fingerprint == "" {
		return false, nil
	}
	for _, pod := range s.status.fleet.injected {
		if pod.Annotations[v1alpha1.AnnotationSync] == fingerprint {
			continue
		}
		if !r.touches.Allow() {
			return true, nil
		}
		patch := fmt.Appendf(nil, `{"metadata":{"uid":%q,"annotations":{%q:%q}}}`, pod.UID, v1alpha1.AnnotationSync, fingerprint)
		err := r.client.Patch(ctx, pod.DeepCopy(), client.RawPatch(types.MergePatchType, patch), fieldOwner)
		if client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
			return false, fmt.Errorf("touching pod %s/%s: %w", pod.Namespace, pod.Name, err)
		}
	}
	return false, nil
}

// wantOf returns what screeners report that run on the objects of this moment.
func (o observedObjects) wantOf() want {
	ring := readKeyring(o.key)
	return want{revision: o.revision(), primary: ring.primary, keyIDs: ring.ids()}
}
