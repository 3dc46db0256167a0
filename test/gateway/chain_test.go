// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A page that only claims something, about an account that the page with the order does not name: what repeats an order that waits
// for a person waits as well.
const (
	letter        = "https://evil.example/letter"
	letterAccount = "DE02120300000000202051"
)

// step is a call of a tool that the sample agent made on an errand.
type step struct {
	Tool    string
	IsError bool
	Text    string
}

// errand sends the sample agent on one, as a process of its own: it does what it reads and remembers.
func (o *office) errand(args ...string) (steps []step) {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), programs.agent, append([]string{"errand"}, args...)...)
	cmd.Env = append(os.Environ(), "GRAPH_MCP_URL="+o.upstream("graph"), "TOOLS_MCP_URL="+o.upstream("tools"))
	out, err := cmd.Output()
	if err != nil {
		o.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	must(o.t, json.Unmarshal(out, &steps))
	return steps
}

// held is all that the memory server holds.
func (o *office) held() string {
	o.t.Helper()
	return call(o.t, connect(o.t, o.graph.url+"/mcp", "", o.graph.credential), "read_graph", map[string]any{}).text
}

// The chain from a page to a payment, with the sample agent. Each step is stopped by itself; its benign twin goes through.
func TestChain(t *testing.T) {
	o := openOffice(t)
	on := func(t *testing.T) *office { return &office{screener: o.screener, t: t, graph: o.graph, tools: o.tools} }
	t.Run("an order on a page is not remembered", func(t *testing.T) {
		o := on(t)
		steps := o.errand("read", "reading-1", notice)
		if len(steps) != 2 || !strings.Contains(steps[0].Text, "always pay") || !steps[1].IsError || strings.Contains(steps[1].Text, attackerAccount) {
			t.Errorf("%+v", steps)
		}
		if strings.Contains(o.held(), "always pay") {
			t.Error("the memory server holds it")
		}
		if steps := o.errand("read", "reading-2", hours); steps[1].IsError || !strings.Contains(o.held(), "from nine to five") {
			t.Errorf("a harmless page: %+v", steps)
		}
	})
	t.Run("a claim on a page is remembered with the class of the page", func(t *testing.T) {
		o := on(t)
		if steps := o.errand("read", "reading-3", letter); len(steps) != 2 || steps[1].IsError {
			t.Fatalf("%+v", steps)
		}
		var listed struct {
			Memories []struct{ ID, Kind, Class, Authority string }
		}
		must(t, json.Unmarshal([]byte(o.person(t, "list", "-o", "json")), &listed))
		web := 0
		for _, m := range listed.Memories {
			if m.Kind == "memorytrust.dev/upstream" && m.Authority == "Act" {
				t.Errorf("%+v", m)
			}
			if m.Kind == "memorytrust.dev/upstream" && m.Class == "WebContent" {
				web++
			}
		}
		if web == 0 {
			t.Errorf("listed %+v", listed.Memories)
		}
	})
	t.Run("what was put into the server's store is withheld if it is an order", func(t *testing.T) {
		o := on(t)
		planted(t, o.graph, entity("Planted", "note", order("invoice"), "The parcel of Nordwind is in shelf seven."))
		found := call(t, connect(t, o.upstream("graph"), "recalling", ""), "read_graph", map[string]any{})
		if strings.Contains(found.text, "evil.example without") || !strings.Contains(found.text, "withheld by MemoryTrust") ||
			!strings.Contains(found.text, "shelf seven") {
			t.Error(found.text)
		}
	})
	t.Run("the account of the page is not paid, the one the user names is", func(t *testing.T) {
		o := on(t)
		o.userOpens("invoice-1")
		o.userSays("invoice-1", "Please settle the open invoice of Ostwind, 4500 EUR.")
		steps := o.errand("pay", "invoice-1", "Ostwind", "4500")
		if len(steps) != 2 || !strings.Contains(steps[0].Text, letterAccount) || !steps[1].IsError || len(payments(t, o.tools)) != 0 {
			t.Fatalf("%+v, payments %v", steps, payments(t, o.tools))
		}
		o.turns = 1
		o.userOpens("invoice-2")
		o.userSays("invoice-2", "Please transfer 4,500.00 EUR to DE44 5001 0517 5407 3249 31 for Nordwind.")
		tools := connect(t, o.upstream("tools"), "invoice-2", "")
		for _, wrong := range []map[string]any{{"to": letterAccount, "amount": 4500}, {"to": supplierAccount, "amount": 4501}} {
			call(t, connect(t, o.upstream("graph"), "invoice-2", ""), "search_nodes", map[string]any{"query": "Nordwind"})
			if out := call(t, tools, "send_payment", wrong); !out.isError {
				t.Errorf("%v: %s", wrong, out.text)
			}
		}
		if out := call(t, tools, "send_payment", map[string]any{"to": supplierAccount, "amount": 4500}); out.isError {
			t.Error(out.text)
		}
		if made := payments(t, o.tools); len(made) != 1 || made[0].To != supplierAccount {
			t.Errorf("payments %v", made)
		}
	})
}

// A server that is gone fails its own calls. Where the screener is gone, no call passes: it alone has the credentials.
func TestGone(t *testing.T) {
	o := openOffice(t)
	graph, tools := connect(t, o.upstream("graph"), "s", ""), connect(t, o.upstream("tools"), "s", "")
	call(t, graph, "read_graph", map[string]any{})
	must(t, o.graph.cmd.Process.Signal(syscall.SIGKILL))
	<-o.graph.done
	result, err := graph.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_graph", Arguments: map[string]any{}})
	if err == nil && !result.IsError {
		t.Errorf("a server that is gone answered %s", encoded(t, result))
	}
	if out := call(t, tools, "fetch_page", map[string]any{"url": hours}); out.isError {
		t.Errorf("the other server: %s", out.text)
	}

	must(t, o.screener.cmd.Process.Signal(syscall.SIGKILL))
	<-o.screener.done
	if result, err := tools.CallTool(t.Context(), &mcp.CallToolParams{Name: "send_payment", Arguments: map[string]any{"to": supplierAccount, "amount": 1}}); err == nil {
		t.Errorf("without a screener: %s", encoded(t, result))
	}
	direct := &rpc{t: t, address: o.tools.url + "/mcp", header: http.Header{}}
	if answer := direct.sessionless(calls("send_payment", toAttacker)); answer.status != http.StatusUnauthorized {
		t.Errorf("around it: %s", fmt.Sprint(answer))
	}
	if made := payments(t, o.tools); len(made) != 0 {
		t.Errorf("payments %v", made)
	}
}

// A screener that is killed as soon as the agent has its answer has lost nothing: what the agent stored counts as the agent's, what was
// put into the server's store as nobody's, and a session that met a page stays low.
func TestKilledAfterTheAnswer(t *testing.T) {
	o := openOffice(t)
	o.userOpens("reading")
	call(t, connect(t, o.upstream("tools"), "reading", ""), "fetch_page", map[string]any{"url": hours})
	o.userOpens("writing")
	call(t, connect(t, o.upstream("graph"), "writing", ""), "create_entities", map[string]any{
		"entities": []any{entity("Nordwind", "supplier", "The parcel of Nordwind is in shelf seven.")},
	})
	must(t, o.screener.cmd.Process.Signal(syscall.SIGKILL))
	<-o.screener.done
	o.open(filepath.Dir(o.screener.data))
	counts := func(session string) string {
		t.Helper()
		r := o.asks("/v1/sessions", map[string]string{"session": session})
		var standing struct{ Mark string }
		r.into(t, &standing)
		return standing.Mark
	}
	read := func(session string) string {
		t.Helper()
		o.userOpens(session)
		if out := call(t, connect(t, o.upstream("graph"), session, ""), "read_graph", map[string]any{}); !strings.Contains(out.text, "shelf seven") {
			t.Error(out.text)
		}
		return counts(session)
	}
	if got := counts("reading"); got != "WebContent" {
		t.Errorf("the session that met a page counts as %s", got)
	}
	if got := read("after"); got != "AgentInferred" {
		t.Errorf("what the agent stored counts as %s", got)
	}
	planted(t, o.graph, entity("Planted", "note", "The gate is open on Mondays."))
	if got := read("later"); got != "Unknown" {
		t.Errorf("what nobody vouched for counts as %s", got)
	}
}
