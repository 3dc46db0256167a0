// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"memorytrust.dev/operator/internal/memory"
	"memorytrust.dev/operator/internal/terminal"
)

// onTerminal is the plugin in front of a terminal.
type onTerminal struct {
	cmd     *exec.Cmd
	control *os.File

	mu   sync.Mutex
	seen bytes.Buffer
	end  chan error
}

// start runs the plugin on a terminal of a size.
func (s someone) start(columns, rows int, environment []string, args ...string) *onTerminal {
	GinkgoHelper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	Expect(err).NotTo(HaveOccurred())
	Expect(unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0)).To(Succeed())
	n, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	Expect(err).NotTo(HaveOccurred())
	Expect(unix.IoctlSetWinsize(int(control.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(columns), Row: uint16(rows)})).To(Succeed())
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	Expect(err).NotTo(HaveOccurred())
	t := &onTerminal{control: control, cmd: exec.Command(plugin, append(args, s.flags...)...), end: make(chan error, 1)}
	t.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", "NO_COLOR="), environment...)
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = tty, tty, tty
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	Expect(t.cmd.Start()).To(Succeed())
	Expect(tty.Close()).To(Succeed())
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := control.Read(buffer)
			t.mu.Lock()
			t.seen.Write(buffer[:n])
			t.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { t.end <- t.cmd.Wait() }()
	DeferCleanup(func() {
		_ = t.cmd.Process.Kill() // it may have ended
		_ = control.Close()
	})
	return t
}

// screen is all that was written so far.
func (t *onTerminal) screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ReplaceAll(t.seen.String(), "\r\n", "\n")
}

// types waits for the prompt that says, and types a line.
func (t *onTerminal) types(line string) {
	GinkgoHelper()
	t.mu.Lock()
	from := t.seen.Len()
	t.mu.Unlock()
	_, err := t.control.WriteString(line)
	Expect(err).NotTo(HaveOccurred())
	if !strings.HasSuffix(line, "\n") {
		return
	}
	Eventually(func() string {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.seen.String()[from:]
	}).Should(MatchRegexp(`(review>\S* |\): |SHA-256: )$`))
}

// ready waits for the first prompt.
func (t *onTerminal) ready() {
	GinkgoHelper()
	Eventually(t.screen).Should(HaveSuffix("review>\x1b[0m "))
}

// ended waits for the end, and returns the exit code.
func (t *onTerminal) ended() int {
	GinkgoHelper()
	var err error
	Eventually(t.end).Should(Receive(&err))
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	Expect(err).NotTo(HaveOccurred())
	return 0
}

// colors are all that a terminal may be told.
var colors = regexp.MustCompile(`\x1b\[[0-9]*m`)

// fits checks that nothing but colors acts on the terminal, and that lines fit. Commands to copy are never broken.
func (t *onTerminal) fits(columns int) {
	GinkgoHelper()
	text := colors.ReplaceAllString(t.screen(), "")
	Expect(raw(text)).To(BeFalse(), "%q", text)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.Contains(line, "To undo: ") {
			Expect(terminal.Width(line)).To(BeNumerically("<=", columns), line)
		}
	}
}

var _ = Describe("Reviewing on a terminal", Ordered, ContinueOnFailure, func() {
	BeforeAll(people)
	BeforeEach(func() { clean(desk) })

	for long, size := range map[string][2]int{"多くの言葉。": {80, 24}, "少しの時間、": {120, 40}} {
		It(fmt.Sprintf("works at %d by %d", size[0], size[1]), func() {
			columns := size[0]
			ids := []string{reception.write(plant, "web:evil.example"), reception.write(tricks, "web:tricks.example"), reception.write(strings.Repeat(long, 400), "web:日本語.example")}
			t := rita().start(columns, size[1], nil, "review", "-n", desk)
			t.ready()
			Expect(t.screen()).To(And(ContainSubstring("3 to decide"), ContainSubstring("forward every invoice"), ContainSubstring("\x1b[31mQuarantine\x1b[0m")))
			t.types("why\n")
			Expect(t.screen()).To(ContainSubstring("Withheld"))
			t.types("reject\n")
			t.types("a plant\n")
			Expect(reception.head(ids[0]).State).To(Equal(memory.Rejected))
			Expect(t.screen()).To(And(ContainSubstring(`\u001b[2J\u001b[H`), ContainSubstring(`\u202egnp.exe`)))
			t.types("undo\n")
			Expect(reception.head(ids[0]).State).To(Equal(memory.PendingReview))
			t.types("reject a plant\n")
			t.types("neighbors\n")
			t.types("a fine\n")
			Expect(t.screen()).To(ContainSubstring("content shows all of it"))
			t.types("promote\n")
			t.types("\n")
			Expect(t.screen()).To(ContainSubstring("Nothing was decided."))

			// Somebody else decides meanwhile; the person sees how it stands now, and goes on.
			ada().done("quarantine", ids[2], "-n", desk, "--reason", "unreadable")
			t.types("approve I can read it\n")
			Expect(t.screen()).To(ContainSubstring("It changed since it was shown"))
			Expect(reception.head(ids[2]).State).To(Equal(memory.PendingReview))
			t.types("nonsense\n")
			t.types("\x04")
			Expect(t.ended()).To(Equal(0))
			Expect(colors.ReplaceAllString(t.screen(), "")).To(ContainSubstring("Review: 1 approved, 1 rejected, 1 undone; 1 left."))
			t.fits(columns)
			GinkgoWriter.Println(t.screen())
		})
	}

	It("ends with Ctrl-C, and says what was decided", func() {
		ids := reception.ids("The bar opens at six.", "The bar has no terrace.")
		t := rita().start(80, 24, nil, "review", "-n", desk)
		t.ready()
		t.types("a seen\n")
		t.types("\x03")
		Expect(t.ended()).To(Equal(0))
		Expect(t.screen()).To(ContainSubstring("1 approved; 1 left."))
		Expect(reception.head(ids[1]).State).To(Equal(memory.PendingReview))
	})

	It("has no colors where nobody wants them", func() {
		reception.ids("The sauna is hot.")
		for _, environment := range []string{"NO_COLOR=1", "TERM=dumb"} {
			t := rita().start(80, 24, []string{environment}, "list", "-n", desk)
			Expect(t.ended()).To(Equal(0))
			Eventually(t.screen).Should(ContainSubstring("PendingReview"))
			Expect(t.screen()).NotTo(ContainSubstring("\x1b"))
		}
		t := rita().start(80, 24, nil, "list", "-n", desk)
		Expect(t.ended()).To(Equal(0))
		Eventually(t.screen).Should(ContainSubstring("\x1b[33mPendingReview\x1b[0m"))
	})
})
