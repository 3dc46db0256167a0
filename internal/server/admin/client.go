// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/server/wire"
)

// maxAnswerBytes bounds what a client reads of an answer other than an export.
const maxAnswerBytes = 64 << 20

// requestLimit is how long a client waits for an answer to begin.
const requestLimit = 60 * time.Second

// Client speaks to an admin port on behalf of one person. It is safe for concurrent use.
type Client struct {
	base      string
	http      *http.Client
	principal string
	namespace string
}

// NewClient returns a client of the admin port at an address (host and port). The configuration holds the client certificate
// and what the server is verified with. Every request is made for the principal, and about the namespace; empty means the
// agent's own.
func NewClient(addr string, config *tls.Config, principal, namespace string) *Client {
	return &Client{
		base: "https://" + addr, principal: principal, namespace: namespace,
		http: &http.Client{Transport: &http.Transport{TLSClientConfig: config, ResponseHeaderTimeout: requestLimit, TLSHandshakeTimeout: 10 * time.Second}},
	}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Failure is a problem that an admin port answered with.
type Failure struct {
	Status     int            `json:"status"`
	Type       string         `json:"type"` // one of the wire.Type constants where reactions differ
	Title      string         `json:"title"`
	Detail     string         `json:"detail"`
	Fields     []FieldFailure `json:"errors"`
	Decided    *gate.Decided  `json:"decided"` // where rules are not met
	RetryAfter time.Duration  `json:"-"`       // zero: not stated
}

// FieldFailure says what is wrong with one field.
type FieldFailure struct {
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Error implements error.
func (f *Failure) Error() string {
	text := f.Detail
	if text == "" {
		text = f.Title
	}
	for _, field := range f.Fields {
		text += "; " + field.Location + ": " + field.Message
	}
	return text
}

// Changed reports whether the memory changed since it was looked at.
func (f *Failure) Changed() bool { return f.Type == wire.TypeChanged }

// Refused reports whether rules or the table of transitions stand against the request, whoever makes it.
func (f *Failure) Refused() bool {
	return f.Type == wire.TypeRules || f.Type == wire.TypeTransition || f.Status == http.StatusForbidden
}

// call is one request.
type call struct {
	method, path string
	query        url.Values
	body         any    // marshaled unless it is an io.Reader
	contentType  string // of an io.Reader
	accept       string
	match        string // commit for If-Match
	meridianKey  string // for MeridianKeyHeader
}

// send makes a request and returns the answer if it is a good one, for the caller to close.
func (c *Client) send(ctx context.Context, r call) (*http.Response, error) {
	body, contentType := io.Reader(http.NoBody), r.contentType
	switch b := r.body.(type) {
	case nil:
	case io.Reader:
		body = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body, contentType = bytes.NewReader(raw), wire.JSON
	}
	query := r.query
	if query == nil {
		query = url.Values{}
	}
	if c.namespace != "" && r.path != StatusPath {
		query.Set("namespace", c.namespace)
	}
	address := c.base + r.path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		PrincipalHeader: c.principal, "Content-Type": contentType, "Accept": r.accept, "If-Match": quoted(r.match),
		MeridianKeyHeader: r.meridianKey,
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the screener: %w", err)
	}
	if response.StatusCode/100 != 2 {
		defer func() { _ = response.Body.Close() }()
		return nil, failure(response)
	}
	return response, nil
}

func quoted(commit string) string {
	if commit == "" {
		return ""
	}
	return wire.ETag(commit)
}

func failure(response *http.Response) error {
	f := &Failure{}
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	if err == nil {
		err = json.Unmarshal(raw, f)
	}
	if err != nil || f.Status == 0 {
		f = &Failure{Status: response.StatusCode, Title: "the screener answered " + response.Status}
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		f.RetryAfter = time.Duration(seconds) * time.Second
	}
	return f
}

// fetch makes a request and decodes the answer.
func fetch[T any](ctx context.Context, c *Client, r call) (out T, err error) {
	response, err := c.send(ctx, r)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswerBytes)).Decode(&out); err != nil {
		return out, fmt.Errorf("read the screener's answer: %w", err)
	}
	return out, nil
}

// Status returns what the screener reports to the manager.
func (c *Client) Status(ctx context.Context) (Status, error) {
	return fetch[Status](ctx, c, call{method: http.MethodGet, path: StatusPath})
}

// Get returns one memory with its content: its head, or the version named by a commit or a time (zero: now).
func (c *Client) Get(ctx context.Context, id, commit string, at time.Time) (gate.Inspected, error) {
	query := url.Values{}
	if commit != "" {
		query.Set("commit", commit)
	}
	if !at.IsZero() {
		query.Set("at", at.UTC().Format(time.RFC3339Nano))
	}
	return fetch[gate.Inspected](ctx, c, call{method: http.MethodGet, path: memoryPath(id, ""), query: query})
}

// Log returns versions of a memory, newest first.
func (c *Client) Log(ctx context.Context, id, cursor string, limit int) (History, error) {
	return fetch[History](ctx, c, call{method: http.MethodGet, path: memoryPath(id, "/log"), query: page(cursor, limit)})
}

// List returns a page of memories without content.
func (c *Client) List(ctx context.Context, b gate.Browsing) (gate.Page, error) {
	query := page(b.Cursor, b.Limit)
	for name, value := range map[string]string{"zone": string(b.Zone), "class": string(b.Class), "subject": b.Subject} {
		if value != "" {
			query.Set(name, value)
		}
	}
	for _, s := range b.States {
		query.Add("state", string(s))
	}
	query["kind"], query["tag"] = b.Kinds, b.Tags
	for name, at := range map[string]time.Time{"since": b.Since, "until": b.Until} {
		if !at.IsZero() {
			query.Set(name, at.UTC().Format(time.RFC3339Nano))
		}
	}
	return fetch[gate.Page](ctx, c, call{method: http.MethodGet, path: "/v1/memories", query: query})
}

// Queue returns a page of what waits to be decided.
func (c *Client) Queue(ctx context.Context, cursor string, limit int) (gate.Reviewed, error) {
	return fetch[gate.Reviewed](ctx, c, call{method: http.MethodGet, path: "/v1/queue", query: page(cursor, limit)})
}

// Decide decides about a memory; the verb is one of Verbs, the commit that of the version that was seen.
func (c *Client) Decide(ctx context.Context, id, verb, commit string, d DecisionRequest) (gate.Decided, error) {
	return fetch[gate.Decided](ctx, c, call{method: http.MethodPost, path: memoryPath(id, "/"+verb), body: d, match: commit})
}

// Pin pins or unpins a memory.
func (c *Client) Pin(ctx context.Context, id string, pinned bool, commit, reason string) (gate.Decided, error) {
	verb := "/unpin"
	if pinned {
		verb = "/pin"
	}
	return fetch[gate.Decided](ctx, c, call{method: http.MethodPost, path: memoryPath(id, verb), body: PinRequest{Reason: reason}, match: commit})
}

// Contradictions returns a page of contradictions, open ones or all.
func (c *Client) Contradictions(ctx context.Context, all bool, cursor string, limit int) (gate.ContradictionPage, error) {
	query := page(cursor, limit)
	if all {
		query.Set("all", "true")
	}
	return fetch[gate.ContradictionPage](ctx, c, call{method: http.MethodGet, path: "/v1/contradictions", query: query})
}

// Scan looks for contradictions now.
func (c *Client) Scan(ctx context.Context) (gate.Scanned, error) {
	return fetch[gate.Scanned](ctx, c, call{method: http.MethodPost, path: "/v1/contradictions/scan"})
}

// Resolve decides a contradiction.
func (c *Client) Resolve(ctx context.Context, id string, verdict memory.ContradictionVerdict, reason, content string, dryRun bool) (gate.Decided, error) {
	return fetch[gate.Decided](ctx, c, call{method: http.MethodPost, path: "/v1/contradictions/" + url.PathEscape(id) + "/resolve",
		body: ResolveRequest{Verdict: string(verdict), Reason: reason, Content: content, DryRun: dryRun}})
}

// XRay explains a recall.
func (c *Client) XRay(ctx context.Context, q ExplainRequest) (gate.XRay, error) {
	return fetch[gate.XRay](ctx, c, call{method: http.MethodPost, path: "/v1/xray", body: q, accept: wire.JSON})
}

// XRayText explains a recall as Text or Markdown.
func (c *Client) XRayText(ctx context.Context, q ExplainRequest, contentType string) (text string, err error) {
	response, err := c.send(ctx, call{method: http.MethodPost, path: "/v1/xray", body: q, accept: contentType})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
	return string(raw), err
}

// Deliveries returns what was delivered to a session, of a memory, or to anybody, newest first.
func (c *Client) Deliveries(ctx context.Context, session, id string, limit int) (Deliveries, error) {
	query := url.Values{}
	for name, value := range map[string]string{"session": session, "memory": id} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return fetch[Deliveries](ctx, c, call{method: http.MethodGet, path: "/v1/deliveries", query: query})
}

// Export writes all memories as signed NDJSON. What was written before an error is not whole.
func (c *Client) Export(ctx context.Context, w io.Writer) (err error) {
	response, err := c.send(ctx, call{method: http.MethodGet, path: "/v1/export"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if _, err = io.Copy(w, response.Body); err != nil {
		return fmt.Errorf("the export broke off: %w", err)
	}
	return nil
}

// Import reads what Export wrote.
func (c *Client) Import(ctx context.Context, r io.Reader) (gate.Imported, error) {
	return c.ImportMeridian(ctx, r, MeridianKey{})
}

// MeridianKey is what checks sources that an agent of MERIDIAN signed.
type MeridianKey struct {
	Key    string // as in the key file; empty: nothing was signed
	Agent  string
	Layout string // empty: the usual ones
}

// ImportMeridian is Import of memories whose sources an agent of MERIDIAN signed.
func (c *Client) ImportMeridian(ctx context.Context, r io.Reader, m MeridianKey) (gate.Imported, error) {
	query := url.Values{}
	for name, value := range map[string]string{"meridianAgent": m.Agent, "meridianLayout": m.Layout} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return fetch[gate.Imported](ctx, c, call{
		method: http.MethodPost, path: "/v1/import", query: query, body: r, contentType: wire.NDJSON, meridianKey: m.Key,
	})
}

// TrustReport counts what trust mode Signed would not trust.
func (c *Client) TrustReport(ctx context.Context) (gate.TrustReport, error) {
	return fetch[gate.TrustReport](ctx, c, call{method: http.MethodGet, path: "/v1/trust-report"})
}

// Attest puts the person's name to many memories.
func (c *Client) Attest(ctx context.Context, r AttestRequest) (gate.Attested, error) {
	return fetch[gate.Attested](ctx, c, call{method: http.MethodPost, path: "/v1/attestations", body: r})
}

// Revoke takes out what was never to be trusted, and all that goes back to it.
func (c *Client) Revoke(ctx context.Context, r RevokeRequest) (gate.Revoked, error) {
	return fetch[gate.Revoked](ctx, c, call{method: http.MethodPost, path: "/v1/revocations", body: r})
}

func memoryPath(id, rest string) string { return "/v1/memories/" + url.PathEscape(id) + rest }

func page(cursor string, limit int) url.Values {
	query := url.Values{}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	if limit > 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	return query
}
