#!/usr/bin/env bash
# Starts a one-node Kubernetes cluster from plain binaries. Usage: up.sh [IMAGE_ARCHIVE...]
#
# Every process of the cluster lives in PID, mount and network namespaces of its own: ending one process (down.sh) ends
# all daemons, shims and containers, and takes mounts, bridges, iptables rules and sysctls along. From the host, the API
# server, pods and Services are reached through a veth pair; from pods, the host is $HOST_IP.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../hack/lib.sh"
. "$here/../../hack/cache.sh"
. "$here/settings.sh"
. "$here/packages.sh"
. "$here/network.sh"
. "$here/cgroups.sh"

check_possible() {
  local obstacle
  obstacle=$(local_cluster_obstacle)
  [ -z "$obstacle" ] || die "cannot run a local cluster here: $obstacle"
}

# clear_remains: a cluster that crashed, or was killed half-way up, leaves things behind that would be in the way.
clear_remains() {
  if [ -e "$RUN" ] || network_exists; then
    say "clearing what an earlier cluster left behind"
    "$here/down.sh"
  fi
}

# start_node runs node.sh in new namespaces, on its own: it must outlive this script and the terminal.
# nsenter is used rather than "ip netns exec", which hides /sys/fs/cgroup behind a new sysfs.
start_node() {
  setsid nohup nsenter --net="/run/netns/$NETNS" \
    unshare --mount --pid --fork --kill-child --mount-proc "$here/node.sh" "$@" \
    >"$RUN/up.log" 2>&1 </dev/null 9>&- &
  write_holder $!
}

# follow_node HOLDER shows the progress of node.sh until the cluster is ready or the node is gone.
follow_node() {
  local holder=$1 tail_pid
  tail -n +1 -f --pid=$$ "$RUN/up.log" >&2 2>/dev/null 9>&- &
  tail_pid=$!
  while [ ! -f "$RUN/ready" ] && kill -0 "$holder" 2>/dev/null; do sleep 0.1; done
  sleep 0.2
  kill "$tail_pid" 2>/dev/null || true
  wait "$tail_pid" 2>/dev/null || true
  [ -f "$RUN/ready" ]
}

# make_system_directories notes which ones it had to make: down.sh removes those.
make_system_directories() {
  local directory
  for directory in "${system_directories[@]}"; do
    [ -d "$directory" ] || echo "$directory" >>"$RUN/made-directories"
    mkdir -p "$directory"
  done
}

keep_logs() {
  local kept
  kept=$(mktemp -d "${TMPDIR:-/tmp}/memorytrust-cluster-logs-XXXXXX")
  cp -r "$RUN/up.log" "$RUN/log" "$kept/" 2>/dev/null || true
  warn "the cluster did not come up; its logs are in $kept"
}

bring_up() {
  clear_remains
  mkdir -p "$RUN"
  trap 'status=$?; [ "$status" = 0 ] || { keep_logs; "$here/down.sh"; }' EXIT
  trap 'exit 130' INT TERM HUP
  say "starting the cluster in $RUN"
  make_system_directories
  network_up
  cgroups_up
  start_node "$@"
  follow_node "$(cluster_holder)" || exit 1
  say "cluster ready: export KUBECONFIG=$KUBECONFIG_ADMIN"
}

check_possible
install_packages
CLUSTER_PATH=$("$here/build.sh" cluster)
export CLUSTER_PATH
exec 9>"$cache_root/.lock-up-$CLUSTER_ID"   # two at once: the second finds the cluster up
flock 9
if cluster_is_up; then
  say "the cluster is already up: KUBECONFIG=$KUBECONFIG_ADMIN"
  [ $# = 0 ] || "$here/load.sh" "$@"
else
  bring_up "$@"
fi
