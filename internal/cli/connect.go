// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"memorytrust.dev/operator/internal/terminal"
	"memorytrust.dev/operator/internal/version"
)

// connection is what says which API server is asked, about which namespace, and on whose behalf: the flags kubectl has, with their names.
type connection struct {
	kubeconfig string
	overrides  clientcmd.ConfigOverrides
}

func (c *connection) bind(f *pflag.FlagSet) {
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "path of the kubeconfig to use")
	clientcmd.BindOverrideFlags(&c.overrides, f, clientcmd.RecommendedConfigOverrideFlags(""))
	for _, name := range []string{ // these matter now and then; --help stays readable without
		clientcmd.FlagAPIServer, clientcmd.FlagTLSServerName, clientcmd.FlagInsecure, clientcmd.FlagCertFile, clientcmd.FlagKeyFile, clientcmd.FlagCAFile,
		clientcmd.FlagBearerToken, clientcmd.FlagImpersonateUID, clientcmd.FlagUsername, clientcmd.FlagPassword, clientcmd.FlagProxyURL,
		clientcmd.FlagDisableCompression, clientcmd.FlagClusterName, clientcmd.FlagAuthInfoName, "as-user-extra",
	} {
		if f.Lookup(name) != nil {
			_ = f.MarkHidden(name) // exists
		}
	}
}

func (c *connection) loader() clientcmd.ClientConfig {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	rules.WarnIfAllMissing = false
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &c.overrides)
}

// config returns how to reach the API server.
func (c *connection) config() (*rest.Config, error) {
	config, err := c.loader().ClientConfig()
	switch {
	case err != nil && c.empty():
		return nil, terminal.Usage("no cluster is configured: give --kubeconfig or set KUBECONFIG")
	case err != nil && c.astray():
		return nil, terminal.Usage(fmt.Sprintf("--context: there is no %q; 'kubectl config get-contexts' lists what there is", c.overrides.CurrentContext))
	case err != nil:
		return nil, terminal.Usage("--kubeconfig: " + err.Error())
	}
	config.UserAgent = "kubectl-memtrust/" + version.Version
	return config, nil
}

// empty reports whether no file says anything of a cluster.
func (c *connection) empty() bool {
	raw, err := c.loader().RawConfig()
	return err == nil && len(raw.Clusters) == 0 && len(raw.Contexts) == 0
}

// astray reports whether the flag names a context that does not exist.
func (c *connection) astray() bool {
	raw, err := c.loader().RawConfig()
	return err == nil && c.overrides.CurrentContext != "" && raw.Contexts[c.overrides.CurrentContext] == nil
}

// namespace returns the namespace of --namespace, or that of the context.
func (c *connection) namespace() (string, error) {
	namespace, _, err := c.loader().Namespace()
	if err != nil {
		if _, err := c.config(); err != nil { // says it better
			return "", err
		}
		return "", terminal.Usage("--kubeconfig: " + err.Error())
	}
	return namespace, nil
}

// flags returns those that lead a second command to the same place, with a blank before each.
func (c *connection) flags(namespace string) string {
	out := " -n " + terminal.Quote(namespace)
	for _, f := range []struct{ name, value string }{
		{"kubeconfig", c.kubeconfig}, {"context", c.overrides.CurrentContext}, {"as", c.overrides.AuthInfo.Impersonate},
	} {
		if f.value != "" {
			out += " --" + f.name + " " + terminal.Quote(f.value)
		}
	}
	for _, g := range c.overrides.AuthInfo.ImpersonateGroups {
		out += " --as-group " + terminal.Quote(g)
	}
	return out
}
