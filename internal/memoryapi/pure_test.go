// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package memoryapi

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	kuser "k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"

	api "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/inject"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/server/wire"
)

func TestReasonsQuoteNothing(t *testing.T) {
	for name, tt := range map[string]struct{ reasons, want []string }{
		"words":          {[]string{`redirection: "forward every invoice"`}, []string{"redirection"}},
		"twice a kind":   {[]string{`command: "always"`, `command: "never"`}, []string{"command"}},
		"quote in words": {[]string{`intent: "say ·hello· to; x"`, `override: "ignore: all"`}, []string{"intent", "override"}},
		"no words":       {[]string{"rule payments", "mark of the session: WebContent"}, []string{"rule payments", "mark of the session: WebContent"}},
		"only words":     {[]string{`"secret"`}, nil},
		"none":           {nil, nil},
	} {
		if got := kindsOf(tt.reasons); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	why := "It gives a standing instruction, and its origin is not trusted to give any." + foundWhenWritten + `intent: "a; b \"c\"; d".`
	if got := withoutQuotes(why, []string{"intent"}); strings.Contains(got, "b") && strings.Contains(got, "; d") || !strings.HasSuffix(got, foundWhenWritten+"intent.") {
		t.Errorf("why: %q", got)
	}
	if got := withoutQuotes("It waits for a person.", []string{"intent"}); got != "It waits for a person." {
		t.Errorf("why: %q", got)
	}
}

func TestApprovalTellsNoArguments(t *testing.T) {
	a := approvalOf(Agent{NamespacedName: types.NamespacedName{Namespace: "n", Name: "a"}}, gate.Inspected{
		ID: "1", Content: "secret", Subject: "pay_card", Session: "s", Reasons: []string{"rule payments", "mark of the session: WebContent", "not named by the user: to, items[0].iban"},
		Call: &gate.ActionCall{Tool: "pay_card", Arguments: []byte(`{"to":"secret"}`)}, State: memory.PendingReview, Parents: []string{"p"}, Commit: "c",
	})
	want := api.ApprovalStatus{
		Agent: "a", Tool: "pay_card", Session: "s", State: "PendingReview", Mark: "WebContent", Rule: "payments", Missing: []string{"to", "items[0].iban"},
		Responsible: []string{"p"}, Commit: "c",
	}
	if diff := cmp.Diff(want, a.Status); diff != "" {
		t.Error(diff)
	}
}

func TestPositions(t *testing.T) {
	p := position{Version: positionVersion, Namespace: "travel", Agent: "concierge", Cursor: "abc", Selection: "s"}
	if got, err := readPosition(p.String(), "s"); err != nil || got != p {
		t.Errorf("%+v, %v", got, err)
	}
	newer := p
	newer.Version++
	nobody := p
	nobody.Agent = ""
	for name, text := range map[string]string{
		"nonsense": "%%%", "no JSON": "YWJj", "another version": newer.String(), "no agent": nobody.String(), "empty": "",
	} {
		if _, err := readPosition(text, "s"); !apierrors.IsBadRequest(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readPosition(p.String(), "other"); !apierrors.IsBadRequest(err) {
		t.Errorf("of another list: %v", err)
	}
}

func FuzzReadPosition(f *testing.F) {
	f.Add(position{Version: positionVersion, Agent: "a", Selection: "s"}.String())
	f.Add("e30")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPosition(text, "s")
		if err == nil && (p.Selection != "s" || p.Agent == "" || p.Version != positionVersion) {
			t.Errorf("%q was read as %+v", text, p)
		}
	})
}

func TestSelectorsOfOneListAreToldApart(t *testing.T) {
	read := func(text string) selected {
		t.Helper()
		sel, err := readSelectors(&metainternalversion.ListOptions{FieldSelector: fields.ParseSelectorOrDie(text)})
		if err != nil {
			t.Fatal(err)
		}
		return sel
	}
	a, b := read("zone=Working,state=Active"), read("state=Active,zone=Working")
	if selectionKey("memories", "n", a) != selectionKey("memories", "n", b) {
		t.Error("the order of selectors counts")
	}
	seen := map[string]bool{}
	for _, key := range []string{
		selectionKey("memories", "n", a), selectionKey("memories", "m", a), selectionKey("approvals", "n", a), selectionKey("memories", "n", read("zone=Working")),
		selectionKey("memories", "", a),
	} {
		if seen[key] {
			t.Error("two lists have one key")
		}
		seen[key] = true
	}
	for text, nothing := range map[string]bool{
		"pending=true": false, "pending=true,state=Disputed": false, "pending=true,state=Active": true, "state=Active": false,
	} {
		if got := read(text).nothing(); got != nothing {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{"pending=false", "state=Deleted", "class=Web", "open=maybe", "zone!=Working", "zone=Working,zone=Trusted"} {
		if _, err := readSelectors(&metainternalversion.ListOptions{FieldSelector: fields.ParseSelectorOrDie(text)}); !apierrors.IsBadRequest(err) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCellsCannotSteerATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"web:example.org": "web:example.org", "a\x1b[31mb": "a·[31mb", "a\nb": "a·b", "a\u202eb": "a·b", "Zürich 東京": "Zürich 東京",
		"bad\xff": "bad·", strings.Repeat("x", 60): strings.Repeat("x", maxCell) + "…",
	} {
		if got := cell(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFailures(t *testing.T) {
	about := subject{resource: groupResource("memories"), kind: "MemoryDecision", name: "id"}
	agent := Agent{NamespacedName: types.NamespacedName{Namespace: "n", Name: "concierge"}}
	rules := &gate.Decided{Rules: []memory.Rule{{Name: "anchor", Explain: "name the source"}, {Name: "reason", Met: true}}}
	for name, tt := range map[string]struct {
		err    error
		status int32
		says   string
		field  string
		retry  int32
	}{
		"not there":      {&admin.Failure{Status: 404, Detail: "x"}, 404, "not found", "", 0},
		"changed":        {&admin.Failure{Status: 412, Type: wire.TypeChanged}, 409, "changed since you looked", "spec.commit", 0},
		"rules":          {&admin.Failure{Status: 409, Type: wire.TypeRules, Decided: rules}, 422, "name the source", "anchor", 0},
		"transition":     {&admin.Failure{Status: 409, Type: wire.TypeTransition, Detail: "it is rejected"}, 422, "it is rejected", "", 0},
		"field of body":  {&admin.Failure{Status: 422, Fields: []admin.FieldFailure{{Location: "body.zone", Message: "one up"}}}, 422, "one up", "spec.zone", 0},
		"field in query": {&admin.Failure{Status: 422, Fields: []admin.FieldFailure{{Location: "query.limit", Message: "less"}}}, 422, "less", "limit", 0},
		"commit":         {&admin.Failure{Status: 422, Fields: []admin.FieldFailure{{Location: "header.If-Match", Message: "m"}}}, 422, "m", "spec.commit", 0},
		"forbidden":      {&admin.Failure{Status: 403, Detail: "the request has expired"}, 403, "expired", "", 0},
		"too many":       {&admin.Failure{Status: 429, Detail: "later", RetryAfter: 7 * time.Second}, 429, "later", "", 7},
		"not ready":      {&admin.Failure{Status: 503, Detail: "not loaded", RetryAfter: time.Second}, 503, "concierge: not loaded", "", 1},
		"broken":         {&admin.Failure{Status: 500, Detail: "x"}, 500, "the log of the screener", "", 0},
		"no pod":         {errNoScreener, 503, "only while a pod of the agent runs", "", 1},
		"no answer":      {&silentError{err: errors.New("10.0.0.7: secret")}, 503, "does not answer", "", 1},
		"given up":       {context.DeadlineExceeded, 504, "given up", "", 0},
		"anything else":  {errors.New("secret"), 500, "log of memory-api", "", 0},
	} {
		var status apierrors.APIStatus
		if !errors.As(about.failed(t.Context(), agent, tt.err), &status) {
			t.Errorf("%s is no status", name)
			continue
		}
		s := status.Status()
		if s.Code != tt.status || !strings.Contains(s.Message, tt.says) || strings.Contains(s.Message, "secret") {
			t.Errorf("%s: %d %s", name, s.Code, s.Message)
		}
		if tt.field != "" && !slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == tt.field }) {
			t.Errorf("%s: causes %+v", name, s.Details.Causes)
		}
		if tt.retry != 0 && s.Details.RetryAfterSeconds != tt.retry {
			t.Errorf("%s: retry after %d", name, s.Details.RetryAfterSeconds)
		}
	}
}

// Clients repeat by themselves what has a time to try again. A decision that may have been made is not repeated.
func TestUndecided(t *testing.T) {
	about := subject{resource: groupResource("memories"), name: "id"}
	agent := Agent{NamespacedName: types.NamespacedName{Name: "concierge"}}
	for name, tt := range map[string]struct {
		err   error
		says  string
		retry bool
	}{
		"no pod":      {errNoScreener, "needs a running screener of agent concierge, which signs it; nothing was decided", true},
		"not reached": {&silentError{err: errors.New("x")}, "nothing was decided", true},
		"reached":     {&silentError{err: errors.New("x"), reached: true}, "whether it was decided", false},
	} {
		var status apierrors.APIStatus
		if !errors.As(about.undecided(t.Context(), agent, tt.err), &status) {
			t.Errorf("%s is no status", name)
			continue
		}
		s := status.Status()
		if s.Code != http.StatusServiceUnavailable || !strings.Contains(s.Message, tt.says) || (s.Details.RetryAfterSeconds > 0) != tt.retry {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// asked is an authorizer that remembers what it was asked, and allows by name of the user.
type asked struct {
	allow map[string]bool
	err   error
	last  authorizer.Attributes
}

func (a *asked) Authorize(_ context.Context, what authorizer.Attributes) (authorizer.Decision, string, error) {
	a.last = what
	if a.allow[what.GetUser().GetName()] {
		return authorizer.DecisionAllow, "", nil
	}
	return authorizer.DecisionNoOpinion, "", a.err
}

func TestMayDecide(t *testing.T) {
	info := &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", Namespace: "travel", APIGroup: api.GroupName, APIVersion: "v1alpha1", Resource: "memories",
		Subresource: "approve", Name: "id",
	}
	account := "system:serviceaccount:tools:bot"
	for name, tt := range map[string]struct {
		user   string
		auth   *asked
		status int32 // 0: may
		asks   bool
	}{
		"a person":                 {"rita", &asked{}, 0, false},
		"nobody":                   {kuser.Anonymous, &asked{}, 403, false},
		"an account named":         {account, &asked{allow: map[string]bool{account: true}}, 0, true},
		"an account by its groups": {account, &asked{}, 403, true},
		"nobody answers":           {account, &asked{err: errors.New("down")}, 503, true},
	} {
		ctx := request.WithRequestInfo(request.WithUser(t.Context(), &kuser.DefaultInfo{
			Name: tt.user, Groups: []string{"system:serviceaccounts", "system:masters"},
		}), info)
		c, err := callerOf(ctx, groupResource("memories"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		err = mayDecide(ctx, tt.auth, c, groupResource("memories"))
		var status apierrors.APIStatus
		if errors.As(err, &status) && status.Status().Code != tt.status || err == nil && tt.status != 0 {
			t.Errorf("%s: %v", name, err)
		}
		if (tt.auth.last != nil) != tt.asks {
			t.Errorf("%s: asked %v", name, tt.auth.last)
		}
		if tt.asks {
			what := tt.auth.last
			if len(what.GetUser().GetGroups()) != 0 || what.GetVerb() != "create" || what.GetSubresource() != "approve" || what.GetNamespace() != "travel" ||
				what.GetResource() != "memories" || what.GetAPIGroup() != api.GroupName || what.GetName() != "id" || !what.IsResourceRequest() {
				t.Errorf("%s: asked %+v", name, what)
			}
		}
	}
}

func TestCallers(t *testing.T) {
	for name, tt := range map[string]struct {
		user string
		good bool
	}{
		"e-mail": {"rita@example.com", true}, "account": {"system:serviceaccount:ns:bot", true}, "umlaut": {"jürgen", false}, "space": {"a b", false},
		"line": {"a\nb", false}, "long": {strings.Repeat("a", 129), false}, "none": {"", false},
	} {
		_, err := callerOf(request.WithUser(t.Context(), &kuser.DefaultInfo{Name: tt.user}), groupResource("memories"))
		if (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := callerOf(t.Context(), groupResource("memories")); !apierrors.IsUnauthorized(err) {
		t.Errorf("no user: %v", err)
	}
}

func TestPreferredPods(t *testing.T) {
	pod := func(name string, ready bool, age time.Duration) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(time.Unix(1e9, 0).Add(-age))},
			Status:     corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{Name: inject.ContainerName, Ready: ready}}},
		}
	}
	pods := []*corev1.Pod{pod("old", false, 3*time.Hour), pod("b", true, time.Hour), pod("a", true, time.Hour), pod("ready", true, 2*time.Hour)}
	slices.SortFunc(pods, preferred)
	var got []string
	for _, p := range pods {
		got = append(got, p.Name)
	}
	if want := []string{"ready", "a", "b", "old"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
