#!/usr/bin/env bash
# Prints a directory with the npm packages of test/mcp/typescript, which test/mcp and test/gateway use, installed into the cache
# first. "node" of version 18 or newer is taken from PATH; as root on Debian it is installed if it is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$here/cache.sh"

project=$repo_root/test/mcp/typescript
oldest=18

node_is_new_enough() {
  has node && has npm && [ "$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)" -ge "$oldest" ]
}

install_node() {
  { is_root && has apt-get; } || die "the MCP clients of the tests need node $oldest or newer and npm on PATH; install them, or run as root on Debian"
  local log
  log=$(mktemp)
  say "node: installing Debian's nodejs and npm"
  { apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm; } >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log" >&2
    rm -f "$log"
    die "node: apt-get failed"
  }
  rm -f "$log"
  hash -r
  node_is_new_enough || die "node: Debian's nodejs is older than version $oldest; put a newer node and npm on PATH"
}

# The lock file pins every package with its digest, and no script of a package runs.
build() {
  cp "$project/package.json" "$project/package-lock.json" "$1/" &&
    (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error </dev/null >&2)
}

node_is_new_enough || install_node
key=$(cat "$project/package.json" "$project/package-lock.json" "$here/node.sh" | sha256sum | cut -c1-16)
cache_ensure node "$key" build
