# shellcheck shell=bash
# A cache of built binaries outside the clone. Sourced, never run.
#
# An entry is a directory <component>-<key>. The key is a hash of all that decides the content: module files, recipe,
# platform and Go version, so an entry never goes stale; it is only ever absent, whole, or damaged by someone else.
# It is built in a temporary directory and renamed when done. A manifest of names and sizes, written last, tells a whole
# entry from a damaged one. A lock per component keeps two builds of the same thing from doing the work twice.

cache_root=${MEMORYTRUST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/memorytrust}

# cache_key DIR FILE... hashes the files of a module directory, further files, and the toolchain used in it.
cache_key() {
  local dir=$1 toolchain
  shift
  toolchain=$(cd "$dir" && go env GOVERSION GOOS GOARCH)
  {
    printf '%s\n' "$toolchain"
    (cd "$dir" &&
      find . -type f \( -name '*.go' -o -name go.mod -o -name go.sum \) -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
    [ $# = 0 ] || cat "$@"
  } | sha256sum | cut -c1-16
}

# cache_write_manifest ENTRY
cache_write_manifest() {
  local manifest
  manifest=$(cd "$1" && find . -type f -printf '%s %P\n')
  printf '%s\n' "$manifest" >"$1/.complete"
}

# cache_is_whole ENTRY: the manifest is there, and so is every file it names, in its size.
cache_is_whole() {
  local entry=$1 missing
  [ -s "$entry/.complete" ] || return 1
  missing=$(LC_ALL=C comm -23 <(LC_ALL=C sort "$entry/.complete") <(cd "$entry" && find . -type f -printf '%s %P\n' | LC_ALL=C sort))
  [ -z "$missing" ]
}

# cache_ensure COMPONENT KEY BUILD_FUNCTION prints the entry's directory; BUILD_FUNCTION DIR fills it if it is not there.
# "set -e" is off inside BUILD_FUNCTION, as it is called from a condition: chain its commands with &&.
cache_ensure() {
  local component=$1 entry=$cache_root/$1-$2 build=$3
  if ! cache_is_whole "$entry"; then
    mkdir -p "$cache_root"
    (
      exec {lock}>"$cache_root/.lock-$component"
      flock -n "$lock" || { say "$component: waiting for another build" && flock "$lock"; }
      cache_is_whole "$entry" || cache_fill "$component" "$entry" "$build"
    ) >&2 || return 1
  fi
  printf '%s\n' "$entry"
}

# cache_fill COMPONENT ENTRY BUILD_FUNCTION, with the lock held. What a killed build left behind goes first.
cache_fill() {
  local component=$1 entry=$2 build=$3 begin=$SECONDS scratch
  rm -rf "$cache_root/.tmp-$component-"*
  scratch=$(mktemp -d "$cache_root/.tmp-$component-XXXXXX")
  chmod 755 "$scratch"
  say "$component: building"
  with_heartbeat "$component" "$build" "$scratch" || {
    rm -rf "$scratch"
    die "$component: the build failed"
  }
  cache_write_manifest "$scratch"
  rm -rf "$entry"
  mv "$scratch" "$entry"
  say "$component: built in $((SECONDS - begin))s"
}
