# shellcheck shell=bash
# Starting the daemons and waiting for them. Sourced by node.sh.

# spawn NAME COMMAND...: in the background, with a log and a pid file.
spawn() {
  local name=$1
  shift
  setsid nohup "$@" >"log/$name.log" 2>&1 </dev/null &
  echo $! >"pid/$name.pid"
}

check_alive() {
  kill -0 "$(cat "pid/$1.pid")" 2>/dev/null && return
  tail -20 "log/$1.log" >&2
  die "$1 died"
}

check_all_alive() {
  local file
  for file in pid/*.pid; do check_alive "$(basename "$file" .pid)"; done
}

# wait_for NAME SECONDS COMMAND...: until the command succeeds; NAME is the daemon it depends on.
wait_for() {
  local name=$1 seconds=$2 deadline
  shift 2
  deadline=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    check_alive "$name"
    if [ "$SECONDS" -ge "$deadline" ]; then
      tail -20 "log/$name.log" >&2
      die "gave up on $name after ${seconds}s: $*"
    fi
    sleep 0.2
  done
}
