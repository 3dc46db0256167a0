// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package judge

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// errMalformed says that an answer counts for nothing. It holds nothing of the answer, which may quote memories.
var errMalformed = errors.New("not an answer of the schema")

// opinion is the model's answer about one text.
type opinion struct {
	directive bool
	reason    Reason
}

// parse reads an answer about n texts. It takes nothing but one complete opinion about each: an answer that leaves one out, names
// one twice or contradicts itself may be what a text has made of it.
func parse(answer string, n int) ([]opinion, error) {
	var parsed struct {
		Results []struct {
			Index     *int    `json:"index"`
			Directive *bool   `json:"directive"`
			Reason    *Reason `json:"reason"`
		} `json:"results"`
	}
	d := json.NewDecoder(strings.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&parsed); err != nil {
		return nil, errMalformed
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) || len(parsed.Results) != n {
		return nil, errMalformed
	}
	out := make([]opinion, n)
	for _, r := range parsed.Results {
		switch {
		case r.Index == nil || r.Directive == nil || r.Reason == nil,
			*r.Index < 0 || *r.Index >= n || out[*r.Index].reason != "", // out of range, or there before
			!slices.Contains(reasons, *r.Reason),
			!*r.Directive && *r.Reason != ReasonNone:
			return nil, errMalformed
		}
		o := opinion{directive: *r.Directive, reason: *r.Reason}
		if o.directive && o.reason == ReasonNone {
			o.reason = ReasonOther
		}
		out[*r.Index] = o
	}
	return out, nil
}
