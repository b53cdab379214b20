#!/usr/bin/env python3
"""Makes bare repositories with skills for tests of a fleet. The same arguments give the same commits.

    make_repositories.py COUNT DIRECTORY [--skills N]      repositories r00000.git ...; a tenth has none, is hostile or fails
    make_repositories.py touch DIRECTORY PERCENT           a new commit in some repositories
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

WAYS = ["no-repository", "head-only", "unborn-branch", "missing-commit", "missing-blob", "damaged-pack", "unknown-format", "broken-settings", "broken-config", "head-directory"]
HOSTILE = ["a\u202eb", "<script>alert(1)</script>", "'; DROP TABLE skills; --", "::error::x", "\x1b[2J"]


def environment():
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**variables, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


def create(path):
    """Creates an empty bare repository without starting a program."""
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (path / name).mkdir(parents=True)
    (path / "HEAD").write_text("ref: refs/heads/main\n")
    (path / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")


def commit(path, files, day=0, parent=False):
    """Commits files: pairs of a path and bytes."""
    stamp = 1767225600 + 86400 * day
    head = f"commit refs/heads/main\ncommitter a <a@example.invalid> {stamp} +0000\ndata 1\nx\n"
    stream = [head.encode(), b"from refs/heads/main^0\n" if parent else b"deleteall\n"]
    for name, data in files:
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(data), data))
    command = ["git", f"--git-dir={path}", "-c", "fastimport.unpackLimit=0", "-c", "pack.compression=1", "fast-import", "--quiet"]
    subprocess.run(command, input=b"".join(stream), check=True, env=environment())


def skill(number, hostile=False):
    """Returns the files of a skill: every fifth has a finding, every third is the same in many repositories, every fourth has links."""
    name = f"shared-{number % 7}" if number % 3 == 0 else f"skill-{number}"
    text = f"Does task {number % 100}. Use when task {number % 100} is asked for."
    if hostile:
        text = HOSTILE[number % len(HOSTILE)]
    value = f"Use when: {text}" if number % 5 == 4 else '"' + text.replace("\x1b", "\\e") + '"'
    body = f"# {name}\n\n" + f"Read the input of step {number % 9} first.\n" * (5 + number % 40)
    more = []
    if number % 4 == 1:
        body += "\nSee [the guide](references/guide.md) and [the rest](references/rest.md).\n"
        more = [(f".agents/skills/{name}/references/guide.md", b"# Guide\n\nBack to [the skill](../SKILL.md).\n")]
    return [(f".agents/skills/{name}/SKILL.md", f"---\nname: {name}\ndescription: {value}\n---\n\n{body}".encode()), *more]


def fail(path, way):
    """Breaks a repository in one of ten ways."""
    if way == "no-repository":
        shutil.rmtree(path)
        path.mkdir()
    elif way == "head-only":
        shutil.rmtree(path)
        path.mkdir()
        (path / "HEAD").write_text("ref: refs/heads/main\n")
    elif way == "unborn-branch":
        (path / "HEAD").write_text("ref: refs/heads/gone\n")
    elif way == "missing-commit":
        (path / "refs/heads/main").write_text("0123456789" * 4 + "\n")
    elif way in ("missing-blob", "damaged-pack"):
        for pack in (path / "objects/pack").glob("*.pack"):
            data = bytearray(pack.read_bytes())
            keep = data[: len(data) // 2] if way == "missing-blob" else bytes(len(data))
            pack.chmod(0o644)
            pack.write_bytes(keep)
    elif way == "unknown-format":
        (path / "config").write_text("[core]\n\trepositoryformatversion = 9\n\tbare = true\n")
    elif way == "broken-settings":
        commit(path, [("skilltree.toml", b"edition = [\n")], parent=True)
    elif way == "broken-config":
        (path / "config").write_text("[core\n")
    elif way == "head-directory":
        (path / "HEAD").unlink()
        (path / "HEAD").mkdir()


def make(count, directory, skills):
    directory.mkdir(parents=True)
    for number in range(count):
        path = directory / f"r{number:05}.git"
        create(path)
        kind = number % 20
        if kind == 1:
            continue  # empty
        files = [file for each in range(1 + (number * 7) % (2 * skills)) for file in skill(number * 13 + each, hostile=kind == 2)]
        commit(path, dict(files).items())
        if kind == 3:
            fail(path, WAYS[(number // 20) % len(WAYS)])


def touch(directory, percent):
    repositories = sorted(directory.iterdir())
    step = max(1, round(100 / percent))
    healthy = [path for number, path in enumerate(repositories) if number % 20 not in (1, 3)]
    for number, path in enumerate(healthy[::step]):
        commit(path, skill(900_000 + number), day=number + 1, parent=True)
    print(len(healthy[::step]))


if __name__ == "__main__":
    if sys.argv[1] == "touch":
        touch(Path(sys.argv[2]), float(sys.argv[3]))
    else:
        make(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[4]) if sys.argv[3:4] == ["--skills"] else 4)
