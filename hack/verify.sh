#!/usr/bin/env bash
# Fails unless everything generated, formatted and tidied is what is committed: makes it all anew, and asks git.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

# untidy prints what differs from the last commit: changed files, and new ones that git does not ignore.
untidy() {
  git status --porcelain --untracked-files=all
}

go_files() { git ls-files -z --cached --others --exclude-standard -- '*.go' | xargs -0 ls -d 2>/dev/null; }

say "generating code, manifests and the API reference"
for kind in code manifests reference; do "$here/generate.sh" "$kind"; done

say "checking the format"
unformatted=$(go_files | xargs gofmt -l)
[ -z "$unformatted" ] || die "not formatted, run 'make fmt':"$'\n'"$unformatted"

say "tidying modules"
go mod tidy

if [ -n "$(untidy)" ]; then
  git --no-pager diff --stat >&2
  git --no-pager diff >&2
  untidy >&2
  die "the tree differs from the last commit; commit what is listed above"
fi
say "verified: nothing to commit"
