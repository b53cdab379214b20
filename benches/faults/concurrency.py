"""Concurrent git commands in the same repository: the same findings as before, or status 2."""
import json
import subprocess
import threading
import time

from program import git, repository


def churn(directory, stop, counts):
    """Commands that change a repository while skilltree reads it."""
    number = 0
    while not stop.is_set():
        for command in (["gc", "-q", "--prune=now"], ["repack", "-adfq"], ["pack-refs", "--all"], ["commit", "-q", "--allow-empty", "-m", "x"],
                        ["repack", "-q"], ["prune-packed", "-q"], ["update-index", "--refresh"], ["prune", "--expire=now"],
                        ["reset", "-q", "--hard"], ["multi-pack-index", "write"], ["commit-graph", "write"]):
            git(directory, *command, check=False)
            number += 1
        # Creates objects for the next repack.
        subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=directory, input=str(number).encode(), stdout=subprocess.DEVNULL)
    counts.append(number)


def check(program, tally, work, seconds):
    directory = repository(work / "concurrency", {f"skill-{number}": None for number in range(200)} | {"nameless": "---\ndescription: x\n---\ntext\n"})
    stop, counts = threading.Event(), []
    churner = threading.Thread(target=churn, args=(directory, stop, counts))
    commit = git(directory, "rev-parse", "HEAD")
    churner.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for way in (["--staged"], ["--rev", "HEAD"], ["--rev", commit], ["--worktree"]):
            outcome = program.run(["check", "--format", "json", *way], directory)
            tally.count("runs")
            tally.count(f"status {outcome.status}")
            tally.fault(" ".join(way), outcome.fault() or verdict(outcome))
    stop.set()
    churner.join()
    tally.count("concurrent git commands", counts[0])


def verdict(outcome):
    if outcome.status == 2:
        return None if outcome.stderr else "status 2 without a word"
    summary = json.loads(outcome.stdout)["summary"]
    # `reset --hard` deletes a file before it writes it again; all git objects exist.
    if outcome.status != 1 or summary["skills"] != 201 or summary["errors"] != 1:
        return f"status {outcome.status} with {summary['words']}"
    return None
