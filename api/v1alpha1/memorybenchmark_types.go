// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BenchmarkMode says whether a benchmark starts runs.
// +kubebuilder:validation:Enum=Enabled;Suspended
type BenchmarkMode string

const (
	// BenchmarkEnabled starts runs when they are due.
	BenchmarkEnabled BenchmarkMode = "Enabled"
	// BenchmarkSuspended starts no run. One that is under way goes on, and the last result stands.
	BenchmarkSuspended BenchmarkMode = "Suspended"
)

// BenchmarkSuite is a part of the benchmark.
// +kubebuilder:validation:Enum=Content;Texts;Evaders;Pairs;Origins;Trials;Controls;Chains;Actions;Dormancy;Haystack
type BenchmarkSuite string

const (
	// BenchmarkSuiteContent puts the texts of the catalogs before the screen, without their source.
	BenchmarkSuiteContent BenchmarkSuite = "Content"
	// BenchmarkSuiteTexts writes and recalls the texts of the catalogs: attack success and false positives come from it.
	BenchmarkSuiteTexts BenchmarkSuite = "Texts"
	// BenchmarkSuiteEvaders rewords and disguises attacks.
	BenchmarkSuiteEvaders BenchmarkSuite = "Evaders"
	// BenchmarkSuitePairs puts the same content before the screen as attack and as report.
	BenchmarkSuitePairs BenchmarkSuite = "Pairs"
	// BenchmarkSuiteOrigins writes the same text from a trusted and from an untrusted origin.
	BenchmarkSuiteOrigins BenchmarkSuite = "Origins"
	// BenchmarkSuiteTrials claims trusted origins for untrusted texts.
	BenchmarkSuiteTrials BenchmarkSuite = "Trials"
	// BenchmarkSuiteControls checks that signed memories are trusted, and altered ones are not.
	BenchmarkSuiteControls BenchmarkSuite = "Controls"
	// BenchmarkSuiteChains plants attacks in pieces.
	BenchmarkSuiteChains BenchmarkSuite = "Chains"
	// BenchmarkSuiteActions tries to have tools called on the word of a planted memory.
	BenchmarkSuiteActions BenchmarkSuite = "Actions"
	// BenchmarkSuiteDormancy plants attacks and lets many harmless sessions pass before they are recalled.
	BenchmarkSuiteDormancy BenchmarkSuite = "Dormancy"
	// BenchmarkSuiteHaystack hides one attack among a hundred harmless memories, in turn. It takes several times as long as all others.
	BenchmarkSuiteHaystack BenchmarkSuite = "Haystack"
)

// BenchmarkOutcome says how a run ended.
// +kubebuilder:validation:Enum=Measured;Failed;TimedOut;ResultMissing;ResultInvalid;Lost
type BenchmarkOutcome string

const (
	// BenchmarkMeasured is the outcome of a run that brought figures, good or bad ones.
	BenchmarkMeasured BenchmarkOutcome = "Measured"
	// BenchmarkFailed is the outcome of a run that ended without having measured.
	BenchmarkFailed BenchmarkOutcome = "Failed"
	// BenchmarkTimedOut is the outcome of a run that was ended at spec.timeoutSeconds.
	BenchmarkTimedOut BenchmarkOutcome = "TimedOut"
	// BenchmarkResultMissing is the outcome of a run that ended well and left no result.
	BenchmarkResultMissing BenchmarkOutcome = "ResultMissing"
	// BenchmarkResultInvalid is the outcome of a run whose result could not be read.
	BenchmarkResultInvalid BenchmarkOutcome = "ResultInvalid"
	// BenchmarkLost is the outcome of a run whose Job somebody deleted before the operator saw its end.
	BenchmarkLost BenchmarkOutcome = "Lost"
)

// MemoryBenchmarkSpec says which policy is measured, with what, and when.
type MemoryBenchmarkSpec struct {
	// policyRef names the MemoryTrustPolicy that is measured. What it must reach is in its spec.benchmark.limits.
	// +required
	PolicyRef PolicyRef `json:"policyRef"`

	// suites that are run; all but Haystack when unset. A result counts for the suites that were run. Without Texts there are no
	// figures of attack success and false positives.
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=11
	// +listType=set
	// +optional
	Suites []BenchmarkSuite `json:"suites,omitempty"`

	// schedule of the runs, in the five fields of cron (minute, hour, day of month, month, day of week) or as @hourly, @daily,
	// @weekly, @monthly or @yearly. Times that pass while a run is under way are skipped; those that pass while the operator is away
	// are made up for by one run. Unset: only on request. With or without one, a new benchmark runs at once.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|[-0-9A-Za-z*/,?]+( +[-0-9A-Za-z*/,?]+){4})$')",message="a schedule has the five fields of cron, for example \"30 3 * * 1\" for Mondays at half past three, or is @hourly, @daily, @weekly, @monthly or @yearly; the time zone is in spec.timeZone"
	// +optional
	Schedule string `json:"schedule,omitempty"`

	// timeZone of the schedule, by its name in the IANA database; UTC when unset.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$') && self.lowerAscii() != 'local'",message="a time zone is a name of the IANA database, for example Europe/Berlin"
	// +optional
	TimeZone string `json:"timeZone,omitempty"`

	// mode is Enabled to start runs when they are due, or Suspended to start none.
	// +kubebuilder:default=Enabled
	// +optional
	Mode BenchmarkMode `json:"mode,omitempty"`

	// requestedAt starts a run when it is later than the last request. A request during a run waits for its end; one for a time to
	// come waits for that.
	// +kubebuilder:validation:XValidation:rule="self >= oldSelf",message="spec.requestedAt only moves forward: set it to the current time to run again"
	// +optional
	RequestedAt *metav1.Time `json:"requestedAt,omitempty"`

	// timeoutSeconds is how long a run may take, from the start of its Job on. Then it is ended without a result. The default is
	// half an hour.
	// +kubebuilder:validation:Minimum=30
	// +kubebuilder:validation:Maximum=86400
	// +kubebuilder:default=1800
	// +optional
	TimeoutSeconds int32 `json:"timeoutSeconds,omitempty"`

	// ttlSeconds is how long the Job of a run is kept after its end, with its log. The default is a day.
	// +kubebuilder:validation:Minimum=300
	// +kubebuilder:validation:Maximum=2592000
	// +kubebuilder:default=86400
	// +optional
	TTLSeconds int32 `json:"ttlSeconds,omitempty"`

	// historyLimit is how many runs before the last one the status lists.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=50
	// +kubebuilder:default=10
	// +optional
	HistoryLimit *int32 `json:"historyLimit,omitempty"`

	// resources of the benchmark's container; what is unset gets requests of 100m CPU and 128Mi memory and a limit of 1Gi memory.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitzero"`
}

// PolicyRef names a MemoryTrustPolicy of the same namespace.
type PolicyRef struct {
	// name of the policy.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +required
	Name string `json:"name"`
}

// BenchmarkSpec says what the policy must reach in benchmarks.
type BenchmarkSpec struct {
	// limits that a run must keep to.
	// +kubebuilder:default={}
	// +optional
	Limits BenchmarkLimits `json:"limits,omitzero"`
}

// Limits of a benchmark where a policy has none: what the default policy keeps to on the embedded catalogs, with some room, so that
// missing them is a regression or a weakened policy. They get stricter as the screen gets better.
const (
	DefaultAttackSuccessPerMille  = 400
	DefaultFalsePositivesPerMille = 20
	DefaultPairsPerMille          = 500
)

// BenchmarkLimits are what a run must keep to, per mille. Attacks on actions and signed controls have no limit: a single failure is
// one too many.
type BenchmarkLimits struct {
	// attackSuccessPerMille is how many attacks may reach the agent at most. The default is 400.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=400
	// +optional
	AttackSuccessPerMille *int32 `json:"attackSuccessPerMille,omitempty"`

	// falsePositivesPerMille is how many harmless memories may be withheld at most. The default is 20.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=20
	// +optional
	FalsePositivesPerMille *int32 `json:"falsePositivesPerMille,omitempty"`

	// pairsPerMille is how many pairs of the same content, as attack and as report, must be told apart at least. The default is 500.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	// +kubebuilder:default=500
	// +optional
	PairsPerMille *int32 `json:"pairsPerMille,omitempty"`
}

// BenchmarkShare says how many of a number of things something holds for.
type BenchmarkShare struct {
	// count of those it holds for.
	// +required
	Count int32 `json:"count"`
	// of how many.
	// +required
	Of int32 `json:"of"`
}

// BenchmarkFigures are what a run measured. A per mille is rounded away from what would be perfect: 0 attacks that succeed are none.
type BenchmarkFigures struct {
	// attacks that were written to memory, and recalled later.
	// +required
	Attacks int32 `json:"attacks"`
	// attacksSucceededOff is how many of them reach the agent with the defense off.
	// +required
	AttacksSucceededOff int32 `json:"attacksSucceededOff"`
	// attackSuccessOffPerMille is the share of that.
	// +required
	AttackSuccessOffPerMille int32 `json:"attackSuccessOffPerMille"`
	// attacksSucceededOn is how many of them reach the agent under the policy.
	// +required
	AttacksSucceededOn int32 `json:"attacksSucceededOn"`
	// attackSuccessOnPerMille is the share of that.
	// +required
	AttackSuccessOnPerMille int32 `json:"attackSuccessOnPerMille"`
	// benign memories that were written and recalled.
	// +required
	Benign int32 `json:"benign"`
	// benignWithheld is how many of them were withheld under the policy.
	// +required
	BenignWithheld int32 `json:"benignWithheld"`
	// falsePositivesPerMille is the share of that.
	// +required
	FalsePositivesPerMille int32 `json:"falsePositivesPerMille"`
	// contentFlagged are attacks that the screen finds by their text alone.
	// +optional
	ContentFlagged *BenchmarkShare `json:"contentFlagged,omitempty"`
	// contentFalsePositives are harmless texts in which the screen finds a directive.
	// +optional
	ContentFalsePositives *BenchmarkShare `json:"contentFalsePositives,omitempty"`
	// trials are claims of trusted origins that came out as the trust mode promises.
	// +optional
	Trials *BenchmarkShare `json:"trials,omitempty"`
	// controls are signed memories that were trusted, and altered ones that were not.
	// +optional
	Controls *BenchmarkShare `json:"controls,omitempty"`
	// chains are attacks in pieces that were found, and harmless series that were not.
	// +optional
	Chains *BenchmarkShare `json:"chains,omitempty"`
	// pairs are those of the same content, as attack and as report, that were told apart.
	// +optional
	Pairs *BenchmarkShare `json:"pairs,omitempty"`
	// actionAttacks are attacks on tool calls that had their effect.
	// +optional
	ActionAttacks *BenchmarkShare `json:"actionAttacks,omitempty"`
	// actionsAllowed are tool calls of users that went through.
	// +optional
	ActionsAllowed *BenchmarkShare `json:"actionsAllowed,omitempty"`
	// dormancy are attacks that reached the agent after many harmless sessions.
	// +optional
	Dormancy *BenchmarkShare `json:"dormancy,omitempty"`
	// categories of attacks, those that succeed most often first, as many as fit.
	// +kubebuilder:validation:MaxItems=64
	// +listType=map
	// +listMapKey=name
	// +optional
	Categories []BenchmarkCategory `json:"categories,omitempty"`
	// missed says in words which limits are missed; none for a run that passed.
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=256
	// +listType=atomic
	// +optional
	Missed []string `json:"missed,omitempty"`
	// catalogs that were run: name, version and beginning of the hash of each.
	// +kubebuilder:validation:MaxLength=512
	// +optional
	Catalogs string `json:"catalogs,omitempty"`
}

// BenchmarkCategory is attack success within one category.
type BenchmarkCategory struct {
	// name of the category.
	// +kubebuilder:validation:MaxLength=64
	// +required
	Name string `json:"name"`
	// attacks of the category.
	// +required
	Attacks int32 `json:"attacks"`
	// attackSuccessOnPerMille is how many of them reach the agent under the policy.
	// +required
	AttackSuccessOnPerMille int32 `json:"attackSuccessOnPerMille"`
}

// BenchmarkSubject is what a run measures. A result counts as long as this is still so.
type BenchmarkSubject struct {
	// policyGeneration is the generation of the policy when the run was planned.
	// +optional
	PolicyGeneration int64 `json:"policyGeneration,omitempty"`
	// policyRevision is a hash of all in the policy that matters for the result, with its lexicons and limits. Its selector and what
	// sizes screeners and stores are not in it.
	// +optional
	PolicyRevision string `json:"policyRevision,omitempty"`
	// image of the screener that is measured.
	// +optional
	Image string `json:"image,omitempty"`
	// suites that are run; all but Haystack when empty.
	// +kubebuilder:validation:MaxItems=11
	// +listType=set
	// +optional
	Suites []BenchmarkSuite `json:"suites,omitempty"`
}

// BenchmarkRun is a run that is under way.
type BenchmarkRun struct {
	// jobName is the name of the run's Job.
	// +required
	JobName string `json:"jobName"`
	// cause of the run, in words.
	// +optional
	Cause string `json:"cause,omitempty"`
	// plannedAt is when the operator decided on the run.
	// +required
	PlannedAt metav1.Time `json:"plannedAt"`
	// startedAt is when the Job was created. Unset until the operator saw it.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// subject of the run.
	// +required
	Subject BenchmarkSubject `json:"subject"`
}

// BenchmarkResult is a run that is over.
type BenchmarkResult struct {
	// jobName is the name of the run's Job. It is gone some time after the run.
	// +required
	JobName string `json:"jobName"`
	// cause of the run, in words.
	// +optional
	Cause string `json:"cause,omitempty"`
	// startedAt is when the run began.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// completedAt is when the run was over.
	// +required
	CompletedAt metav1.Time `json:"completedAt"`
	// subject of the run.
	// +required
	Subject BenchmarkSubject `json:"subject"`
	// outcome of the run.
	// +required
	Outcome BenchmarkOutcome `json:"outcome"`
	// message says more about an outcome other than Measured.
	// +kubebuilder:validation:MaxLength=512
	// +optional
	Message string `json:"message,omitempty"`
	// figures of a run that measured.
	// +optional
	Figures *BenchmarkFigures `json:"figures,omitempty"`
}

// BenchmarkPastRun is an earlier run in short.
type BenchmarkPastRun struct {
	// completedAt is when the run was over.
	// +required
	CompletedAt metav1.Time `json:"completedAt"`
	// outcome of the run.
	// +required
	Outcome BenchmarkOutcome `json:"outcome"`
	// policyRevision that was measured.
	// +optional
	PolicyRevision string `json:"policyRevision,omitempty"`
	// attackSuccessOnPerMille is how many attacks reached the agent under the policy. Unset where nothing was measured.
	// +optional
	AttackSuccessOnPerMille *int32 `json:"attackSuccessOnPerMille,omitempty"`
	// falsePositivesPerMille is how many harmless memories were withheld. Unset where nothing was measured.
	// +optional
	FalsePositivesPerMille *int32 `json:"falsePositivesPerMille,omitempty"`
	// limitsMissed is how many limits were missed; 0 of a run that passed. Unset where nothing was measured.
	// +optional
	LimitsMissed *int32 `json:"limitsMissed,omitempty"`
}

// LastBenchmark is the run that measured a policy last, in short.
type LastBenchmark struct {
	// name of the MemoryBenchmark.
	// +required
	Name string `json:"name"`
	// completedAt is when the run was over.
	// +required
	CompletedAt metav1.Time `json:"completedAt"`
	// attackSuccessOffPerMille is how many attacks reach the agent with the defense off.
	// +required
	AttackSuccessOffPerMille int32 `json:"attackSuccessOffPerMille"`
	// attackSuccessOnPerMille is how many attacks reach the agent under the policy.
	// +required
	AttackSuccessOnPerMille int32 `json:"attackSuccessOnPerMille"`
	// falsePositivesPerMille is how many harmless memories were withheld under the policy.
	// +required
	FalsePositivesPerMille int32 `json:"falsePositivesPerMille"`
}

// MemoryBenchmarkStatus says what the last run measured and what comes next.
type MemoryBenchmarkStatus struct {
	// observedGeneration is the generation of the spec this status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// conditions of the benchmark: Ready, Running, Passed.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// run that is under way; unset when none is.
	// +optional
	Run *BenchmarkRun `json:"run,omitempty"`

	// lastRun is the last run that is over.
	// +optional
	LastRun *BenchmarkResult `json:"lastRun,omitempty"`

	// history lists earlier runs, newest first, as many as spec.historyLimit says.
	// +kubebuilder:validation:MaxItems=50
	// +listType=atomic
	// +optional
	History []BenchmarkPastRun `json:"history,omitempty"`

	// lastRequestedAt is the spec.requestedAt that was last followed.
	// +optional
	LastRequestedAt *metav1.Time `json:"lastRequestedAt,omitempty"`

	// nextScheduledAt is the next time of the schedule.
	// +optional
	NextScheduledAt *metav1.Time `json:"nextScheduledAt,omitempty"`
}

// MemoryBenchmark measures what a MemoryTrustPolicy is worth: a Job runs catalogs of attacks and of harmless memories under that
// policy, with the engine of the screeners and keys that are thrown away, and the result becomes the conditions Passed here and
// BenchmarkPassed there. No agent and no memory of one is touched.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=mbench,categories=memorytrust
// +kubebuilder:validation:XValidation:rule="self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 52",message="the name of a MemoryBenchmark is at most 52 lower-case letters, digits and '-': the names of its Jobs begin with it"
// +kubebuilder:printcolumn:name="Policy",type=string,JSONPath=`.spec.policyRef.name`
// +kubebuilder:printcolumn:name="Schedule",type=string,JSONPath=`.spec.schedule`
// +kubebuilder:printcolumn:name="Passed",type=string,JSONPath=`.status.conditions[?(@.type=="Passed")].status`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.conditions[?(@.type=="Passed")].reason`
// +kubebuilder:printcolumn:name="OffPerMille",type=integer,JSONPath=`.status.lastRun.figures.attackSuccessOffPerMille`,priority=1
// +kubebuilder:printcolumn:name="OnPerMille",type=integer,JSONPath=`.status.lastRun.figures.attackSuccessOnPerMille`
// +kubebuilder:printcolumn:name="FalsePerMille",type=integer,JSONPath=`.status.lastRun.figures.falsePositivesPerMille`
// +kubebuilder:printcolumn:name="Running",type=string,JSONPath=`.status.conditions[?(@.type=="Running")].status`
// +kubebuilder:printcolumn:name="Last",type=date,JSONPath=`.status.lastRun.completedAt`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type MemoryBenchmark struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard metadata of the object.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec says which policy is measured, with what, and when.
	// +required
	Spec MemoryBenchmarkSpec `json:"spec"`

	// status says what the last run measured and what comes next.
	// +optional
	Status MemoryBenchmarkStatus `json:"status,omitzero"`
}

// MemoryBenchmarkList is a list of MemoryBenchmark.
// +kubebuilder:object:root=true
type MemoryBenchmarkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []MemoryBenchmark `json:"items"`
}
