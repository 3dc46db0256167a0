#!/usr/bin/env bash
# Runs "go test" on the whole module: unit tests, and the suites that need an API server (envtest).
# KUBEBUILDER_ASSETS is honoured if set. ENVTEST=0 leaves the envtest suites out. TESTFLAGS go to "go test".
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

if [ "${ENVTEST:-1}" = 0 ]; then
  unset KUBEBUILDER_ASSETS
  say "LEFT OUT: the envtest suites, as ENVTEST=0"
  record envtest "left out" "ENVTEST=0"
else
  [ -n "${KUBEBUILDER_ASSETS:-}" ] || KUBEBUILDER_ASSETS=$("$repo_root/test/cluster/build.sh" envtest)
  export KUBEBUILDER_ASSETS
  say "envtest runs kube-apiserver and etcd from $KUBEBUILDER_ASSETS"
fi

# The official MCP clients and servers, for test/mcp and test/gateway. Without them the suite says what it leaves out.
if [ -z "${MEMORYTRUST_NODE:-}" ]; then
  if MEMORYTRUST_NODE=$("$here/node.sh"); then
    export MEMORYTRUST_NODE
  else
    unset MEMORYTRUST_NODE
    say "LEFT OUT: the tests with the official TypeScript clients and the servers from npm: no Node.js, see above"
    record mcp-clients "left out" "no Node.js"
  fi
fi

# A real PostgreSQL server, which the tests of internal/store/postgres start themselves; they fail without it.
[ -n "${MEMORYTRUST_POSTGRES:-}" ] || MEMORYTRUST_POSTGRES=$("$here/postgres.sh")
export MEMORYTRUST_POSTGRES

begin=$SECONDS result=passed status=0
# The rotation of many agents takes all processors there are, and runs alone.
mapfile -t packages < <(go list ./... | grep -v '/test/rotation$')
for run in "${packages[*]}" ./test/rotation; do
  say "go test $([ "$run" = ./test/rotation ] && echo "$run" || echo "./...")"
  # shellcheck disable=SC2086 # lists of packages and flags
  go test -timeout 20m ${TESTFLAGS:-} $run </dev/null || status=$? result=FAILED
done
record "unit${KUBEBUILDER_ASSETS:+ and envtest}" "$result" "$((SECONDS - begin))s"
exit "$status"
