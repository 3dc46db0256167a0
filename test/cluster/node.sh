#!/usr/bin/env bash
# The inside of the cluster: the first process of its PID namespace. Started by up.sh, never by hand.
# Usage: node.sh [IMAGE_ARCHIVE...]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../hack/lib.sh"
. "$here/settings.sh"
. "$here/packages.sh"
for part in processes pki control-plane runtime kubelet storage; do
  # shellcheck disable=SC1090
  . "$here/node/$part.sh"
done

export PATH=$CLUSTER_PATH:$PATH KUBECONFIG=$KUBECONFIG_ADMIN
pause_archive=${CLUSTER_PATH##*:}/pause.tar      # build.sh names the pause image last

# make_mounts gives the daemons, in this mount namespace only, the system directories they insist on, a /run on which
# programs may be executed, and mounts that they share with each other.
make_mounts() {
  local dir
  mount --make-rshared /
  mount --bind "$RUN" "$RUN"
  mount -o remount,bind,exec,dev,suid "$RUN"
  for dir in "${system_directories[@]}"; do
    mount -t tmpfs tmpfs "$dir"
  done
  mkdir -p "$RUN"/{pki,log,pid,cni/net.d,cni/state,kubelet,containerd,containerd-state,manifests,etcd,volumes}
}

set_sysctls() {
  sysctl -qw net.ipv4.ip_forward=1
  sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || true
}

make_mounts
set_sysctls
cd "$RUN"
make_pki

start_etcd
start_apiserver
start_containerd
import_images "$pause_archive" "$@"
wait_for_apiserver
start_controller_manager
start_scheduler
start_kubelet
start_proxy
start_dns
make_storage
wait_for_node
check_all_alive

touch "$RUN/ready"
while :; do # the first process of a PID namespace inherits orphans, and must not end
  sleep 3600 &
  wait $! || true
done
