"""Exhausted resources: descriptors, memory, threads, disk space, and closed pipes."""
import os
import resource
import shutil
import subprocess

from program import repository, soft


def check_limits(program, tally, work):
    """Sixteen descriptors, 256 MiB, and no thread but the first."""
    directory = repository(work / "limits", {f"skill-{number}": None for number in range(300)})
    commands = [["check", "--staged"], ["check", "--rev", "HEAD"], ["check", "--worktree"], ["prompt", "--rev", "HEAD"], ["list", "--rev", "HEAD"]]
    plain = {tuple(command): program.run(command, directory) for command in commands}
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit", "--nproc=1"]
    limits = {
        "16 descriptors": ([], soft(resource.RLIMIT_NOFILE, 16)),
        "256 MiB": ([], soft(resource.RLIMIT_DATA, 256 << 20)),
        "one processor": (["taskset", "-c", "0"], None),
    }
    if os.geteuid() == 0:
        # The user who runs the program owns the repository; skilltree rejects other owners.
        shutil.copytree(directory, work / "nobody")
        subprocess.run(["chown", "-R", "65534:65534", str(work / "nobody")], check=True)
        limits["no threads"] = (nobody, None)
    for name, (before, limit) in limits.items():
        for jobs in ([], ["--jobs", "64"]):
            for command, expected in plain.items():
                place = work / "nobody" if name == "no threads" else directory
                outcome = program.run([*command, *jobs], place, before=before, limits=limit)
                tally.count("runs")
                where = f"{name}: {' '.join([*command, *jobs])}"
                tally.fault(where, outcome.fault())
                if name == "no threads" and outcome.status == 2:
                    tally.fault(where, outcome.stderr.decode(errors="replace")[:200])
                if outcome.status != 2 and (outcome.status, outcome.stdout) != (expected.status, expected.stdout):
                    tally.fault(where, "not the answer that it gives without the limit")


def check_room(program, tally, work):
    """A full disk and a read-only directory: status 2, the existing file, and no temporary file."""
    directory = repository(work / "room", {f"skill-{number}": None for number in range(60)})
    disk = work / "disk"
    disk.mkdir()
    for size in (4096, 8192, 16384, 32768, 65536):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)], capture_output=True).returncode == 0
        if not mounted:
            tally.count("skipped: no disk may be mounted")
            return
        try:
            for name, arguments in (("report", ["check", "--output"]), ("prompt", ["prompt", "--out"])):
                artifact = disk / name
                path = f"json={artifact}" if name == "report" else str(artifact)
                old = artifact
                if name == "prompt":
                    artifact.mkdir()
                    old = artifact / "available-skills.md"
                old.write_text("old")
                before = sorted(disk.rglob("*"))
                outcome = program.run([*arguments, path], directory)
                tally.count("runs")
                where = f"{size} bytes: {name}"
                tally.fault(where, outcome.fault())
                left = [found for found in disk.rglob("*") if found not in before]
                if outcome.status == 2:
                    tally.count("disks full")
                    if old.read_text() != "old" or left:
                        tally.fault(where, f"the old file is gone, or something is left: {left}")
                elif old.read_text() == "old":
                    tally.fault(where, f"status {outcome.status}, and the file is the old one")
                shutil.rmtree(artifact) if artifact.is_dir() else artifact.unlink()
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    read_only(program, tally, directory, disk)


def read_only(program, tally, directory, disk):
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(disk)], check=True)
    try:
        (disk / "report").write_text("old")
        (disk / "prompt").mkdir()
        (disk / "prompt/available-skills.md").write_text("old")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for arguments in (["check", "--output", f"json={disk}/report"], ["check", "--output", f"json={disk}/new"], ["prompt", "--out", f"{disk}/prompt"], ["prompt", "--out", f"{disk}/new"]):
            outcome = program.run(arguments, directory)
            tally.count("runs")
            where = f"read-only: {' '.join(arguments)}"
            tally.fault(where, outcome.fault() or (f"status {outcome.status}" if outcome.status != 2 else None))
            if (disk / "report").read_text() != "old":
                tally.fault(where, "the old file changed")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def check_streams(program, tally, work):
    """A closed pipe, or a full disk of the reader: no panic, and status 2 if the report is incomplete."""
    directory = repository(work / "streams", {"good": None, "nameless": "---\ndescription: x\n---\ntext\n"} | {f"s{n}": "x" for n in range(300)})
    commands = [["check", "--format", format] for format in ("full", "concise", "json", "sarif", "github", "markdown")]
    commands += [["list"], ["list", "--format", "json"], ["prompt"], ["explain"], ["show", "good"], ["schema", "report"], ["completions", "bash"], ["man"], ["--help"], ["--version"], ["check", "--help"]]
    for command in commands:
        plain = program.run(command, directory)
        for name, streams in {
            "stdout full": {"stdout": "/dev/full"}, "stderr full": {"stderr": "/dev/full"}, "both full": {"stdout": "/dev/full", "stderr": "/dev/full"},
            "stdout closed": {"close": [1]}, "stderr closed": {"close": [2]}, "all closed": {"close": [0, 1, 2]}, "reader gone": {"gone": True},
        }.items():
            outcome = stream(program, command, directory, streams)
            tally.count("runs")
            where = f"{name}: {' '.join(command)}"
            tally.fault(where, outcome.fault())
            if name in ("stdout full", "both full") and plain.stdout and outcome.status != 2:
                tally.fault(where, f"status {outcome.status}, though nothing of it was written")
            if name in ("stderr full", "stderr closed", "reader gone") and outcome.status != plain.status:
                tally.fault(where, f"status {outcome.status} instead of {plain.status}")


def stream(program, command, directory, streams):
    close = streams.get("close", [])
    opened = {name: open(streams[name], "wb") for name in ("stdout", "stderr") if name in streams}
    if streams.get("gone"):
        reading, writing = os.pipe()
        os.close(reading)
        opened["stdout"] = os.fdopen(writing, "wb")
    try:
        return program.run(command, directory, limits=(lambda: [os.close(number) for number in close]) if close else None, **opened)
    finally:
        for file in opened.values():
            file.close()
