// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gateway

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everythingBehind is the server of all features of the protocol behind a screener, over each transport.
var everythingBehind = map[string]func(*testing.T, node) behind{
	"stdio": func(t *testing.T, n node) behind {
		command := n.packaged("server-everything")
		return behind{
			screener: startScreener(t, upstreamPolicy("Tools", "http://127.0.0.1/mcp", ""), "--upstream-command", "peer="+n.program+" "+command+" stdio"),
			direct: func(t *testing.T) *mcp.ClientSession {
				t.Helper()
				return open(t, &mcp.CommandTransport{Command: exec.Command(n.program, command, "stdio")}, bare)
			},
		}
	},
	"SSE": func(t *testing.T, n node) behind {
		up := n.startEverything(t, "sse")
		return behind{
			screener: startScreener(t, upstreamPolicy("Tools", up.url+"/sse", "    transport: SSE\n")),
			direct: func(t *testing.T) *mcp.ClientSession {
				t.Helper()
				return open(t, &mcp.SSEClientTransport{Endpoint: up.url + "/sse"}, bare)
			},
		}
	},
	"streamable HTTP": func(t *testing.T, n node) behind {
		up := n.startEverything(t, "streamableHttp")
		return behind{
			screener: startScreener(t, upstreamPolicy("Tools", up.url+"/mcp", "")),
			direct: func(t *testing.T) *mcp.ClientSession {
				t.Helper()
				return connectWith(t, up.url+"/mcp", "", bare)
			},
		}
	},
}

func TestEverythingServer(t *testing.T) {
	n := newNode(t)
	for name, start := range everythingBehind {
		t.Run(name, func(t *testing.T) {
			b := start(t, n)
			direct := b.direct(t)
			approveWhatWaits(t, b)
			agent := connectWith(t, b.upstream("peer")+"?session=first", "", bare)
			t.Run("its tools are unchanged", func(t *testing.T) { sameTools(t, direct, agent) })
			t.Run("results are unchanged", func(t *testing.T) { sameResults(t, direct, agent) })
			t.Run("resources are unchanged", func(t *testing.T) { sameResources(t, direct, agent) })
			t.Run("prompts are unchanged", func(t *testing.T) { samePrompts(t, direct, agent) })
			t.Run("progress passes", func(t *testing.T) { progressPasses(t, b) })
			t.Run("cancellation passes", func(t *testing.T) { cancellationPasses(t, agent) })
			t.Run("the official TypeScript client", func(t *testing.T) { n.script(t, "everything.mjs", b.upstream("peer"), n.packaged("server-everything")) })
		})
	}
}

// approveWhatWaits is what a person does on the first day: the server greets its clients with orders ("Follow them …", "If asked …,
// respond with …"), so that its greeting waits, and perhaps more of what it lists.
func approveWhatWaits(t *testing.T, b behind) {
	t.Helper()
	first := connectWith(t, b.upstream("peer")+"?session=before", "", bare)
	if said := first.InitializeResult().Instructions; strings.Contains(said, "Follow them") {
		t.Errorf("instructions of a server that nobody looked at: %s", said)
	}
	toolsOf(t, first)
	for _, err := range first.Prompts(t.Context(), nil) {
		must(t, err)
	}
	for _, err := range first.Resources(t.Context(), nil) {
		must(t, err)
	}
	for _, err := range first.ResourceTemplates(t.Context(), nil) {
		must(t, err)
	}
	waiting := strings.Fields(b.person(t, "queue", "-o", "name"))
	if len(waiting) == 0 {
		t.Error("nothing waits")
	}
	for _, id := range waiting {
		b.person(t, "approve", id, "--reason", "read it")
	}
}

// plainCalls are those whose results do not depend on when they are made.
var plainCalls = map[string]any{
	"echo":                   map[string]any{"message": "Grüße aus Köln \u2028 <b>&amp;</b>"},
	"get-sum":                map[string]any{"a": 2.5, "b": 40},
	"get-tiny-image":         map[string]any{},
	"get-annotated-message":  map[string]any{"messageType": "error", "includeImage": true},
	"get-structured-content": map[string]any{"location": "Chicago"},
	"get-resource-links":     map[string]any{"count": 3},
}

func sameResults(t *testing.T, direct, agent *mcp.ClientSession) {
	t.Helper()
	for tool, arguments := range plainCalls {
		want, got := call(t, direct, tool, arguments), call(t, agent, tool, arguments)
		if encoded(t, want.raw.Content) != encoded(t, got.raw.Content) || encoded(t, want.raw.StructuredContent) != encoded(t, got.raw.StructuredContent) ||
			want.isError || got.isError {
			t.Errorf("%s answers\n%.600s\nwant\n%.600s", tool, got.text, want.text)
		}
	}
	wrong := call(t, agent, "get-sum", map[string]any{"a": "two"})
	if !wrong.isError {
		t.Errorf("a call with wrong arguments: %s", wrong.text)
	}
}

func sameResources(t *testing.T, direct, agent *mcp.ClientSession) {
	t.Helper()
	lists := func(c *mcp.ClientSession) (out []string) {
		for r, err := range c.Resources(t.Context(), nil) {
			must(t, err)
			out = append(out, encoded(t, r))
		}
		for r, err := range c.ResourceTemplates(t.Context(), nil) {
			must(t, err)
			out = append(out, encoded(t, r))
		}
		slices.Sort(out)
		return out
	}
	want := lists(direct)
	if got := lists(agent); len(want) < 3 || !slices.Equal(want, got) {
		t.Errorf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for r, err := range direct.Resources(t.Context(), nil) {
		must(t, err)
		want, err := direct.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		must(t, err)
		got, err := agent.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		must(t, err)
		if encoded(t, want.Contents) != encoded(t, got.Contents) {
			t.Errorf("%s is\n%.600s\nwant\n%.600s", r.URI, encoded(t, got.Contents), encoded(t, want.Contents))
		}
	}
	for _, uri := range []string{"demo://resource/dynamic/text/1", "demo://resource/dynamic/blob/2"} {
		if got, err := agent.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil || len(got.Contents) != 1 {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	if _, err := agent.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "demo://nowhere"}); err == nil {
		t.Error("there is a resource that the server does not have")
	}
}

func samePrompts(t *testing.T, direct, agent *mcp.ClientSession) {
	t.Helper()
	for p, err := range direct.Prompts(t.Context(), nil) {
		must(t, err)
		arguments := map[string]string{}
		for _, a := range p.Arguments {
			arguments[a.Name] = map[string]string{"resourceType": "Text", "resourceId": "1", "department": "Sales", "name": "Alice"}[a.Name]
			if arguments[a.Name] == "" {
				arguments[a.Name] = "Berlin"
			}
		}
		get := &mcp.GetPromptParams{Name: p.Name, Arguments: arguments}
		want, err := direct.GetPrompt(t.Context(), get)
		must(t, err)
		got, err := agent.GetPrompt(t.Context(), get)
		must(t, err)
		// The text of a resource that is made on request says when.
		if p.Name != "resource-prompt" && encoded(t, want.Messages) != encoded(t, got.Messages) || len(want.Messages) != len(got.Messages) {
			t.Errorf("%s is\n%s\nwant\n%s", p.Name, encoded(t, got), encoded(t, want))
		}
	}
	listed := func(c *mcp.ClientSession) (out []string) {
		for p, err := range c.Prompts(t.Context(), nil) {
			must(t, err)
			out = append(out, encoded(t, p))
		}
		return out
	}
	if want, got := listed(direct), listed(agent); len(want) < 3 || !slices.Equal(want, got) {
		t.Errorf("listed %v, want %v", got, want)
	}
	complete := &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "completable-prompt"}, Argument: mcp.CompleteParamsArgument{Name: "department", Value: "S"},
	}
	want, err := direct.Complete(t.Context(), complete)
	must(t, err)
	got, err := agent.Complete(t.Context(), complete)
	must(t, err)
	if encoded(t, want.Completion) != encoded(t, got.Completion) || len(got.Completion.Values) == 0 {
		t.Errorf("completed %s, want %s", encoded(t, got), encoded(t, want))
	}
}

const longTool = "trigger-long-running-operation"

func progressPasses(t *testing.T, b behind) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	client := connectWith(t, b.upstream("peer")+"?session=progress", "", &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, fmt.Sprintf("%v: %g/%g", r.Params.ProgressToken, r.Params.Progress, r.Params.Total))
		},
	})
	params := &mcp.CallToolParams{Name: longTool, Arguments: map[string]any{"duration": 1, "steps": 4}}
	params.SetProgressToken("mine")
	result, err := client.CallTool(t.Context(), params)
	must(t, err)
	if out := calledOf(t, result); out.isError || !strings.Contains(out.said(), "completed") {
		t.Error(out.text)
	}
	mu.Lock()
	defer mu.Unlock()
	// The last notification may still be on its way when the result arrives.
	if want := []string{"mine: 1/4", "mine: 2/4", "mine: 3/4", "mine: 4/4"}; len(seen) < 3 || !slices.Equal(seen, want[:len(seen)]) {
		t.Errorf("progress %v, want %v", seen, want)
	}
}

func cancellationPasses(t *testing.T, agent *mcp.ClientSession) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	begin := time.Now()
	go func() {
		_, err := agent.CallTool(ctx, &mcp.CallToolParams{Name: longTool, Arguments: map[string]any{"duration": 120, "steps": 2}})
		ended <- err
	}()
	time.Sleep(300 * time.Millisecond)
	cancel()
	if err := <-ended; err == nil || time.Since(begin) > time.Minute {
		t.Errorf("a call that was given up ended after %v with %v", time.Since(begin), err)
	}
	if out := call(t, agent, "echo", map[string]any{"message": "still there"}); !strings.Contains(out.said(), "still there") {
		t.Error(out.text)
	}
}
