#!/bin/sh
# Written by `skilltree hook install`, and removed by `skilltree hook uninstall`.
program=PROGRAM
if ! [ -x "$program" ]; then
    missing=$program
    program=$(command -v skilltree) || {
        printf '%s\n' "error: skilltree is neither at $missing nor on PATH, so nothing was checked" \
            "  help: install skilltree and run \`skilltree hook install\`, or delete $0" >&2
        exit 2
    }
fi
exec "$program" hook run NAME "$@"OPTIONS
