#!/usr/bin/env python3
"""compare_platforms.py PROGRAM DIRECTORY COMMAND...: compares a program for another platform with PROGRAM, which is for this one.

COMMAND runs the other program, for example `qemu-aarch64-static skilltree` or `wine skilltree.exe`. Both do the tour of the README, run
the hook, stop and make a commit as the hook of Git, and check 200 repositories made of conformance/cases. Exit statuses and standard
output must be equal, and so must the files that they write.

A program for Windows is copied to DIRECTORY and runs next to a replacement for `bcryptprimitives.dll`, which Debian's wine 8 lacks:
.ci/package/bcryptprimitives.c, compiled by `ziglang` from PyPI, which this Python must have. WINEPREFIX is in DIRECTORY, unless it is set.
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "conformance"))

from harness.cases import skills  # noqa: E402

REPOSITORIES = 200
GOOD = "---\nname: {0}\ndescription: Fills in {0} forms. Use when a {0} form is to be filled in.\n---\n\n# {0}\n\nRead the form.\n"
BROKEN = "---\nname: broken\ndescription: Use when: a form is broken.\n---\n\nRead it.\n"
TOUR = [
    ["--version"],
    [],
    ["check", "--staged"],
    ["check", "--rev", "HEAD", "--format", "json"],
    ["check", "--base", "HEAD", "--format", "sarif"],
    ["explain", "invalid-yaml"],
    ["forecast"],
    ["list", "--format", "json"],
    ["show", "pdf"],
    ["diff", "HEAD~1..HEAD"],
    ["hook", "run", "pre-commit"],
    ["fix", "--diff"],
    ["fix"],
    ["new", "csv-tables"],
    ["init"],
    ["prompt"],
    ["prompt", "--out", "prompt"],
    ["prompt", "--verify", "prompt"],
    ["check", "--output", "html=report.html", "--output", "junit=junit.xml"],
    ["completions", "bash"],
    ["check", "-C", "nowhere"],
    ["check", "--rev", "nothing"],
    ["hook", "install"],
    ["hook", "uninstall"],
]
# Git runs the program as a hook, with its own variables: it stops the broken skill, and lets the fixed one pass.
COMMITS = [
    ["git", "commit", "--quiet", "--message", "Broken"],
    ["git", "commit", "--quiet", "--all", "--message", "Broken"],
    ["git", "rm", "--quiet", "-r", "--cached", ".agents/skills/broken"],
    ["git", "commit", "--quiet", "--allow-empty", "--message", "Three"],
    ["git", "log", "--format=%s"],
]
# Names that a tree can have and Windows cannot, and one path that is longer than its 260 characters.
NAMES = ["con/SKILL.md", "aux.md/SKILL.md", "a:b/SKILL.md", "dot./SKILL.md", "back\\slash/SKILL.md", "nul/references/com1.md", f"{'long-' * 12}1/{'x' * 120}/{'y' * 120}.md"]
NAMED = [
    ["check", "--rev", "HEAD", "--format", "json"],
    ["check", "--staged", "--format", "json"],
    ["list", "--rev", "HEAD", "--format", "json"],
    ["forecast", "--rev", "HEAD"],
    ["show", "con", "--rev", "HEAD"],
    ["prompt", "--rev", "HEAD", "--out", "prompt"],
    ["check", "--rev", "HEAD", "--output", "sarif=report.sarif"],
]
LONG = [
    ["check", "--worktree", "--format", "json"],
    ["check", "--worktree", "--format", "json", ".agents/skills/tax"],
    ["check", "--format", "json", "-C", ".agents/skills"],
    ["check", "--format", "json", "../long/.agents/skills/tax/SKILL.md"],
    ["list", "--worktree"],
    ["new", "made", "--root", ".agents/skills"],
    ["prompt", "--worktree", "--out", "a/b/prompt"],
]


def git(directory, *arguments):
    somebody = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid", "-c", "init.defaultBranch=main", "-c", "core.autocrlf=false"]
    subprocess.run(["git", *somebody, *arguments], cwd=directory, check=True, stdout=subprocess.DEVNULL)


def put(directory, path, content):
    file = directory / ".agents" / "skills" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def of_tour(directory):
    put(directory, "pdf/SKILL.md", GOOD.format("pdf").encode())
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "One", "--date", "2026-01-01T00:00:00Z")
    put(directory, "tax/SKILL.md", GOOD.format("tax").replace("\n", "\r\n").encode())
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "Two", "--date", "2026-01-02T00:00:00Z")
    put(directory, "broken/SKILL.md", BROKEN.encode())
    git(directory, "add", "--all")


def of_commits(directory, command):
    of_tour(directory)
    hook = directory / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {shlex.join(command)} hook run pre-commit\n", encoding="utf-8")
    hook.chmod(0o755)


def of_names(directory):
    """Commits paths that no checkout has."""
    for path in NAMES:
        name = path.split("/")[0]
        blob = subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=directory, check=True, input=GOOD.format(name).encode(), stdout=subprocess.PIPE)
        git(directory, "update-index", "--add", "--cacheinfo", f"100755,{blob.stdout.decode().strip()},.agents/skills/{path}")
    git(directory, "commit", "--quiet", "--message", "One", "--date", "2026-01-01T00:00:00Z")


def of_long(directory):
    """Files of a working tree whose paths are long, or have CRLF line endings and no entry in the index."""
    of_tour(directory)
    put(directory, f"tax/{'x' * 120}/{'y' * 120}/notes.md", b"# Notes\n")
    put(directory, "untracked/SKILL.md", GOOD.format("untracked").replace("\n", "\r\n").encode())


def of_cases(directory, cases):
    for name, content in cases:
        put(directory, f"{name}/SKILL.md", content)
    git(directory, "add", "--all")


def files(directory):
    """Returns the digests of the files that a program wrote, and whether they can be executed."""
    found = (file for file in sorted(directory.rglob("*")) if file.is_file() and ".git" not in file.relative_to(directory).parts)
    return {str(file.relative_to(directory)): hashlib.sha256(file.read_bytes()).hexdigest() for file in found}


def under_wine(command, out):
    """Returns the command with a copy of the program that has the missing library next to it."""
    os.environ.setdefault("WINEPREFIX", str(out / "wine"))
    directory = out / "windows"
    directory.mkdir()
    shutil.copy(command[-1], directory / "skilltree.exe")
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared", "-s", "-lbcrypt"]
    subprocess.run([*compiler, TOP / ".ci" / "package" / "bcryptprimitives.c", "-o", directory / "bcryptprimitives.dll"], check=True)
    return [*command[:-1], str(directory / "skilltree.exe")]


def main():
    program, out, other = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3:]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    if other[-1].endswith(".exe"):
        other = under_wine(other, out)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"WINEDEBUG": "-all", "TERM": "dumb", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    os.environ["GIT_COMMITTER_DATE"] = "2026-01-01T00:00:00Z"
    # Git makes the commits of both, with the same author.
    environment |= {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Nobody"), ("EMAIL", "nobody@example.invalid"))}
    cases = list(skills().items())
    share = -(-len(cases) // REPOSITORIES)
    steps = [("tour", of_tour, TOUR), ("commits", of_commits, COMMITS), ("names", of_names, NAMED), ("long", of_long, LONG)]
    for number in range(REPOSITORIES):
        chosen = [cases[index % len(cases)] for index in range(number * share, number * share + share)]
        commands = [["check", "--staged", "--format", "json"], ["check", "--format", "concise", "--all"]]
        steps.append((f"{number:03}", lambda directory, chosen=chosen: of_cases(directory, chosen), commands))
    differ = runs = 0
    for name, make, commands in steps:
        sides = [(out / "own" / name, [program]), (out / "other" / name, other)]
        for directory, command in sides:
            directory.mkdir(parents=True)
            git(directory, "init", "--quiet")
            make(directory, command) if make is of_commits else make(directory)
        for arguments in commands:
            seen = []
            for directory, command in sides:
                run = arguments if arguments[0:1] == ["git"] else [*command, *arguments]
                done = subprocess.run(run, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
                # `init` prints the commit of the program, if .ci/package/build-program built it.
                printed = re.sub(rb"\b[0-9a-f]{40}\b", b"COMMIT", done.stdout)
                printed = re.sub(rb"\n\nreplace COMMIT with .*", b"", printed)
                seen.append((done.returncode, printed, files(directory), done.stderr))
            runs += 1
            if seen[0][:3] != seen[1][:3]:
                differ += 1
                print(f"RED {name}: {' '.join(arguments)}: status {seen[0][0]} and {seen[1][0]}")
                for label, (_, stdout, _, stderr) in zip(("own", "other"), seen):
                    print(f"  {label}: {stdout[:400]!r} {stderr[:400]!r}")
                changed = {path for path in seen[0][2].keys() | seen[1][2].keys() if seen[0][2].get(path) != seen[1][2].get(path)}
                print(f"  files: {sorted(changed)[:5]}")
            elif not name.isdigit():
                print(f"ok  {' '.join(arguments)}: status {seen[0][0]}, {len(seen[0][1])} bytes")
    print(f"{runs} runs, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
