#!/usr/bin/env python3
"""speed.py PROGRAM REPOSITORY [RUNS]: prints the tables of docs/performance.md that compare skilltree with git.

REPOSITORY is bare, with thousands of skills and a packed HEAD. CPU time is compared, because it depends less than wall time on
what else runs; each ratio is the median over rounds in which both commands ran. Python's standard library and git only.
"""
import os
import subprocess
import sys
import tempfile

from measure import commit_texts, in_turns, median, peak, ratio


def git(directory, *command):
    return subprocess.run(["git", "-C", directory, *command], check=True, stdout=subprocess.PIPE).stdout


def change(checkout, count):
    """Appends a line to some skills and stages them."""
    paths = [path for path in git(checkout, "ls-files", "-z").decode().split("\0") if path.endswith("/SKILL.md")]
    for path in paths[:: max(1, len(paths) // count)][:count]:
        with open(os.path.join(checkout, path), "a", encoding="utf-8") as file:
            file.write("\nOne more line.\n")
    git(checkout, "add", "--all")


def main():
    program, repository = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    with tempfile.TemporaryDirectory() as scratch:
        checkout = os.path.join(scratch, "checkout")
        subprocess.run(["git", "clone", "-q", repository, checkout], check=True)
        texts = commit_texts(repository)
        skills = [path for _, path in texts if path.endswith("/SKILL.md")]
        names = os.path.join(scratch, "names")
        with open(names, "w", encoding="ascii") as file:
            file.writelines(identifier + "\n" for identifier, _ in texts)
        check = [program, "check", "--exit-zero", "-C", checkout]
        commands = {
            "git cat-file --batch": ["git", "-C", repository, "cat-file", "--batch"],
            "check --rev HEAD": [program, "check", "--exit-zero", "-C", repository, "--rev", "HEAD"],
            "check --staged": [*check, "--staged"],
            "check --worktree": [*check, "--worktree"],
            "check --rev HEAD --base HEAD": [*check, "--rev", "HEAD", "--base", "HEAD"],
        }
        measure(f"{len(skills):,} skills, {len(texts):,} Markdown files", commands, names, runs)
        change(checkout, 1)
        changed = {"check --staged": [*check, "--staged"], "check --staged --base HEAD": [*check, "--staged", "--base", "HEAD"]}
        measure("one skill changed", changed, os.devnull, runs)
        change(checkout, 100)
        measure("100 skills changed", changed, os.devnull, runs)


def measure(title, commands, stdin, runs):
    rounds = in_turns(commands, runs, stdin)
    first = rounds[next(iter(commands))]
    print(f"\n| {title} | CPU | of the first | wall | of the first | peak |\n|---|---|---|---|---|---|")
    for name, each in rounds.items():
        times = " | ".join(f"{median(each, column) * 1e3:.0f} ms | {ratio(each, first, column):.2f}" for column in ("cpu", "wall"))
        print(f"| `{name}` | {times} | {peak(each) / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
