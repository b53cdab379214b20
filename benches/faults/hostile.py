"""The hostile repositories of tests/hostile, read by the program under strace and in every format."""
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

FORMATS = ["full", "concise", "json", "sarif", "github", "markdown"]
TRACED = "execve,execveat,open,openat,openat2,socket,connect"
CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?")
RAW = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]")
# Files that the system reads at program start, and files with the number of processors.
SYSTEM = ("/etc/ld.so", "/lib", "/usr/lib", "/proc", "/sys/fs/cgroup", "/dev/null", "/dev/urandom", "/etc/gitconfig", "/sys/devices/system/cpu")


def make(root, directory):
    """Creates the repositories with the generator of the tests; existing ones are reused."""
    if not (directory / "complete").exists():
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        command = ["cargo", "test", "--locked", "--quiet", "--test", "hostile", "--", "--include-ignored"]
        subprocess.run(command, cwd=root, env=os.environ | {"HOSTILE_KEEP": str(directory)}, stdout=subprocess.DEVNULL, check=True)
        (directory / "complete").touch()
    return directory


def state(*places):
    """Returns every file below some paths with its mode, size, time and content."""
    found = {}
    for place in places:
        for path in [place, *sorted(place.rglob("*"))]:
            seen = path.lstat()
            content = ""
            if stat.S_ISREG(seen.st_mode) and seen.st_size < 64 << 20:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            elif stat.S_ISLNK(seen.st_mode):
                content = os.readlink(path)
            found[str(path)] = (seen.st_mode, seen.st_size, seen.st_mtime_ns, content)
    return found


def check(program, tally, directory, work):
    """Checks every repository below a directory, in every listed way and format."""
    for place in sorted(path.parent for path in directory.glob("*/runs.json")):
        case = json.loads((place / "runs.json").read_text())
        parts = [place / part for part in ("repository", "server.git", "outside")]
        before = state(*parts)
        tally.count("repositories")
        for run in case["runs"]:
            # The search for a repository must not go on to the one that this directory is in.
            run["environment"] = {"GIT_CEILING_DIRECTORIES": str(directory.resolve())} | dict(run["environment"])
            where = f"{case['name']} {' '.join(run['arguments'])[:60]}"
            for format in FORMATS:
                arguments = ["check", "--format", format, *run["arguments"]]
                outcome = program.run(arguments, run["directory"], run["environment"])
                tally.count("runs")
                tally.fault(f"{where} {format}", problem(outcome, run["status"], case["secret"]))
                tally.most(outcome)
            for command in (["list"], ["list", "--format", "json"], ["prompt"]):
                outcome = program.run([*command, *run["arguments"]], run["directory"], run["environment"])
                tally.count("runs")
                # An unreadable source cannot be listed. A list may contain less than a check.
                tally.fault(f"{where} {' '.join(command)}", problem(outcome, 2 if run["status"] == 2 else outcome.status, case["secret"]))
            traced(program, tally, run, where, parts if case["follows"] else parts[:2], work)
        if state(*parts) != before:
            tally.fault(case["name"], "the repository changed")


def problem(outcome, status, secret):
    """Returns the problem of the output of a run."""
    if outcome.fault():
        return outcome.fault()
    if outcome.status != status:
        return f"status {outcome.status} instead of {status}"
    text = (outcome.stdout + b"\n" + outcome.stderr).decode(errors="surrogateescape")
    if secret in text:
        return "the secret is told"
    # A joiner between two emoji is visible.
    raw = RAW.search(text.replace("\U0001f468\u200d\U0001f469\u200d\U0001f467", "family"))
    return f"raw {raw.group()!r}" if raw else None


def traced(program, tally, run, where, parts, work):
    """The same under strace: one program, no socket, nothing opened outside."""
    log, out = work / "trace", work / "out"
    out.mkdir(exist_ok=True)
    outputs = [f"--output={format}={out}/{format}" for format in FORMATS]
    before = ["strace", "-f", "-y", "-qq", "-s", "4096", "-e", f"trace={TRACED}", "-o", str(log)]
    environment = dict(run["environment"]) | {"TMPDIR": str(work)}
    program.run(["check", *outputs, *run["arguments"]], run["directory"], environment, before)
    tally.count("traces")
    started = 0
    allowed = [*map(str, parts), str(work), program.home]
    for line in log.read_text(errors="surrogateescape").splitlines():
        call = CALL.match(line)
        if not call:
            continue
        name, arguments, result, opened = call.groups()
        started += name.startswith("execve")
        if name in ("socket", "connect"):
            tally.fault(where, f"a connection: {line[:200]}")
        if name.startswith("open") and int(result) >= 0:
            path = opened or arguments
            if not any(path == top or path.startswith(top + "/") for top in allowed) and not path.startswith(SYSTEM):
                tally.fault(where, f"opened {path[:200]}")
    if started != 1:
        tally.fault(where, f"{started} programs were started")
    shutil.rmtree(out)
