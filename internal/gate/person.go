// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"time"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/provenance"
)

// Person is someone who reviews memory, as the admin port vouches for them. What a person reads is no delivery to the
// agent.
type Person struct {
	Principal string // as it stands in the audit log, for example alice@example.com; never empty
	Namespace string // as in Caller
}

// Inspected is a memory as a person sees it: everything, also what the agent never gets.
type Inspected struct {
	ID         string            `json:"id" doc:"Id of the memory"`
	Namespace  string            `json:"namespace" doc:"Tenant inside the agent"`
	Content    string            `json:"content,omitempty" doc:"The memory; absent in listings and once purged"`
	Purged     bool              `json:"purged,omitempty" doc:"Whether the content was erased"`
	Source     string            `json:"source" doc:"Where it came from; a name, not a proof"`
	Class      provenance.Class  `json:"class" doc:"Source class"`
	Writer     string            `json:"writer" doc:"Who handed it in: agent, or channel/<name>/<principal>"`
	Zone       memory.Zone       `json:"zone" enum:"Quarantine,Working,Trusted" doc:"How far it is let in"`
	State      memory.State      `json:"state" doc:"Where it stands in its life"`
	Boundary   memory.Boundary   `json:"boundary" enum:"Safe,RequiresReview,Blocked" doc:"What a recaller must do with it"`
	Authority  memory.Authority  `json:"authority" enum:"Act,Inform,None" doc:"What it may justify"`
	Fault      Reason            `json:"fault,omitempty" doc:"What speaks against its signature"`
	ApprovedBy string            `json:"approvedBy,omitempty" doc:"Who approved or promoted it"`
	Directive  bool              `json:"directive" doc:"Whether screening found a standing instruction when it was written"`
	Reasons    []string          `json:"reasons" nullable:"false" doc:"Why"`
	CappedBy   []string          `json:"cappedBy" nullable:"false" doc:"What lowered its class"`
	Parents    []string          `json:"parents" nullable:"false" doc:"Memories it was derived from"`
	Supersedes []string          `json:"supersedes" nullable:"false" doc:"Memories it replaces, or would replace"`
	FoldedInto string            `json:"foldedInto,omitempty" doc:"Waiting memory it is a near-duplicate of"`
	Kind       string            `json:"kind,omitempty" doc:"As the writer says"`
	Tags       []string          `json:"tags" nullable:"false" doc:"As the writer says"`
	Subject    string            `json:"subject,omitempty" doc:"As the writer says"`
	Metadata   map[string]string `json:"metadata,omitempty" doc:"As the writer says"`
	Session    string            `json:"session,omitempty" doc:"Session it was written in"`
	Confidence int               `json:"confidencePerMille" doc:"As the writer says, at most what its class allows"`
	Salience   int               `json:"saliencePerMille" doc:"As the writer says, at most what its class allows"`
	Pinned     bool              `json:"pinned" doc:"Whether it never fades"`
	KeyID      string            `json:"keyID,omitempty" doc:"Key that signed this version"`
	Commit     string            `json:"commit" doc:"Names this version"`
	Change     memory.ChangeType `json:"change" doc:"What made this version"`
	Actor      string            `json:"actor" doc:"Who made it"`
	Reason     string            `json:"reason,omitempty" doc:"Why"`
	Expiry     time.Time         `json:"expiry,omitzero" doc:"When it stops being delivered"`
	CreatedAt  time.Time         `json:"createdAt" doc:"When it was written"`
	UpdatedAt  time.Time         `json:"updatedAt" doc:"When this version was made"`
	Call       *ActionCall       `json:"call,omitempty" doc:"The tool call it asks about; absent for memories"`
}

// Page is one page of memories as a person sees them, without content.
type Page struct {
	Memories []Inspected `json:"memories" nullable:"false" doc:"The memories"`
	Next     string      `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
}

// ReviewItem is one thing to decide.
type ReviewItem struct {
	Memory         Inspected                `json:"memory" doc:"What waits, with its content"`
	Folded         []Inspected              `json:"folded" nullable:"false" doc:"Near-duplicates that share its fate, with their content; at most 20"`
	FoldedCount    int                      `json:"foldedCount" doc:"How many there are; 1000 stands for as many or more"`
	Contradictions []InspectedContradiction `json:"contradictions" nullable:"false" doc:"Open contradictions it is part of"`
	Replaces       []Inspected              `json:"replaces" nullable:"false" doc:"What it would replace or forget once approved"`
	Actions        []memory.Action          `json:"actions" nullable:"false" doc:"What can be decided"`
}

// Reviewed is one page of the review queue.
type Reviewed struct {
	Items []ReviewItem `json:"items" nullable:"false" doc:"What waits, oldest first"`
	Total int64        `json:"total" doc:"How many items wait in all"`
	Next  string       `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
}

// Decision is what a person decides about a memory.
type Decision struct {
	Action memory.Action // Approve, Reject, Promote, Attest, Quarantine, Reopen, Forget or Purge
	Commit string        // the commit the person saw; required, another head is ErrPrecondition
	Reason string        // required
	Zone   memory.Zone   // Promote: the zone to reach, one above the present one; required there
	Anchor memory.Anchor // Promote to Trusted
	// Corroborators are ids of memories that say the same; Promote to Trusted. Empty: they are looked for.
	Corroborators []string
	DryRun        bool // say what would happen, change nothing
}

// Decided is what became of a decision.
type Decided struct {
	ID       string        `json:"id" doc:"Id of the memory, or of the contradiction, that was decided about"`
	Action   memory.Action `json:"action" doc:"What was decided"`
	DryRun   bool          `json:"dryRun" doc:"Whether nothing was changed because only a preview was asked for"`
	Done     bool          `json:"done" doc:"Whether it was done"`
	Zone     memory.Zone   `json:"zone" doc:"Zone after it"`
	State    memory.State  `json:"state" doc:"State after it"`
	Rules    []memory.Rule `json:"rules" nullable:"false" doc:"The rules that apply, met or not"`
	Affected []Affected    `json:"affected" nullable:"false" doc:"Other memories that change with it"`
	Commit   string        `json:"commit,omitempty" doc:"Names the version that records it"`
	Message  string        `json:"message" doc:"What happened, and how to undo it"`
}

// Affected is another memory that a decision changes.
type Affected struct {
	ID    string       `json:"id" doc:"Id of the memory"`
	Why   string       `json:"why" doc:"Why it changes: folded, superseded, released"`
	State memory.State `json:"state" doc:"State after it"`
}

// InspectedContradiction is a pair of memories that cannot both hold.
type InspectedContradiction struct {
	ID        string                      `json:"id" doc:"Id of the contradiction"`
	A         Inspected                   `json:"a" doc:"The older memory, with its content"`
	B         Inspected                   `json:"b" doc:"The newer memory, with its content"`
	Signs     []string                    `json:"signs" nullable:"false" doc:"Why they were paired"`
	Open      bool                        `json:"open" doc:"Whether nobody decided yet"`
	Verdict   memory.ContradictionVerdict `json:"verdict,omitempty" doc:"What was decided"`
	DecidedBy string                      `json:"decidedBy,omitempty" doc:"By whom"`
	Reason    string                      `json:"reason,omitempty" doc:"Why"`
	FoundAt   time.Time                   `json:"foundAt" doc:"When it was found"`
	DecidedAt time.Time                   `json:"decidedAt,omitzero" doc:"When it was decided"`
}

// ContradictionPage is one page of contradictions.
type ContradictionPage struct {
	Items []InspectedContradiction `json:"items" nullable:"false" doc:"The contradictions, oldest first"`
	Next  string                   `json:"next,omitempty" doc:"Pass as cursor to get the next page; absent on the last"`
}

// Resolution is what a person decides about a contradiction.
type Resolution struct {
	Verdict memory.ContradictionVerdict
	Reason  string // required
	Content string // Merge: the memory that replaces both
	DryRun  bool
}

// Scanned says what a scan for contradictions found.
type Scanned struct {
	Records int  `json:"records" doc:"Memories compared with the others"`
	Pairs   int  `json:"pairs" doc:"Pairs looked at"`
	Found   int  `json:"found" doc:"Contradictions that are new or open again"`
	More    bool `json:"more" doc:"Whether the scan stopped at its bound of pairs; the next one goes on from there"`
}

// Imported says what became of an import.
type Imported struct {
	Signed   bool `json:"signed" doc:"Whether the file was signed by a key of this agent; otherwise its memories are Unknown and wait for review"`
	Verified int  `json:"verified" doc:"Memories whose source an agent of MERIDIAN signed with the key that was given; they count as their source says"`
	Restored int  `json:"restored" doc:"Memories that were written"`
	Present  int  `json:"present" doc:"Memories that are there already, and were left alone"`
	Refused  int  `json:"refused" doc:"Lines that hold no memory that can be kept"`
}
