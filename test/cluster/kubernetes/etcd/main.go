// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

// Command etcd is the etcd server, built from the versions this module pins.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
