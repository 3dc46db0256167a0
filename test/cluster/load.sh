#!/usr/bin/env bash
# Puts images into the running local cluster. Usage: load.sh IMAGE_ARCHIVE...
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../hack/lib.sh"
. "$here/settings.sh"

cluster_is_up || die "the local cluster is not up"
path=$("$here/build.sh" cluster)
for archive in "$@"; do
  say "loading $(basename "$archive")"
  output=$(PATH=$path:$PATH ctr -a "$CONTAINERD_SOCKET" -n k8s.io images import "$archive" 2>&1) || die "$output"
done
