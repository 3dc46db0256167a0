# shellcheck shell=bash
# The Debian packages a node needs. Sourced, never run.

# missing_packages prints the packages whose programs are not there, in one line.
missing_packages() {
  local pair missing=()
  for pair in runc:runc iptables:iptables ip:iproute2 ipset:ipset openssl:openssl curl:curl \
    nsenter:util-linux mount:mount sysctl:procps; do
    has "${pair%%:*}" || missing+=("${pair##*:}")
  done
  [ -x /usr/lib/cni/bridge ] || [ -x /opt/cni/bin/bridge ] || missing+=(containernetworking-plugins)
  printf '%s\n' "${missing[*]}"
}

cni_plugins() { if [ -x /usr/lib/cni/bridge ]; then echo /usr/lib/cni; else echo /opt/cni/bin; fi; }

# local_cluster_obstacle prints why no local cluster can run here, or nothing if one can.
local_cluster_obstacle() {
  if [ "$(uname -s)" != Linux ]; then
    echo "it needs Linux"
  elif ! is_root; then
    echo "it needs root"
  elif ! unshare --mount --net --pid --fork true 2>/dev/null; then
    echo "it needs the right to create namespaces"
  elif [ -n "$(missing_packages)" ] && ! has apt-get; then
    echo "these packages are missing, and there is no apt-get to install them: $(missing_packages)"
  fi
}

# install_packages installs what is missing. Nothing is touched when nothing is missing.
install_packages() {
  local packages log
  packages=$(missing_packages)
  [ -n "$packages" ] || return 0
  { is_root && has apt-get; } || die "missing packages: $packages. Install them, or run as root on Debian."
  say "installing packages: $packages"
  log=$(mktemp)
  # shellcheck disable=SC2086 # a list of words
  if ! { apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages; } >"$log" 2>&1 </dev/null; then
    tail -20 "$log" >&2
    rm -f "$log"
    die "apt-get failed"
  fi
  rm -f "$log"
}
