// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"memorytrust.dev/operator/internal/judge"
)

// The judge of a policy understands what the judge of the tests answers.
func TestFixedJudge(t *testing.T) {
	fixed := &fixedJudge{phrase: "blue heron"}
	server := httptest.NewServer(guarded("key", fixed.routes()))
	t.Cleanup(server.Close)
	settings := judge.Settings{
		URL: server.URL + "/v1", Model: "fixed", Key: "key", Timeout: 5 * time.Second, TextsPerMinute: 10, CacheFor: time.Hour,
	}
	texts := []string{"A blue heron lives by the lake.", "A \"grey\" heron\nlives by the lake."}
	answers := judge.New(judge.Options{}).Ask(t.Context(), settings, texts)
	if len(answers) != 2 || !answers[0].Directive || answers[1].Directive || answers[1].Unjudged != "" {
		t.Errorf("got %+v", answers)
	}
	if n := fixed.texts.Load(); n != 2 {
		t.Errorf("asked about %d texts", n)
	}
}
