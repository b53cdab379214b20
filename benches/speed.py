#!/usr/bin/env python3
"""speed.py PROGRAM REPOSITORY [RUNS] [PEER ...]: prints the tables of docs/performance.md.

REPOSITORY is bare, with thousands of skills and a packed HEAD. A PEER is a command for one checkout: `name=command {}`, where
{} becomes the path of the skills directory. CPU time is compared, because it depends less than wall time on what else runs;
each ratio is the median over rounds in which both commands ran. Python's standard library and git only.
"""
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time


def once(command, stdin):
    """Returns CPU time and wall time in seconds, and peak memory in bytes, of one run."""
    with open(stdin, "rb") as source:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss * 1024


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
    program, repository, rest = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    runs = int(rest.pop(0)) if rest and rest[0].isdigit() else 7
    with tempfile.TemporaryDirectory() as scratch:
        checkout = os.path.join(scratch, "checkout")
        subprocess.run(["git", "clone", "-q", repository, checkout], check=True)
        listing = git(repository, "ls-tree", "-r", "HEAD").decode("utf-8", "replace").splitlines()
        # A check reads the SKILL.md of each skill, and every other Markdown file below it.
        texts = [line.split("\t") for line in listing if line.lower().endswith(".md")]
        skills = [path for _, path in texts if path.endswith("/SKILL.md")]
        names = os.path.join(scratch, "names")
        with open(names, "w", encoding="ascii") as file:
            file.writelines(meta.split()[2] + "\n" for meta, _ in texts)
        root = os.path.join(checkout, os.path.dirname(os.path.dirname(skills[0])))
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
        peers = dict(peer.split("=", 1) for peer in rest)
        if peers:
            words = {name: [word.replace("{}", root) for word in shlex.split(peer)] for name, peer in peers.items()}
            measure("other programs", {"check --worktree": [*check, "--worktree"], **words}, os.devnull, runs)


def measure(title, commands, stdin, runs):
    rounds = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, command in commands.items():
            rounds[name].append(once(command, stdin))
    first = next(iter(commands))
    print(f"\n| {title} | CPU | of the first | wall | of the first | peak |\n|---|---|---|---|---|---|")
    for name in commands:
        # The first round fills the caches.
        figures = rounds[name][1:]
        cpu, wall = (statistics.median(figure[column] for figure in figures) for column in (0, 1))
        ratios = [statistics.median(a[column] / b[column] for a, b in zip(figures, rounds[first][1:])) for column in (0, 1)]
        peak = max(figure[2] for figure in figures) / 1e6
        print(f"| `{name}` | {cpu * 1e3:.0f} ms | {ratios[0]:.2f} | {wall * 1e3:.0f} ms | {ratios[1]:.2f} | {peak:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
