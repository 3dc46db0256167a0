// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package admin

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/server/wire"
)

// PrincipalHeader names the person on whose behalf a request is made. The name stands in the audit log.
const PrincipalHeader = "Memorytrust-Principal"

// principalPattern takes user names, e-mail addresses, service accounts and URLs, and nothing that could forge a line.
var principalPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@:+/=-]{0,127}$`)

// ValidPrincipal reports whether a name can stand in PrincipalHeader: 1 to 128 of letters, digits and . _ @ : + / = -,
// beginning with a letter or digit.
func ValidPrincipal(name string) bool { return principalPattern.MatchString(name) }

// routes are what people do.
type routes struct {
	gate   *gate.Gate
	stores Stores // nil: the store is not told about, and stays where it is
	log    *slog.Logger
}

// people returns the handler of everything but the status.
func people(g *gate.Gate, stores Stores, log *slog.Logger) http.Handler {
	mux, api := newAPI(routes{gate: g, stores: stores, log: log})
	if err := wire.ServeOpenAPI(mux, api); err != nil {
		panic(err) // the same on every machine, so that any test would show it
	}
	limit := func() (int, error) {
		content, _, err := g.Limits()
		return content, err
	}
	return identified(wire.Bounded(maxInFlight, wire.NewRouted(mux, api, limit, log)))
}

// API describes the admin port, but for the status.
func API() *huma.OpenAPI {
	_, api := newAPI(routes{})
	return api.OpenAPI()
}

func newAPI(r routes) (*http.ServeMux, huma.API) {
	mux := http.NewServeMux()
	api := humago.New(mux, wire.Config("MemoryTrust admin port", "What people see of memory and decide about it. Mutual TLS; every request "+
		"names the person it is made for in the header "+PrincipalHeader+"."))
	for _, register := range []func(huma.API){
		r.browse, r.inspect, r.history, r.decide, r.pin, r.queue, r.contradictions, r.scan, r.resolve, r.explain, r.deliveries, r.whatIf,
		r.export, r.load, r.trustReport, r.attest, r.revoke, r.store, r.migrate,
	} {
		register(api)
	}
	return mux, api
}

type principalKey struct{}

// identified refuses requests that do not name the person they are made for.
func identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		named := r.Header.Values(PrincipalHeader)
		if len(named) != 1 || !ValidPrincipal(named[0]) {
			wire.Write(w, http.StatusBadRequest, "Name the person this is done for in the header "+PrincipalHeader+
				", once: 1 to 128 of letters, digits and . _ @ : + / = -, beginning with a letter or digit.")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, named[0])))
	})
}

// person returns who makes the request, and for which tenant.
func person(ctx context.Context, t wire.Tenant) gate.Person {
	principal, _ := ctx.Value(principalKey{}).(string)
	return gate.Person{Principal: principal, Namespace: t.Namespace}
}

// MemoryPath names a memory.
type MemoryPath struct {
	wire.Tenant
	ID string `path:"id" maxLength:"64" example:"0193a1f0-7c5e-7b7a-9d43-0a4c1f0e9b21" doc:"Id of the memory"`
}
