# shellcheck shell=bash
# The settings of the local cluster, all of them environment variables. Sourced, never run.
# shellcheck disable=SC2034 # used by those who source it

# Clusters with different numbers (0 to 99) live side by side on one machine.
CLUSTER_ID=${CLUSTER_ID:-0}

suffix=; [ "$CLUSTER_ID" = 0 ] || suffix=-$CLUSTER_ID
RUN=${RUN:-/run/memorytrust$suffix}              # all state; short, as the paths of Unix sockets are limited
NETNS=${NETNS:-mtrust-$CLUSTER_ID}               # names the network namespace, the veth pair and the cgroups
NODE=node1
NODE_IP=${NODE_IP:-10.213.$CLUSTER_ID.1}         # the node's end of the veth pair, and the API server's address
HOST_IP=${HOST_IP:-10.213.$CLUSTER_ID.254}       # the host's end
POD_CIDR=${POD_CIDR:-10.214.$CLUSTER_ID.0/24}
SERVICE_CIDR=${SERVICE_CIDR:-10.215.$CLUSTER_ID.0/24}
SYNC_FREQUENCY=${SYNC_FREQUENCY:-5s}             # of the kubelet; 1m is what real clusters have
CLUSTER_VOLUMES=${CLUSTER_VOLUMES:-12}           # PersistentVolumes of 1Gi in the default StorageClass

export CLUSTER_ID RUN NETNS NODE_IP HOST_IP POD_CIDR SERVICE_CIDR SYNC_FREQUENCY CLUSTER_VOLUMES

KUBECONFIG_ADMIN=$RUN/admin.kubeconfig
CONTAINERD_SOCKET=$RUN/containerd.sock

# The directories on the host that the cluster cannot do without, and that may not be there.
system_directories=(/run/netns /run/containerd /var/lib/cni /var/lib/kubelet /var/log/containers)

# process_identity PID prints what tells this process from a later one with the same number: its start time.
process_identity() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# The process outside the namespaces that holds the cluster; cluster_holder prints its PID if it is alive and ours.
write_holder() { printf '%s %s\n' "$1" "$(process_identity "$1")" >"$RUN/holder"; }
cluster_holder() {
  local pid identity
  read -r pid identity 2>/dev/null <"$RUN/holder" || return 1
  [ -n "$identity" ] && [ "$(process_identity "$pid")" = "$identity" ] || return 1
  printf '%s\n' "$pid"
}

cluster_is_up() { [ -f "$RUN/ready" ] && cluster_holder >/dev/null; }
