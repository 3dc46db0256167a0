#!/usr/bin/env bash
# Prints a directory with PostgreSQL's initdb, pg_ctl and postgres, for the tests of internal/store/postgres. Debian's packages
# are unpacked into the cache and not installed: no service starts, and nothing outside the cache changes. Where there is no
# apt-get, the programs of an installed PostgreSQL 13 or newer do.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
. "$here/cache.sh"

programs=(initdb pg_ctl postgres)

# version prints the newest version of PostgreSQL that Debian has.
version() { apt-cache depends postgresql 2>/dev/null | sed -n 's/^ *Depends: postgresql-\([0-9]*\)$/\1/p' | head -n 1; }

# installed prints the directory of an installed PostgreSQL, or nothing.
installed() {
  local dir
  for dir in "$(pg_config --bindir 2>/dev/null || true)" /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/local/pgsql/bin; do
    if [ -x "$dir/postgres" ] && [ -x "$dir/initdb" ] && [ -x "$dir/pg_ctl" ]; then
      printf '%s\n' "$dir"
      return
    fi
  done
}

# libraries prints the packages of libraries that are not there. LLVM is left out: it is for compiling queries, which a server
# of the tests does not do.
libraries() {
  LC_ALL=C apt-get install -s --no-install-recommends "postgresql-$1" 2>/dev/null |
    sed -n 's/^Inst \(lib[^ ]*\) .*/\1/p' | grep -v -e '^libllvm' -e '-perl$' -e '-dev$' -e '^libpq5$' || true
}

# fetch downloads the packages into a directory. Package lists that are out of date name files that are gone.
fetch() {
  local -a packages
  mapfile -t packages < <(libraries "$debian")
  cd "$1" || return 1
  apt-get download -qq "postgresql-$debian" libpq5 "${packages[@]}" >&2 && return
  is_root && apt-get update -qq </dev/null >&2 && apt-get download -qq "postgresql-$debian" libpq5 "${packages[@]}" >&2
}

build() {
  local dir=$1 package program
  mkdir "$dir/packages" "$dir/bin" && (fetch "$dir/packages") || return 1
  for package in "$dir"/packages/*.deb; do
    dpkg-deb -x "$package" "$dir/root" || return 1
  done
  rm -rf "$dir/packages" "$dir/root/usr/share/doc" "$dir/root/usr/share/locale" "$dir/root/usr/share/man" \
    "$dir/root/usr/lib/postgresql/$debian/lib/bitcode"
  for program in "${programs[@]}"; do
    cat >"$dir/bin/$program" <<END || return 1
#!/bin/sh
root=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")/root
LD_LIBRARY_PATH=\$(echo "\$root"/usr/lib/*-linux-gnu) exec "\$root/usr/lib/postgresql/$debian/bin/$program" "\$@"
END
    chmod 755 "$dir/bin/$program" && "$dir/bin/$program" --version >&2 || return 1
  done
}

if has apt-get && has dpkg-deb; then
  debian=$(version)
  if [ -z "$debian" ] && is_root; then
    say "postgres: reading Debian's package lists"
    apt-get update -qq </dev/null >&2 || die "postgres: apt-get update failed"
    debian=$(version)
  fi
  if [ -n "$debian" ]; then
    policy=$(LC_ALL=C apt-cache policy "postgresql-$debian" libpq5 | sed -n 's/^ *Candidate: //p')
    key=$(printf '%s\n' "$policy" "$(dpkg --print-architecture)" "$(cat "$here/postgres.sh")" | sha256sum | cut -c1-16)
    entry=$(cache_ensure "postgres-$debian" "$key" build)
    printf '%s/bin\n' "$entry"
    exit
  fi
fi
dir=$(installed)
[ -n "$dir" ] || die "the tests of the PostgreSQL store need PostgreSQL's server programs (initdb, pg_ctl, postgres), version 13 or newer: install them, or run on Debian"
printf '%s\n' "$dir"
