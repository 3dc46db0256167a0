#!/usr/bin/env bash
# Ends the local cluster and removes all it left. It touches nothing that up.sh did not start. Safe to call at any time.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../hack/lib.sh"
. "$here/settings.sh"
. "$here/network.sh"
. "$here/cgroups.sh"

# wait_gone PID...: until each process is gone, or is a zombie that its parent has yet to notice.
wait_gone() {
  local pid
  for pid in "$@"; do
    for _ in $(seq 100); do
      case $(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null) in '' | Z) break ;; esac
      sleep 0.1
    done
  done
}

# kill_cluster: with the holder dies the first process of the PID namespace, and with that one all others in it.
# If the state directory is lost, the network namespace, which is ours alone, still tells which processes are ours.
kill_cluster() {
  local holder init pids=()
  if holder=$(cluster_holder); then
    init=$(cat "/proc/$holder/task/$holder/children" 2>/dev/null || true)
    # shellcheck disable=SC2206 # a list of numbers
    pids=($holder $init)
  elif [ -e "/run/netns/$NETNS" ]; then
    mapfile -t pids < <(ip netns pids "$NETNS" 2>/dev/null)
  fi
  [ ${#pids[@]} -gt 0 ] || return 0
  kill -KILL "${pids[@]}" 2>/dev/null || true
  wait_gone "${pids[@]}"
}

# remove_system_directories: those that up.sh made. They are left to another cluster, if one still runs, as removing a
# directory takes what is mounted there in other namespaces with it. "ip netns" leaves a mount on the host.
remove_system_directories() {
  local directory other
  [ -f "$RUN/made-directories" ] || return 0
  for other in /run/memorytrust*; do
    if [ -f "$other/holder" ] && [ "$other" != "$RUN" ]; then
      cat "$RUN/made-directories" >>"$other/made-directories"
      return
    fi
  done
  while read -r directory; do
    { [ -d "$directory" ] && [ -z "$(ls -A "$directory")" ]; } || continue
    ! mountpoint -q "$directory" || umount "$directory" || continue
    rmdir "$directory" || true
  done <"$RUN/made-directories"
}

is_root || die "only root can end the local cluster"
if [ ! -e "$RUN" ] && ! network_exists; then
  say "no cluster to end"
  exit 0
fi
kill_cluster
network_down
cgroups_down
remove_system_directories
rm -rf --one-file-system "$RUN"
say "cluster ended"
