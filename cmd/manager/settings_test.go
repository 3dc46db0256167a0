// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"log/slog"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	t.Setenv(namespaceEnv, "")
	good := []string{"--screener-image=s:v1", "--operator-namespace=system"}
	tests := map[string]struct {
		args []string
		want string // of the error; empty for none
	}{
		"least":                      {good, ""},
		"list":                       {append(good, "--agent-namespaces=a,b"), ""},
		"cluster-wide":               {append(good, "--agent-namespaces=*"), ""},
		"empty list, as from an env": {append(good, "--agent-namespaces="), ""},
		"short lifetimes":            {append(good, "--ca-lifetime=20m", "--certificate-lifetime=4m", "--ca-overlap=1m", "--clock-skew=1s"), ""},
		"no image":                   {good[1:], "--screener-image is required"},
		"no namespace":               {good[:1], "--operator-namespace or $OPERATOR_NAMESPACE is required"},
		"star and more":              {append(good, "--agent-namespaces=*,a"), "either * or a list"},
		"no namespace's name":        {append(good, "--agent-namespaces=A_b"), `"A_b" is no name of a namespace`},
		"its own namespace":          {append(good, "--agent-namespaces=system"), "must not run agents"},
		"leafs that live too long":   {append(good, "--certificate-lifetime=8000h"), "--certificate-lifetime"},
		"no interval":                {append(good, "--poll-interval=0s"), "--poll-interval must be positive"},
		"unknown flag":               {append(good, "--nonsense"), "unknown flag"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := defaultSettings()
			err := s.flags().Parse(tc.args)
			if err == nil {
				err = s.validate()
			}
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error = %v, want %q", err, tc.want)
			}
		})
	}
}

func TestNamespaceFromEnvironment(t *testing.T) {
	t.Setenv(namespaceEnv, "from-env")
	if got := defaultSettings().operatorNamespace; got != "from-env" {
		t.Errorf("operator namespace = %q", got)
	}
}

func TestLogLevel(t *testing.T) {
	for verbosity, want := range map[int]slog.Level{-1: 0, 0: 0, 1: -1, 100: -9} {
		if got := logLevel(verbosity); got != want {
			t.Errorf("logLevel(%d) = %d, want %d", verbosity, got, want)
		}
	}
}
