# shellcheck shell=bash
# etcd, API server, controller manager and scheduler. Sourced by node.sh.

start_etcd() {
  local client=http://127.0.0.1:2379 peer=http://127.0.0.1:2380
  spawn etcd etcd --name=test --data-dir="$RUN/etcd" --unsafe-no-fsync --log-level=warn \
    --listen-client-urls="$client" --advertise-client-urls="$client" \
    --listen-peer-urls="$peer" --initial-advertise-peer-urls="$peer" --initial-cluster="test=$peer"
}

# start_apiserver: ValidatingAdmissionPolicy, and the webhook plugins, are on by default and stay so.
start_apiserver() {
  # shellcheck disable=SC2054 # commas are part of the values
  local arguments=(
    --etcd-servers=http://127.0.0.1:2379
    --bind-address="$NODE_IP" --advertise-address="$NODE_IP" --secure-port=6443
    --service-cluster-ip-range="$SERVICE_CIDR"
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction
    --client-ca-file=pki/ca.crt
    --tls-cert-file=pki/apiserver.crt --tls-private-key-file=pki/apiserver.key
    --kubelet-certificate-authority=pki/ca.crt --kubelet-preferred-address-types=InternalIP
    --kubelet-client-certificate=pki/apiserver-kubelet.crt --kubelet-client-key=pki/apiserver-kubelet.key
    --service-account-issuer=https://kubernetes.default.svc.cluster.local
    --service-account-key-file=pki/sa.pub --service-account-signing-key-file=pki/sa.key
    --requestheader-client-ca-file=pki/ca.crt --requestheader-allowed-names=front-proxy
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group
    --requestheader-extra-headers-prefix=X-Remote-Extra-
    --proxy-client-cert-file=pki/front-proxy.crt --proxy-client-key-file=pki/front-proxy.key
    --enable-aggregator-routing --allow-privileged --profiling=false
  )
  spawn kube-apiserver kube-apiserver "${arguments[@]}"
}

wait_for_apiserver() {
  wait_for kube-apiserver 120 curl -sf --cacert pki/ca.crt --cert pki/admin.crt --key pki/admin.key \
    "https://$NODE_IP:6443/readyz"
  say "API server ready"
}

# start_client_daemon NAME KUBECONFIG FLAG...: what controller manager and scheduler have in common.
start_client_daemon() {
  local name=$1 config=$2
  shift 2
  spawn "$name" "$name" --kubeconfig="$config" --authentication-kubeconfig="$config" \
    --authorization-kubeconfig="$config" --leader-elect=false --bind-address=127.0.0.1 "$@"
}

start_controller_manager() {
  start_client_daemon kube-controller-manager controller-manager.kubeconfig --use-service-account-credentials \
    --service-account-private-key-file=pki/sa.key --root-ca-file=pki/ca.crt \
    --cluster-signing-cert-file=pki/ca.crt --cluster-signing-key-file=pki/ca.key
}

start_scheduler() { start_client_daemon kube-scheduler scheduler.kubeconfig; }
