// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import "fmt"

// credentials reads the credentials of the policy's upstreams into a state, and adds them to the files it was read from. One that
// the policy has no use for, and one that is missing, are mistakes worth stopping for.
func (s Standalone) credentials(state *State, files map[string][]byte) error {
	for name, path := range s.Credentials {
		if u, ok := state.Runtime.Upstream(name); !ok || u.CredentialHeader == "" {
			return fmt.Errorf("credential of upstream %s: the policy has no upstream of this name with credentialSecretRef", name)
		}
		raw, err := readBounded(path)
		if err != nil {
			return fmt.Errorf("credential of upstream %s: %w", name, err)
		}
		files[FileCredential(name)] = raw
	}
	for _, u := range state.Runtime.Upstreams {
		if _, ok := s.Credentials[u.Name]; u.CredentialHeader != "" && !ok {
			return fieldErrorf(fmt.Sprintf("%s[%s].credentialSecretRef", fieldUpstreams, u.Name),
				"outside a cluster nobody delivers the credential: give --upstream-credential %s=FILE", u.Name)
		}
	}
	return state.loadCredentials(files)
}
