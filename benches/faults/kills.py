"""Killed and concurrent writers: no line is lost, and no file is incomplete."""
import json
import subprocess
import time

from program import repository, skill

FILE = ".agent/knowledge.jsonl"
MINUTE = "2026-11-20T12:00:00Z"


def add(content):
    return ["agent", "knowledge", "add", "--content", content, "--category", "tip", "--contributor", content, "--scope", "global", "--now", MINUTE]


def start(program, arguments, directory):
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*program.command, *arguments], cwd=directory, env=program.environment(), **streams)


def killed(program, arguments, directory, after):
    """Returns whether a run ended successfully before it was killed."""
    child = start(program, arguments, directory)
    time.sleep(after)
    child.kill()
    return child.wait() == 0


def check(program, tally, work, times):
    check_knowledge(program, tally, repository(work / "knowledge", {"one": None}), times)
    check_prompt(program, tally, repository(work / "prompt", {"one": None}), times)
    check_together(program, tally, repository(work / "together", {"one": None}), 8, max(times // 20, 2))


def usual(program, arguments, directory):
    """Returns the duration of a complete run in seconds."""
    begin = time.monotonic()
    start(program, arguments, directory).wait()
    return time.monotonic() - begin


def check_lines(tally, where, directory, wanted):
    """Checks that each line is one complete entry and that every reported entry exists."""
    found = []
    for number, line in enumerate((directory / FILE).read_bytes().split(b"\n")[:-1], 1):
        try:
            found.append(json.loads(line)["content"])
        except (ValueError, KeyError, TypeError):
            tally.fault(where, f"line {number} is no entry: {line[:60]!r}")
    for content in sorted(set(wanted) - set(found)):
        tally.fault(where, f"the line of {content} is lost")
    if len(found) != len(set(found)):
        tally.fault(where, "a line stands twice")


def check_knowledge(program, tally, directory, times):
    seconds = usual(program, add("first"), directory)
    wanted = ["first"]
    for number in range(times):
        content = f"entry-{number}"
        if killed(program, add(content), directory, 1.2 * seconds * number / times):
            wanted.append(content)
        tally.count("adds killed or in time")
        text = (directory / FILE).read_bytes()
        if not text.endswith(b"\n"):
            tally.count("lines not finished")
    outcome = program.run(add("last"), directory)
    tally.fault("add", outcome.fault())
    tally.count("adds in time", len(wanted))
    check_lines(tally, "add", directory, [*wanted, "last"])


def check_prompt(program, tally, directory, times):
    """Checks that every file of the artifact belongs to one of two states of a repository."""
    command = ["prompt", "--out", "out"]
    states = {}
    for number in range(2):
        path = directory / ".agent/skills/two/SKILL.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(skill("two", " quickly" * number))
        seconds = usual(program, command, directory)
        states[number] = {file.name: file.read_bytes() for file in (directory / "out").iterdir()}
    for number in range(times):
        path.write_text(skill("two", " quickly" * (number % 2)))
        killed(program, command, directory, 1.2 * seconds * number / times)
        tally.count("prompts killed or in time")
        for name in states[0]:
            file = directory / "out" / name
            if not file.exists() or file.read_bytes() not in (states[0][name], states[1][name]):
                tally.fault("prompt", f"{name} is neither old nor new")


def check_together(program, tally, directory, writers, rounds):
    for number in range(rounds):
        children = [start(program, add(f"entry-{writer}-{number}"), directory) for writer in range(writers)]
        for child in children:
            if child.wait() != 0:
                tally.fault("together", f"status {child.returncode}")
        tally.count("adds at once", writers)
    check_lines(tally, "together", directory, [f"entry-{writer}-{number}" for writer in range(writers) for number in range(rounds)])
