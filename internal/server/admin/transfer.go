// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
	"memorytrust.dev/operator/internal/server/wire"
)

// pace is how long a transfer may stand still before its connection is closed. Its whole may take as long as it likes.
const pace = 30 * time.Second

// paced reads or writes a body, moving the deadline of the connection on with every step.
type paced struct {
	reader  io.Reader
	writer  http.ResponseWriter
	control *http.ResponseController
	began   bool // something was written
}

func (p *paced) Read(b []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(pace)) // a connection without deadlines is as good
	return p.reader.Read(b)
}

func (p *paced) Write(b []byte) (int, error) {
	if !p.began {
		p.began = true
		p.writer.Header().Set("Content-Type", wire.NDJSON)
		p.writer.WriteHeader(http.StatusOK)
	}
	_ = p.control.SetWriteDeadline(time.Now().Add(pace))
	return p.writer.Write(b)
}

func (r routes) export(api huma.API) {
	op := wire.Operation("export", http.MethodGet, "/v1/export", "Export memories",
		"Streams all memories of the namespace with content and history as NDJSON, signed line by line and as a whole. An export that "+
			"breaks off lacks its last line and cannot be imported by mistake for a whole one.",
		http.StatusOK, http.StatusUnprocessableEntity)
	op.Responses = map[string]*huma.Response{"200": {Content: map[string]*huma.MediaType{
		wire.NDJSON: {Schema: &huma.Schema{Type: huma.TypeString}},
	}}}
	huma.Register(api, op, func(_ context.Context, in *struct{ wire.Tenant }) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(c huma.Context) { //nolint:contextcheck // c has the context of the request
			request, w := humago.Unwrap(c)
			out := &paced{writer: w, control: http.NewResponseController(w)}
			err := r.gate.Export(request.Context(), person(request.Context(), in.Tenant), out)
			switch {
			case err != nil && !out.began:
				wire.WriteError(w, r.log, err)
			case err != nil: // too late for a problem: the client must see that the answer is not whole
				r.log.Error("Export broke off", "error", err.Error())
				panic(http.ErrAbortHandler)
			case !out.began:
				_, _ = out.Write(nil)
			}
		}}, nil
	})
}

// MeridianKeyHeader carries the key of a MERIDIAN agent to an import. It is used for that request and kept nowhere: neither in the
// address, which ends up in logs, nor in the body, which is kept on disk while it is checked.
const MeridianKeyHeader = "Memorytrust-Meridian-Key"

// importInput takes the body as it comes, so that it need not fit into memory.
type importInput struct {
	wire.Tenant
	Key    string `header:"Memorytrust-Meridian-Key" doc:"Key of the MERIDIAN agent that signed the sources, as its key file has it. Never stored"`
	Agent  string `query:"meridianAgent" maxLength:"256" doc:"Id of that agent; needed with a key"`
	Layout string `query:"meridianLayout" maxLength:"256" doc:"What was signed, as a template with {agent}, {source} and {sha256} or {sha256raw}; usual ones are tried where it is absent"`
	body   *paced
}

// meridian returns what checks signed sources; nil where no key was given.
func (in *importInput) meridian() (*provenance.Meridian, error) {
	if in.Key == "" && in.Agent == "" && in.Layout == "" {
		return nil, nil
	}
	m, err := provenance.NewMeridian([]byte(in.Key), in.Agent, in.Layout)
	if err != nil {
		return nil, &memory.FieldError{Field: "meridianKey", Fix: err.Error()}
	}
	return m, nil
}

// Resolve implements huma.Resolver.
func (in *importInput) Resolve(c huma.Context) []error {
	_, w := humago.Unwrap(c)
	in.body = &paced{reader: c.BodyReader(), control: http.NewResponseController(w)}
	return nil
}

func (r routes) load(api huma.API) {
	op := wire.Operation("import", http.MethodPost, "/v1/import", "Import memories",
		"Reads what export wrote. Memories signed by a key of this agent are restored as they were; all others are Unknown and wait for review. With the key of "+
			"a MERIDIAN agent, lines whose source it signed count as their source says, in Working and as information, and are signed anew.",
		http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		wire.NDJSON: {Schema: &huma.Schema{Type: huma.TypeString}},
	}}
	huma.Register(api, op, func(ctx context.Context, in *importInput) (*wire.Answer[gate.Imported], error) {
		m, err := in.meridian()
		if err != nil {
			return nil, wire.Error(r.log, wire.InQuery, err)
		}
		out, err := r.gate.ImportMeridian(ctx, person(ctx, in.Tenant), in.body, m)
		// The answer has its own time, however long the file took.
		_ = in.body.control.SetWriteDeadline(time.Now().Add(pace))
		return wire.Reply(r.log, wire.InBody, out, err)
	})
}

var _ huma.Resolver = (*importInput)(nil)
