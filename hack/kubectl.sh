#!/usr/bin/env bash
# Runs kubectl: $KUBECTL if set, else the one from the cache, else the one on the PATH, else it is built.
# With --which as the only argument it prints which one that is.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$here/cache.sh"

# cached_kubectl prints the kubectl of a whole entry, whatever its key: any of them does.
cached_kubectl() {
  local entry
  for entry in "$cache_root"/envtest-*; do
    if cache_is_whole "$entry"; then
      printf '%s\n' "$entry/kubectl"
      return
    fi
  done
  return 1
}

if [ -z "${KUBECTL:-}" ]; then
  KUBECTL=$(cached_kubectl) || KUBECTL=$(command -v kubectl) || KUBECTL=$("$here/../test/cluster/build.sh" envtest)/kubectl
fi
if [ "$*" = --which ]; then
  printf '%s\n' "$KUBECTL"
else
  exec "$KUBECTL" "$@"
fi
