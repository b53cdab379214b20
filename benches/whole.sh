#!/usr/bin/env bash
# Times skilltree beside git, which reads the same and judges nothing, and prints the ratios: bash benches/whole.sh [RUNS]
#
# The repositories are made by benches/make_repository.py; that of ten thousand skills, where SKILLTREE_CORPUS names a directory
# with a scale_repo.py, by that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs="${1:-11}"
target="${CARGO_TARGET_DIR:-$PWD/target}"

# repository NAME MAKER ARGUMENT...: makes it when it is not there yet, packed and with an index, and says where it is.
repository() {
    local directory="$target/bench/$1.git"
    if [[ ! -f "$directory/complete" ]]; then
        rm -rf "$directory"
        mkdir -p "$target/bench"
        python3 "$2" "$3" "$directory" "${@:4}" >&2
        git --git-dir="$directory" repack -adq
        git --git-dir="$directory" read-tree HEAD
        touch "$directory/complete"
    fi
    echo "$directory"
}

cargo build --locked --release
one="$(repository one benches/make_repository.py 1)"
beside="$(repository beside benches/make_repository.py 12 50000)"
# Two entries a skill are the 200,000 that are read below a root.
fewer="$(repository alone-10000 benches/make_repository.py 10000 --alone)"
more="$(repository alone-100000 benches/make_repository.py 100000 --alone)"
if [[ -f "${SKILLTREE_CORPUS:-}/scale_repo.py" ]]; then
    many="$(repository corpus-10000 "$SKILLTREE_CORPUS/scale_repo.py" 10000)"
else
    many="$(repository made-10000 benches/make_repository.py 10000)"
fi
# What is installed is a copy. The file that the linker wrote lies in the cache in small pieces, and starts up to a fifth later.
mkdir -p "$target/bench"
cp "$target/release/skilltree" "$target/bench/skilltree"
python3 benches/measure.py "$target/bench/skilltree" "$runs" "$one" "$beside" "$many" "$fewer" "$more"
