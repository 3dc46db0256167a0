# shellcheck shell=bash
# A default StorageClass with volumes made in advance, so that a claim without a class binds as on kind. Sourced by node.sh.

storage_class() {
  cat <<YAML
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: standard
  annotations: {storageclass.kubernetes.io/is-default-class: "true"}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
YAML
}

# volume NUMBER: pods run under any user, so the directory is open to all.
volume() {
  local name=local-$1
  mkdir -p "$RUN/volumes/$name"
  chmod 0777 "$RUN/volumes/$name"
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $name}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: standard
  persistentVolumeReclaimPolicy: Retain
  local: {path: $RUN/volumes/$name}
  nodeAffinity:
    required:
      nodeSelectorTerms:
      - matchExpressions:
        - {key: kubernetes.io/hostname, operator: In, values: [$NODE]}
YAML
}

make_storage() {
  local number
  {
    storage_class
    for number in $(seq -w 1 "$CLUSTER_VOLUMES"); do volume "$number"; done
  } | kubectl create -f - >log/storage.log 2>&1 || {
    tail -5 log/storage.log >&2
    die "cannot create the volumes"
  }
  say "storage class and $CLUSTER_VOLUMES volumes made"
}
