#!/usr/bin/env bash
# Builds kubectl memtrust as krew installs it: an archive for each platform that .krew.yaml names, and that manifest filled in, in bin/plugin/.
# VERSION is stamped in. PLATFORMS="linux/amd64 …" builds only these, and leaves the others out of the manifest. The same source gives the same bytes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

export VERSION=${VERSION:-v0.1.0}
manifest=bin/plugin/memtrust.yaml

# sum_of FILE prints its SHA-256.
sum_of() { if has sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }

# archive OS ARCH builds the plugin for a platform, and packs it with the license krew asks for.
archive() {
  local os=$1 arch=$2 work name=kubectl-memtrust
  work=$(mktemp -d)
  [ "$os" != windows ] || name+=.exe
  GOOS=$os GOARCH=$arch "$here/build.sh" ./cmd/kubectl-memtrust
  cp "bin/$os-$arch/kubectl-memtrust" "$work/$name"
  cp LICENSE "$work/LICENSE"
  touch -t 200001010000 "$work"/*
  # Only GNU tar can leave out who packs; elsewhere the bytes differ by that.
  local plain=()
  ! tar --version 2>/dev/null | grep -q GNU || plain=(--sort=name --owner=0 --group=0 --numeric-owner)
  tar -C "$work" "${plain[@]}" -cf - "$name" LICENSE | gzip -n >"bin/plugin/kubectl-memtrust-$os-$arch.tar.gz"
  rm -rf "$work"
}

mkdir -p bin/plugin
platforms=${PLATFORMS:-$(sed -n 's|.*{os: \([a-z]*\), arch: \([a-z0-9]*\)}.*|\1/\2|p' .krew.yaml)}
for platform in $platforms; do
  archive "${platform%/*}" "${platform#*/}"
done

# A platform is three lines of the manifest: its selector, where its archive is, and what to run.
held=""
while IFS= read -r line; do
  case $line in
    "  - selector:"*) held=$line ;;
    *"addURIAndSha"*)
      file=${line#*kubectl-memtrust-} file=kubectl-memtrust-${file%%\"*}
      platform=${file#kubectl-memtrust-} platform=${platform%.tar.gz} wanted=no
      [[ " ${platforms//$'\n'/ } " != *" ${platform/-//} "* ]] || wanted=yes
      [ "$wanted" = no ] || printf '%s\n    uri: https://memorytrust.dev/releases/%s/%s\n    sha256: %s\n' "$held" "$VERSION" "$file" "$(sum_of "bin/plugin/$file")"
      held=""
      ;;
    *matchLabels*) held+=$'\n'$line ;;
    "    bin:"*) [ "$wanted" = no ] || printf '%s\n' "$line" ;;
    "#"*) ;;
    *) printf '%s\n' "${line//"{{ .TagName }}"/$VERSION}" ;;
  esac
done <.krew.yaml >"$manifest"
say "$manifest; install with: kubectl krew install --manifest=$manifest --archive=bin/plugin/kubectl-memtrust-$(go env GOOS)-$(go env GOARCH).tar.gz"
