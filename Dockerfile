# The static program in an empty image. `.ci/package/build-program x86_64-unknown-linux-musl target/dist` builds the program.
FROM scratch
ARG PROGRAM=target/dist/skilltree-x86_64-unknown-linux-musl
COPY ${PROGRAM} /skilltree
WORKDIR /repository
ENTRYPOINT ["/skilltree"]
