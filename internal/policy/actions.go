// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"errors"
	"slices"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
)

// Defaults and bounds of spec.actions, in seconds.
const (
	defaultTurnLifetimeSeconds     = 3600
	minTurnLifetimeSeconds         = 60
	maxTurnLifetimeSeconds         = 86400
	defaultApprovalLifetimeSeconds = 300
	minApprovalLifetimeSeconds     = 30
	maxApprovalLifetimeSeconds     = 3600
)

// Actions says what memory may justify. Zero fields mean the defaults of the API.
type Actions struct {
	Rules                   []action.Rule `json:"rules,omitempty"` // in the order of the policy, which counts
	TurnLifetimeSeconds     int64         `json:"turnLifetimeSeconds,omitempty"`
	ApprovalLifetimeSeconds int64         `json:"approvalLifetimeSeconds,omitempty"`
}

// TurnLifetime is how long what a user said in a session counts as said now.
func (a Actions) TurnLifetime() time.Duration {
	return time.Duration(or(a.TurnLifetimeSeconds, defaultTurnLifetimeSeconds)) * time.Second
}

// ApprovalLifetime is how long a person's approval of an action can be used.
func (a Actions) ApprovalLifetime() time.Duration {
	return time.Duration(or(a.ApprovalLifetimeSeconds, defaultApprovalLifetimeSeconds)) * time.Second
}

// compileActions applies the defaults of the API.
func compileActions(s v1alpha1.ActionsSpec) Actions {
	out := Actions{
		TurnLifetimeSeconds:     or(s.TurnLifetimeSeconds, defaultTurnLifetimeSeconds),
		ApprovalLifetimeSeconds: or(s.ApprovalLifetimeSeconds, defaultApprovalLifetimeSeconds),
	}
	for _, r := range s.Rules {
		out.Rules = append(out.Rules, action.Rule{
			Name: r.Name, Tools: slices.Clone(r.Tools), When: r.When, Authority: memory.Authority(r.Authority),
			Sensitive: slices.Clone(r.Sensitive), Otherwise: action.Otherwise(or(r.Otherwise, v1alpha1.ActionOtherwiseRequireApproval)),
		})
	}
	return out
}

// validate checks lifetimes and rules.
func (a Actions) validate() error {
	for _, err := range []error{
		inRange("spec.actions.turnLifetimeSeconds", or(a.TurnLifetimeSeconds, defaultTurnLifetimeSeconds),
			minTurnLifetimeSeconds, maxTurnLifetimeSeconds),
		inRange("spec.actions.approvalLifetimeSeconds", or(a.ApprovalLifetimeSeconds, defaultApprovalLifetimeSeconds),
			minApprovalLifetimeSeconds, maxApprovalLifetimeSeconds),
	} {
		if err != nil {
			return err
		}
	}
	_, err := a.compile()
	return err
}

// compile makes the rules ready to match. Its error is a *FieldError in the words of the manifest.
func (a Actions) compile() (*action.Rules, error) {
	rules, err := action.Compile(a.Rules)
	var field *action.FieldError
	if errors.As(err, &field) {
		return nil, fieldErrorf("spec.actions."+field.Field, "%s", field.Problem)
	}
	return rules, err
}
