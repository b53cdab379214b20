# Builds the static program, and puts it and the licenses into an empty image: `docker build --tag skilltree .`
FROM rust:1.88-alpine3.22 AS build
# hadolint ignore=DL3018
RUN apk add --no-cache musl-dev
WORKDIR /source
COPY . .
RUN cargo install --locked --no-track --path . --root /built --profile published

FROM scratch
COPY --from=build /built/bin/skilltree /source/LICENSE-* /
WORKDIR /repository
ENTRYPOINT ["/skilltree"]
