#!/usr/bin/env bash
# One way to a cluster for tests and demo, wherever it comes from.
#
#   cluster.sh mode         prints existing, local, kind, or none followed by the reason
#   cluster.sh kubeconfig   prints the path of its kubeconfig
#   cluster.sh is-up        succeeds if it is up
#   cluster.sh up           starts it, if it is ours to start
#   cluster.sh down         ends it, if it is ours to end
#   cluster.sh load TAR...  puts image archives into it
#
# CLUSTER=auto (the default) takes the cluster of $KUBECONFIG if that is set, else the local cluster of test/cluster/ if
# that can run here, else kind if a Docker engine answers. CLUSTER=existing, local, kind or none decides it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$repo_root/test/cluster/settings.sh"
. "$repo_root/test/cluster/packages.sh"

kind_name=memorytrust
kind_kubeconfig=${XDG_CACHE_HOME:-$HOME/.cache}/memorytrust/kind.kubeconfig

kind_works() { has kind && has docker && docker version >/dev/null 2>&1; }

auto_mode() {
  local obstacle
  obstacle=$(local_cluster_obstacle)
  if [ "${KUBECONFIG:-}" = "$KUBECONFIG_ADMIN" ]; then
    echo local
  elif [ "${KUBECONFIG:-}" = "$kind_kubeconfig" ]; then
    echo kind
  elif [ -n "${KUBECONFIG:-}" ]; then
    echo existing
  elif [ -z "$obstacle" ]; then
    echo local
  elif kind_works; then
    echo kind
  else
    echo "none no KUBECONFIG is set, there is no kind with a Docker engine, and a local cluster cannot run: $obstacle"
  fi
}

mode() {
  case ${CLUSTER:=auto} in
    auto) auto_mode ;;
    existing) if [ -n "${KUBECONFIG:-}" ]; then echo existing; else echo "none CLUSTER=existing needs KUBECONFIG"; fi ;;
    local | kind) echo "$CLUSTER" ;;
    none) echo "none CLUSTER=none" ;;
    *) die "CLUSTER is auto, existing, local, kind or none, not $CLUSTER" ;;
  esac
}

existing_kubeconfig() { printf '%s\n' "$KUBECONFIG"; }
existing_is_up() { "$here/kubectl.sh" version >/dev/null 2>&1; }
existing_up() { say "using the cluster of KUBECONFIG=$KUBECONFIG"; }
existing_down() { say "the cluster of KUBECONFIG=$KUBECONFIG is not ours to end"; }
existing_load() { say "an existing cluster pulls its images itself; push the archives in bin/images/ to where it looks"; }

local_kubeconfig() { printf '%s\n' "$KUBECONFIG_ADMIN"; }
local_is_up() { cluster_is_up; }
local_up() { "$repo_root/test/cluster/up.sh"; }
local_down() { "$repo_root/test/cluster/down.sh"; }
local_load() { "$repo_root/test/cluster/load.sh" "$@"; }

kind_kubeconfig() { printf '%s\n' "$kind_kubeconfig"; }
kind_is_up() { kind get clusters 2>/dev/null | grep -qx "$kind_name"; }
kind_up() {
  kind_works || die "CLUSTER=kind needs kind and a Docker engine that answers"
  mkdir -p "$(dirname "$kind_kubeconfig")"
  if kind_is_up; then
    kind export kubeconfig --name "$kind_name" --kubeconfig "$kind_kubeconfig" >&2
  else
    kind create cluster --name "$kind_name" --kubeconfig "$kind_kubeconfig" --wait 120s >&2
  fi
}
kind_down() {
  kind delete cluster --name "$kind_name" --kubeconfig "$kind_kubeconfig" >&2
  rm -f "$kind_kubeconfig"
}
kind_load() {
  local archive
  for archive in "$@"; do kind load image-archive "$archive" --name "$kind_name" >&2; done
}

command=${1:?usage: cluster.sh mode|kubeconfig|is-up|up|down|load}
shift
chosen=$(mode)
case $command in
  mode) printf '%s\n' "$chosen" ;;
  kubeconfig | is-up | up | down | load)
    [ "${chosen%% *}" != none ] || die "no cluster: ${chosen#none }"
    "${chosen}_${command//-/_}" "$@"
    ;;
  *) die "unknown command $command" ;;
esac
