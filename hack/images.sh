#!/usr/bin/env bash
# Writes the container images as archives into bin/images/, without a container engine. VERSION is their tag.
# "images.sh postgres" writes the end-to-end suite's PostgreSQL server as well.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$repo_root/test/cluster/image.sh"
cd "$repo_root"

version=${VERSION:-v0.1.0}
arch=$(go env GOARCH)

GOOS=linux "$here/build.sh" ./cmd/manager ./cmd/screener ./cmd/memory-api ./cmd/mempoisonbench ./test/agent
mkdir -p bin/images
for name in manager screener memory-api test-agent; do
  beside=()
  # A benchmark in a cluster runs from the image of the screener it measures.
  [ "$name" != screener ] || beside=("bin/linux-$arch/mempoisonbench")
  image_archive "memorytrust.dev/$name:$version" "bin/linux-$arch/$name" "bin/images/$name.tar" "$arch" "${beside[@]}"
  say "image memorytrust.dev/$name:$version in bin/images/$name.tar"
done
cp "$("$repo_root/test/cluster/build.sh" pause)/pause.tar" bin/images/pause.tar
[ "${1:-}" != postgres ] || cp "$("$repo_root/test/cluster/postgres/image.sh")/postgres.tar" bin/images/postgres.tar
