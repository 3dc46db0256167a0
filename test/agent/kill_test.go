// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFirstProcess(t *testing.T) {
	const wanted, other = "5f3d0c9a7b21", "aaaabbbbcccc"
	node := map[string]string{ // the first process of the node, which is in no container
		"1/cgroup": "0::/init.scope\n", "1/status": "Name:\tinit\nNSpid:\t1\n",
		"self/cgroup": "0::/" + wanted + "\n", "uptime": "1 1\n",
	}
	for name, tt := range map[string]struct {
		processes map[string]string
		container string
		want      int // 0: none
	}{
		"version 2, systemd": {container: wanted, want: 71, processes: map[string]string{
			"70/cgroup": "0::/kubepods.slice/cri-containerd-" + other + ".scope\n", "70/status": "NSpid:\t70\t1\n",
			"71/cgroup": "0::/kubepods.slice/cri-containerd-" + wanted + ".scope\n", "71/status": "NSpid:\t71\t1\nThreads:\t9\n",
			"72/cgroup": "0::/kubepods.slice/cri-containerd-" + wanted + ".scope\n", "72/status": "NSpid:\t72\t8\n",
		}},
		"version 1": {container: wanted, want: 9, processes: map[string]string{
			"9/cgroup": "9:name=systemd:/kubepods/pod1/" + wanted + "\n0::/\n", "9/status": "NSpid:\t9\t1\n",
		}},
		"beside the container": {container: wanted, processes: map[string]string{
			"8/cgroup": "0::/crio-conmon-" + wanted + ".scope\n", "8/status": "NSpid:\t8\n",
		}},
		"gone meanwhile":  {container: wanted, processes: map[string]string{"8/stat": ""}},
		"another":         {container: wanted, processes: map[string]string{"8/cgroup": "0::/" + other + "\n", "8/status": "NSpid:\t8\t1\n"}},
		"no id":           {container: "", processes: map[string]string{"8/cgroup": "0::/" + other + "\n", "8/status": "NSpid:\t8\t1\n"}},
		"too short an id": {container: wanted[:3], processes: map[string]string{"8/cgroup": "0::/" + wanted + "\n", "8/status": "NSpid:\t8\t1\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			files := maps.Clone(node)
			maps.Copy(files, tt.processes)
			for file, content := range files {
				path := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := firstProcess(root, tt.container)
			if got != tt.want || (err != nil) != (tt.want == 0) {
				t.Errorf("%d, %v, want %d", got, err, tt.want)
			}
		})
	}
}

// No process of this machine is in a container of that name.
func TestKillNobody(t *testing.T) {
	if err := run(t.Context(), []string{"kill", strings.Repeat("0", 64)}); err == nil {
		t.Error("something was killed")
	}
}
