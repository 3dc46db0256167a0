// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// Looks of the progress bar.
const (
	barCells    = 30
	barInterval = 100 * time.Millisecond
	// barDelay is how long a run may take before a bar appears: most are over sooner.
	barDelay = time.Second
)

// progress draws a bar on a terminal, and nothing elsewhere. It is safe for concurrent use.
type progress struct {
	out   io.Writer // nil: draw nothing
	unit  string
	mu    sync.Mutex
	start time.Time
	drawn time.Time
}

// newProgress returns the progress of a run that counts in units.
func newProgress(out io.Writer, unit string) *progress {
	p := &progress{unit: unit, start: time.Now()}
	if isTerminal(out) {
		p.out = out
	}
	return p
}

// isTerminal reports whether somebody may be watching.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// step says how far the run is.
func (p *progress) step(done, total int) {
	if p.out == nil || total == 0 {
		return
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.start) < barDelay || now.Sub(p.drawn) < barInterval {
		return
	}
	p.drawn = now
	elapsed := now.Sub(p.start)
	left := time.Duration(float64(elapsed) / float64(max(done, 1)) * float64(total-done)).Round(time.Second)
	filled := barCells * done / total
	fmt.Fprintf(p.out, "\r\x1b[K[%s%s] %d of %d %s, %s left", strings.Repeat("=", filled), strings.Repeat(" ", barCells-filled),
		done, total, p.unit, left)
}

// end takes the bar away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.drawn.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
