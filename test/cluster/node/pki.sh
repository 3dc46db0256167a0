# shellcheck shell=bash
# Certificates and kubeconfigs. Sourced by node.sh. All of it is made anew for each cluster and gone with it.

# certificate FILE COMMON_NAME ORGANIZATION [SUBJECT_ALT_NAMES]
certificate() {
  local file=pki/$1 name=$2 organization=$3 san=${4:-} extensions
  extensions=$'basicConstraints=CA:FALSE\nkeyUsage=digitalSignature\nextendedKeyUsage=serverAuth,clientAuth'
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$file.key" -out "$file.csr" \
    -subj "/O=$organization/CN=$name" 2>>log/pki.log
  openssl x509 -req -in "$file.csr" -CA pki/ca.crt -CAkey pki/ca.key -CAcreateserial -days 30 -out "$file.crt" \
    -extfile <(printf '%s\n%s\n' "$extensions" "${san:+subjectAltName=$san}") 2>>log/pki.log
}

authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout pki/ca.key -out pki/ca.crt -days 30 \
    -subj /CN=test-cluster-ca -addext basicConstraints=critical,CA:TRUE \
    -addext keyUsage=critical,keyCertSign,cRLSign 2>>log/pki.log
}

# kubeconfig NAME writes NAME.kubeconfig for the certificate of that name.
kubeconfig() {
  (umask 077 && cat >"$1.kubeconfig") <<YAML
apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: https://$NODE_IP:6443
    certificate-authority-data: $(base64 -w0 pki/ca.crt)
users:
- name: $1
  user:
    client-certificate-data: $(base64 -w0 "pki/$1.crt")
    client-key-data: $(base64 -w0 "pki/$1.key")
contexts:
- name: test
  context: {cluster: test, user: $1}
current-context: test
YAML
}

make_pki() {
  local names user service_ip=${SERVICE_CIDR%.*}.1
  names=IP:$NODE_IP,IP:$service_ip,IP:127.0.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default
  names+=,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local
  authority
  certificate apiserver kube-apiserver test "$names"
  certificate apiserver-kubelet apiserver-kubelet system:masters
  certificate front-proxy front-proxy test
  certificate admin admin system:masters
  certificate controller-manager system:kube-controller-manager test
  certificate scheduler system:kube-scheduler test
  certificate proxy system:kube-proxy test
  certificate kubelet "system:node:$NODE" system:nodes "IP:$NODE_IP,DNS:$NODE"
  openssl genrsa -out pki/sa.key 2048 2>>log/pki.log
  openssl rsa -in pki/sa.key -pubout -out pki/sa.pub 2>>log/pki.log
  for user in admin controller-manager scheduler proxy kubelet; do kubeconfig "$user"; done
}
