// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryadmission

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
	kjson "sigs.k8s.io/json"

	"memorytrust.dev/operator/pkg/memoryadmission"
)

// Bounds of what identifies a request.
const (
	maxUIDBytes = 128
	maxIDBytes  = 256
	// maxProblemBytes bounds a message about JSON, which quotes names of fields.
	maxProblemBytes = 512
)

// decoded is a review that is one.
type decoded struct {
	requests []memoryadmission.Request
	single   bool // asked with request, and to be answered with response
}

// decode reads a review strictly: a field that is not known, or is there twice, is refused and named. What it says quotes no values.
func decode(body []byte) (decoded, *memoryadmission.Status) {
	if !utf8.Valid(body) { // the decoder would replace what is wrong, and another text be signed than the one that is stored
		return decoded{}, invalid("the body is not valid UTF-8")
	}
	var review memoryadmission.Review
	strict, err := kjson.UnmarshalStrict(body, &review)
	if err != nil {
		return decoded{}, invalid("the body is not a MemoryReview in JSON: %s", shorten(err.Error()))
	}
	if len(strict) > 0 {
		problems := make([]string, len(strict))
		for i, problem := range strict {
			problems[i] = problem.Error()
		}
		return decoded{}, invalid("%s", shorten(strings.Join(problems, ", ")))
	}
	return check(review)
}

func check(review memoryadmission.Review) (decoded, *memoryadmission.Status) {
	if review.APIVersion != memoryadmission.APIVersion || review.Kind != memoryadmission.Kind {
		return decoded{}, invalid("apiVersion and kind must be %s and %s", memoryadmission.APIVersion, memoryadmission.Kind)
	}
	if review.Response != nil || review.Responses != nil || review.Status != nil {
		return decoded{}, invalid("response, responses and status are for the answer: leave them out")
	}
	out := decoded{requests: review.Requests}
	switch {
	case review.Request != nil && review.Requests != nil:
		return decoded{}, invalid("give request or requests, not both")
	case review.Request != nil:
		out = decoded{requests: []memoryadmission.Request{*review.Request}, single: true}
	case len(review.Requests) == 0:
		return decoded{}, invalid("there is no request: give one in request, or 1 to %d in requests", memoryadmission.MaxRequests)
	case len(review.Requests) > memoryadmission.MaxRequests:
		return decoded{}, invalid("%d requests are too many: at most %d", len(review.Requests), memoryadmission.MaxRequests)
	}
	seen := make(map[string]bool, len(out.requests))
	for i, r := range out.requests {
		path := "request"
		if !out.single {
			path = fmt.Sprintf("requests[%d]", i)
		}
		if problem := checkRequest(r); problem != "" {
			return decoded{}, invalid("%s.%s", path, problem)
		}
		if seen[r.UID] {
			return decoded{}, invalid("%s.uid: another request of this review has the same", path)
		}
		seen[r.UID] = true
	}
	return out, nil
}

// checkRequest checks whose memory it is and how the request is called. The rest is for the gate to check.
func checkRequest(r memoryadmission.Request) string {
	switch {
	case r.UID == "" || len(r.UID) > maxUIDBytes || strings.ContainsFunc(r.UID, notGraphic):
		return fmt.Sprintf("uid: use 1 to %d printable ASCII characters without spaces", maxUIDBytes)
	case len(validation.IsDNS1123Label(r.Agent.Namespace)) > 0:
		return "agent.namespace: name the namespace of the agent"
	case len(validation.IsDNS1123Label(r.Agent.Name)) > 0:
		return "agent.name: name the agent, as in the label of its pods"
	case len(r.Memory.ID) > maxIDBytes:
		return fmt.Sprintf("memory.id: use at most %d bytes", maxIDBytes)
	}
	switch r.Operation {
	case memoryadmission.Encode, memoryadmission.Recall, memoryadmission.Promote:
		return ""
	}
	return "operation: use Encode, Recall or Promote"
}

func notGraphic(r rune) bool { return r <= ' ' || r >= 0x7f }

// invalid is the answer to what is no review.
func invalid(format string, args ...any) *memoryadmission.Status {
	return &memoryadmission.Status{Code: http.StatusBadRequest, Reason: memoryadmission.ReasonInvalid, Message: fmt.Sprintf(format, args...)}
}

func shorten(s string) string {
	if len(s) <= maxProblemBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxProblemBytes], "") + "…"
}
