#!/usr/bin/env bash
# Runs every fuzz target for a while, one after the other. FUZZTIME is the time for each.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

# targets prints "package FuzzName", one a line, for every fuzz target of the module.
targets() {
  local file
  git ls-files --cached --others --exclude-standard -- '*_test.go' | while read -r file; do
    sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(.*|./$(dirname "$file") \1|p" "$file"
  done
}

list=$(targets)
failed=()
while read -r package target; do
  [ -n "$target" ] || continue
  say "fuzzing $package $target for ${FUZZTIME:-30s}"
  go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" </dev/null || failed+=("$package $target")
done <<<"$list"
[ ${#failed[@]} = 0 ] || die "failed: ${failed[*]}"
