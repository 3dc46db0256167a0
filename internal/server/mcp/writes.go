// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package mcp

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
)

type rememberInput struct {
	Content     string            `json:"content" minLength:"1" doc:"The memory, in words that make sense without this conversation; kept byte for byte"`
	Kind        string            `json:"kind,omitempty" maxLength:"64" doc:"What kind of memory it is, for example preference or fact"`
	Tags        []string          `json:"tags,omitempty" nullable:"false" maxItems:"16" doc:"Words to find it by"`
	Subject     string            `json:"subject,omitempty" maxLength:"256" doc:"Who or what it is about"`
	Metadata    map[string]string `json:"metadata,omitempty" doc:"Up to 16 entries of your own"`
	Confidence  int               `json:"confidence,omitempty" minimum:"0" maximum:"1000" doc:"How sure you are, per mille"`
	Salience    int               `json:"salience,omitempty" minimum:"0" maximum:"1000" doc:"How much it matters, per mille"`
	DerivedFrom []string          `json:"derived_from,omitempty" nullable:"false" maxItems:"64" doc:"Ids of the memories it is concluded from; it gets at most the lowest of their classes"`
	Supersedes  []string          `json:"supersedes,omitempty" nullable:"false" maxItems:"16" doc:"Ids of memories it replaces"`
}

type reviseInput struct {
	ID             string             `json:"id" minLength:"1" maxLength:"64" doc:"Id of the memory"`
	ExpectedCommit string             `json:"expected_commit" minLength:"64" maxLength:"64" doc:"The commit it had when you saw it; nothing changes if it has another by now"`
	Content        *string            `json:"content,omitempty" minLength:"1" doc:"The new text; absent: stays"`
	Kind           *string            `json:"kind,omitempty" maxLength:"64" doc:"The new kind; absent: stays"`
	Tags           *[]string          `json:"tags,omitempty" maxItems:"16" doc:"The new tags; absent: stay"`
	Subject        *string            `json:"subject,omitempty" maxLength:"256" doc:"The new subject; absent: stays"`
	Metadata       *map[string]string `json:"metadata,omitempty" doc:"The new entries; absent: stay"`
	Confidence     *int               `json:"confidence,omitempty" minimum:"0" maximum:"1000" doc:"How sure you are, per mille; absent: stays"`
	Salience       *int               `json:"salience,omitempty" minimum:"0" maximum:"1000" doc:"How much it matters, per mille; absent: stays"`
}

type forgetInput struct {
	ID             string `json:"id" minLength:"1" maxLength:"64" doc:"Id of the memory"`
	ExpectedCommit string `json:"expected_commit,omitempty" maxLength:"64" doc:"The commit it had when you saw it; nothing changes if it has another by now"`
}

func (s *service) registerWrites(server *mcp.Server) {
	register(server, s, spec{
		name: "remember", title: "Remember",
		description: "Store a fact in long-term memory. It is screened first: text that gives standing instructions is stored in Quarantine " +
			"until a person decides. Store facts, not instructions.",
		arguments: map[string]string{"parents": "derived_from"},
	}, s.write)
	register(server, s, spec{
		name: "revise", title: "Revise a memory", destructive: true,
		description: "Change a memory you wrote; its history stays. For anything else the change becomes a proposal that a person decides about.",
		arguments:   map[string]string{"commit": "expected_commit"},
	}, s.revise)
	register(server, s, spec{
		name: "forget", title: "Forget a memory", destructive: true, idempotent: true,
		description: "Take a memory you wrote out of every recall; its history stays. For anything else the wish becomes a proposal that a " +
			"person decides about.",
		arguments: map[string]string{"commit": "expected_commit"},
	}, s.forget)
}

// write stores a memory. The arguments are a model's words, so they claim no source.
func (s *service) write(ctx context.Context, c conversation, in rememberInput) (reply[gate.Written], error) {
	out, err := s.gate.Encode(ctx, c.caller, gate.Write{
		Content: in.Content, Kind: in.Kind, Tags: in.Tags, Session: c.session, Parents: in.DerivedFrom, Subject: in.Subject,
		Metadata: in.Metadata, Confidence: in.Confidence, Salience: in.Salience, Supersedes: in.Supersedes,
	})
	return written(out, err)
}

func (s *service) revise(ctx context.Context, c conversation, in reviseInput) (reply[gate.Written], error) {
	out, err := s.gate.Edit(ctx, c.caller, in.ID, gate.Edit{
		Content: in.Content, Session: c.session, Kind: in.Kind, Tags: in.Tags, Subject: in.Subject, Metadata: in.Metadata,
		Confidence: in.Confidence, Salience: in.Salience, Commit: in.ExpectedCommit,
	})
	return written(out, err)
}

func written(out gate.Written, err error) (reply[gate.Written], error) {
	if err != nil {
		return reply[gate.Written]{}, err
	}
	return reply[gate.Written]{value: out, text: []string{joined(out.Message, "Id "+out.ID+", commit "+out.Commit+".")}, meta: metaOfWrite(out)}, nil
}

func (s *service) forget(ctx context.Context, c conversation, in forgetInput) (reply[gate.Forgotten], error) {
	out, err := s.gate.Forget(ctx, c.caller, in.ID, gate.ForgetRequest{Session: c.session, Commit: in.ExpectedCommit})
	if err != nil {
		return reply[gate.Forgotten]{}, err
	}
	meta := mcp.Meta{}
	if out.Commit != "" {
		meta[metaCommit] = out.Commit
	}
	if out.ReviewID != "" {
		meta[metaReviewID] = out.ReviewID
	}
	return reply[gate.Forgotten]{value: out, text: []string{out.Message}, meta: meta}, nil
}
