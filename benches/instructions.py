#!/usr/bin/env python3
"""instructions.py PROGRAM [--update]: counts the instructions of the hot paths, and compares them with instructions.json.

Valgrind counts the instructions of complete commands, so the load of the machine changes nothing. A hot path is the difference
between two commands on repositories of make_repository.py: the work that only the first one does. A count more than 5 % above the
recorded one exits with 1. A count below it is an improvement, and passes. `--update` also records the counts.
Needs Linux, valgrind, rustc and git.
"""
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from make_repository import skills, without_description, write

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "instructions.json")
TOLERANCE = 0.05
SKILLS = 200
# What a public skill declares besides its name and its description.
FRONT_MATTER = """license: Apache-2.0
compatibility: Needs Python 3.11 and network access
allowed-tools: Read Write Bash(git:*)
metadata:
  author: example
  version: "1.4"
  category: documents
  tags: "pdf, forms, tables"
"""

# The repository and the command of each run.
CHECK = ["check", "--rev=HEAD", "--exit-zero"]
RUNS = {
    "one skill": ("one", CHECK),
    "tree": ("valid", CHECK),
    "working tree": ("valid", ["check", "--worktree"]),
    "one skill, working tree": ("one", ["check", "--worktree"]),
    "base": ("valid", [*CHECK, "--base=HEAD"]),
    "short": ("short", CHECK),
    "long": ("long", CHECK),
    "faults": ("faulty", [*CHECK, "--format=concise"]),
    "json": ("faulty", [*CHECK, "--format=json"]),
    "sarif": ("faulty", [*CHECK, "--format=sarif"]),
    "full": ("faulty", [*CHECK, "--format=full"]),
    "forecast": ("valid", ["forecast", "--rev=HEAD", "--format=json"]),
    "one forecast": ("one", ["forecast", "--rev=HEAD", "--format=json"]),
    "prompt": ("valid", ["prompt", "--rev=HEAD"]),
    "one prompt": ("one", ["prompt", "--rev=HEAD"]),
}
# Each hot path: a run, and the run that is subtracted.
PATHS = {
    "start, and check one skill": ("one skill", None),
    f"check a tree, {SKILLS} skills": ("tree", "one skill"),
    f"check a working tree, {SKILLS} skills": ("working tree", "one skill, working tree"),
    "compare with a base": ("base", "tree"),
    "front matter": ("long", "short"),
    "rules with a finding for each skill": ("faults", "short"),
    "render full": ("full", "faults"),
    "render JSON": ("json", "faults"),
    "render SARIF": ("sarif", "faults"),
    f"forecast, {SKILLS} skills": ("forecast", "one forecast"),
    f"prompt, {SKILLS} skills": ("prompt", "one prompt"),
}


def without_body(files, more=""):
    """Returns the front matter of each skill, with more fields, and one line of text."""
    for path, text in files:
        if path.endswith("/SKILL.md"):
            yield path, text.split("---\n")[1].join(("---\n", f"{more}---\n\nRead the page.\n"))


def repositories(directory):
    made = {
        "one": skills(1, True),
        "valid": skills(SKILLS),
        "short": without_body(skills(SKILLS)),
        "long": without_body(skills(SKILLS), FRONT_MATTER),
        "faulty": without_description(without_body(skills(SKILLS))),
    }
    for name, files in made.items():
        bare, tree = os.path.join(directory, f"{name}.git"), os.path.join(directory, name)
        write(bare, files)
        subprocess.run(["git", "clone", "--quiet", bare, tree], check=True)


def count(program, directory, arguments):
    """Returns the instructions of one command, on one thread."""
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-fd=2"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    # Without a limit of its own, a run asks for its processor time, and the clock of rustix does not run in valgrind.
    command = [*tool, program, *arguments, "--jobs=1", "--quiet", "--max-time=1h"]
    run = subprocess.run(command, cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    counted = re.search(r"I +refs: +([0-9,]+)", run.stderr)
    if run.returncode != 0 or not counted:
        sys.exit(f"{' '.join(command)}: exit status {run.returncode}\n{run.stderr}")
    return int(counted[1].replace(",", ""))


def measured(program):
    """Returns the instructions of each hot path. The runs share the processors, which changes no count."""
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(os.cpu_count()) as workers:
        repositories(directory)
        each = {
            name: workers.submit(count, program, os.path.join(directory, repository), arguments)
            for name, (repository, arguments) in RUNS.items()
        }
        runs = {name: run.result() for name, run in each.items()}
    return {path: runs[run] - runs.get(less, 0) for path, (run, less) in PATHS.items()}


def main():
    program = os.path.abspath(sys.argv[1])
    toolchain = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    counts = measured(program)
    with open(RECORD, encoding="utf-8") as file:
        record = json.load(file)
    if "--update" in sys.argv:
        updated = {"toolchain": toolchain, "machine": platform.machine(), "counts": counts}
        with open(RECORD, "w", encoding="utf-8") as file:
            file.write(json.dumps(updated, indent=2) + "\n")
    sys.exit(compare(record, counts, toolchain))


def compare(record, counts, toolchain):
    """Prints the counts next to the recorded ones, and returns 1 if one has become worse."""
    if record["machine"] != platform.machine():
        sys.exit(f"instructions.json has the counts of {record['machine']}, and this machine is {platform.machine()}")
    if record["counts"].keys() != counts.keys():
        sys.exit("instructions.json had other hot paths than instructions.py: record them with --update")
    recorded = record["counts"]
    print_table(recorded, counts)
    if record["toolchain"] != toolchain:
        print(f"\nThe recorded counts are those of Rust {record['toolchain']}, and this is Rust {toolchain}.")
    if any(counted < recorded[path] * (1 - TOLERANCE) for path, counted in counts.items()):
        print(f"\nMore than {TOLERANCE:.0%} better: record it with --update, so that a later regression cannot use it up.")
    worse = [path for path, counted in counts.items() if counted > recorded[path] * (1 + TOLERANCE)]
    if worse:
        print(f"\nMore than {TOLERANCE:.0%} above the recorded count: {', '.join(worse)}")
        print("If the change is intended, record the counts with --update, and say why in the commit.")
    return 1 if worse else 0


def print_table(recorded, counts):
    print(f"{'hot path':<40}{'recorded':>15}{'counted':>15}{'change':>9}")
    for path, counted in counts.items():
        print(f"{path:<40}{recorded[path]:>15,}{counted:>15,}{counted / recorded[path] - 1:>+9.1%}")


if __name__ == "__main__":
    main()
