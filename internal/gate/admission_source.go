// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/provenance"
)

// A store that is not ours keeps a text and one string beside it, "<base>#mac=<tag>". The tag is memprov/v1 over agent, base and
// content, so that all a verdict rests on later has to stand in the base:
//
//	mt1;<class>;<zone>;<state>;<written>;<expiry>;<channel>;<approver>;<source>
//
// Times are Unix seconds; expiry, channel and approver may be empty. The source comes last because it is the one field that others
// choose: whatever it holds, it ends nothing.
const (
	standingLabel     = "mt1"
	standingSeparator = ";"
	standingFields    = 9
	// maxApprover bounds the name of an approver, so that a source always keeps some room beside it.
	maxApprover = 64
	// cutMark and a hash stand for the rest of a source that has no room.
	cutMark     = "~"
	shortDigest = 32 // hex digits
	digestMark  = "sha256:"
)

// errNoStanding says that a base source does not say how a memory stands.
var errNoStanding = errors.New("the source does not say how the memory stands")

// standingBase is the base source that says how a record stands. Its length is within provenance.MaxSourceBytes.
func standingBase(r memory.Record) string {
	expiry := ""
	if !r.Expiry.IsZero() {
		expiry = strconv.FormatInt(r.Expiry.Unix(), 10)
	}
	fields := []string{
		standingLabel, string(r.Class), string(r.Zone), string(r.State), strconv.FormatInt(r.CreatedAt.Unix(), 10), expiry,
		r.Writer.Channel, r.ApprovedBy,
	}
	head := strings.Join(fields, standingSeparator) + standingSeparator
	return head + shortSource(r.Source, provenance.MaxSourceBytes-len(head))
}

// shortSource is a source in at most room bytes. What has to be left out is there by its hash.
func shortSource(source string, room int) string {
	if len(source) <= room {
		return source
	}
	sum := sha256.Sum256([]byte(source))
	tail := cutMark + hex.EncodeToString(sum[:])[:shortDigest]
	return cut(source, room-len(tail)) + tail
}

// approverName is how a name stands in a base source: as it is where that is short and plain, and else by its hash.
func approverName(name string) string {
	plain := name != "" && len(name) <= maxApprover && !strings.HasPrefix(name, digestMark)
	for i := 0; plain && i < len(name); i++ {
		c := name[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._@:/-", c) >= 0
	}
	if plain {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return digestMark + hex.EncodeToString(sum[:])[:shortDigest]
}

// parseStanding reads what standingBase wrote, and nothing else: there is one spelling for each standing.
func parseStanding(base string) (memory.Record, error) {
	fields := strings.SplitN(base, standingSeparator, standingFields)
	if len(fields) != standingFields || fields[0] != standingLabel {
		return memory.Record{}, errNoStanding
	}
	r := memory.Record{
		Class: provenance.Class(fields[1]), Zone: memory.Zone(fields[2]), State: memory.State(fields[3]),
		Writer: memory.Writer{Channel: fields[6]}, ApprovedBy: fields[7], Source: fields[8], Branch: memory.MainBranch,
	}
	written, err := unixSeconds(fields[4])
	if err != nil {
		return memory.Record{}, errNoStanding
	}
	r.CreatedAt, r.UpdatedAt = written, written
	if fields[5] != "" {
		if r.Expiry, err = unixSeconds(fields[5]); err != nil {
			return memory.Record{}, errNoStanding
		}
	}
	known := r.Class.Valid() && slices.Contains(memory.Zones, r.Zone) && slices.Contains(admissionStates, r.State) && utf8.ValidString(base)
	if !known || r.ApprovedBy != "" && r.State != memory.Approved || standingBase(r) != base {
		return memory.Record{}, errNoStanding
	}
	return r, nil
}

// admissionStates are those that a memory of a foreign store can be signed with.
var admissionStates = []memory.State{memory.Active, memory.PendingReview, memory.Approved}

func unixSeconds(s string) (time.Time, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 {
		return time.Time{}, errNoStanding
	}
	return time.Unix(n, 0).UTC(), nil
}

// signStanding returns the signed source of a record: how it stands, bound to agent and content.
func signStanding(s *policy.State, r memory.Record) (string, error) {
	base := standingBase(r)
	tag, err := s.Keyset.SignV1(s.Runtime.AgentID, base, r.Content)
	if err != nil {
		return "", err
	}
	return provenance.FormatTagged(base, tag)
}

// verifyStanding reads a signed source. What does not verify stands as what nobody vouches for, with the fault; the source is
// then nothing but a claim.
func verifyStanding(s *policy.State, signed, content string) verified {
	nobodys := verified{fault: ReasonTampered, record: memory.Record{Class: provenance.Unknown, Zone: memory.Quarantine, Content: content}}
	base, tag, err := provenance.ParseTagged(signed)
	if err != nil {
		return nobodys
	}
	err = s.Keyset.VerifyV1(tag, s.Runtime.AgentID, base, content)
	switch {
	case errors.Is(err, provenance.ErrKeyUnavailable):
		nobodys.fault = ReasonKeyUnavailable
		return nobodys
	case err != nil:
		return nobodys
	}
	r, err := parseStanding(base)
	if err != nil {
		return nobodys
	}
	r.Content = content
	return verified{record: r}
}
