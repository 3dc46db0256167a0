#!/usr/bin/env bash
# Runs every suite, and says at the end which ran, how they went, and which were left out and why.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

TEST_SUMMARY=$(mktemp)
export TEST_SUMMARY
trap 'rm -f "$TEST_SUMMARY"' EXIT

status=0
for suite in test-unit test-e2e; do
  say "=== $suite"
  recorded=$(grep -c FAILED "$TEST_SUMMARY" || true)
  "$here/$suite.sh" || {
    status=1
    [ "$(grep -c FAILED "$TEST_SUMMARY" || true)" != "$recorded" ] || record "$suite" FAILED "before it could run"
  }
done

printf '\n=== summary after %ds\n' "$((EPOCHSECONDS - STARTED_AT))"
while IFS=$'\t' read -r suite result note; do
  printf '  %-28s %-10s %s\n' "$suite" "$result" "$note"
done <"$TEST_SUMMARY"
if [ "$status" = 0 ]; then echo "=== PASSED"; else echo "=== FAILED"; fi
exit "$status"
