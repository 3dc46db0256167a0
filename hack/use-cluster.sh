# shellcheck shell=bash
# A cluster with our images in it, for the length of a script. Sourced by scripts of hack/ after lib.sh, never run.
# shellcheck disable=SC2154 # here and repo_root are the caller's

cluster_started=

# use_cluster [postgres] makes sure that a cluster is up, that our images are in it, and that the environment leads to it.
use_cluster() {
  "$here/images.sh" "$@"
  if ! "$here/cluster.sh" is-up; then
    cluster_started=1
    "$here/cluster.sh" up
  fi
  KUBECONFIG=$("$here/cluster.sh" kubeconfig)
  export KUBECONFIG VERSION=${VERSION:-v0.1.0}
  "$here/cluster.sh" load bin/images/*.tar
  KUBECTL=$("$here/kubectl.sh" --which)
  export KUBECTL
  put_kubectl_on_path
}

# release_cluster ends the cluster if use_cluster started it. For a trap on EXIT.
release_cluster() {
  [ -n "$cluster_started" ] || return 0
  if [ -n "${KEEP:-}" ]; then
    say "KEEP is set: the cluster stays up; 'make cluster-down' ends it"
  else
    "$here/cluster.sh" down
  fi
}

# put_kubectl_on_path: scripts and suites call kubectl by its name, and get the one that fits, with our plugin.
put_kubectl_on_path() {
  mkdir -p bin/path
  ln -sf "$KUBECTL" bin/path/kubectl
  "$here/build.sh" ./cmd/kubectl-memtrust
  ln -sf "$repo_root/bin/$(go env GOOS)-$(go env GOARCH)/kubectl-memtrust" bin/path/kubectl-memtrust
  PATH=$repo_root/bin/path:$PATH
}
