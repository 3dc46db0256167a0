// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// fixedJudge speaks the part of OpenAI's chat completions that the judge of a policy needs. It has one opinion: a text is a directive if a
// phrase is in it.
type fixedJudge struct {
	phrase string
	texts  atomic.Int64 // asked about
}

// serveJudge runs a fixedJudge for the phrase PHRASE; its callers must show the credential.
func serveJudge(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return errUsage
	}
	j := &fixedJudge{phrase: args[0]}
	return servePeer(ctx, "judge", args[1:], j.routes())
}

func (j *fixedJudge) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", j.complete)
	mux.HandleFunc("GET /texts", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, j.texts.Load()) })
	return mux
}

// judged is the opinion on one text, as the schema of the request wants it.
type judged struct {
	Index     int    `json:"index"`
	Directive bool   `json:"directive"`
	Reason    string `json:"reason"`
}

func (j *fixedJudge) complete(w http.ResponseWriter, r *http.Request) {
	texts, err := textsToJudge(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	results := make([]judged, len(texts))
	for i, text := range texts {
		results[i] = judged{Index: i, Reason: "none"}
		if strings.Contains(text, j.phrase) {
			results[i] = judged{Index: i, Directive: true, Reason: "standing-rule"}
		}
	}
	j.texts.Add(int64(len(texts)))
	answer, err := json.Marshal(map[string]any{"results": results})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "completion", "object": "chat.completion", "model": "fixed",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(answer)},
		}},
	})
}

// textsToJudge reads the texts of a request: each is a JSON string in a line of its own.
func textsToJudge(r *http.Request) ([]string, error) {
	var body struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<20)).Decode(&body); err != nil {
		return nil, err
	}
	if len(body.Messages) == 0 || body.Messages[len(body.Messages)-1].Role != "user" {
		return nil, errors.New("the last message is not the user's")
	}
	var texts []string
	for line := range strings.Lines(body.Messages[len(body.Messages)-1].Content) {
		if !strings.HasPrefix(line, `"`) {
			continue
		}
		var text string
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}
