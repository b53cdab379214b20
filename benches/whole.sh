#!/usr/bin/env bash
# Times `skilltree check --rev HEAD` beside git, which only reads the same blobs: bash benches/whole.sh [SKILLS] [RUNS]
#
# The repository is made by benches/make_repository.py; where SKILLTREE_CORPUS names a directory with a scale_repo.py, by that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skills="${1:-10000}"
runs="${2:-11}"
target="${CARGO_TARGET_DIR:-$PWD/target}"

if [[ -f "${SKILLTREE_CORPUS:-}/scale_repo.py" ]]; then
    repository="$target/bench/corpus-$skills.git"
    make=("$SKILLTREE_CORPUS/scale_repo.py" "$skills")
else
    repository="$target/bench/made-$skills.git"
    make=(benches/make_repository.py "$skills")
fi

cargo build --locked --release
if [[ ! -f "$repository/complete" ]]; then
    rm -rf "$repository"
    mkdir -p "$(dirname "$repository")"
    python3 "${make[@]}" "$repository"
    git --git-dir="$repository" repack -adq
    touch "$repository/complete"
fi
python3 benches/measure.py "$target/release/skilltree" "$repository" "$runs"
