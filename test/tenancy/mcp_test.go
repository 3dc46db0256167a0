// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package tenancy

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is a call of one, about a target.
type tool struct {
	name, tool string
	args       func(x target) map[string]any
	fails      func(answer, target) error
}

// isError takes a tool's result for a refusal that says it is an error.
func isError(a answer, _ target) error {
	if !strings.HasPrefix(a.body, "error ") {
		return fmt.Errorf("the call went through")
	}
	return nil
}

// tools are what a model can ask about a target.
func tools() (out []tool) {
	for _, r := range records {
		id := func(x target) map[string]any { return map[string]any{"id": r.id(x)} }
		out = append(out,
			tool{"show " + r.name, "show", id, isError},
			tool{"log of " + r.name, "log", id, isError},
			tool{"version of " + r.name, "show", func(x target) map[string]any { return map[string]any{"id": r.id(x), "commit": x.commit} }, isError},
			tool{"forget " + r.name, "forget", id, isError},
			tool{"revise " + r.name, "revise", func(x target) map[string]any {
				return map[string]any{"id": r.id(x), "expected_commit": x.commit, "content": "Taken over."}
			}, isError},
			tool{"derive from " + r.name, "remember", func(x target) map[string]any {
				return map[string]any{"content": "Nobody is at home.", "derived_from": []string{r.id(x)}}
			}, isError},
			tool{"replace " + r.name, "remember", func(x target) map[string]any {
				return map[string]any{"content": "Somebody is at home.", "supersedes": []string{r.id(x)}}
			}, isError})
	}
	return append(out,
		tool{"recall its words", "recall", func(x target) map[string]any { return map[string]any{"query": x.secret} }, saysNothing},
		tool{"recall by its tag", "recall", func(x target) map[string]any { return map[string]any{"query": "", "tags": []string{x.secret}} }, saysNothing},
		tool{"x-ray of its words", "x_ray", func(x target) map[string]any { return map[string]any{"query": x.secret} }, saysNothing},
		tool{"list its subject", "list", func(x target) map[string]any { return map[string]any{"subject": x.secret} }, saysNothing},
		tool{"list its tag", "list", func(x target) map[string]any { return map[string]any{"tags": []string{x.secret}} }, saysNothing},
		tool{"search its nodes", "search_nodes", func(x target) map[string]any { return map[string]any{"query": x.secret} }, saysNothing},
		tool{"open its nodes", "open_nodes", func(x target) map[string]any { return map[string]any{"names": []string{"locker of " + x.secret}} }, saysNothing},
		tool{"add to its entity", "add_observations", func(x target) map[string]any {
			return map[string]any{"observations": []any{map[string]any{"entityName": "locker of " + x.secret, "contents": []string{"is mine"}}}}
		}, isError},
		tool{"use its approval", "authorize", func(x target) map[string]any {
			return map[string]any{"tool": "pay_card", "arguments": map[string]any{"to": x.iban, "amount": 120}}
		}, notAllowed})
}

// call calls a tool in a session.
func (c tool) call(t *testing.T, s *mcp.ClientSession, x target) answer {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args(x)})
	if err != nil {
		return answer{body: "error " + err.Error()}
	}
	raw, err := json.Marshal(result)
	must(t, err)
	if result.IsError {
		return answer{body: "error " + string(raw)}
	}
	return answer{body: string(raw)}
}

// read reads a resource.
func readResource(t *testing.T, s *mcp.ClientSession, uri string) answer {
	t.Helper()
	result, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return answer{body: "error " + err.Error()}
	}
	raw, err := json.Marshal(result)
	must(t, err)
	return answer{body: string(raw)}
}

// mcpWays are what a model can do with the tools of its own agent.
func (w *world) mcpWays(t *testing.T) (out []way) {
	for _, p := range [][2]*agent{{w.planner, w.clerk}, {w.clerk, w.planner}, {w.planner, w.concierge}} {
		from, victim := p[0], p[1]
		session, err := mcp.NewClient(&mcp.Implementation{Name: "tenancy", Version: "1"}, nil).
			Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + from.rest + "/mcp"}, nil)
		must(t, err)
		t.Cleanup(func() { _ = session.Close() })
		v := way{name: fmt.Sprintf("MCP: tools of %s, memory of %s", from.name, victim.name), victim: victim}
		for _, c := range tools() {
			v.attempts = append(v.attempts, attempt{name: c.name, fails: c.fails, do: func(t *testing.T, x target) answer {
				t.Helper()
				return c.call(t, session, x)
			}})
		}
		for _, r := range records {
			v.attempts = append(v.attempts, attempt{name: "resource of " + r.name, fails: isError, do: func(t *testing.T, x target) answer {
				t.Helper()
				return readResource(t, session, "memory://"+r.id(x))
			}})
		}
		out = append(out, v)
	}
	return out
}
