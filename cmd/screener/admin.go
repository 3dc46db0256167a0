// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"memorytrust.dev/operator/internal/policy"
	"memorytrust.dev/operator/internal/server/admin"
	"memorytrust.dev/operator/internal/server/admin/cli"
)

// reach says how an admin port is reached.
type reach struct {
	data       string
	addr       string
	serverName string
	files      policy.AdminFiles
}

// adminCommand returns the commands with which people review memory. Beside a screener that runs alone, they find what they
// need in its key directory.
func adminCommand() *cobra.Command {
	var r reach
	cmd := cli.New(cli.Config{Program: "screener admin", Connect: r.connect})
	f := cmd.PersistentFlags()
	f.StringVar(&r.data, "data", defaultData, "the --data of the screener, for the client certificate in its key directory")
	f.StringVar(&r.addr, "addr", standaloneAdminAddr, "address of the admin port")
	f.StringVar(&r.serverName, "server-name", "", "name in the screener's certificate, where it is not the host of --addr")
	f.StringVar(&r.files.Cert, "cert", "", "client certificate, PEM; from the key directory by default")
	f.StringVar(&r.files.Key, "key", "", "key of --cert, PEM; from the key directory by default")
	f.StringVar(&r.files.CA, "ca", "", "authority of the screener's certificate, PEM; from the key directory by default")
	return cmd
}

func (r *reach) connect(principal, namespace string) (*admin.Client, error) {
	files := policy.Standalone{KeyDir: keyDir(r.data)}.AdminFiles()
	for _, f := range []struct{ given, used *string }{
		{&r.files.Cert, &files.Cert}, {&r.files.Key, &files.Key}, {&r.files.CA, &files.CA},
	} {
		if *f.given != "" {
			*f.used = *f.given
		}
	}
	cert, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		return nil, fmt.Errorf("client certificate (name the screener's --data, or --cert, --key and --ca): %w", err)
	}
	ca, err := os.ReadFile(files.CA)
	if err != nil {
		return nil, fmt.Errorf("authority of the screener: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("authority of the screener: no certificate in %s", files.CA)
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{cert}, RootCAs: roots, ServerName: r.serverName,
	}
	return admin.NewClient(r.addr, config, principal, namespace), nil
}
