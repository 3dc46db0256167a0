# shellcheck shell=bash
# Container images without a container engine: static binaries in a docker-archive. Sourced, never run.

# image_archive NAME:TAG BINARY OUTPUT.tar [GOARCH [BINARY...]] writes an image FROM scratch, which runs the first binary and holds the others
# beside it. Same input, same bytes.
image_archive() {
  local name=$1 binary=$2 output=$3 arch=${4:-} dir status=0
  dir=$(mktemp -d)
  install -m 0755 "$binary" "${@:5}" "$dir/" &&
    rootfs_archive "$name" "$dir" "$(basename "$binary")" "$output" "$arch" || status=$?
  rm -rf "$dir"
  return "$status"
}

# rootfs_archive NAME:TAG ROOTFS PROGRAM OUTPUT.tar [GOARCH] writes an image of the files in a directory, which runs a program in its root.
rootfs_archive() {
  local name=$1 rootfs=$2 program=$3 output=$4 arch=${5:-$(go env GOARCH)} dir digest status=0
  dir=$(mktemp -d)
  {
    image_tar "$dir/layer.tar" "$rootfs" . &&
      digest=$(sha256sum "$dir/layer.tar" | cut -d' ' -f1) &&
      image_config "$program" "$arch" "$digest" >"$dir/config.json" &&
      printf '[{"Config":"config.json","RepoTags":["%s"],"Layers":["layer.tar"]}]\n' "$name" >"$dir/manifest.json" &&
      image_tar "$dir/image.tar" "$dir" manifest.json config.json layer.tar &&
      mv "$dir/image.tar" "$output"
  } || status=$?
  rm -rf "$dir"
  return "$status"
}

# image_tar OUTPUT DIR FILE...: a tar that does not depend on clock, user or directory order.
image_tar() {
  local output=$1 dir=$2
  shift 2
  tar --format=gnu --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX,go-w -C "$dir" -cf "$output" "$@"
}

# image_config PROGRAM ARCH LAYER_DIGEST
image_config() {
  cat <<JSON
{
  "architecture": "$2",
  "os": "linux",
  "config": {"Entrypoint": ["/$1"], "Env": ["PATH=/"], "User": "65532:65532", "WorkingDir": "/"},
  "rootfs": {"type": "layers", "diff_ids": ["sha256:$3"]},
  "history": [{"created_by": "COPY $1 /$1"}]
}
JSON
}
