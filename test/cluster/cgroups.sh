# shellcheck shell=bash
# A cgroup of our own in every hierarchy, so that ours can be told from those of others. Sourced, never run.

# cgroup_roots prints the mount points: one per controller with version 1, a single one with version 2.
cgroup_roots() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    echo /sys/fs/cgroup
  else
    find /sys/fs/cgroup -mindepth 1 -maxdepth 1 -type d
  fi
}

cgroups_up() {
  local root file controller
  while read -r root; do
    if [ -f "$root/cgroup.controllers" ]; then
      for controller in $(<"$root/cgroup.controllers"); do
        echo "+$controller" >"$root/cgroup.subtree_control" 2>/dev/null || true
      done
    fi
    mkdir -p "$root/$NETNS"
    for file in cpuset.mems cpuset.cpus; do # version 1 starts a new cpuset empty
      [ ! -f "$root/$file" ] || cat "$root/$file" >"$root/$NETNS/$file"
    done
  done < <(cgroup_roots)
}

# cgroups_down: the kernel lets go of a cgroup a moment after its last process.
cgroups_down() {
  local root left
  for _ in $(seq 20); do
    left=0
    while read -r root; do
      [ -d "$root/$NETNS" ] || continue
      find "$root/$NETNS" -depth -type d -exec rmdir {} + 2>/dev/null || true
      [ ! -d "$root/$NETNS" ] || left=1
    done < <(cgroup_roots)
    [ "$left" = 1 ] || return 0
    sleep 0.1
  done
  warn "cgroups named $NETNS are still in use"
}
