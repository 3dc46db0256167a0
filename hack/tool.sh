#!/usr/bin/env bash
# Runs a pinned tool, building it into the cache first. Usage: tool.sh TOOL [ARGUMENT...]
# With --build as the only argument it is only built. Each tool is a module of its own in hack/tools/.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$here/cache.sh"

tool=${1:?usage: tool.sh TOOL [ARGUMENT...]}
shift
module=$here/tools/$tool
[ -f "$module/go.mod" ] || die "there is no tool $tool"

# A module that carries a program of its own is built as that; any other says in go.mod which program it stands for.
build() {
  local package=tool
  [ ! -f "$module/main.go" ] || package=.
  (cd "$module" && CGO_ENABLED=0 go build -mod=readonly -trimpath -ldflags '-s -w' -o "$1/" "$package")
}

entry=$(cache_ensure "$tool" "$(cache_key "$module" "$here/tool.sh")" build)
[ "$*" != --build ] || exit 0
exec "$entry/$tool" "$@"
