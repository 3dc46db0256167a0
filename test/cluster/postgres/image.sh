#!/usr/bin/env bash
# Prints a directory with postgres.tar, the image of a PostgreSQL server for the end-to-end suite, built into the cache first:
# Debian's server as hack/postgres.sh unpacks it, the libraries it is linked with, a shell, and start.sh. About 70 MB, most of it
# libraries of this machine.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../../hack/lib.sh"
. "$here/../../../hack/cache.sh"
. "$here/../image.sh"

programs=$("$here/../../../hack/postgres.sh")
root=$(dirname "$programs")/root
[ -d "$root" ] || die "the image of PostgreSQL is made of Debian's packages, and $programs is none of them"
server=$(echo "$root"/usr/lib/postgresql/*)
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH

# needed prints the files that the programs load, the loader included.
needed() {
  ldd "$server/bin/postgres" "$server/bin/initdb" /bin/sh | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\t\(\/[^ ]*ld-[^ ]*\) .*/\1/p' | sort -u
}

# copy_libraries ROOTFS: where the loader looks without being told.
copy_libraries() {
  local library
  while read -r library; do
    case $library in
      */ld-*) install -D "$library" "$1$library" ;;
      *) install -D -m 0644 "$library" "$1/lib/$(basename "$(echo /usr/lib/*-linux-gnu)")/$(basename "$library")" ;;
    esac || return 1
  done < <(needed)
}

# copy_server ROOTFS: at the places that the programs were built for. Of its modules initdb needs two.
copy_server() {
  local home=$1${server#"$root"} module
  install -D -t "$home/bin" "$server/bin/postgres" "$server/bin/initdb" &&
    install -D -m 0644 -t "$home/lib" "$server/lib/plpgsql.so" "$server/lib/dict_snowball.so" &&
    mkdir -p "$1/usr/share" && cp -rL "$root/usr/share/postgresql" "$1/usr/share/"
}

build() {
  local rootfs=$1/rootfs
  mkdir "$rootfs" "$rootfs/etc" "$rootfs/data" && copy_server "$rootfs" && copy_libraries "$rootfs" &&
    install -D /bin/sh "$rootfs/bin/sh" && install "$here/start.sh" "$rootfs/start" &&
    printf 'postgres:x:65532:65532::/data:/bin/sh\n' >"$rootfs/etc/passwd" &&
    rootfs_archive memorytrust.dev/test-postgres:1 "$rootfs" start "$1/postgres.tar" && rm -rf "$rootfs"
}

key=$({
  cat "$here/image.sh" "$here/start.sh" "$here/../image.sh"
  printf '%s\n' "$programs"
  needed | xargs stat -L -c '%s %n'
} | sha256sum | cut -c1-16)
cache_ensure postgres-image "$key" build
