#!/usr/bin/env python3
"""measure.py PROGRAM RUNS ONE MIXED MANY FEWER MORE: times PROGRAM and git in turns, and prints tables and ratios.

The repositories are those of benches/whole.sh. A ratio is the median of the ratios of all rounds: on a shared machine, only
consecutive runs are comparable. The other scripts use its functions. Python's standard library only.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import typing

ROOTS = [".agent/skills", ".symphony/skills"]


class Run(typing.NamedTuple):
    """What one process took: seconds of CPU, seconds of wall time, and peak resident memory in bytes."""

    cpu: float
    wall: float
    peak: int
    status: int


def once(command, stdin=os.devnull, output=subprocess.DEVNULL, limit=None):
    """Runs a command. After `limit` seconds of wall time it is killed: the status is -9."""
    with open(stdin, "rb") as source:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=source, stdout=output, stderr=output)
        timer = threading.Timer(limit or threading.TIMEOUT_MAX, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
    # Linux counts in KiB, macOS in bytes. The minimum is the 20 MB of this Python, which forks the child.
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(usage.ru_utime + usage.ru_stime, wall, peak, child.returncode)


def in_turns(commands, runs, stdin=os.devnull, expected=None):
    """Returns the runs of each command by name. The first round fills the caches and is dropped.

    A command that exits with another status than `expected` has, or else than 0, ends the program.
    """
    rounds = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, command in commands.items():
            run = once(command, stdin)
            if run.status != (expected or {}).get(name, 0):
                sys.exit(f"{' '.join(command)}: exit status {run.status}")
            rounds[name].append(run)
    return {name: of_one[1:] for name, of_one in rounds.items()}


def median(runs, column):
    return statistics.median(getattr(run, column) for run in runs)


def ratio(runs, others, column):
    """Returns the median of the ratios of all rounds."""
    return statistics.median(getattr(one, column) / getattr(other, column) for one, other in zip(runs, others))


def peak(runs):
    """Returns the largest peak memory in bytes."""
    return max(run.peak for run in runs)


def commit_texts(repository):
    """Returns the object id and the path of every Markdown file of HEAD: what a check reads."""
    listing = subprocess.run(["git", "-C", repository, "ls-tree", "-r", "-z", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    entries = (entry.partition("\t") for entry in listing.decode("utf-8", "replace").split("\0"))
    return [(meta.split()[2], path) for meta, _, path in entries if path.lower().endswith(".md")]


class Race:
    """Commands that ran in turns, by name."""

    def __init__(self, title, runs, commands, stdin=os.devnull):
        self.rounds = in_turns(commands, runs, stdin)
        print(f"\n{title}; {runs} runs each, medians")
        print(f"{'command':<44}{'time':>11}{'least':>11}{'work':>11}{'peak':>10}")
        for name, rounds in self.rounds.items():
            columns = [median(rounds, "wall"), min(run.wall for run in rounds), median(rounds, "cpu")]
            times = "".join(f"{column * 1e3:>8.1f} ms" for column in columns)
            print(f"{name:<44}{times}{self.peak(name) / 1e6:>7.0f} MB")

    def seconds(self, name):
        return median(self.rounds[name], "wall")

    def peak(self, name):
        return peak(self.rounds[name])

    def ratio(self, name, other):
        return ratio(self.rounds[name], self.rounds[other], "wall")


def skill_ids(repository):
    return [identifier for identifier, path in commit_texts(repository) if path.endswith("/SKILL.md")]


def main():
    program, runs, one, mixed, many, fewer, more = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]

    def git(repository, *command):
        return ["git", f"--git-dir={repository}", *command]

    def check(repository, *source):
        # A repository with a finding takes the same time.
        return [program, "check", "-C", repository, "--exit-zero", *source]

    print(f"{os.cpu_count()} processors")
    start = Race("start: one skill", 4 * runs, {
        "git --version": ["git", "--version"],
        "skilltree --version": [program, "--version"],
        "git ls-tree -r HEAD": git(one, "ls-tree", "-r", "HEAD"),
        "skilltree check --rev HEAD": check(one, "--rev", "HEAD"),
        "skilltree check --staged": check(one, "--staged"),
    })
    small = Race("12 skills and 50,000 other files", 4 * runs, {
        "git ls-tree -r HEAD ROOTS": git(mixed, "ls-tree", "-r", "HEAD", *ROOTS),
        "skilltree check --rev HEAD": check(mixed, "--rev", "HEAD"),
        "git ls-files --stage ROOTS": git(mixed, "ls-files", "--stage", *ROOTS),
        "skilltree check --staged": check(mixed, "--staged"),
    })
    ids = skill_ids(many)
    with tempfile.NamedTemporaryFile() as names:
        names.write("".join(f"{identifier}\n" for identifier in ids).encode())
        names.flush()
        blobs = Race(f"{len(ids):,} skills", runs, {
            "git ls-tree -r HEAD": git(many, "ls-tree", "-r", "HEAD"),
            "git cat-file --batch": git(many, "cat-file", "--batch"),
            "git cat-file --batch --buffer": git(many, "cat-file", "--batch", "--buffer"),
            "skilltree check --rev HEAD": check(many, "--rev", "HEAD"),
            "skilltree forecast --format json": [program, "forecast", "-C", many, "--rev", "HEAD", "--format", "json"],
        }, names.name)
    counts = [len(skill_ids(repository)) for repository in (fewer, more)]
    times = counts[1] / counts[0]
    growth = Race(f"{counts[0]:,} and {counts[1]:,} skills, no other file", max(3, runs // 3), {
        "fewer": check(fewer, "--rev", "HEAD"),
        "more": check(more, "--rev", "HEAD"),
    })

    print("\nratios")
    for value, words in [
        (f"{start.seconds('skilltree check --rev HEAD') * 1e3:.1f} ms", "to start and check one skill (at most 5 ms)"),
        (f"{small.ratio('skilltree check --rev HEAD', 'git ls-tree -r HEAD ROOTS'):.2f}",
         "of git ls-tree, 12 skills in a tree with 50,000 files (at most 2)"),
        (f"{small.ratio('skilltree check --staged', 'git ls-files --stage ROOTS'):.2f}",
         "of git ls-files, 12 skills in an index with 50,000 files (at most 2)"),
        (f"{blobs.ratio('skilltree check --rev HEAD', 'git cat-file --batch'):.2f}", f"of git cat-file --batch, {len(ids):,} skills"),
        (f"{blobs.ratio('skilltree forecast --format json', 'skilltree check --rev HEAD'):.2f}",
         f"of the check, a forecast of {len(ids):,} skills for every runtime"),
        (f"{growth.ratio('more', 'fewer') / times:.2f}", f"of the time a skill, with {times:.0f} times the skills"),
        (f"{growth.peak('more') / 1e6:.0f} MB", f"at the peak of {counts[1]:,} skills (at most 600 MB)"),
    ]:
        print(f"{value:>8} {words}")


if __name__ == "__main__":
    main()
