#!/usr/bin/env bash
# Times skilltree and git commands that read the same data, and prints the ratios: bash benches/whole.sh [RUNS]
#
# benches/make_repository.py creates the repositories. If SKILLTREE_CORPUS names a directory with a scale_repo.py, that script
# creates the one with 10,000 skills.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs="${1:-11}"
target="${CARGO_TARGET_DIR:-$PWD/target}"

# repository NAME MAKER ARGUMENT...: creates it once, packed and with an index, and prints its path.
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

cargo build --locked --profile published
one="$(repository one benches/make_repository.py 1)"
mixed="$(repository mixed benches/make_repository.py 12 50000)"
# Two entries per skill reach the limit of 200,000 entries below a root.
fewer="$(repository alone-10000 benches/make_repository.py 10000 --alone)"
more="$(repository alone-100000 benches/make_repository.py 100000 --alone)"
if [[ -f "${SKILLTREE_CORPUS:-}/scale_repo.py" ]]; then
    many="$(repository corpus-10000 "$SKILLTREE_CORPUS/scale_repo.py" 10000)"
else
    many="$(repository made-10000 benches/make_repository.py 10000)"
fi
# Times a copy, like an installed program. The page cache fragments the file that the linker wrote, which starts up to 20 % slower.
mkdir -p "$target/bench"
cp "$target/published/skilltree" "$target/bench/skilltree"
python3 benches/measure.py "$target/bench/skilltree" "$runs" "$one" "$mixed" "$many" "$fewer" "$more"
