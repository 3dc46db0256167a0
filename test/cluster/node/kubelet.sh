# shellcheck shell=bash
# kubelet, kube-proxy and cluster DNS. Sourced by node.sh.

# kubelet_config: images cannot be pulled again, so they are never collected.
kubelet_config() {
  cat <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE_IP
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: $RUN/pki/ca.crt}
authorization: {mode: Webhook}
tlsCertFile: $RUN/pki/kubelet.crt
tlsPrivateKeyFile: $RUN/pki/kubelet.key
containerRuntimeEndpoint: unix://$CONTAINERD_SOCKET
cgroupDriver: cgroupfs
cgroupRoot: /$NETNS
failCgroupV1: false
failSwapOn: false
oomScoreAdj: 0
clusterDomain: cluster.local
clusterDNS: [$NODE_IP]
resolvConf: /etc/resolv.conf
syncFrequency: $SYNC_FREQUENCY
volumePluginDir: $RUN/volume-plugins
staticPodPath: $RUN/manifests
podLogsDir: $RUN/pod-logs
imageGCHighThresholdPercent: 100
imagePullCredentialsVerificationPolicy: NeverVerify
evictionHard:
  memory.available: 100Mi
  nodefs.available: 1%
  nodefs.inodesFree: 1%
  imagefs.available: 1%
  imagefs.inodesFree: 1%
YAML
}

start_kubelet() {
  kubelet_config >kubelet.yaml
  spawn kubelet kubelet --config=kubelet.yaml --kubeconfig=kubelet.kubeconfig --root-dir="$RUN/kubelet" \
    --hostname-override="$NODE" --node-ip="$NODE_IP"
}

proxy_config() {
  cat <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: $RUN/proxy.kubeconfig}
mode: iptables
clusterCIDR: $POD_CIDR
hostnameOverride: $NODE
bindAddress: $NODE_IP
oomScoreAdj: 0
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
YAML
}

start_proxy() {
  proxy_config >proxy.yaml
  spawn kube-proxy kube-proxy --config=proxy.yaml
}

# start_dns: a plain process on the node's address, which is what pods get as their resolver.
start_dns() {
  cat >Corefile <<CONFIG
.:53 {
  bind $NODE_IP
  errors
  ready 127.0.0.1:8181
  cache 5
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $KUBECONFIG_ADMIN test
    pods insecure
  }
}
CONFIG
  spawn coredns coredns -conf Corefile
}

node_is_ready() {
  [ "$(kubectl get node "$NODE" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" = True ]
}

wait_for_node() {
  wait_for kubelet 120 node_is_ready
  wait_for kube-controller-manager 120 kubectl -n default get serviceaccount default
  say "node ready"
}
