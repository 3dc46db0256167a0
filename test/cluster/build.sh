#!/usr/bin/env bash
# Builds the binaries of the test cluster from source, with nothing but Go and the module proxy, into the cache.
#
#   build.sh envtest   kube-apiserver, etcd, kubectl: all that envtest needs; prints the directory
#   build.sh cluster   everything a node needs; prints the directories, joined by ":" as for PATH
#   build.sh pause     the pause image; prints the directory
#
# Cold: about 7 minutes on 2 cores, of which envtest takes 4. Warm: under a second.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../hack/lib.sh"
. "$here/../../hack/cache.sh"
. "$here/image.sh"

export CGO_ENABLED=0

# module_version DIR MODULE: the version a module directory pins.
module_version() { (cd "$1" && go list -m -f '{{.Version}}' "$2"); }

# go_build MODULE_DIR OUTPUT_DIR LDFLAGS PACKAGE... builds without optimisation, which takes a third less time.
go_build() {
  local module=$1 output=$2 ldflags=$3
  shift 3
  (cd "$module" && go build -mod=readonly -trimpath -gcflags='all=-N -l' -ldflags "-s -w $ldflags" -o "$output/" "$@")
}

# go_build_kubernetes OUTPUT_DIR PACKAGE...: Kubernetes asks its binaries for their version, which "go build" leaves out.
go_build_kubernetes() {
  local output=$1 version minor package=k8s.io/component-base/version
  shift
  version=$(module_version "$here/kubernetes" k8s.io/kubernetes)
  minor=${version#v1.}
  go_build "$here/kubernetes" "$output" "-X $package.gitVersion=$version -X $package.gitMajor=1 \
    -X $package.gitMinor=${minor%%.*} -X $package.gitTreeState=clean" "$@"
}

build_envtest() { go_build_kubernetes "$1" ./etcd k8s.io/kubernetes/cmd/{kube-apiserver,kubectl}; }

build_kubernetes() {
  go_build_kubernetes "$1" k8s.io/kubernetes/cmd/{kube-controller-manager,kube-scheduler,kubelet,kube-proxy}
}

build_containerd() {
  local module=github.com/containerd/containerd/v2 version
  version=$(module_version "$here/containerd" "$module")
  go_build "$here/containerd" "$1" "-X $module/version.Version=$version" \
    "$module"/cmd/{containerd,ctr,containerd-shim-runc-v2}
}

build_coredns() { go_build "$here/coredns" "$1" "" .; }

build_pause() {
  go_build "$here/pause" "$1" "" . && image_archive memorytrust.dev/pause:1 "$1/pause" "$1/pause.tar"
}

# component NAME MODULE_DIR [RECIPE...] prints the cache entry, building it when needed. This script is part of every recipe.
component() {
  local name=$1 module=$here/$2 key
  shift 2
  key=$(cache_key "$module" "$here/build.sh" "$@")
  cache_ensure "$name" "$key" "build_$name"
}

envtest() { component envtest kubernetes; }
pause() { component pause pause "$here/image.sh"; }

cluster() {
  local path
  path=$(envtest)
  path+=:$(component kubernetes kubernetes)
  path+=:$(component containerd containerd)
  path+=:$(component coredns coredns)
  path+=:$(pause)
  printf '%s\n' "$path"
}

case ${1:-} in
  envtest) envtest ;;
  cluster) cluster ;;
  pause) pause ;;
  *) die "usage: build.sh envtest|cluster|pause" ;;
esac
