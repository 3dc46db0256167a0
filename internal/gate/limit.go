// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"memorytrust.dev/operator/internal/policy"
)

// minBurst is how many writes at once are never too many.
const minBurst = 20

// writeRates holds one token bucket per principal. The zero value is ready.
type writeRates struct {
	mu      sync.Mutex
	buckets map[string]*rate.Limiter
}

// allow takes one write of c out of its bucket. It returns a *LimitError when there is none left.
func (w *writeRates) allow(r *policy.Runtime, c Caller, now time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	bucket := w.bucket(r, c.writer().Principal, now)
	reservation := bucket.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	reservation.CancelAt(now)
	return &LimitError{
		Limit: "spec.limits.writesPerMinute", RetryAfter: wholeSeconds(min(wait, time.Hour)),
		Fix: "write more slowly, or have the limit of the policy raised",
	}
}

// bucket returns the bucket of a principal, as the policy in force wants it. There are never many more than the policy has
// channels: those of principals that it does not name any more go first.
func (w *writeRates) bucket(r *policy.Runtime, principal string, now time.Time) *rate.Limiter {
	limit, burst := rate.Limit(float64(r.WritesPerMinute)/60), max(r.WritesPerMinute/10, minBurst)
	bucket, ok := w.buckets[principal]
	if !ok {
		w.prune(r)
		bucket = rate.NewLimiter(limit, burst)
		w.buckets[principal] = bucket
	}
	if bucket.Limit() != limit {
		bucket.SetLimitAt(now, limit)
		bucket.SetBurstAt(now, burst)
	}
	return bucket
}

func (w *writeRates) prune(r *policy.Runtime) {
	if w.buckets == nil {
		w.buckets = map[string]*rate.Limiter{}
	}
	if len(w.buckets) <= len(r.Channels) {
		return
	}
	named := map[string]bool{"": true} // the agent's own port
	for _, c := range r.Channels {
		named[c.Principal] = true
	}
	for principal := range w.buckets {
		if !named[principal] {
			delete(w.buckets, principal)
		}
	}
}

// wholeSeconds rounds up to seconds, at least one, as Retry-After has it.
func wholeSeconds(d time.Duration) time.Duration {
	return max((d+time.Second-1)/time.Second, 1) * time.Second
}
