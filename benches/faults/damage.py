"""Damages single bytes of a small repository: no panic, and never a clean result with fewer skills."""
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from program import Tally, git, repository

# Replacements of a byte.
DAMAGES = [lambda byte: byte ^ 0x01, lambda byte: byte ^ 0x80, lambda byte: 0x00]
SKILLS = {"good": None, "other": None, "nameless": "---\ndescription: It has no name.\n---\n\nDo it.\n"}


def shapes(work):
    """The same skills loose and packed, all good and one bad."""
    for bad in (False, True):
        skills = {name: text for name, text in SKILLS.items() if bad or text is None}
        for packed in (False, True):
            directory = repository(work / f"damage-{bad}-{packed}", skills)
            git(directory, "tag", "-a", "-m", "A tag", "v1")
            if packed:
                git(directory, "gc", "-q", "--prune=now")
                git(directory, "pack-refs", "--all")
                git(directory, "repack", "-adq", "--depth=50", "--window=50")
            yield directory, not bad


def files(directory):
    """Returns the files of a repository that determine its skills."""
    wanted = ("HEAD", "config", "index", "packed-refs", "refs/", "objects/")
    for path in sorted((directory / ".git").rglob("*")):
        inside = str(path.relative_to(directory / ".git"))
        if path.is_file() and inside.startswith(wanted) and not inside.endswith(".rev"):
            yield inside


def check(program, tally, work, step=1):
    """Damages every byte of every file, with every replacement; `step` takes a sample."""
    for directory, is_clean in shapes(work):
        copies = [work / f"copy-{number}" for number in range(os.cpu_count() or 1)]
        tasks = list(files(directory))
        undamaged = {}
        for way in ways():
            undamaged[tuple(way)] = read(program, way, directory)[0]
            if (undamaged[tuple(way)] is None) or (undamaged[tuple(way)]["summary"]["errors"] == 0) != is_clean:
                tally.fault(directory.name, f"{' '.join(way)}: the undamaged repository has unexpected findings")
                return
        with ThreadPoolExecutor(len(copies)) as pool:
            parts = pool.map(lambda copy: work_through(program, directory, copy[1], tasks[copy[0]::len(copies)], undamaged, step), enumerate(copies))
            for part in parts:
                for what, number in part.counts.items():
                    tally.count(what, number)
                tally.faults += part.faults


def ways():
    return [["--staged"], ["--rev", "HEAD"], ["--rev", "v1"]]


def read(program, way, directory):
    outcome = program.run(["check", "--format", "json", "--jobs", "1", *way], directory)
    try:
        return json.loads(outcome.stdout), outcome
    except ValueError:
        return None, outcome


def work_through(program, directory, copy, tasks, undamaged, step):
    """Damages the files in `tasks` of a copy, one byte at a time, and restores each."""
    tally = Tally()
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy)
    for inside in tasks:
        path = Path(copy) / ".git" / inside
        path.chmod(0o644)
        sound = path.read_bytes()
        for at in range(0, len(sound), step):
            for damage in {damage(sound[at]) for damage in DAMAGES} - {sound[at]}:
                path.write_bytes(sound[:at] + bytes([damage]) + sound[at + 1:])
                tally.count("damages")
                for way in ways():
                    report, outcome = read(program, way, copy)
                    tally.count("runs")
                    tally.count(f"status {outcome.status}")
                    where = f"{directory.name}/{inside}:{at}={damage:#x} {' '.join(way)}"
                    tally.fault(where, outcome.fault() or falsely_clean(outcome, report, undamaged[tuple(way)]))
        path.write_bytes(sound)
    shutil.rmtree(copy)
    return tally


def falsely_clean(outcome, report, sound):
    """Returns the problem of a result for a damaged repository: it is clean only if the original was, with all skills."""
    if outcome.status != 0:
        return None
    if report is None:
        return "clean, and no report"
    if sound["summary"]["errors"] or report["summary"]["skills"] < sound["summary"]["skills"]:
        return f"clean with {report['summary']['skills']} skills of {sound['summary']['skills']}"
    return None
