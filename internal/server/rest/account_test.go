// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// A ServiceAccount that is a channel writes with its class; any other is answered as whoever guesses a token, and the log of
// the screener says why.
func TestServiceAccountChannel(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	jwks, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
	must(t, err)
	f := newFixture(t, engine(), func(f *fixture) {
		f.policy = func(p *v1alpha1.MemoryTrustPolicy) {
			p.Spec.Trust.Channels = append(p.Spec.Trust.Channels, v1alpha1.Channel{
				Name: "bookings", Class: "UserInput", Principal: "frontend", ServiceAccountRef: &v1alpha1.ServiceAccountRef{Name: "bookings"},
			})
		}
	})
	f.state.Issuer, err = policy.NewIssuer("https://issuer", jwks)
	must(t, err)
	token := func(account, audience string) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "k"}}, nil)
		must(t, err)
		signed, err := jwt.Signed(signer).Claims(jwt.Claims{
			Issuer: "https://issuer", Subject: "system:serviceaccount:agents:" + account, Audience: jwt.Audience{audience},
			IssuedAt: jwt.NewNumericDate(time.Now()), Expiry: jwt.NewNumericDate(time.Now().Add(time.Hour)),
		}).Serialize()
		must(t, err)
		return signed
	}
	written := f.write(call{channel: true, token: token("bookings", policy.TokenAudience)}, "I always fly in the morning.", "web:x")
	if written.Class != provenance.WebContent {
		t.Errorf("a claimed source did not lower the class: %+v", written)
	}
	written = f.write(call{channel: true, token: token("bookings", policy.TokenAudience)}, "I always fly in the evening.", "")
	if written.Class != provenance.UserInput || written.Zone != memory.Trusted || written.Authority != memory.Act {
		t.Errorf("what the ServiceAccount wrote became %+v", written)
	}
	for reason, refused := range map[policy.Refusal]string{
		policy.RefusedAccount: token("payments", policy.TokenAudience), policy.RefusedAudience: token("bookings", "https://issuer"),
		policy.RefusedSignature: token("bookings", policy.TokenAudience) + "AAAA",
	} {
		response, answer := f.do(call{method: "POST", path: "/v1/memories", body: `{"content":"x"}`, channel: true, token: refused})
		if response.StatusCode != 401 || strings.Contains(answer, string(reason)) || strings.Contains(answer, "audience") {
			t.Errorf("%s answered %d: %s", reason, response.StatusCode, answer)
		}
		if logged := f.logged(); !strings.Contains(logged, string(reason)) || strings.Contains(logged, refused) {
			t.Errorf("%s: the log says %s", reason, logged)
		}
	}
}
