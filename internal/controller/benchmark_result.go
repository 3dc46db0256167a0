// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"memorytrust.dev/operator/api/v1alpha1"
)

const (
	// terminationSchema is the version of the message that this operator reads.
	terminationSchema = 1
	// maxTerminationBytes is how much the kubelet keeps of a container's message.
	maxTerminationBytes = 4096

	maxBenchmarkCategories   = 64
	maxBenchmarkCategoryName = 64
	maxBenchmarkMissed       = 16
	maxBenchmarkMissedBytes  = 256
	maxBenchmarkCatalogs     = 512
	maxBenchmarkMessage      = 512
	// maxBenchmarkCount bounds every count; catalogs are far smaller.
	maxBenchmarkCount = 100_000_000
)

// fraction is a count, and what it is of, in a termination message.
type fraction [2]int64

func (f fraction) valid() bool { return 0 <= f[0] && f[0] <= f[1] && f[1] <= maxBenchmarkCount }

// share is the fraction as the API has it.
func (f fraction) share() v1alpha1.BenchmarkShare {
	return v1alpha1.BenchmarkShare{Count: int32(f[0]), Of: int32(f[1])} //nolint:gosec // bounded by valid
}

// perMille rounds up: nothing but 0 is 0.
func (f fraction) perMille() int32 {
	if f[1] == 0 {
		return 0
	}
	return int32((f[0]*1000 + f[1] - 1) / f[1]) //nolint:gosec // at most 1000
}

// termination is what mempoisonbench writes as a container's last word: package bench has its other side. The manager does not import
// that, with its catalogs and stores.
type termination struct {
	SchemaVersion int                 `json:"v"`
	Passed        bool                `json:"passed"`
	Catalogs      string              `json:"catalogs"`
	Recall        *fraction           `json:"recall"`
	ContentFalse  *fraction           `json:"contentFalsePositives"`
	Pairs         *fraction           `json:"pairs"`
	Modes         []terminationMode   `json:"modes"`
	Categories    map[string]fraction `json:"categories"`
	Errors        int64               `json:"errors"`
	Missed        []string            `json:"missed"`
}

type terminationMode struct {
	Mode           string    `json:"mode"`
	Off            fraction  `json:"attackSuccessOff"`
	On             fraction  `json:"attackSuccessOn"`
	FalsePositives fraction  `json:"falsePositives"`
	Trials         *fraction `json:"trials"`
	Controls       *fraction `json:"controls"`
	Chains         *fraction `json:"chains"`
	Actions        *fraction `json:"actionAttacks"`
	Allowed        *fraction `json:"actionsAllowed"`
	Dormancy       *fraction `json:"dormancy"`
}

// parseTermination reads the figures of a run. What it returns is bounded whatever the message says; errors quote nothing of it.
func parseTermination(message string) (*v1alpha1.BenchmarkFigures, error) {
	if len(message) > maxTerminationBytes {
		return nil, fmt.Errorf("it is %d bytes long, at most %d are read", len(message), maxTerminationBytes)
	}
	var t termination
	decoder := json.NewDecoder(strings.NewReader(message))
	if err := decoder.Decode(&t); err != nil {
		return nil, errors.New("it is not the JSON of mempoisonbench")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON of mempoisonbench")
	}
	if t.SchemaVersion != terminationSchema {
		return nil, fmt.Errorf("it has version %d, and this operator reads version %d: operator and screener are of different releases",
			t.SchemaVersion, terminationSchema)
	}
	if len(t.Modes) > 1 {
		return nil, errors.New("it has figures of several trust modes")
	}
	return t.figures()
}

func (t termination) figures() (*v1alpha1.BenchmarkFigures, error) {
	f := &v1alpha1.BenchmarkFigures{Catalogs: cutText(t.Catalogs, maxBenchmarkCatalogs)}
	valid := t.Errors >= 0
	optional := func(to **v1alpha1.BenchmarkShare, from *fraction) {
		if from == nil {
			return
		}
		valid = valid && from.valid()
		s := from.share()
		*to = &s
	}
	optional(&f.ContentFlagged, t.Recall)
	optional(&f.ContentFalsePositives, t.ContentFalse)
	optional(&f.Pairs, t.Pairs)
	for _, m := range t.Modes { // one or none
		valid = valid && m.Off.valid() && m.On.valid() && m.FalsePositives.valid() && m.Off[1] == m.On[1]
		f.Attacks, f.AttacksSucceededOff, f.AttacksSucceededOn = m.On.share().Of, m.Off.share().Count, m.On.share().Count
		f.AttackSuccessOffPerMille, f.AttackSuccessOnPerMille = m.Off.perMille(), m.On.perMille()
		f.Benign, f.BenignWithheld, f.FalsePositivesPerMille = m.FalsePositives.share().Of, m.FalsePositives.share().Count, m.FalsePositives.perMille()
		optional(&f.Trials, m.Trials)
		optional(&f.Controls, m.Controls)
		optional(&f.Chains, m.Chains)
		optional(&f.ActionAttacks, m.Actions)
		optional(&f.ActionsAllowed, m.Allowed)
		optional(&f.Dormancy, m.Dormancy)
	}
	for name, c := range t.Categories {
		valid = valid && c.valid() && name != "" && len(name) <= maxBenchmarkCategoryName
		f.Categories = append(f.Categories, v1alpha1.BenchmarkCategory{Name: name, Attacks: c.share().Of, AttackSuccessOnPerMille: c.perMille()})
	}
	if !valid {
		return nil, errors.New("its figures are impossible")
	}
	slices.SortFunc(f.Categories, func(a, b v1alpha1.BenchmarkCategory) int {
		return cmp.Or(cmp.Compare(b.AttackSuccessOnPerMille, a.AttackSuccessOnPerMille), cmp.Compare(a.Name, b.Name))
	})
	f.Categories = f.Categories[:min(len(f.Categories), maxBenchmarkCategories)]
	f.Missed = t.missed()
	return f, nil
}

// missed lists what keeps the run from having passed; nothing for one that did.
func (t termination) missed() []string {
	var out []string
	for _, m := range t.Missed {
		if len(out) == maxBenchmarkMissed-1 {
			break
		}
		out = append(out, cutText(m, maxBenchmarkMissedBytes))
	}
	if t.Errors > 0 {
		out = append(out, fmt.Sprintf("%d attempts came to nothing, so that the figures are of the others", t.Errors))
	}
	if len(out) == 0 && !t.Passed {
		out = append(out, "the run says that it did not pass, and not why")
	}
	return out
}

// cutText bounds a text of somebody else, and takes out what a terminal would act on.
func cutText(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit-3], "") + "..."
	}
	return s
}

// runEnd is how the Job of a run ended.
type runEnd struct {
	at      time.Time
	outcome v1alpha1.BenchmarkOutcome
	message string
	figures *v1alpha1.BenchmarkFigures
}

// jobEnded returns the condition that ended a Job; nil while it goes on.
func jobEnded(job *batchv1.Job) *batchv1.JobCondition {
	for i := range job.Status.Conditions {
		c := &job.Status.Conditions[i]
		if (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue {
			return c
		}
	}
	return nil
}

// judgeJob says what came of a Job that ended. A run that misses its limits ends with an error and a result all the same.
func judgeJob(job *batchv1.Job, ended *batchv1.JobCondition, pods []corev1.Pod) runEnd {
	end := runEnd{at: ended.LastTransitionTime.Time}
	if t := job.Status.CompletionTime; t != nil {
		end.at = t.Time
	}
	last := lastTerminated(job, pods)
	switch {
	case last != nil && strings.TrimSpace(last.Message) != "":
		figures, err := parseTermination(last.Message)
		if err != nil {
			end.outcome, end.message = v1alpha1.BenchmarkResultInvalid, "The result cannot be used: "+err.Error()
			return end
		}
		end.outcome, end.figures = v1alpha1.BenchmarkMeasured, figures
	case ended.Type == batchv1.JobComplete:
		end.outcome, end.message = v1alpha1.BenchmarkResultMissing, "The run ended well and left no result"
	case ended.Reason == batchv1.JobReasonDeadlineExceeded:
		end.outcome, end.message = v1alpha1.BenchmarkTimedOut, "The run was ended at its time limit, spec.timeoutSeconds"
	case last != nil:
		end.outcome, end.message = v1alpha1.BenchmarkFailed, exitMessage(last)
	default:
		end.outcome = v1alpha1.BenchmarkFailed
		end.message = cutText(fmt.Sprintf("The Job failed (%s): %s", ended.Reason, ended.Message), maxBenchmarkMessage)
	}
	return end
}

// exitMessage says in words how a container without a result ended. The codes are those of mempoisonbench.
func exitMessage(t *corev1.ContainerStateTerminated) string {
	switch {
	case t.Reason == "OOMKilled":
		return "The run was killed because it needed more memory than spec.resources allows"
	case t.ExitCode == 2:
		return "The benchmark could not use what it was given (exit code 2)"
	}
	return cutText(fmt.Sprintf("The benchmark could not run (exit code %d, %s)", t.ExitCode, cmp.Or(t.Reason, "no reason")), maxBenchmarkMessage)
}

// lastTerminated returns how the benchmark's container ended that ended last, of the pods that this very Job made.
func lastTerminated(job *batchv1.Job, pods []corev1.Pod) *corev1.ContainerStateTerminated {
	var last *corev1.ContainerStateTerminated
	for i := range pods {
		owner := metav1.GetControllerOf(&pods[i])
		if owner == nil || owner.UID != job.UID {
			continue
		}
		for j := range pods[i].Status.ContainerStatuses {
			c := &pods[i].Status.ContainerStatuses[j]
			if c.Name != benchmarkContainer || c.State.Terminated == nil {
				continue
			}
			if last == nil || last.FinishedAt.Before(&c.State.Terminated.FinishedAt) {
				last = c.State.Terminated
			}
		}
	}
	return last
}
