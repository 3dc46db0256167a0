// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/pflag"

	"memorytrust.dev/operator/internal/policy"
)

const about = `screener puts a trust boundary between an agent and its memory. Without a command it serves.

In a cluster the operator injects and configures it. Alone, it reads the same MemoryTrustPolicy that kubectl applies,
and keeps its keys beside the data.`

const example = `  screener --config-dir /etc/memorytrust --data /var/lib/memorytrust/memory.db

  screener --policy policy.yaml --data ./memory.db
  curl -s http://127.0.0.1:8787/v1/memories -H 'Content-Type: application/json' \
    -d '{"content": "The user prefers metric units.", "source": "cli"}'
  screener admin queue`

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
	issuerURL   string
	issuerKeys  string
	lexicons    map[string]string
	judgeKey    string
	upstreams   []string          // NAME=COMMAND
	credentials map[string]string // of upstreams: NAME=FILE
	storeURI    string
	version     bool
}

// Addresses without a cluster: neither a kubelet nor a manager has to reach them.
const (
	standaloneHealthAddr = "127.0.0.1:9090"
	standaloneAdminAddr  = "127.0.0.1:9443"
)

// defaultData is the file that holds the memory unless a flag names another.
const defaultData = "memory.db"

func (o options) standalone() bool { return o.policyFile != "" }

// bind defines the flags of the server.
func (o *options) bind(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&o.configDir, "config-dir", "", "directory with policy, keys and certificates, watched for changes (in a cluster)")
	f.StringVar(&o.policyFile, "policy", "", "MemoryTrustPolicy file, YAML or JSON, watched for changes (alone)")
	f.StringVar(&o.data, "data", defaultData, "file that holds the memory; made when missing, never on a network file system")
	f.StringVar(&o.agentAddr, "agent-addr", "127.0.0.1:8787", "address of the agent's port: HTTP without credentials, loopback only")
	f.StringVar(&o.channelAddr, "channel-addr", ":8788", "address of the channel port: TLS and a bearer token; empty turns it off")
	f.StringVar(&o.adminAddr, "admin-addr", ":9443", "address of the admin port: mutual TLS, the manager only; with --policy "+
		standaloneAdminAddr+" by default, loopback only, for 'screener admin'; empty turns it off")
	f.StringVar(&o.healthAddr, "health-addr", ":9090", "address of /healthz, /readyz and /metrics; "+standaloneHealthAddr+" by default with --policy")
	f.StringToStringVar(&o.tokens, "channel-token", nil, "with --policy: NAME=FILE, the file with the bearer token of a channel of the policy; repeatable")
	f.StringVar(&o.tlsCert, "tls-cert", "", "with --policy: certificate of the channel port, PEM; self-signed and kept beside the data by default")
	f.StringVar(&o.tlsKey, "tls-key", "", "with --policy: key of --tls-cert, PEM")
	f.StringVar(&o.issuerURL, "serviceaccount-issuer", "", "with --policy: issuer of the ServiceAccount tokens that channels take, as in the claim iss")
	f.StringVar(&o.issuerKeys, "serviceaccount-keys", "", "with --policy: file with the keys of that issuer, a JSON Web Key Set, "+
		"watched for changes; 'kubectl get --raw /openid/v1/jwks' writes it")
	f.StringToStringVar(&o.lexicons, "lexicon", nil, "with --policy: NAME=PATH, the file, or the directory of files, that stands for a ConfigMap "+
		"of spec.screening.lexiconRefs, watched for changes; repeatable")
	f.StringVar(&o.judgeKey, "judge-key", "", "with --policy: file with the key of the judge's endpoint, watched for changes")
	f.StringArrayVar(&o.upstreams, "upstream-command", nil, "with --policy: NAME=COMMAND, run an upstream of the policy as a process that speaks MCP "+
		"on its standard streams, instead of connecting to its url; words are separated by spaces; repeatable")
	f.StringToStringVar(&o.credentials, "upstream-credential", nil, "with --policy: NAME=FILE, the file with the credential of an upstream of the policy; "+
		"repeatable")
	f.StringVar(&o.storeURI, "store-uri", "", "with --policy: file with the connection URI of the database, for spec.store.type Postgres, watched for changes")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
}

// complete fills in what depends on other flags, and checks all of them.
func (o *options) complete(f *pflag.FlagSet) error {
	if o.standalone() {
		if !f.Changed("admin-addr") {
			o.adminAddr = standaloneAdminAddr
		}
		if !f.Changed("health-addr") {
			o.healthAddr = standaloneHealthAddr
		}
	}
	if o.version {
		return nil
	}
	return o.check()
}

func (o options) check() error {
	switch {
	case (o.configDir == "") == (o.policyFile == ""):
		return errors.New("give either --config-dir (in a cluster) or --policy (alone); see --help")
	case o.data == "":
		return errors.New("--data names no file")
	case (o.tlsCert == "") != (o.tlsKey == ""):
		return errors.New("--tls-cert and --tls-key go together")
	case (o.issuerURL == "") != (o.issuerKeys == ""):
		return errors.New("--serviceaccount-issuer and --serviceaccount-keys go together")
	case !o.standalone() && (len(o.tokens) > 0 || o.tlsCert != "" || o.issuerURL != "" || len(o.lexicons) > 0 || o.judgeKey != "" ||
		len(o.upstreams) > 0 || len(o.credentials) > 0 || o.storeURI != ""):
		return errors.New("--channel-token, --tls-cert, --tls-key, --serviceaccount-..., --lexicon, --judge-key, --upstream-... and --store-uri go with --policy; " +
			"in a cluster they come from --config-dir")
	}
	if _, err := o.commands(); err != nil {
		return err
	}
	if err := loopback("--agent-addr", o.agentAddr, "this port asks for no credentials"); err != nil {
		return err
	}
	if o.standalone() && o.adminAddr != "" {
		return loopback("--admin-addr", o.adminAddr, "without a cluster this port is for people on this machine")
	}
	return nil
}

// commands are the programs that upstreams run as, with their arguments.
func (o options) commands() (map[string][]string, error) {
	out := map[string][]string{}
	for _, given := range o.upstreams {
		name, command, ok := strings.Cut(given, "=")
		words := strings.Fields(command)
		switch {
		case !ok || name == "" || len(words) == 0:
			return nil, fmt.Errorf("--upstream-command %s: it looks like notes='npx -y @modelcontextprotocol/server-memory'", given)
		case out[name] != nil:
			return nil, fmt.Errorf("--upstream-command: there are two commands for %s", name)
		}
		out[name] = words
	}
	return out, nil
}

// loopback refuses an address that others can reach.
func loopback(flag, addr, why string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%s %s: %s and only opens on a loopback address, such as 127.0.0.1", flag, addr, why)
	}
	return nil
}

// keys describes the key directory of a screener without a cluster.
func (o options) keys() policy.Standalone {
	return policy.Standalone{
		PolicyFile: o.policyFile, KeyDir: keyDir(o.data), Tokens: o.tokens, CertFile: o.tlsCert, KeyFile: o.tlsKey,
		IssuerURL: o.issuerURL, IssuerKeysFile: o.issuerKeys, Lexicons: o.lexicons, JudgeKeyFile: o.judgeKey, Credentials: o.credentials,
		StoreURIFile: o.storeURI,
	}
}

// keyDir is where the keys of a screener without a cluster lie.
func keyDir(data string) string { return data + ".keys" }
