"""Every system call on files fails once, or kills the program: the artifact is the existing or the new one, never a mixture."""
import re
import shutil
import subprocess
from pathlib import Path

CALLS = ["openat", "write", "writev", "fsync", "fdatasync", "close", "rename", "renameat", "renameat2", "link", "linkat",
         "unlink", "unlinkat", "mkdir", "chmod", "fchmod", "ftruncate", "fallocate", "statx"]
FAULTS = ["error=EIO", "error=ENOSPC", "error=EACCES", "signal=KILL"]


def calls(program, arguments, directory, work):
    """Returns each call on the repository, the artifact or the output: its name and its number among calls of that name."""
    log = work / "trace"
    known = [call for call in CALLS if subprocess.run(["strace", "-qq", "-e", f"trace={call}", "true"], capture_output=True).returncode == 0]
    program.run(arguments, directory, before=["strace", "-f", "-y", "-qq", "-e", f"trace={','.join(known)}", "-o", str(log)])
    times = {}
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+ +(\w+)\((.*)", line)
        if not call:
            continue
        name, rest = call.groups()
        times[name] = times.get(name, 0) + 1
        # The standard library panics when it cannot close a directory that it listed; no disk does that.
        is_listing = name == "close" and re.match(r"\d+<(.*)>", rest) and Path(re.match(r"\d+<(.*)>", rest)[1]).is_dir()
        if (str(work) in rest or name == "write") and not is_listing:
            yield name, times[name]


def content(place):
    """Returns the files of an artifact, without temporary files of a killed run."""
    if place.is_file():
        return {place.name: place.read_bytes()}
    return {path.name: path.read_bytes() for path in sorted(place.iterdir()) if not path.name.startswith(".")}


def check(program, tally, repository, work):
    """Injects every fault while each kind of artifact is written."""
    one = work / "report.sarif"
    many = work / "prompt"
    for artifact, arguments in [(one, ["check", "--rev", "HEAD", "--output", f"sarif={one}"]), (many, ["prompt", "--rev", "HEAD", "--out", str(many)])]:
        arguments += ["--jobs", "1"]
        shutil.rmtree(many, ignore_errors=True)
        first = program.run(arguments, repository)
        tally.fault(artifact.name, first.fault())
        new = content(artifact)
        old = {name: b"old" for name in new}
        reset(artifact, old)
        for call, when in list(calls(program, arguments, repository, work)):
            for fault in FAULTS:
                reset(artifact, old)
                before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={when}"]
                outcome = program.run(arguments, repository, before=before)
                tally.count("faults injected")
                compare(tally, f"{artifact.name}: {call} {when} {fault}", outcome, first, content(artifact), old, new)


def reset(artifact, old):
    if artifact.suffix:
        artifact.write_bytes(old[artifact.name])
        return
    shutil.rmtree(artifact, ignore_errors=True)
    artifact.mkdir()
    for name, text in old.items():
        (artifact / name).write_bytes(text)


def compare(tally, where, outcome, first, found, old, new):
    # Strace ends as the program did.
    fault = outcome.fault(kills=True)
    tally.fault(where, fault)
    partial = [name for name in found if found[name] not in (old.get(name), new.get(name))] or [name for name in old if name not in found]
    if partial:
        tally.fault(where, f"{partial[0]} is neither old nor new")
    if found == new:
        tally.count("new")
    elif found == old:
        tally.count("old")
    else:
        tally.count("a part of the files new")
    if outcome.status in (0, 1) and (found != new or outcome.status != first.status or outcome.stdout != first.stdout):
        tally.fault(where, f"status {outcome.status}, but the artifact or the output is not the undisturbed one")
    if outcome.status == 2 and not outcome.stderr:
        tally.fault(where, "status 2 without a word")
