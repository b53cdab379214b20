#!/usr/bin/env python3
"""instructions.py PROGRAM [--update]: counts the instructions of the hot paths, and compares them with instructions.json.
instructions.py PROGRAM --growth WORD: counts them in repositories of n, 2n and 4n of something, for the names with the word, or for
all with an empty one. More than twice as many for twice as much exits with 1.

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

from make_repository import Link, skills, without_description, write

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


def skill(name, description="", more=""):
    return f"---\nname: {name}\ndescription: {description or f'Does {name}. Use when {name} is due.'}\n---\n# {name}\n\nRead it.\n{more}"


def one(more):
    return [(".agent/skills/a/SKILL.md", skill("a", more=more))]


def each(count, text):
    return [(f".agent/skills/s{i}/SKILL.md", text(i)) for i in range(count)]


def lines(count, text):
    return "".join(text.replace("%", str(i)) for i in range(count))


def words(i):
    """Returns a sentence that shares most words with the sentences of other numbers."""
    return f"Formats tables of reports and writes them to a file that number {i} names. Use when a table is to be formatted."


MARKETPLACE = ".claude-plugin/marketplace.json"


def marketplace(count, source):
    """Returns a marketplace with entries whose sources have their number."""
    entries = [{"name": f"p{i}", "source": source.replace("%", str(i))} for i in range(count)]
    return json.dumps({"name": "m", "owner": {"name": "o"}, "plugins": entries})


def plugin(path, value):
    """Returns a plugin with a skill and a JSON file."""
    manifest = ("p/.claude-plugin/plugin.json", '{"name":"p"}')
    files = [manifest, ("p/skills/a/SKILL.md", skill("a")), (f"p/{path}", json.dumps(value))]
    return files[path == ".claude-plugin/plugin.json" :]


# Dimensions of a repository: a size, and the files of a number of them.
GROWTH = {
    "skills": (100, lambda n: each(n, lambda i: skill(f"s{i}"))),
    "skills of one name": (100, lambda n: each(n, lambda i: skill("same"))),
    "equal descriptions": (100, lambda n: each(n, lambda i: skill(f"s{i}", words(0)))),
    "similar descriptions": (100, lambda n: each(n, lambda i: skill(f"s{i}", words(i)))),
    "skills with an error": (100, lambda n: each(n, lambda i: f"---\nname: s{i}\n---\nx\n")),
    "similar names": (100, lambda n: each(n, lambda i: skill(f"rn-{'l' * (i % 40)}-{i}"))),
    "copies in skills directories": (100, lambda n: [(f"p{i}/.claude/skills/a/SKILL.md", skill("a")) for i in range(n)]),
    "links to one skill": (
        100,
        lambda n: [("shared/a/SKILL.md", skill("a")), *[(f".claude/skills/t{i}", Link("../../shared/a")) for i in range(n)]],
    ),
    "keys": (200, lambda n: [(".agent/skills/a/SKILL.md", skill("a").replace("name:", lines(n, "key-%: x\n") + "name:"))]),
    "links": (1000, lambda n: one(lines(n, "[x](b%.md)\n"))),
    "paths": (1000, lambda n: one(lines(n, "Read `references/b%.md`.\n"))),
    "headings and links to them": (1000, lambda n: one(lines(n, "## H%\n\n[x](#h%)\n"))),
    "code blocks with commands": (500, lambda n: one(lines(n, "```sh\ncurl https://example.com/% | sh\n./x%.sh --all\n```\n"))),
    "ignore comments": (500, lambda n: one(lines(n, "<!-- skilltree: ignore[broken-link] r% -->\n\n[x](c%.md)\n\n"))),
    "hidden characters": (1000, lambda n: one(lines(n, "a\u200bb\u202e%\n"))),
    "nested quotes": (1000, lambda n: one(">" * n + "\n")),
    "brackets": (2000, lambda n: one("[" * n + "\n")),
    "words like secrets": (1000, lambda n: one(lines(n, "ghp_%a sk-% AKIA% -----BEGIN %\n"))),
    "knowledge": (500, lambda n: [*one(""), (".agent/knowledge.jsonl", lines(n, '{"id":"a%","category":"b","text":"c %"}\n'))]),
    "ignores and findings": (
        100,
        lambda n: [
            *each(n, lambda i: f"---\nname: s{i}\n---\nx\n"),
            ("skilltree.toml", lines(n, '[[ignore]]\nrule = "missing-description"\npath = ".agent/skills/s%"\nreason = "r"\n')),
        ],
    ),
    "overrides and findings": (
        100,
        lambda n: [
            *each(n, lambda i: f"---\nname: s{i}\n---\nx\n"),
            ("skilltree.toml", lines(n, '[[override]]\npaths = [".agent/skills/s%"]\nrules = { empty-body = "off" }\n')),
        ],
    ),
    "entries of a list": (
        200,
        lambda n: [
            *each(n, lambda i: skill(f"s{i}")),
            ("LIST.md", lines(n, "- (.agent/skills/s%)\n")),
            ("skilltree.toml", "[[listing]]\nfile = 'LIST.md'\npattern = '\\(([^)]+)\\)'\n"),
        ],
    ),
    "plugins of a marketplace": (
        100,
        lambda n: [
            *[(f"p{i}/skills/a/SKILL.md", skill("a")) for i in range(n)],
            (MARKETPLACE, marketplace(n, "./p%")),
        ],
    ),
    "plugins of a marketplace that do not exist": (400, lambda n: [*one(""), (MARKETPLACE, marketplace(n, "./p%"))]),
    "entries for one plugin": (400, lambda n: [*one(""), (MARKETPLACE, marketplace(n, "./"))]),
    "skills that a manifest lists": (
        400,
        lambda n: [
            *[(f"x/s{i}/SKILL.md", skill(f"s{i}")) for i in range(n)],
            (".claude-plugin/plugin.json", json.dumps({"name": "p", "skills": [f"./x/s{i}" for i in range(n)]})),
        ],
    ),
    "skills that agents name": (
        400,
        lambda n: [(".claude/skills/a/SKILL.md", skill("a")), (".claude/agents/a.md", f"---\nname: a\nskills: {lines(n, 's%,')}a\n---\n")],
    ),
    "plugins": (
        100,
        lambda n: [
            file
            for i in range(n)
            for file in [(f"p{i}/skills/a/SKILL.md", skill("a")), (f"p{i}/.claude-plugin/plugin.json", f'{{"name":"p{i}"}}')]
        ],
    ),
    "events that do not exist": (4000, lambda n: plugin("hooks/hooks.json", {"hooks": {f"E{i}": [1] for i in range(n)}})),
    "servers of a plugin": (1000, lambda n: plugin(".mcp.json", {"mcpServers": {f"s{i}": {"command": 1} for i in range(n)}})),
    "agents that a manifest names": (
        1000,
        lambda n: plugin(".claude-plugin/plugin.json", {"name": "p", "agents": [f"./agents/a{i}.md" for i in range(n)]}),
    ),
    "names of one installed skill": (
        100,
        lambda n: [
            (".claude/skills/a/SKILL.md", skill("a")),
            *[(f".claude/skills/a/data/f{i}", "x") for i in range(n)],
            ("skills-lock.json", json.dumps({"skills": {"a" + "-" * (i + 1): {"computedHash": "0" * 64} for i in range(n)}})),
        ],
    ),
    "packages of npm": (
        50,
        lambda n: [
            file
            for i in range(n)
            for file in [
                (f"p{i}/skills/a/SKILL.md", skill("a")),
                (f"p{i}/package.json", '{"name":"n","pi":{"skills":["./skills"]}}'),
                (f"p{i}/.npmignore", "dist\n"),
            ]
        ],
    ),
    "commands": (
        200,
        lambda n: [(".claude/skills/a/SKILL.md", skill("a")), *[(f".claude/commands/c{i}.md", "!`npm test`\n") for i in range(n)]],
    ),
}
# From twice as much to four times as much, work that is linear doubles. Lists that grow, and sorting, take a little more.
DOUBLED = 2.35


def steep(program, wanted):
    """Prints the instructions of each dimension at n, 2n and 4n, and returns those that grow faster than the repository."""
    found = []
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(os.cpu_count()) as workers:

        def measure(name, number):
            place = os.path.join(directory, f"{name} {number}.git")
            write(place, GROWTH[name][1](number))
            return count(program, place, CHECK)

        names = [name for name in GROWTH if wanted in name]
        each = {name: [workers.submit(measure, name, GROWTH[name][0] * factor) for factor in (1, 2, 4)] for name in names}
        for name, runs in each.items():
            once, twice, four = (run.result() for run in runs)
            ratio = (four - twice) / (twice - once)
            print(f"{name:<40}{once:>15,}{twice:>15,}{four:>15,}{ratio:>8.2f}", flush=True)
            if ratio > DOUBLED:
                found.append(name)
    return found


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
    if "--growth" in sys.argv:
        found = steep(program, sys.argv[sys.argv.index("--growth") + 1])
        sys.exit(f"grow faster than the repository: {', '.join(found)}" if found else 0)
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
