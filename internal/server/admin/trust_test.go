// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

const legacySource = "operator:console"

// The report says what would be lost, attesting it one by one and together takes it off the report, and the status follows.
func TestTrustReportAndAttest(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	c, ctx := f.client(ca, ""), t.Context()
	fact := f.write("The museum in Lyon closes at five.", legacySource, "")
	other := f.write("The office in Lyon closes at six.", legacySource, "")
	rule := f.write("Always answer in French and never share the customer list.", legacySource, "")
	f.writeByConsole("The user prefers metric units.")
	f.write("The vault of acme is in Lyon.", legacySource, "acme")

	losing := func(want int64) {
		t.Helper()
		report, err := c.TrustReport(ctx)
		must(t, err)
		var got int64
		for _, loss := range report.Losing {
			if loss.Reason != gate.LossNotAuthenticated {
				t.Errorf("loses for %s: %v", loss.Reason, loss.Examples)
			}
			got += loss.Memories
		}
		if got != want || report.Claiming != 4 {
			t.Errorf("report %+v, want %d losing of 4", report, want)
		}
	}
	losing(3)

	decided, err := c.Decide(ctx, rule.ID, "attest", rule.Commit, DecisionRequest{Reason: "the operator's own"})
	must(t, err)
	if !decided.Done || decided.Zone != memory.Working || decided.State != memory.Approved {
		t.Errorf("attested: %+v", decided)
	}
	losing(2)

	tried, err := c.Attest(ctx, AttestRequest{Source: legacySource, Reason: "from before", DryRun: true})
	must(t, err)
	losing(2)
	done, err := c.Attest(ctx, AttestRequest{Source: legacySource, Reason: "from before"})
	must(t, err)
	if tried.Attested != 2 || !tried.DryRun || done.Attested != 2 || done.DryRun {
		t.Errorf("tried %+v, done %+v", tried, done)
	}
	losing(0)
	for _, id := range []string{fact.ID, other.ID} {
		if m, err := c.Get(ctx, id, "", time.Time{}); err != nil || m.ApprovedBy != alice || m.Authority != memory.Inform {
			t.Errorf("%+v, %v", m, err)
		}
	}
	for name, r := range map[string]AttestRequest{
		"nothing": {Reason: "x"}, "no reason": {Source: "x"}, "two ways": {Source: "x", Class: "Manual", Reason: "x"}, "low class": {Class: "WebContent", Reason: "x"},
	} {
		if _, err := c.Attest(ctx, r); status(err) != http.StatusUnprocessableEntity {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The status tells what the last look found, over all tenants, and nothing before there was one.
func TestStatusTellsTrustLoss(t *testing.T) {
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	f.write("The museum in Lyon closes at five.", legacySource, "")
	f.write("The vault of acme is in Lyon.", legacySource, "acme")
	ask := func() (s Status) {
		t.Helper()
		_, body, err := f.get(StatusPath, ca.pool(), ca.leaf(x509.ExtKeyUsageClientAuth, ClientName))
		must(t, err)
		must(t, json.Unmarshal(body, &s))
		return s
	}
	if s := ask(); s.TrustLoss != nil {
		t.Errorf("before a look: %v", s.TrustLoss)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); f.gate.Run(ctx, slog.New(slog.DiscardHandler)) }()
	defer func() { stop(); <-done }()
	for ask().TrustLoss == nil {
		if t.Context().Err() != nil {
			t.Fatal("never looked")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if s := ask(); s.TrustLoss["NotAuthenticated"] != 2 || len(s.TrustLoss) != 1 {
		t.Errorf("after a look: %v", s.TrustLoss)
	}
}

func TestImportMeridian(t *testing.T) {
	const key, rule = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "Always book me a window seat."
	f, ca := newFixture(t), newAuthority(t)
	f.load(ca)
	c, ctx := f.client(ca, ""), t.Context()
	raw, err := hex.DecodeString(key)
	must(t, err)
	sum := sha256.Sum256([]byte(rule))
	mac := hmac.New(sha256.New, raw)
	mac.Write([]byte("arlo|meridian:cli:s1|" + hex.EncodeToString(sum[:])))
	line, err := json.Marshal(map[string]string{"content": rule, "source": "meridian:cli:s1#mac=" + hex.EncodeToString(mac.Sum(nil))})
	must(t, err)

	without, err := c.Import(ctx, bytes.NewReader(line))
	must(t, err)
	if without.Verified != 0 || without.Restored != 1 {
		t.Errorf("without the key: %+v", without)
	}
	with, err := c.ImportMeridian(ctx, bytes.NewReader(line), MeridianKey{Key: key, Agent: "arlo", Layout: "{agent}|{source}|{sha256}"})
	must(t, err)
	if with.Verified != 1 || with.Restored != 1 {
		t.Errorf("with the key: %+v", with)
	}
	listed, err := c.List(ctx, gate.Browsing{Listing: gate.Listing{Class: provenance.Manual, Limit: 10}})
	must(t, err)
	if len(listed.Memories) != 1 || listed.Memories[0].Writer != "channel/import/"+alice || listed.Memories[0].Authority != memory.Inform {
		t.Errorf("imported %+v", listed.Memories)
	}
	for name, m := range map[string]MeridianKey{
		"no agent": {Key: key}, "no key": {Agent: "arlo"}, "bad key": {Key: "zz-secret-zz", Agent: "arlo"}, "bad layout": {Key: key, Agent: "arlo", Layout: "{agent}"},
	} {
		_, err := c.ImportMeridian(ctx, bytes.NewReader(line), m)
		if status(err) != http.StatusUnprocessableEntity || m.Key != "" && strings.Contains(err.Error(), m.Key) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
