#!/usr/bin/env bash
# Writes the container images as archives into bin/images/, without a container engine. VERSION is their tag.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$repo_root/test/cluster/image.sh"
cd "$repo_root"

version=${VERSION:-v0.1.0}
arch=$(go env GOARCH)

GOOS=linux "$here/build.sh" ./cmd/manager ./cmd/screener ./test/agent
mkdir -p bin/images
for name in manager screener test-agent; do
  image_archive "memorytrust.dev/$name:$version" "bin/linux-$arch/$name" "bin/images/$name.tar" "$arch"
  say "image memorytrust.dev/$name:$version in bin/images/$name.tar"
done
cp "$("$repo_root/test/cluster/build.sh" pause)/pause.tar" bin/images/pause.tar
