#!/usr/bin/env bash
# Runs the end-to-end suite of test/e2e/ against a cluster, which it starts if none is up and ends if it started it.
# KEEP=1 leaves it up. E2EFLAGS go to "go test". Which cluster: see cluster.sh. The suite finds in its environment
# KUBECONFIG, VERSION (the tag of the loaded images), and kubectl on its PATH.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

leave_out() {
  say "LEFT OUT: the end-to-end suite: $1"
  record e2e "left out" "$1"
  exit 0
}

has_suite() { ls test/e2e/*_test.go >/dev/null 2>&1; }

run_suite() {
  # shellcheck disable=SC2086 # a list of flags
  go test -tags e2e ./test/e2e/... -count=1 -timeout 40m -v -ginkgo.v ${E2EFLAGS:-} </dev/null
}

has_suite || leave_out "there is none in test/e2e"
mode=$("$here/cluster.sh" mode)
[ "${mode%% *}" != none ] || leave_out "${mode#none }"

# The kubelets of real clusters refresh mounted Secrets and ConfigMaps each minute; what we start does, too.
export SYNC_FREQUENCY=${SYNC_FREQUENCY:-1m}

# Specs of agents in PostgreSQL need a server of it in an image, which is made of Debian's.
database=(postgres)
"$repo_root/test/cluster/postgres/image.sh" >/dev/null || {
  say "LEFT OUT: the end-to-end specs of agents in PostgreSQL: there is no image of a server, see above"
  record "e2e, postgres" "left out" "no image of a server"
  database=() E2EFLAGS="-ginkgo.label-filter=!postgres ${E2EFLAGS:-}"
}

begin=$SECONDS result=FAILED
. "$here/use-cluster.sh"
trap 'record "e2e ($mode cluster)" "$result" "$((SECONDS - begin))s"; release_cluster' EXIT
use_cluster "${database[@]}"
say "end-to-end suite"
run_suite
result=passed
