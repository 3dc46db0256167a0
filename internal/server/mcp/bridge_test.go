// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
)

// patience is how long a test waits for what has to happen; nothing is measured by it.
const patience = 20 * time.Second

// bridged runs a bridge to an endpoint and returns its two ends and its result.
func bridged(ctx context.Context, t *testing.T, url string) (in *io.PipeWriter, out *io.PipeReader, done <-chan error) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Bridge(ctx, url, inR, outW)
		_ = outW.Close()
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close() })
	return inW, outR, ended
}

func wait(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatal("the bridge does not end")
		return nil
	}
}

func TestBridgeEndToEnd(t *testing.T) {
	for name, version := range map[string]string{"sessions": "2025-06-18", "no sessions": ""} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			in, out, done := bridged(t.Context(), t, f.url+"?namespace=tenant-a")
			client := mcp.NewClient(&mcp.Implementation{Name: "stdio", Version: "1"}, nil)
			s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			must(t, err)
			if got := s.InitializeResult(); version != "" && got.ProtocolVersion != version || !strings.Contains(got.Instructions, "long-term memory") {
				t.Errorf("opened with %+v", got)
			}
			tools, err := s.ListTools(t.Context(), nil)
			must(t, err)
			if len(tools.Tools) != 19 {
				t.Errorf("%d tools", len(tools.Tools))
			}
			w := value[gate.Written](t, called(t, s, "remember", args{"content": "The bridge is open."}))
			if r := called(t, s, "recall", args{"query": "bridge"}); !strings.Contains(r.raw, w.ID) {
				t.Errorf("recalled %s", r.raw)
			}
			refused(t, s, "recall", args{"query": 1}, "query")
			if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://nope"}); err == nil {
				t.Error("an error of the protocol got lost")
			}
			// Without sessions of the protocol, the bridge names one for the memory.
			if records := f.list(t, "tenant-a"); len(records) != 1 || records[0].Session == "" {
				t.Errorf("stored %+v", records)
			}
			must(t, s.Close())
			must(t, wait(t, done))
			if n := f.server.sessions.count(); n != 0 {
				waitFor(t, func() bool { return f.server.sessions.count() == 0 })
			}
		})
	}
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// What was asked before the input ended is answered.
func TestBridgeAnswersWhatWasAskedBeforeTheEnd(t *testing.T) {
	f := newFixture(t)
	input := initialize("2024-11-05") + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + rawCall + "\n"
	var out strings.Builder
	must(t, Bridge(t.Context(), f.url, strings.NewReader(input), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"protocolVersion":"2024-11-05"`) || !strings.Contains(lines[1], "Stored in Working") {
		t.Errorf("%q", lines)
	}
}

func TestBridgeEndsWithItsContext(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, _, done := bridged(ctx, t, f.url)
	cancel()
	must(t, wait(t, done))
}

func TestBridgeSaysThatNothingIsThere(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	url := gone.URL + Path
	gone.Close()
	err := Bridge(t.Context(), url, strings.NewReader(""), io.Discard)
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), url) || !strings.Contains(err.Error(), "screener --policy") {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"", "127.0.0.1:8787", "file:///etc/passwd", "http://"} {
		if err := Bridge(t.Context(), bad, strings.NewReader(""), io.Discard); err == nil || !strings.Contains(err.Error(), "http://127.0.0.1:8787/mcp") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What answers at the URL but is no screener, and a client that does not speak JSON-RPC, are errors and not loops.
func TestBridgeRefusesStrangers(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	var out strings.Builder
	err := Bridge(t.Context(), other.URL, strings.NewReader(initialize("2025-06-18")+"\n"), &out)
	if !strings.Contains(out.String(), `"error"`) || !strings.Contains(out.String(), "Not Found") {
		t.Errorf("%v, answered %q", err, out.String())
	}
	f := newFixture(t)
	for name, input := range map[string]string{"no JSON": "hello\n", "no message": "{\"a\":1}\n"} {
		if err := Bridge(t.Context(), f.url, strings.NewReader(input), io.Discard); err == nil || !strings.Contains(err.Error(), "JSON-RPC") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A session the screener does not know any more is an answer to the request and the end of the bridge.
func TestBridgeEndsWithItsSession(t *testing.T) {
	f := newFixture(t)
	f.serve(1)
	in, out, done := bridged(t.Context(), t, f.url)
	lines := bufio.NewScanner(out)
	send := func(message string) {
		t.Helper()
		_, err := io.WriteString(in, message+"\n")
		must(t, err)
	}
	send(initialize("2025-06-18"))
	lines.Scan()
	f.post("", initialize("2025-06-18"), nil) // takes the only place
	send(rawCall)
	if !lines.Scan() || !strings.Contains(lines.Text(), "does not know this session any more") || !strings.Contains(lines.Text(), `"id":2`) {
		t.Errorf("answered %q", lines.Text())
	}
	if err := wait(t, done); !errors.Is(err, errSessionLost) {
		t.Errorf("ended with %v", err)
	}
}

// Messages pass as they are, both ways: other methods, notifications, and a cancellation while its request still runs.
func TestBridgeForwardsEverything(t *testing.T) {
	for name, sessionID := range map[string]string{"sessions": "S1", "no sessions": ""} {
		t.Run(name, func(t *testing.T) {
			got := make(chan string, 10)
			canceled := make(chan struct{})
			screener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodPost {
					w.WriteHeader(http.StatusNoContent)
					return
				}
				body, _ := io.ReadAll(r.Body)
				var m struct {
					ID     any    `json:"id"`
					Method string `json:"method"`
				}
				_ = json.Unmarshal(body, &m)
				got <- r.Header.Get(versionHeader) + " " + string(body)
				if sessionID != "" {
					w.Header().Set(sessionHeader, sessionID)
				}
				switch {
				case m.Method == "slow":
					select {
					case <-canceled:
					case <-r.Context().Done():
						close(canceled)
						return
					}
				case m.Method == methodCancel:
					close(canceled)
				}
				if m.ID == nil {
					w.WriteHeader(http.StatusAccepted)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				_ = json.NewEncoder(w).Encode(args{"jsonrpc": "2.0", "id": m.ID, "result": args{"protocolVersion": "2025-06-18", "odd": []any{1, "ü"}}})
			}))
			t.Cleanup(screener.Close)
			in, out, done := bridged(t.Context(), t, screener.URL)
			lines := bufio.NewScanner(out)
			for _, message := range []string{
				`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"x":{"y":[1,2.5,null]}}}`,
				`{"jsonrpc":"2.0","method":"notifications/odd","params":{"z":"ü"}}`,
				`{"jsonrpc":"2.0","id":7,"method":"slow"}`,
			} {
				_, err := io.WriteString(in, message+"\n")
				must(t, err)
				if strings.Contains(message, "initialize") {
					lines.Scan()
					if want := `{"jsonrpc":"2.0","id":"a","result":{"odd":[1,"ü"],"protocolVersion":"2025-06-18"}}`; lines.Text() != want {
						t.Errorf("answered %s", lines.Text())
					}
				}
				version, body, _ := strings.Cut(<-got, " ")
				if body != message {
					t.Errorf("forwarded %s\nas        %s", message, body)
				}
				if wantVersion := !strings.Contains(message, "initialize"); wantVersion != (version == "2025-06-18") {
					t.Errorf("version header %q with %s", version, message)
				}
			}
			_, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"`+methodCancel+`","params":{"requestId":7}}`+"\n")
			must(t, err)
			select {
			case <-canceled:
			case <-time.After(patience):
				t.Fatal("the cancellation does not arrive")
			}
			go func() { _, _ = io.Copy(io.Discard, out) }()
			must(t, in.Close())
			must(t, wait(t, done))
		})
	}
}

func TestUnreachableErrorUnwraps(t *testing.T) {
	cause := &jsonrpc.Error{Code: 1}
	if !errors.Is(&UnreachableError{Err: cause}, cause) {
		t.Error("it does not")
	}
}
