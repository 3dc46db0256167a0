// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/policy"
)

const (
	// minTokenBytes is the shortest bearer token of a channel. 16 random bytes cannot be guessed over the network.
	minTokenBytes = 16
	// defaultTokenKey is the entry of the token in the user's Secret.
	defaultTokenKey = "token"
)

// channelTokens is what became of the channels of a policy.
type channelTokens struct {
	digests  policy.ChannelDigests
	accounts int            // channels of ServiceAccounts that work
	issuer   *issuerReading // nil where no channel is a ServiceAccount
	problems []string       // one sentence per channel that does not work, naming the fix
}

// working counts the channels that work.
func (t channelTokens) working() int { return len(t.digests) + t.accounts }

// readChannels reads the tokens of a policy's channels, and the keys for those of ServiceAccounts. A channel without a usable
// token is left out, so that it authenticates nobody; the others go on.
func readChannels(ctx context.Context, reader client.Reader, keys *issuerKeys, p *v1alpha1.MemoryTrustPolicy) (channelTokens, error) {
	tokens := channelTokens{digests: policy.ChannelDigests{}}
	for _, channel := range p.Spec.Trust.Channels {
		if channel.TokenSecretRef == nil {
			tokens.addAccount(ctx, keys, channel.Name)
			continue
		}
		var secret corev1.Secret
		name := types.NamespacedName{Namespace: p.Namespace, Name: channel.TokenSecretRef.Name}
		err := reader.Get(ctx, name, &secret)
		if client.IgnoreNotFound(err) != nil {
			return tokens, fmt.Errorf("reading Secret %s of channel %s: %w", name, channel.Name, err)
		}
		digest, problem := channelDigest(channel, &secret, !apierrors.IsNotFound(err))
		if problem != "" {
			tokens.problems = append(tokens.problems, fmt.Sprintf("channel %s: %s", channel.Name, problem))
			continue
		}
		tokens.digests[channel.Name] = digest
	}
	return tokens, nil
}

// addAccount counts a channel that is a ServiceAccount. Whether that exists is not looked up: until it does, nobody has a
// token of it.
func (t *channelTokens) addAccount(ctx context.Context, keys *issuerKeys, channel string) {
	if t.issuer == nil {
		reading := keys.current(ctx)
		t.issuer = &reading
	}
	if t.issuer.problem != "" {
		t.problems = append(t.problems, fmt.Sprintf("channel %s: the keys of its tokens cannot be read: %s", channel, t.issuer.problem))
		return
	}
	t.accounts++
}

// channelDigest returns the digest of a channel's token, or what is wrong with it.
func channelDigest(channel v1alpha1.Channel, secret *corev1.Secret, found bool) (digest, problem string) {
	ref := channel.TokenSecretRef
	key := cmp.Or(ref.Key, defaultTokenKey)
	if !found || secret.Labels[v1alpha1.LabelKeySource] != v1alpha1.KeySourceChannel {
		return "", fmt.Sprintf("there is no Secret %s with label %s=%s: create it, or label it if it exists",
			ref.Name, v1alpha1.LabelKeySource, v1alpha1.KeySourceChannel)
	}
	raw, ok := secret.Data[key]
	if !ok {
		return "", fmt.Sprintf("Secret %s has no entry %s: add the bearer token there", ref.Name, key)
	}
	// Tokens made with --from-file end in a newline, which no HTTP header can carry.
	token := bytes.TrimRight(raw, "\r\n")
	if len(token) < minTokenBytes {
		return "", fmt.Sprintf("entry %s of Secret %s is shorter than %d bytes: use a longer random token", key, ref.Name, minTokenBytes)
	}
	return policy.DigestToken(token), ""
}

// encodeDigests returns the file the screener reads. Equal digests give equal bytes.
func encodeDigests(d policy.ChannelDigests) ([]byte, error) {
	b, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encoding channel digests: %w", err)
	}
	return append(b, '\n'), nil
}
