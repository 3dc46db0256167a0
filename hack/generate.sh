#!/usr/bin/env bash
# Writes what is generated from the Go source. Usage: generate.sh code|manifests|reference
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
cd "$repo_root"

controller_gen() { "$here/tool.sh" controller-gen "$@"; }

# code: the DeepCopy methods of the API types, and the OpenAPI definitions of those that the aggregated API serves.
code() {
  controller_gen object:headerFile=hack/boilerplate.go.txt paths=./api/...
  "$here/tool.sh" openapi-gen --go-header-file=hack/boilerplate.go.txt --report-filename=/dev/null \
    --output-dir=internal/memoryapi/openapi --output-pkg=memorytrust.dev/operator/internal/memoryapi/openapi \
    --output-file=zz_generated.openapi.go --output-model-name-file=zz_generated.model_name.go \
    --readonly-pkg=k8s.io/apimachinery/pkg/apis/meta/v1,k8s.io/apimachinery/pkg/runtime,k8s.io/apimachinery/pkg/version \
    ./api/memory/v1alpha1 k8s.io/apimachinery/pkg/apis/meta/v1 k8s.io/apimachinery/pkg/runtime k8s.io/apimachinery/pkg/version
}

# manifests: CRDs from the types, and the manager's role from the markers at the code that needs each right. The kinds of api/memory are
# served by the aggregated API and stored nowhere.
manifests() {
  local dir paths=()
  for dir in api internal webhook cmd; do
    [ ! -d "$dir" ] || paths+=("paths=./$dir/...")
  done
  controller_gen crd paths=./api/v1alpha1/... output:crd:dir=config/crd/bases
  controller_gen rbac:roleName=memorytrust-manager "${paths[@]}" output:rbac:dir=config/rbac
}

# reference: the references for people, and the lifecycle's diagrams.
reference() {
  "$here/tool.sh" crd-ref-docs --source-path=api --config=hack/docs/crd-ref-docs.yaml --renderer=markdown \
    --output-path=docs/reference/api.md
  go generate ./internal/server/rest ./internal/memory
}

case ${1:-} in
  code | manifests | reference) "$1" ;;
  *) die "usage: generate.sh code|manifests|reference" ;;
esac
