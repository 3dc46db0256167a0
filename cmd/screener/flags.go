// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/spf13/pflag"

	"memorytrust.dev/operator/internal/policy"
)

const usage = `screener puts a trust boundary between an agent and its memory.

In a cluster the operator injects and configures it:
  screener --config-dir /etc/memorytrust --data /var/lib/memorytrust/memory.db

Alone, it reads the same MemoryTrustPolicy that kubectl applies, and keeps its keys beside the data:
  screener --policy policy.yaml --data ./memory.db
  curl -s http://127.0.0.1:8787/v1/memories -H 'Content-Type: application/json' \
    -d '{"content": "The user prefers metric units.", "source": "cli"}'

Flags:
`

// options are the flags.
type options struct {
	configDir   string
	policyFile  string
	data        string
	agentAddr   string
	channelAddr string
	adminAddr   string
	healthAddr  string
	tokens      map[string]string
	tlsCert     string
	tlsKey      string
	version     bool
}

// standaloneHealthAddr is the default of --health-addr without a cluster: no kubelet has to reach it.
const standaloneHealthAddr = "127.0.0.1:9090"

func (o options) standalone() bool { return o.policyFile != "" }

func parseFlags(args []string, help io.Writer) (options, error) {
	var o options
	f := pflag.NewFlagSet("screener", pflag.ContinueOnError)
	f.SortFlags = false
	f.SetOutput(help)
	f.Usage = func() { fmt.Fprint(help, usage, f.FlagUsages()) }
	f.StringVar(&o.configDir, "config-dir", "", "directory with policy, keys and certificates, watched for changes (in a cluster)")
	f.StringVar(&o.policyFile, "policy", "", "MemoryTrustPolicy file, YAML or JSON, watched for changes (alone)")
	f.StringVar(&o.data, "data", "memory.db", "file that holds the memory; made when missing, never on a network file system")
	f.StringVar(&o.agentAddr, "agent-addr", "127.0.0.1:8787", "address of the agent's port: HTTP without credentials, loopback only")
	f.StringVar(&o.channelAddr, "channel-addr", ":8788", "address of the channel port: TLS and a bearer token; empty turns it off")
	f.StringVar(&o.adminAddr, "admin-addr", ":9443", "address of the admin port: mutual TLS, the manager only; always off with --policy")
	f.StringVar(&o.healthAddr, "health-addr", ":9090", "address of /healthz, /readyz and /metrics; "+standaloneHealthAddr+" by default with --policy")
	f.StringToStringVar(&o.tokens, "channel-token", nil, "with --policy: NAME=FILE, the file with the bearer token of a channel of the policy; repeatable")
	f.StringVar(&o.tlsCert, "tls-cert", "", "with --policy: certificate of the channel port, PEM; self-signed and kept beside the data by default")
	f.StringVar(&o.tlsKey, "tls-key", "", "with --policy: key of --tls-cert, PEM")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.standalone() {
		o.adminAddr = ""
		if !f.Changed("health-addr") {
			o.healthAddr = standaloneHealthAddr
		}
	}
	if o.version {
		return o, nil
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q; see --help", f.Arg(0))
	}
	return o, o.check()
}

func (o options) check() error {
	switch {
	case (o.configDir == "") == (o.policyFile == ""):
		return errors.New("give either --config-dir (in a cluster) or --policy (alone); see --help")
	case o.data == "":
		return errors.New("--data names no file")
	case (o.tlsCert == "") != (o.tlsKey == ""):
		return errors.New("--tls-cert and --tls-key go together")
	case !o.standalone() && (len(o.tokens) > 0 || o.tlsCert != ""):
		return errors.New("--channel-token, --tls-cert and --tls-key go with --policy; in a cluster they come from --config-dir")
	}
	host, _, err := net.SplitHostPort(o.agentAddr)
	if err != nil {
		return fmt.Errorf("--agent-addr: %w", err)
	}
	if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--agent-addr %s: this port asks for no credentials and only opens on a loopback address, such as 127.0.0.1:8787", o.agentAddr)
	}
	return nil
}

// keys describes the key directory of a screener without a cluster.
func (o options) keys() policy.Standalone {
	return policy.Standalone{
		PolicyFile: o.policyFile, KeyDir: o.data + ".keys", Tokens: o.tokens, CertFile: o.tlsCert, KeyFile: o.tlsKey,
	}
}
