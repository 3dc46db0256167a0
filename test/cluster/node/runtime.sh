# shellcheck shell=bash
# containerd and the pod network. Sourced by node.sh.

# containerd_config: inside a container, root may lack the right to lower an OOM score, and AppArmor cannot be used.
containerd_config() {
  cat <<TOML
version = 2
root = "$RUN/containerd"
state = "$RUN/containerd-state"
oom_score = 0

[grpc]
  address = "$CONTAINERD_SOCKET"

[plugins."io.containerd.nri.v1.nri"]
  disable = true

[plugins."io.containerd.internal.v1.opt"]
  path = "$RUN/opt"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "memorytrust.dev/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
  tolerate_missing_hugetlb_controller = true

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "$(cni_plugins)"
    conf_dir = "$RUN/cni/net.d"

  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "runc"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
TOML
}

pod_network_config() {
  cat <<JSON
{
  "cniVersion": "1.0.0",
  "name": "test",
  "plugins": [
    {
      "type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": true, "hairpinMode": true,
      "ipam": {
        "type": "host-local", "dataDir": "$RUN/cni/state",
        "ranges": [[{"subnet": "$POD_CIDR"}]], "routes": [{"dst": "0.0.0.0/0"}]
      }
    },
    {"type": "portmap", "capabilities": {"portMappings": true}}
  ]
}
JSON
}

run_ctr() { ctr -a "$CONTAINERD_SOCKET" -n k8s.io "$@"; }

start_containerd() {
  containerd_config >containerd.toml
  pod_network_config >cni/net.d/10-test.conflist
  spawn containerd containerd -c containerd.toml
  wait_for containerd 60 run_ctr version
}

import_images() {
  local archive
  for archive in "$@"; do
    run_ctr images import "$archive" >>log/import.log 2>&1 || {
      tail -5 log/import.log >&2
      die "cannot import $archive"
    }
  done
  say "containerd up, $# images loaded"
}
