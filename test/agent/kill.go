// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// procRoot shows the processes of the PID namespace that this one is in: those of the node, in a pod with hostPID.
const procRoot = "/proc"

// kill ends a container as running out of memory would: SIGKILL to its first process, and no word to the kubelet before. The
// argument is the container's id, without the name of the runtime.
func kill(_ context.Context, args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	pid, err := firstProcess(procRoot, args[0])
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("killing process %d: %w", pid, err)
	}
	fmt.Println("killed process", pid)
	return nil
}

// minContainerID is how short an id may be; what is shorter might be part of another word in the name of a cgroup.
const minContainerID = 12

// firstProcess returns the process that is in a cgroup of the container and first in its PID namespace, which tells it from those
// that a runtime keeps beside a container.
func firstProcess(root, container string) (int, error) {
	if len(container) < minContainerID {
		return 0, fmt.Errorf("%q is no id of a container", container)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue // not a process
		}
		groups, err := readOf(root, entry.Name(), "cgroup")
		if err != nil {
			return 0, err
		}
		if !strings.Contains(groups, container) {
			continue
		}
		status, err := readOf(root, entry.Name(), "status")
		if err != nil {
			return 0, err
		}
		if isFirst(status) {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("no process of container %s is seen from here", container)
}

// readOf reads what /proc says of a process: nothing, if it is gone.
func readOf(root, process, file string) (string, error) {
	content, err := os.ReadFile(filepath.Join(root, process, file))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return "", nil
	}
	return string(content), err
}

// isFirst tells from the status of a process whether it has number 1 in the innermost PID namespace that it is in.
func isFirst(status string) bool {
	for line := range strings.Lines(status) {
		if numbers, ok := strings.CutPrefix(line, "NSpid:"); ok {
			fields := strings.Fields(numbers)
			return len(fields) > 1 && fields[len(fields)-1] == "1"
		}
	}
	return false
}
