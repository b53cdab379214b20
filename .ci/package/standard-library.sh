# shellcheck shell=bash disable=SC2154 # the caller sets `target` and CARGO_TARGET_DIR
# Sets `options` of Cargo, and `flags` and `link` of the compiler, to build for `target`. Sourced by build-program and by
# .ci/windows/build-tests. If rustup has no standard library for the target, Debian's rustc-web and rust-web-src build it.
if [[ ! -d "$(rustc --print target-libdir --target "$target")" ]]; then
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    options+=("-Zbuild-std=std,panic_unwind")
    # The start files of the C library are part of rustup's standard library. zig has its own.
    flags+=("-Clink-self-contained=no")
    if [[ "$target" == *-musl ]]; then flags+=("-Crelocation-model=static"); fi
    # Debian's target names a library of mingw, which zig contains in its C library.
    if [[ "$target" == *-windows-gnu ]]; then
        mkdir -p "$CARGO_TARGET_DIR/empty"
        printf '!<arch>\n' >"$CARGO_TARGET_DIR/empty/libssp_nonshared.a"
        link+=("-Lnative=$CARGO_TARGET_DIR/empty")
    fi
fi
