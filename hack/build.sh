#!/usr/bin/env bash
# Builds static binaries into bin/<os>-<arch>/. Usage: build.sh [PACKAGE...]   (default: all of ./cmd)
# VERSION is stamped in; GOOS and GOARCH choose the platform. The same source gives the same bytes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

version=${VERSION:-v0.1.0}
output=bin/$(go env GOOS)-$(go env GOARCH)
[ $# -gt 0 ] || set -- ./cmd/*/

mkdir -p "$output"
for package in "$@"; do
  package=${package%/}
  name=$(basename "$package")
  # The package of the test agent is called "agent"; its program and image say whose agent it is.
  [ "$package" != ./test/agent ] || name=test-agent
  say "building $output/$name"
  CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X memorytrust.dev/operator/internal/version.Version=$version" \
    -o "$output/$name" "$package"
done
