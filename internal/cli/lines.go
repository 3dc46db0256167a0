// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"memorytrust.dev/operator/internal/terminal"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 64 << 10

// lines reads what a person types, or what a program pipes in.
type lines struct {
	out         io.Writer
	interactive bool // a terminal echoes what is typed
	read        <-chan string
	failed      <-chan error
}

// newLines starts reading. It goes on until the input ends or ctx is done; a read that is under way then is left behind.
func newLines(ctx context.Context, in io.Reader, out io.Writer) *lines {
	read, failed := make(chan string), make(chan error, 1)
	go func() {
		defer close(read)
		s := bufio.NewScanner(in)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			select {
			case read <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		if errors.Is(s.Err(), bufio.ErrTooLong) {
			failed <- terminal.Usage(fmt.Sprintf("a line of the input is longer than %d bytes", maxLine))
		} else if s.Err() != nil {
			failed <- s.Err()
		}
	}()
	return &lines{out: out, interactive: terminal.Is(in), read: read, failed: failed}
}

// ask prints a question and returns the answer without blanks around it. The error is io.EOF at the end of the input.
func (l *lines) ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(l.out, question)
	select {
	case <-ctx.Done():
		fmt.Fprintln(l.out)
		return "", ctx.Err()
	case line, ok := <-l.read:
		if !ok {
			fmt.Fprintln(l.out)
			select {
			case err := <-l.failed:
				return "", err
			default:
				return "", io.EOF
			}
		}
		line = strings.TrimSpace(line)
		if !l.interactive { // so that what was piped in stands in what comes out
			fmt.Fprintln(l.out, terminal.Escape(line))
		}
		return line, nil
	}
}
