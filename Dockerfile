# Images FROM scratch around static binaries: no base image to pull, nothing in them but the program. That of the screener also holds
# mempoisonbench, so that a benchmark in a cluster runs the engine it measures.
# Build the binaries first, then the image of your choice:
#
#   GOOS=linux make build
#   docker build --target manager  -t memorytrust.dev/manager:v0.1.0  .
#   docker build --target screener -t memorytrust.dev/screener:v0.1.0 .
#   docker build --target memory-api -t memorytrust.dev/memory-api:v0.1.0 .
#
# Without a container engine, "make images" writes the same images as archives.

FROM scratch AS manager
ARG TARGETARCH=amd64
COPY bin/linux-${TARGETARCH}/manager /manager
USER 65532:65532
WORKDIR /
ENTRYPOINT ["/manager"]

FROM scratch AS memory-api
ARG TARGETARCH=amd64
COPY bin/linux-${TARGETARCH}/memory-api /memory-api
USER 65532:65532
WORKDIR /
ENTRYPOINT ["/memory-api"]

FROM scratch AS screener
ARG TARGETARCH=amd64
COPY bin/linux-${TARGETARCH}/screener /screener
COPY bin/linux-${TARGETARCH}/mempoisonbench /mempoisonbench
USER 65532:65532
WORKDIR /
ENTRYPOINT ["/screener"]
