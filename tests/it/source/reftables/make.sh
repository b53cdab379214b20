#!/usr/bin/env bash
# Makes the tables next to this file again: bash tests/it/source/reftables/make.sh (Git 2.47 or later)
#
# Each directory has the stack of one repository, and in `expected` what Git itself finds there. The names of tables are random,
# so they differ each time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
here="$PWD"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_TEST_REFTABLE_AUTOCOMPACTION=false
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=c@example.com
export GIT_AUTHOR_DATE="1700000000 +0000" GIT_COMMITTER_DATE="1700000001 +0100"

# repository OPTION...: an empty repository in a new directory, and three commits without references.
repository() {
    cd "$(mktemp -d)"
    git init -q -b main --ref-format=reftable "$@"
    git config core.logAllRefUpdates false
    local tree
    for number in 1 2 3; do
        tree="$(printf '100644 blob %s\tfile\n' "$(echo "$number" | git hash-object -w --stdin)" | git mktree)"
        commits[number]="$(git commit-tree "$tree" -m "commit $number")"
    done
}

# keep NAME [DIRECTORY]: replaces the tables in NAME by those of the repository, and writes what Git finds.
keep() {
    rm -rf "${here:?}/$1" && mkdir "$here/$1"
    cp "${2:-.git}"/reftable/* "$here/$1/"
    { echo "HEAD $(git rev-parse --verify -q HEAD || echo -)"; git for-each-ref --format='%(refname) %(objectname)'; } > "$here/$1/expected"
}

commits=()

# One block: branches, a tag with its target, symbolic references.
repository
git update-ref refs/heads/main "${commits[1]}"
git update-ref refs/heads/other "${commits[2]}"
git update-ref refs/remotes/origin/main "${commits[3]}"
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
git tag -a -m v1 v1 "${commits[2]}"
git tag light "${commits[3]}"
git pack-refs
keep one

# Several tables: a changed branch, a deleted one, and one that was deleted and made again.
repository
git update-ref refs/heads/main "${commits[1]}"
git update-ref refs/heads/gone "${commits[1]}"
git update-ref refs/heads/again "${commits[1]}"
git update-ref refs/heads/main "${commits[2]}"
git update-ref -d refs/heads/gone
git update-ref -d refs/heads/again
git update-ref refs/heads/again "${commits[3]}"
keep several

# Logs in the tables with references, and a table with nothing else.
repository
git config core.logAllRefUpdates always
git update-ref -m one refs/heads/main "${commits[1]}"
git update-ref -m two refs/heads/main "${commits[2]}"
git pack-refs
git reflog expire --expire=now --all
keep logs

# No reference but a HEAD without commits.
repository
keep empty

# No branch: HEAD is a commit.
repository
git update-ref --no-deref HEAD "${commits[3]}"
keep detached

# Blocks of 256 bytes: an index of two levels, and blocks for objects.
repository
git config reftable.blockSize 256
for number in $(seq 160); do
    echo "create refs/heads/$(echo "$number" | sha1sum | head -c 30) ${commits[$((number % 3 + 1))]}"
done | git update-ref --stdin
git update-ref refs/heads/main "${commits[2]}"
git pack-refs
keep index

# Ids of SHA-256.
repository --object-format=sha256
git update-ref refs/heads/main "${commits[1]}"
git tag -a -m v1 v1 "${commits[2]}"
keep sha256

# A linked worktree, whose HEAD is in its own stack.
repository
git update-ref refs/heads/main "${commits[1]}"
git worktree add -q --detach --no-checkout linked "${commits[2]}"
keep worktree-common
cd linked
keep worktree-own ../.git/worktrees/linked
