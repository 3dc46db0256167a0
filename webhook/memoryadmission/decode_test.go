// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

const (
	head       = `{"apiVersion":"memorytrust.dev/v1alpha1","kind":"MemoryReview",`
	goodOne    = `{"uid":"1","agent":{"namespace":"travel","name":"concierge"},"operation":"Encode","memory":{"content":"x"}}`
	goodSingle = head + `"request":` + goodOne + `}`
)

func TestDecode(t *testing.T) {
	many := strings.Repeat(goodOne+",", memoryadmission.MaxRequests)
	for name, tc := range map[string]struct {
		body string
		says string // empty: it is a review
	}{
		"one":                    {goodSingle, ""},
		"a list":                 {head + `"requests":[` + goodOne + `]}`, ""},
		"everything":             {strings.Replace(goodSingle, `"memory":{`, `"claimedSource":"a","signedSource":"b","session":"c","reason":"d","memory":{"id":"e","kind":"f","subject":"g","tags":["h"],"metadata":{"i":"j"},`, 1), ""},
		"nothing":                {``, "not a MemoryReview"},
		"no JSON":                {`{"apiVersion":`, "not a MemoryReview"},
		"something after it":     {goodSingle + `{}`, "not a MemoryReview"},
		"not UTF-8":              {strings.Replace(goodSingle, `"x"`, "\"\xff\"", 1), "UTF-8"},
		"another kind":           {strings.Replace(goodSingle, "MemoryReview", "AdmissionReview", 1), "apiVersion and kind"},
		"another version":        {strings.Replace(goodSingle, "v1alpha1", "v9", 1), "apiVersion and kind"},
		"an unknown field":       {strings.Replace(goodSingle, `"content"`, `"text"`, 1), `unknown field "request.memory.text"`},
		"another case":           {strings.Replace(goodSingle, `"content"`, `"Content"`, 1), `unknown field "request.memory.Content"`},
		"a field twice":          {strings.Replace(goodSingle, `"content":"x"`, `"content":"x","content":"y"`, 1), `duplicate field "request.memory.content"`},
		"a number for a text":    {strings.Replace(goodSingle, `"x"`, `7`, 1), "content"},
		"no request":             {head + `"requests":[]}`, "no request"},
		"neither":                {head[:len(head)-1] + `}`, "no request"},
		"both":                   {head + `"request":` + goodOne + `,"requests":[` + goodOne + `]}`, "not both"},
		"a response":             {head + `"request":` + goodOne + `,"response":{"uid":"1","allowed":true}}`, "for the answer"},
		"too many":               {head + `"requests":[` + many + goodOne + `]}`, "at most 100"},
		"no uid":                 {strings.Replace(goodSingle, `"uid":"1",`, ``, 1), "request.uid"},
		"a uid with a newline":   {strings.Replace(goodSingle, `"uid":"1"`, `"uid":"1\n2"`, 1), "request.uid"},
		"a uid twice":            {head + `"requests":[` + goodOne + `,` + goodOne + `]}`, "requests[1].uid"},
		"no agent":               {strings.Replace(goodSingle, `concierge`, ``, 1), "request.agent.name"},
		"a path for a name":      {strings.Replace(goodSingle, `concierge`, `../x`, 1), "request.agent.name"},
		"a namespace that's not": {head + `"requests":[` + strings.Replace(goodOne, "travel", "Travel", 1) + `]}`, "requests[0].agent.namespace"},
		"another operation":      {strings.Replace(goodSingle, "Encode", "encode", 1), "request.operation"},
		"a long id":              {strings.Replace(goodSingle, `"memory":{`, `"memory":{"id":"`+strings.Repeat("x", 257)+`",`, 1), "request.memory.id"},
	} {
		t.Run(name, func(t *testing.T) {
			got, status := decode([]byte(tc.body))
			switch {
			case tc.says == "" && (status != nil || len(got.requests) != 1):
				t.Errorf("refused: %+v", status)
			case tc.says != "" && (status == nil || !strings.Contains(status.Message, tc.says) || status.Code != 400):
				t.Errorf("says %+v, want %q", status, tc.says)
			case status != nil && len(got.requests) != 0:
				t.Errorf("refused, and there are requests all the same")
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{goodSingle, head + `"requests":[` + goodOne + `]}`, `{"request":null}`, `[]`, `{"a":{"a":{"a":1}}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, status := decode(body)
		if (status == nil) == (len(got.requests) == 0) {
			t.Fatalf("neither requests nor a status: %+v", got)
		}
		if status != nil {
			if status.Code != 400 || len(status.Message) > 2*maxProblemBytes || !utf8.ValidString(status.Message) {
				t.Errorf("%+v", status)
			}
			return
		}
		for _, r := range got.requests {
			if r.UID == "" || r.Agent.Namespace == "" || r.Agent.Name == "" || !utf8.ValidString(r.Memory.Content) {
				t.Errorf("%+v", r)
			}
		}
		if _, err := json.Marshal(got.requests); err != nil {
			t.Error(err)
		}
	})
}
