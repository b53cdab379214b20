#!/usr/bin/env python3
"""measure.py PROGRAM RUNS ONE MIXED MANY FEWER MORE: times PROGRAM and git in turns, and prints tables and ratios.

The repositories are those of benches/whole.sh. A ratio is the median of the ratios of all rounds: on a shared machine, only
consecutive runs are comparable. Python's standard library only.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOTS = [".agent/skills", ".symphony/skills"]


def once(command, stdin):
    """Returns wall time and CPU time in seconds, and peak resident memory in bytes, of one run."""
    with open(stdin, "rb") as source:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    # Linux counts in KiB, macOS in bytes. The minimum is the 20 MB of this Python, which forks the child.
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Race:
    """Commands that ran in turns, by name."""

    def __init__(self, title, runs, commands, stdin=os.devnull):
        self.rounds = {name: [] for name in commands}
        for _ in range(runs + 1):
            for name, command in commands.items():
                self.rounds[name].append(once(command, stdin))
        print(f"\n{title}; {runs} runs each, medians")
        print(f"{'command':<44}{'time':>11}{'least':>11}{'work':>11}{'peak':>10}")
        for name in commands:
            seconds, work, _ = zip(*self.counted(name))
            columns = [statistics.median(seconds), min(seconds), statistics.median(work)]
            times = "".join(f"{column * 1e3:>8.1f} ms" for column in columns)
            print(f"{name:<44}{times}{self.peak(name) / 1e6:>7.0f} MB")

    def counted(self, name):
        """The first round fills the caches and does not count."""
        return self.rounds[name][1:]

    def seconds(self, name):
        return statistics.median(seconds for seconds, _, _ in self.counted(name))

    def peak(self, name):
        return max(memory for _, _, memory in self.counted(name))

    def ratio(self, name, other):
        pairs = zip(self.counted(name), self.counted(other))
        return statistics.median(one[0] / two[0] for one, two in pairs)


def skill_ids(git):
    listing = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    for entry in listing.split(b"\0"):
        meta, _, path = entry.partition(b"\t")
        if path.endswith(b"/SKILL.md"):
            yield meta.split()[2]


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
    ids = list(skill_ids(git(many)))
    with tempfile.NamedTemporaryFile() as names:
        names.write(b"".join(id + b"\n" for id in ids))
        names.flush()
        blobs = Race(f"{len(ids):,} skills", runs, {
            "git ls-tree -r HEAD": git(many, "ls-tree", "-r", "HEAD"),
            "git cat-file --batch": git(many, "cat-file", "--batch"),
            "git cat-file --batch --buffer": git(many, "cat-file", "--batch", "--buffer"),
            "skilltree check --rev HEAD": check(many, "--rev", "HEAD"),
            "skilltree forecast --format json": [program, "forecast", "-C", many, "--rev", "HEAD", "--format", "json"],
        }, names.name)
    counts = [sum(1 for _ in skill_ids(git(repository))) for repository in (fewer, more)]
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
