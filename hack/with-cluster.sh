#!/usr/bin/env bash
# Runs a command with a cluster and our images in it. Usage: with-cluster.sh COMMAND...
# The command finds KUBECONFIG, VERSION, and kubectl on its PATH. A cluster started for it is ended after it, unless KEEP=1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$here/use-cluster.sh"
cd "$repo_root"

trap release_cluster EXIT
use_cluster
"$@"
