// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		says string // nothing: good
	}{
		"as installed":      {nil, ""},
		"outside a cluster": {[]string{"--kubeconfig=x", "--publish-ca-bundle=false", "--shutdown-delay=0s"}, ""},
		"no port":           {[]string{"--port=0"}, "--port"},
		"port too high":     {[]string{"--port=65536"}, "--port"},
		"no certificate":    {[]string{"--serving-dir="}, "--serving-dir"},
		"no client":         {[]string{"--client-dir="}, "--client-dir"},
		"back in time":      {[]string{"--shutdown-delay=-1s"}, "--shutdown-delay"},
	} {
		s := defaultSettings()
		if err := s.flags().Parse(tt.args); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		err := s.validate()
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
