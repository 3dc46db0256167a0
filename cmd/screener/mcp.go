// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/url"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/server/admin/cli"
	"memorytrust.dev/operator/internal/server/mcp"
)

// mcpCommand returns the bridge for clients that start their servers as processes and speak to them over standard input and
// output.
func mcpCommand() *cobra.Command {
	var endpoint, namespace string
	cmd := &cobra.Command{
		Use: "mcp", Short: "Bridge an MCP client on standard input and output to a running screener",
		Long: "Passes the messages of an MCP client that starts its servers as processes on to the screener, and its answers back.\n" +
			"The screener has to run; clients that speak streamable HTTP use its URL and need no bridge.",
		Example: "  screener mcp --url http://127.0.0.1:8787/mcp",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage("mcp takes no arguments; see --help")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := url.Parse(endpoint)
			if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
				return cli.Usage("--url: give an address such as http://127.0.0.1:8787/mcp")
			}
			if namespace != "" {
				query := target.Query()
				query.Set("namespace", namespace)
				target.RawQuery = query.Encode()
			}
			return mcp.Bridge(cmd.Context(), target.String(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&endpoint, "url", "http://127.0.0.1:8787/mcp", "MCP endpoint of the screener")
	cmd.Flags().StringVarP(&namespace, "namespace", "n", "", "tenant inside the agent; its own by default")
	return cmd
}
