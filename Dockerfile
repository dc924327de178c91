# The site in a container: one static binary, and what building environments
# and the local sandbox need beside it.
#
#   docker build -t touchstone .
#   docker run --network host -v touchstone:/data --security-opt seccomp=unconfined --security-opt systempaths=unconfined \
#     -e TOUCHSTONE_LISTEN=127.0.0.1:8080 touchstone serve --demo
#
# The local sandbox makes namespaces and a /proc of its own, which Docker's
# default profiles forbid. With the socket of an engine the docker sandbox serves, too:
# -v /var/run/docker.sock:/var/run/docker.sock, and the group that owns it.

ARG BUILD=golang:1.26-bookworm
ARG BASE=debian:bookworm-slim

FROM ${BUILD} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /touchstone ./cmd/touchstone

FROM ${BASE} AS site
RUN if ! { python3 -m pip --version && git --version; } >/dev/null 2>&1; then \
      apt-get update && apt-get install -y --no-install-recommends ca-certificates git python3 python3-venv python3-pip && rm -rf /var/lib/apt/lists/*; \
    fi
RUN useradd --system --create-home --uid 10001 touchstone && install -d -o touchstone -g touchstone /data
COPY --from=build /touchstone /usr/local/bin/touchstone
USER touchstone
ENV TOUCHSTONE_DATA=/data TOUCHSTONE_CACHE=/data/cache TOUCHSTONE_LISTEN=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["touchstone", "healthy"]
ENTRYPOINT ["touchstone"]
CMD ["serve"]
