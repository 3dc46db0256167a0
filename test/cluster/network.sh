# shellcheck shell=bash
# The network namespace of the cluster and its link to the host. Sourced, never run.

link=$NETNS-h   # the host's end of the veth pair; interface names have at most 15 characters

network_up() {
  ip netns add "$NETNS"
  ip link add "$link" type veth peer name eth0 netns "$NETNS"
  ip addr add "$HOST_IP/24" dev "$link"
  ip link set "$link" up
  ip -n "$NETNS" link set lo up
  ip -n "$NETNS" addr add "$NODE_IP/24" dev eth0
  ip -n "$NETNS" link set eth0 up
  ip -n "$NETNS" route add default via "$HOST_IP"
  ip route add "$POD_CIDR" via "$NODE_IP"
  ip route add "$SERVICE_CIDR" via "$NODE_IP"
}

# network_down: the routes go with the link.
network_down() {
  ip link del "$link" 2>/dev/null || true
  ip netns del "$NETNS" 2>/dev/null || true
}

network_exists() { [ -e "/run/netns/$NETNS" ] || [ -e "/sys/class/net/$link" ]; }
