# MemoryTrust: build, test and run. "make help" lists the targets; every recipe of more than a line is a script in hack/.

VERSION ?= v0.1.0
CLUSTER ?= auto
FUZZTIME ?= 30s
BENCH ?= ./internal/screen ./internal/provenance ./internal/memory ./internal/store/sqlite ./internal/gate ./internal/server/rest ./internal/server/mcp ./internal/inject ./internal/controller ./webhook

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

export VERSION CLUSTER FUZZTIME

KUBECTL_RUN := hack/kubectl.sh
TOOL := hack/tool.sh

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "; print "Usage: make TARGET [VARIABLE=value]..."} \
	  /^##@/ {printf "\n%s:\n", substr($$0, 5)} \
	  /^[a-z0-9-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@printf '\nVariables: VERSION=%s CLUSTER=%s FUZZTIME=%s\n' "$(VERSION)" "$(CLUSTER)" "$(FUZZTIME)"

##@ Build

.PHONY: build
build: ## Build all programs, static, into bin/<os>-<arch>/
	hack/build.sh

.PHONY: plugin
plugin: ## Build kubectl memtrust as krew installs it into bin/plugin/ (PLATFORMS="linux/amd64 ..." for some only)
	hack/plugin.sh

.PHONY: images
images: ## Write container images as archives into bin/images/, without Docker
	hack/images.sh

.PHONY: clean
clean: ## Remove what was built in the clone
	rm -rf bin

.PHONY: clean-cache
clean-cache: ## Remove the cached test cluster and tools as well
	rm -rf "$${MEMORYTRUST_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/memorytrust}"

##@ Develop

.PHONY: generate
generate: ## Generate DeepCopy methods
	hack/generate.sh code

.PHONY: manifests
manifests: ## Generate CRDs and the manager's RBAC role
	hack/generate.sh manifests

.PHONY: docs
docs: ## Generate the API reference
	hack/generate.sh reference

.PHONY: train
train: ## Train the intent model and write its report into docs/intent-model.md
	go run ./internal/screen/intent/train -out internal/screen/intent/model.bin -doc docs/intent-model.md

.PHONY: fmt
fmt: ## Format the Go code
	go fmt ./...

.PHONY: vet
vet: ## Run go vet, on the end-to-end suite as well
	go vet ./...
	go vet -tags e2e ./...

.PHONY: lint
lint: ## Run golangci-lint with the Kubernetes API and logging linters
	$(TOOL) golangci-lint run ./...

.PHONY: verify
verify: ## Fail if anything generated, formatted or tidied differs from the last commit
	hack/verify.sh

.PHONY: tools
tools: ## Build the pinned tools into the cache
	$(TOOL) controller-gen --build
	$(TOOL) golangci-lint --build
	$(TOOL) crd-ref-docs --build
	$(TOOL) openapi-gen --build

##@ Test

.PHONY: test
test: ## Run all suites, with a summary at the end
	hack/test.sh

.PHONY: test-unit
test-unit: ## Run unit tests and the envtest suites
	hack/test-unit.sh

.PHONY: test-e2e
test-e2e: ## Run the end-to-end suite, starting and ending a cluster if none is up
	hack/test-e2e.sh

.PHONY: bench
bench: ## Run the Go benchmarks of the hot packages
	go test -run '^$$' -bench . -benchmem $(BENCH)

.PHONY: bench-memory
bench-memory: ## Run MemPoisonBench: the catalogs, and with IN="FILE..." texts of your own
	go run ./cmd/mempoisonbench $(if $(IN),eval --in $(IN),run)

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME
	hack/fuzz.sh

##@ Cluster

.PHONY: demo
demo: ## Show MemoryTrust at work in a cluster, starting and ending one if none is up
	hack/with-cluster.sh hack/demo.sh

.PHONY: cluster-up
cluster-up: ## Start a cluster and leave it up (CLUSTER=local, kind or auto)
	hack/cluster.sh up

.PHONY: cluster-down
cluster-down: ## End that cluster
	hack/cluster.sh down

.PHONY: install
install: ## Install the CRDs into the cluster of KUBECONFIG
	$(KUBECTL_RUN) apply --server-side -f config/crd/bases

.PHONY: uninstall
uninstall: ## Remove the CRDs, and with them all objects of these kinds
	$(KUBECTL_RUN) delete --ignore-not-found -f config/crd/bases

.PHONY: deploy
deploy: ## Deploy the operator into the cluster of KUBECONFIG
	$(KUBECTL_RUN) apply --server-side -k config/default

.PHONY: undeploy
undeploy: ## Remove the operator; its kinds and their objects stay
	$(KUBECTL_RUN) delete --ignore-not-found -k config/operator
