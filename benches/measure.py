#!/usr/bin/env python3
"""measure.py PROGRAM REPOSITORY RUNS: times PROGRAM beside git over the same blobs, taking turns, and prints a table.

Taking turns, because on a shared machine only commands that ran side by side can be compared. Python's standard library only.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time


def once(command, stdin):
    """The seconds that passed, the seconds that processors worked, and the peak of resident memory in bytes, of one run."""
    with open(stdin, "rb") as source:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    # Linux counts in kibibytes, macOS in bytes. Neither goes below the 20 MB of this Python, from which the child began.
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def skill_ids(git):
    listing = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    for entry in listing.split(b"\0"):
        meta, _, path = entry.partition(b"\t")
        if path.endswith(b"/SKILL.md"):
            yield meta.split()[2]


def main():
    program, repository, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    git = ["git", f"--git-dir={repository}"]
    ids = list(skill_ids(git))
    with tempfile.NamedTemporaryFile() as names:
        names.write(b"".join(id + b"\n" for id in ids))
        names.flush()
        commands = {
            "git ls-tree -r HEAD": ([*git, "ls-tree", "-r", "HEAD"], os.devnull),
            "git cat-file --batch": ([*git, "cat-file", "--batch"], names.name),
            "git cat-file --batch --buffer": ([*git, "cat-file", "--batch", "--buffer"], names.name),
            # A repository with a finding in it takes as long.
            "skilltree check --rev HEAD": ([program, "check", "-C", repository, "--rev", "HEAD", "--exit-zero"], os.devnull),
        }
        taken = {name: [] for name in commands}
        for _ in range(runs + 1):
            for name, (command, stdin) in commands.items():
                taken[name].append(once(command, stdin))

    # The first round fills the caches and does not count.
    taken = {name: list(zip(*each[1:])) for name, each in taken.items()}
    reading = statistics.median(taken["git cat-file --batch"][0])
    print(f"{len(ids)} skills, {runs} runs each, taking turns, {os.cpu_count()} processors; medians")
    print(f"{'command':<32}{'time':>10}{'least':>10}{'work':>10}{'peak':>10}{'of cat-file':>13}")
    for name, (seconds, work, memory) in taken.items():
        columns = [statistics.median(seconds), min(seconds), statistics.median(work)]
        times = "".join(f"{column * 1e3:>7.0f} ms" for column in columns)
        print(f"{name:<32}{times}{max(memory) / 1e6:>7.0f} MB{columns[0] / reading:>13.2f}")


if __name__ == "__main__":
    main()
