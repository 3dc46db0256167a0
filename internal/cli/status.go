// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// askedAtOnce is how many agents are asked about at the same time.
const askedAtOnce = 4

// boundary are the conditions of an agent's trust boundary, in the order they are shown. What each is for is in their documentation.
var boundary = []string{
	v1alpha1.ConditionPolicyAttached, v1alpha1.ConditionSynced, v1alpha1.ConditionOriginAuthenticated, v1alpha1.ConditionActionsEnforced,
	v1alpha1.ConditionAgentIsolated,
}

// standing is what is known of one agent.
type standing struct {
	agent v1alpha1.AgentMemory
	// waiting, calls and contradictions count what waits for a person at this moment.
	waiting, calls, contradictions count
	// unreachable is why its memory cannot be asked; empty if it can.
	unreachable string
}

// count is a number of things, or that there are more, or that nobody knows.
type count struct {
	n     int
	more  bool
	known bool
}

func (c count) String() string {
	switch {
	case !c.known:
		return "?"
	case c.more:
		return strconv.Itoa(c.n) + "+"
	}
	return strconv.Itoa(c.n)
}

func newStatusCommand(o *Options) *cobra.Command {
	var c choice
	cmd := o.command("status [AGENT]", "Show how agents' memories stand",
		"Counts by zone (as of the operator's last look, at most five minutes ago), what waits for a person now, how many of the agent's screeners\n"+
			"answer, and what is open in its trust boundary. JSON and YAML are the AgentMemories.",
		[]string{"status -n travel", "status -A -o wide", "status concierge -n travel"}, atMostOne("the name of an agent"),
		func(cmd *cobra.Command, args []string) error {
			if c.all && len(args) > 0 {
				return terminal.Usage("-A lists the agents of all namespaces: leave the name out, or give -n instead")
			}
			api, namespace, err := o.connect()
			if err != nil {
				return err
			}
			agents, err := api.agentsFor(cmd.Context(), c.in(namespace), args)
			if err != nil {
				return err
			}
			if len(agents) == 0 {
				o.note("No agents%s. An agent appears with its first pod that carries the label %s.", where(c), v1alpha1.LabelAgent)
			}
			all := []standing{}
			if o.output == formatTable || o.output == formatWide {
				all = o.stand(cmd.Context(), agents)
			}
			return o.printStatus(agents, all, c.all)
		})
	cmd.Flags().BoolVarP(&c.all, "all-namespaces", "A", false, "of all namespaces")
	cmd.ValidArgsFunction = o.completeAgents
	return cmd
}

// atMostOne takes one argument or none.
func atMostOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return terminal.Usage("give " + name + ", or nothing for all; see --help")
		}
		return nil
	}
}

// agentsFor returns the agents of a namespace, or one of them by its name.
func (c *client) agentsFor(ctx context.Context, namespace string, names []string) ([]v1alpha1.AgentMemory, error) {
	if len(names) == 0 {
		agents, _, err := c.listAgents(ctx, namespace, 0)
		return agents, err
	}
	var a v1alpha1.AgentMemory
	if err := c.agents.Get().Namespace(namespace).Resource(resourceAgents).Name(bare(names[0])).Do(ctx).Into(&a); err != nil {
		return nil, err
	}
	return []v1alpha1.AgentMemory{a}, nil
}

// stand asks about all agents, several at once, in the order given.
func (o *Options) stand(ctx context.Context, agents []v1alpha1.AgentMemory) []standing {
	out := make([]standing, len(agents))
	group := errgroup.Group{}
	group.SetLimit(askedAtOnce)
	for i := range agents {
		group.Go(func() error {
			out[i] = o.standOf(ctx, agents[i])
			return nil // why an agent cannot be asked is a part of its standing
		})
	}
	_ = group.Wait()
	return out
}

// standOf asks what waits of one agent. Its client is its own: what the API warns of tells why the agent was left out.
func (o *Options) standOf(ctx context.Context, agent v1alpha1.AgentMemory) standing {
	out := standing{agent: agent}
	c, err := o.client()
	if err != nil {
		out.unreachable = explain(err)
		return out
	}
	c.warnings.print = func(text string) { out.unreachable = cmp.Or(out.unreachable, because(text, agent)) }
	of := func(fields ...[2]string) selection {
		return selection{fields: append([][2]string{{"agent", agent.Name}}, fields...)}
	}
	counted := func(n int, more bool, err error) count {
		switch {
		case err != nil:
			out.unreachable = cmp.Or(out.unreachable, explain(err))
			return count{}
		case out.unreachable != "":
			return count{}
		}
		return count{n: n, more: more, known: true}
	}
	memories, more, err := c.listMemories(ctx, agent.Namespace, of([2]string{"pending", "true"}), shown)
	if out.waiting = counted(len(memories), more, err); out.unreachable != "" {
		return out
	}
	calls, more, err := c.listApprovals(ctx, agent.Namespace, of([2]string{"state", "PendingReview"}), shown)
	out.calls = counted(len(calls), more, err)
	pairs, more, err := c.listContradictions(ctx, agent.Namespace, of([2]string{"open", "true"}), shown)
	out.contradictions = counted(len(pairs), more, err)
	return out
}

func (o *Options) printStatus(agents []v1alpha1.AgentMemory, all []standing, namespaces bool) error {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = "agentmemory." + v1alpha1.GroupVersion.Group + "/" + a.Name
	}
	list := &v1alpha1.AgentMemoryList{Items: append([]v1alpha1.AgentMemory{}, agents...)}
	return o.print(list, names, func(w io.Writer) {
		if len(all) == 0 {
			return
		}
		o.statusTable(w, all, namespaces)
		o.boundaries(w, all)
	})
}

func (o *Options) statusTable(w io.Writer, all []standing, namespaces bool) {
	header := []string{"AGENT", "QUARANTINE", "WORKING", "TRUSTED", "WAITING", "CALLS", "SCREENERS", "BOUNDARY"}
	wide := o.output == formatWide
	if wide {
		header = append(header, "REACHABLE", "CONTRADICTIONS", "POLICY", "VERSION", "AUDIT LOG", "AGE")
	}
	rows := make([][]string, len(all))
	for i, s := range all {
		st := s.agent.Status
		row := []string{
			s.agent.Name, strconv.FormatInt(st.Memories.Quarantine, 10), strconv.FormatInt(st.Memories.Working, 10),
			strconv.FormatInt(st.Memories.Trusted, 10), s.waiting.String(), s.calls.String(), answering(st), closed(st),
		}
		if wide {
			reachable := "Yes"
			if s.unreachable != "" {
				reachable = "No"
			}
			row = append(row, reachable, s.contradictions.String(), cmp.Or(st.PolicyName, "none"), versions(st), checkpoint(st), age(s.agent.CreationTimestamp))
		}
		rows[i] = o.cells(row)
		if namespaces {
			rows[i] = slices.Insert(rows[i], 0, terminal.Escape(s.agent.Namespace))
		}
	}
	if namespaces {
		header = slices.Insert(header, 0, "NAMESPACE")
	}
	s := o.style()
	terminal.Table(w, header, rows, func(column int, cell string) string {
		switch header[column] {
		case "REACHABLE", "BOUNDARY":
			return paint(s, cell)
		case "WAITING", "CALLS", "CONTRADICTIONS":
			if cell != "0" {
				return s.Caution(cell)
			}
		}
		return cell
	})
}

// answering counts the screeners that answered the operator's last poll.
func answering(st v1alpha1.AgentMemoryStatus) string {
	n := 0
	for _, p := range st.Pods {
		if p.Reachable == metav1.ConditionTrue {
			n++
		}
	}
	more := ""
	if int(st.PodCount) > len(st.Pods) { // some are not listed
		more = "+"
	}
	return fmt.Sprintf("%d%s/%d", n, more, st.PodCount)
}

func versions(st v1alpha1.AgentMemoryStatus) string {
	var out []string
	for _, p := range st.Pods {
		if p.ScreenerVersion != "" && !slices.Contains(out, p.ScreenerVersion) {
			out = append(out, p.ScreenerVersion)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func checkpoint(st v1alpha1.AgentMemoryStatus) string {
	if st.AuditCheckpoint == nil {
		return ""
	}
	return strconv.FormatInt(st.AuditCheckpoint.Size, 10) + " entries"
}

// closed says whether everything the boundary is made of is in place: Closed, Partly, Open, or Unknown as long as nothing is reported.
func closed(st v1alpha1.AgentMemoryStatus) string {
	good, reported := 0, 0
	for _, name := range boundary {
		c := condition(st, name)
		if c.Status == metav1.ConditionTrue {
			good++
		}
		if c.Reason != "" {
			reported++
		}
	}
	switch {
	case good == len(boundary):
		return "Closed"
	case reported == 0:
		return "Unknown"
	case good == 0:
		return "Open"
	}
	return "Partly"
}

// condition returns a condition; one that nobody reported is Unknown.
func condition(st v1alpha1.AgentMemoryStatus, name string) metav1.Condition {
	for _, c := range st.Conditions {
		if c.Type == name {
			return c
		}
	}
	return metav1.Condition{Type: name, Status: metav1.ConditionUnknown, Message: "the operator has not reported it yet"}
}

// boundaries writes what of the agents cannot be reached, waits, or is open, and why.
func (o *Options) boundaries(w io.Writer, all []standing) {
	columns, _ := terminal.Size(o.Out)
	s := o.style()
	for _, a := range all {
		if pairs := a.remarks(o); len(pairs) > 0 {
			fmt.Fprintf(w, "\n%s\n", s.Bold(terminal.Escape(a.agent.Namespace+"/"+a.agent.Name)))
			terminal.Fields(w, columns, pairs...)
		}
	}
}

// remarks are names and values of what somebody should look at.
func (a standing) remarks(o *Options) []string {
	var pairs []string
	st := a.agent.Status
	flags := o.flags(a.agent.Namespace)
	if a.unreachable != "" {
		pairs = append(pairs, "  Unreachable", a.unreachable)
	}
	for _, waits := range []struct {
		name, command string
		count
	}{
		{"Waiting", "review --agent " + a.agent.Name, a.waiting}, {"Calls", "approvals list --agent " + a.agent.Name, a.calls},
		{"Contradictions", "contradictions list --agent " + a.agent.Name, a.contradictions},
	} {
		if waits.n > 0 {
			pairs = append(pairs, "  "+waits.name, waits.String()+" to decide: "+Program+" "+waits.command+flags)
		}
	}
	for _, p := range st.Pods {
		if p.Reachable == metav1.ConditionFalse {
			pairs = append(pairs, "  Pod "+terminal.Escape(p.Name), "its screener did not answer the operator's last poll")
		}
	}
	if closed(st) == "Unknown" {
		return append(pairs, "  Boundary", "the operator has not reported on it yet")
	}
	for _, name := range boundary {
		if c := condition(st, name); c.Status != metav1.ConditionTrue {
			pairs = append(pairs, "  "+name+" "+string(c.Status), strings.TrimPrefix(c.Reason+": "+c.Message, ": "))
		}
	}
	return pairs
}

// because takes from a warning of the API what names the agent again.
func because(warning string, agent v1alpha1.AgentMemory) string {
	return strings.TrimPrefix(warning, "not listed: "+agent.Namespace+"/"+agent.Name+": ")
}
