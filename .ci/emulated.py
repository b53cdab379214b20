#!/usr/bin/env python3
"""emulated.py PROGRAM DIRECTORY COMMAND...: compares a program for another platform with PROGRAM, which is for this one.

COMMAND runs the other program, for example `qemu-aarch64-static skilltree` or `wine skilltree.exe`. Both do the tour of the README, run
the hook, and check 200 repositories made of conformance/cases. Exit statuses and standard output must be equal, and so must the files
that they write.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
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


def of_cases(directory, cases):
    for case in cases:
        put(directory, f"{case.name}/SKILL.md", (case / "SKILL.md").read_bytes())
    git(directory, "add", "--all")


def files(directory):
    """Returns the digests of the files that a program wrote, and whether they can be executed."""
    found = (file for file in sorted(directory.rglob("*")) if file.is_file() and ".git" not in file.relative_to(directory).parts)
    return {str(file.relative_to(directory)): hashlib.sha256(file.read_bytes()).hexdigest() for file in found}


def main():
    program, out, other = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3:]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"WINEDEBUG": "-all", "TERM": "dumb", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    os.environ["GIT_COMMITTER_DATE"] = "2026-01-01T00:00:00Z"
    shutil.rmtree(out, ignore_errors=True)
    cases = sorted(case for case in (TOP / "conformance" / "cases" / "skills").iterdir() if (case / "SKILL.md").is_file())
    share = -(-len(cases) // REPOSITORIES)
    steps = [("tour", of_tour, TOUR)]
    for number in range(REPOSITORIES):
        chosen = [cases[index % len(cases)] for index in range(number * share, number * share + share)]
        commands = [["check", "--staged", "--format", "json"], ["check", "--format", "concise", "--all"]]
        steps.append((f"{number:03}", lambda directory, chosen=chosen: of_cases(directory, chosen), commands))
    differ = runs = 0
    for name, make, commands in steps:
        sides = [(out / "own" / name, [program]), (out / "other" / name, other)]
        for directory, _ in sides:
            directory.mkdir(parents=True)
            git(directory, "init", "--quiet")
            make(directory)
        for arguments in commands:
            seen = []
            for directory, command in sides:
                done = subprocess.run([*command, *arguments], cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
                # `init` prints the commit of the program.
                printed = re.sub(rb"\b[0-9a-f]{40}\b", b"COMMIT", done.stdout)
                seen.append((done.returncode, printed, files(directory), done.stderr))
            runs += 1
            if seen[0][:3] != seen[1][:3]:
                differ += 1
                print(f"RED {name}: skilltree {' '.join(arguments)}: status {seen[0][0]} and {seen[1][0]}")
                for label, (_, stdout, _, stderr) in zip(("own", "other"), seen):
                    print(f"  {label}: {stdout[:400]!r} {stderr[:400]!r}")
                changed = {path for path in seen[0][2].keys() | seen[1][2].keys() if seen[0][2].get(path) != seen[1][2].get(path)}
                print(f"  files: {sorted(changed)[:5]}")
            elif name == "tour":
                print(f"ok  skilltree {' '.join(arguments)}: status {seen[0][0]}, {len(seen[0][1])} bytes")
    print(f"{runs} runs, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
