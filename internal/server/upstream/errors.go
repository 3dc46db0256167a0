// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"memorytrust.dev/operator/internal/gate"
	"memorytrust.dev/operator/internal/memory"
)

// What can be wrong with an upstream. The words follow "the upstream NAME ".
var (
	errTooLarge    = errors.New("answered with more than the policy allows (spec.upstreams[].maxResultBytes)")
	errGarbage     = errors.New("answered with something that is no message of the protocol")
	errRedirect    = errors.New("redirects to another place; redirects are not followed, so that the credential stays where it belongs")
	errElsewhere   = errors.New("names another place for its messages; they are not sent there, so that the credential stays where it belongs")
	errCredential  = errors.New("does not take the screener's credential")
	errStatus      = errors.New("answered with an HTTP error")
	errSlow        = errors.New("did not answer in time (spec.upstreams[].timeoutSeconds)")
	errBusy        = errors.New("is busy with as many calls as it may have at a time")
	errGone        = errors.New("closed the connection")
	errInput       = errors.New("asks for input in the middle of a call, which is not handed on")
	errUnreachable = errors.New("cannot be reached")
	errManyTools   = errors.New("lists more tools than the screener looks at")
	errCommand     = errors.New("could not be started")
	errNoRoom      = errors.New("has as many sessions as it may have")
	// errNoCredential says that the Secret is not there yet.
	errNoCredential = errors.New("wants a credential, and none has arrived yet (spec.upstreams[].credentialSecretRef)")
)

// Texts of errors that more than one place gives.
const (
	internalFault = "Something is wrong with the screener or its store; its log says what. The call was not made, or its result is " +
		"kept back."
	notReady = "The screener has not loaded a policy and keys yet; nothing passes until then. Try again in a moment."
)

// upstreamError says what is wrong with an upstream, in words that hold nothing of what it said or of its address.
type upstreamError struct {
	name string
	err  error // one of those above, or what a network says
}

// Error implements error.
func (e *upstreamError) Error() string {
	return fmt.Sprintf("The upstream %s %v.", e.name, e.err)
}

// Unwrap returns the reason.
func (e *upstreamError) Unwrap() error { return e.err }

// reasons are the faults that stand for themselves.
var reasons = []error{
	errTooLarge, errGarbage, errRedirect, errElsewhere, errCredential, errStatus, errSlow, errBusy, errGone, errInput, errUnreachable,
	errManyTools, errCommand, errNoRoom, errNoCredential,
}

// reasonOf returns why a call failed, without the address and whatever else an error of the network or the SDK quotes.
func reasonOf(err error) error {
	for _, reason := range reasons {
		if errors.Is(err, reason) {
			return reason
		}
	}
	var (
		dns  *net.DNSError
		op   *net.OpError
		cert *tls.CertificateVerificationError
		root x509.UnknownAuthorityError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errSlow
	case errors.As(err, &cert), errors.As(err, &root):
		return fmt.Errorf("%w: its certificate is not trusted", errUnreachable)
	case errors.As(err, &dns):
		return fmt.Errorf("%w: its name is not known", errUnreachable)
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Errorf("%w: nothing answers at its address", errUnreachable)
	case errors.Is(err, mcp.ErrConnectionClosed), errors.Is(err, mcp.ErrSessionMissing):
		return errGone
	}
	return errGone
}

// said returns the error that an upstream answered a request with, or nil. Errors of the SDK's transport look the same, and are
// told by their codes.
func said(err error) *jsonrpc.Error {
	for _, reason := range reasons {
		if errors.Is(err, reason) {
			return nil
		}
	}
	var answered *jsonrpc.Error
	if errors.Is(err, mcp.ErrConnectionClosed) || !errors.As(err, &answered) {
		return nil
	}
	switch answered.Code {
	case codeRejected, codeClientClosing, codeServerClosing:
		return nil
	}
	return answered
}

// Codes by which the SDK says that it sent nothing, or that nobody is there.
const (
	codeClientClosing = -32003
	codeServerClosing = -32004
	codeRejected      = -32005
)

// refusal returns the text for a model where the gate could not decide. It never lets anything pass.
func (c *call) refusal(err error) string {
	var (
		field     *memory.FieldError
		large     *gate.TooLargeError
		limit     *gate.LimitError
		forbidden *gate.ForbiddenError
	)
	switch {
	case errors.As(err, &field):
		return "Not accepted: " + field.Field + ": " + field.Fix + "."
	case errors.As(err, &large):
		return "Not accepted: " + large.Error() + "."
	case errors.As(err, &limit):
		return fmt.Sprintf("Not done, %s. Try again in %d seconds.", limit.Error(), int(math.Ceil(limit.RetryAfter.Seconds())))
	case errors.As(err, &forbidden):
		return "Not done: " + forbidden.Error() + "."
	case errors.Is(err, gate.ErrNotReady):
		return notReady
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "The request was given up before it was done."
	case errors.Is(err, memory.ErrUnavailable):
		c.link.log.Error("Memory store unavailable", "error", err.Error())
		return "The memory store does not take requests at the moment, so nothing passes. Try again later."
	}
	c.link.log.Error("Upstream call failed in the gate", "error", err.Error())
	return internalFault
}
