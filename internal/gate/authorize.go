// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/action"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// MaxToolBytes bounds the name of a tool.
const MaxToolBytes = 128

// ActionDecision says what is to become of a tool call.
type ActionDecision string

// The decisions.
const (
	ActionAllow           ActionDecision = "Allow"
	ActionRequireApproval ActionDecision = "RequireApproval" // a person can approve exactly this call
	ActionDeny            ActionDecision = "Deny"
)

// ActionRequest is a tool call that somebody is about to make for the agent.
type ActionRequest struct {
	Tool      string          // name of the tool, at most MaxToolBytes
	Arguments json.RawMessage // a JSON object of at most action.MaxBytes; nothing is an empty one
	Session   string          // session of the agent; may be empty
	Schema    json.RawMessage // input schema of the tool as it was offered, at most action.MaxBytes; optional
	upstream  string          // that the tool is of; empty for a call that somebody else makes
}

// Authorized says what is to become of a tool call, and why. It holds no value of an argument and no content of a memory.
type Authorized struct {
	Decision    ActionDecision   `json:"decision" enum:"Allow,RequireApproval,Deny" doc:"What is to become of the call"`
	Would       ActionDecision   `json:"would,omitempty" enum:"Allow,RequireApproval,Deny" doc:"In DryRun, what the decision would be without an approval"`
	Rule        string           `json:"rule,omitempty" doc:"Rule of the policy that applies; absent where none does, which needs authority Act"`
	FailedRule  string           `json:"failedRule,omitempty" doc:"Rule whose condition could not be evaluated, so that none applies"`
	Required    memory.Authority `json:"required" enum:"Act,Inform" doc:"Authority the call needs"`
	Authority   memory.Authority `json:"authority" enum:"Act,Inform" doc:"Authority the session gives"`
	Mark        provenance.Class `json:"mark" doc:"Lowest class delivered to the session"`
	Arguments   []ActionArgument `json:"arguments" nullable:"false" doc:"Sensitive arguments, where the session does not give the authority"`
	Responsible []Responsible    `json:"responsible" nullable:"false" doc:"Memories that set the mark, newest delivery first, at most 10"`
	ApprovalID  string           `json:"approvalId,omitempty" doc:"Request that a person decides about, or decided about"`
	Expires     time.Time        `json:"expires,omitzero" doc:"Until when the request waits, or its rejection holds"`
	Enforced    bool             `json:"enforced" doc:"Whether the screener makes the call itself; otherwise whoever makes it has to obey"`
	Message     string           `json:"message" doc:"What was decided, why, and what to do about it"`
}

// ActionArgument is a sensitive argument of a call.
type ActionArgument struct {
	Path     string `json:"path" doc:"Where it stands in the arguments"`
	Grounded bool   `json:"grounded" doc:"Whether the user named its value, or a memory with authority Act does"`
	By       string `json:"by,omitempty" enum:"turn,memory" doc:"Who named it"`
	Memory   string `json:"memory,omitempty" doc:"Id of the memory that names it"`
}

// Who can name the value of an argument.
const (
	groundedByTurn   = "turn"
	groundedByMemory = "memory"
)

// Responsible is a memory whose delivery set the mark of a session.
type Responsible struct {
	ID     string           `json:"id" doc:"Id of the memory"`
	Class  provenance.Class `json:"class" doc:"Class under which it was delivered"`
	Commit string           `json:"commit,omitempty" doc:"Names the version that was delivered"`
}

// Authorize says whether the agent may make a tool call: if the session gives the authority that the policy's rule asks for, if
// every sensitive argument was named by the user in the current turn or by a memory with authority Act, or if a person approved
// exactly this call, which then is used up. Otherwise the rule denies the call, or a request waits for a person. It is advice to
// whoever makes the call. It returns ErrNotReady, a *memory.FieldError, a *LimitError where the request finds no room in the
// queue, or an error of the store; none of them allows anything.
func (g *Gate) Authorize(ctx context.Context, c Caller, r ActionRequest) (Authorized, error) {
	defer g.metrics.time("authorize")()
	s, namespace, err := g.enter(c)
	if err != nil {
		return Authorized{}, err
	}
	return g.authorize(ctx, s, c, namespace, r)
}

// authorize is Authorize for a caller that has entered.
func (g *Gate) authorize(ctx context.Context, s *policy.State, c Caller, namespace string, r ActionRequest) (Authorized, error) {
	a, err := r.read(s.Runtime)
	if err != nil {
		return Authorized{}, err
	}
	a.gate, a.state, a.caller, a.namespace, a.now = g, s, c, namespace, g.now()
	out, err := a.decide(ctx)
	if err != nil {
		return Authorized{}, err
	}
	g.metrics.authorized(out)
	return out, nil
}

// authorizing is one call that is decided about.
type authorizing struct {
	gate      *Gate
	state     *policy.State
	caller    Caller
	namespace string
	now       time.Time

	tool     string
	session  string
	args     map[string]any
	enforced bool   // the screener makes the call itself
	content  string // see actionContent
	hash     string // of content, hex
}

// read checks a request. It returns a *memory.FieldError.
func (r ActionRequest) read(runtime *policy.Runtime) (*authorizing, error) {
	if err := checkTool(r.Tool); err != nil {
		return nil, err
	}
	if err := checkSession(r.Session); err != nil {
		return nil, err
	}
	args, err := action.ParseObject(r.Arguments)
	if err != nil {
		return nil, jsonFault("arguments", err)
	}
	a := &authorizing{tool: r.Tool, session: r.Session, args: args, enforced: r.upstream != ""}
	var schema any
	if len(r.Schema) > 0 {
		if schema, err = action.Parse(r.Schema); err != nil {
			return nil, jsonFault("schema", err)
		}
	}
	a.content, a.hash = actionContent(runtime, r, args, schema)
	return a, nil
}

func jsonFault(field string, err error) error {
	var syntax *action.SyntaxError
	if errors.As(err, &syntax) {
		return &memory.FieldError{Field: field, Fix: "send a JSON object; what was sent " + syntax.Problem}
	}
	return err
}

// decide finds the decision. In DryRun nothing is asked of anybody, and nothing used up.
func (a *authorizing) decide(ctx context.Context) (Authorized, error) {
	match := a.state.Actions.Match(a.tool, a.args)
	standing, err := a.gate.standingOf(ctx, a.state, a.namespace, a.session, a.now)
	if err != nil {
		return Authorized{}, err
	}
	out := Authorized{
		Decision: ActionAllow, Rule: match.Rule.Name, FailedRule: match.Failed, Required: match.Rule.Authority,
		Authority: standing.authority(), Mark: standing.mark, Arguments: []ActionArgument{}, Responsible: []Responsible{},
		Enforced: a.enforced,
	}
	why := allowedByRule
	if out.Required == memory.Act {
		why = allowedByMark
		if out.Authority != memory.Act {
			if why, err = a.weigh(ctx, match, standing, &out); err != nil {
				return Authorized{}, err
			}
		}
	}
	if a.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun {
		out.Would, out.Decision, out.ApprovalID, out.Expires = out.Decision, ActionAllow, "", time.Time{}
	}
	out.Message = actionMessage(out, why)
	return out, nil
}

// weigh decides about a call whose session does not give the authority it needs: by its arguments, by the rule, or by a person.
func (a *authorizing) weigh(
	ctx context.Context, match action.Match, standing sessionStanding, out *Authorized,
) (actionReason, error) {
	grounded, err := a.ground(ctx, match.Sensitive, out)
	if err != nil {
		return "", err
	}
	if grounded {
		return allowedByArguments, nil
	}
	if out.Responsible, err = a.responsible(ctx, standing); err != nil {
		return "", err
	}
	if match.Rule.Otherwise == action.Deny {
		out.Decision = ActionDeny
		return deniedByRule, nil
	}
	out.Decision = ActionRequireApproval
	if a.state.Runtime.Enforcement == v1alpha1.EnforcementDryRun {
		return waitsForApproval, nil
	}
	return a.askPerson(ctx, out)
}

// actionReason says what a decision rests on.
type actionReason string

// The reasons.
const (
	allowedByRule      actionReason = "rule"
	allowedByMark      actionReason = "mark"
	allowedByArguments actionReason = "arguments"
	allowedByPerson    actionReason = "approval"
	waitsForApproval   actionReason = "waiting"
	deniedByRule       actionReason = "denied by rule"
	deniedByPerson     actionReason = "denied by a person"
)

var actionMessages = map[actionReason]string{
	allowedByRule:      "Allowed: the rule asks for no authority.",
	allowedByMark:      "Allowed: a user opened this session, and nothing of a low class was delivered to it.",
	allowedByArguments: "Allowed: the user named every sensitive argument, or a memory with authority Act does.",
	allowedByPerson:    "Allowed, once: a person approved exactly this call. Another one like it needs another approval.",
	waitsForApproval: "Not allowed as it stands. A person can approve exactly this call; make the same request again then. It is also " +
		"allowed once the user has named the sensitive arguments in a turn of this session.",
	deniedByRule: "Denied: the rule leaves no way around the authority it asks for. It is allowed once the user has named the sensitive " +
		"arguments in a turn of this session, or in a session that a user opened and that met nothing of a low class.",
	deniedByPerson: "Denied: a person rejected exactly this call. Do not repeat or reword it.",
}

// enforcedMessages are those for a call that the screener would have made itself: the model reads them as the result of its call.
var enforcedMessages = map[actionReason]string{
	waitsForApproval: "The call was not made: a person has to approve exactly this call first. Tell the user what you wanted to do, and that " +
		"it waits for approval; do not reword it or look for another way. Make exactly the same call again once it was approved, or once the " +
		"user has named its sensitive arguments in a turn of this session.",
	deniedByRule: "The call was not made, and no approval changes that: the rule leaves no way around the authority it asks for. Tell the user " +
		"what you wanted to do, and go on without it. It is allowed once the user has named the sensitive arguments in a turn of this session, " +
		"or in a session that a user opened and that met nothing of a low class.",
	deniedByPerson: "The call was not made: a person rejected exactly this call. Tell the user so. Do not repeat or reword it.",
}

// lacks says what a call lacks: why the session gives no authority, and which arguments nobody named.
func lacks(out Authorized) []string {
	why := "No user opened this session through a channel."
	if !out.Mark.High() {
		why = fmt.Sprintf("The session met something of class %s.", out.Mark)
	}
	var missing []string
	for _, arg := range out.Arguments {
		if !arg.Grounded {
			missing = append(missing, arg.Path)
		}
	}
	const shown = 5
	if n := len(missing) - shown; n > 0 {
		missing = append(missing[:shown], fmt.Sprintf("and %d more", n))
	}
	if len(missing) == 0 {
		return []string{why}
	}
	return []string{why, "Named neither by the user nor by a memory that may: " + strings.Join(missing, ", ") + "."}
}

// actionMessage tells in words what was decided. It quotes nothing but names of rules and arguments.
func actionMessage(out Authorized, why actionReason) string {
	var parts []string
	if out.Would != "" {
		parts = append(parts, fmt.Sprintf("DryRun: the call is let through, and would be decided as %s.", out.Would))
	}
	told := actionMessages[why]
	if m, ok := enforcedMessages[why]; ok && out.Enforced && out.Would == "" {
		told = m
	}
	parts = append(parts, told)
	if why == waitsForApproval || why == deniedByRule {
		parts = append(parts, lacks(out)...)
	}
	if out.FailedRule != "" {
		parts = append(parts, fmt.Sprintf("The condition of rule %s could not be evaluated for these arguments, so that no rule applies.",
			out.FailedRule))
	}
	return strings.Join(parts, " ")
}
