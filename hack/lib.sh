# shellcheck shell=bash
# Functions shared by the scripts of hack/ and test/cluster/. Sourced, never run.
# shellcheck disable=SC2034 # used by those who source it

shopt -s inherit_errexit   # a failure inside $(...) is a failure

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export STARTED_AT=${STARTED_AT:-$EPOCHSECONDS}   # of the first script; those it calls count on

# The user's workspace or flags must not change what is built or how it is hashed. With -trimpath and
# without cgo everywhere, tests and programs share what is compiled, and no C compiler is needed.
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-buildvcs=false -trimpath'

# All progress goes to stderr, so that stdout stays free for results.
say() { printf '[%4ds] %s\n' "$((EPOCHSECONDS - STARTED_AT))" "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

# with_heartbeat LABEL COMMAND... runs the command and says every 30 seconds that it still runs.
with_heartbeat() {
  local label=$1 begin=$SECONDS status=0 ticker
  shift
  (
    # shellcheck disable=SC2064 # the sleep is this subshell's own child
    trap 'kill $(jobs -p) 2>/dev/null; exit 0' TERM
    while sleep 30 & wait $!; do say "  $label: still running after $((SECONDS - begin))s"; done
  ) </dev/null >/dev/null &
  ticker=$!
  "$@" || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  return "$status"
}

# record SUITE RESULT NOTE adds a line to the summary that hack/test.sh prints at the end, if there is one.
record() {
  [ -n "${TEST_SUMMARY:-}" ] || return 0
  printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$TEST_SUMMARY"
}
