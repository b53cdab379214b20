"""Git works in the same repository meanwhile: the same answer as before, or status 2."""
import json
import subprocess
import threading
import time

from program import git, repository


def churn(directory, stop, counts):
    """What people and their tools do to a repository that somebody reads."""
    number = 0
    while not stop.is_set():
        for command in (["gc", "-q", "--prune=now"], ["repack", "-adfq"], ["pack-refs", "--all"], ["commit", "-q", "--allow-empty", "-m", "x"],
                        ["repack", "-q"], ["prune-packed", "-q"], ["update-index", "--refresh"], ["prune", "--expire=now"],
                        ["reset", "-q", "--hard"], ["multi-pack-index", "write"], ["commit-graph", "write"]):
            git(directory, *command, check=False)
            number += 1
        # Something to pack the next time.
        subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=directory, input=str(number).encode(), stdout=subprocess.DEVNULL)
    counts.append(number)


def check(program, tally, work, seconds):
    directory = repository(work / "beside", {f"skill-{number}": None for number in range(200)} | {"nameless": "---\ndescription: x\n---\ntext\n"})
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
    tally.count("commands of git beside them", counts[0])


def verdict(outcome):
    if outcome.status == 2:
        return None if outcome.stderr else "status 2 without a word"
    summary = json.loads(outcome.stdout)["summary"]
    # Before `reset --hard` wrote a file again, it is not in the work tree; nothing in git lacks it.
    if outcome.status != 1 or summary["skills"] != 201 or summary["errors"] != 1:
        return f"status {outcome.status} with {summary['words']}"
    return None
