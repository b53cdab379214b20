#!/usr/bin/env python3
"""peers.py PROGRAM DIRECTORY [SKILLS [RUNS [SECONDS]]]: prints one table of skilltree, git and other linters of skills.

Installs the programs of peers.toml into DIRECTORY, once, and creates a repository of valid skills there with
make_repository.py. All programs run in turns over one working tree. The column `faults` shows how many skills each reports
after the description of every skill was removed, and `findings` what each reports for the valid skills. A program that takes
more than SECONDS, or that does not report every fault, is not timed. Python's standard library, git, cargo and npm only.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ProcessPoolExecutor

from make_repository import skills, without_description, write
from measure import commit_texts, in_turns, median, once, peak, ratio

HERE = os.path.dirname(os.path.abspath(__file__))
SKILLS = ".agent/skills"
# The exit status of a program that was killed at the time limit.
KILLED = -9


def installed(peer, directory):
    """Installs a peer if it is missing, and returns the path of its program."""
    home = os.path.join(directory, f"{peer['name']}-{peer['version']}")
    package, version = peer["package"], peer["version"]
    environment = os.environ | {"CARGO_TARGET_DIR": os.path.join(directory, "build")}
    programs, commands = {
        "crates.io": ("bin", [["cargo", "install", "--quiet", "--locked", "--root", home, f"{package}@{version}"]]),
        "npm": (
            "node_modules/.bin",
            [["npm", "install", "--prefix", home, "--ignore-scripts", "--no-audit", "--no-fund", "--silent", f"{package}@{version}"]],
        ),
        "PyPI": (
            "bin",
            [[sys.executable, "-m", "venv", home], [f"{home}/bin/pip", "install", "--quiet", f"{package}=={version}"]],
        ),
    }[peer["registry"]]
    program = os.path.join(home, programs, peer["command"][0])
    if not os.path.exists(program):
        for command in commands:
            subprocess.run(command, env=environment, check=True, stdout=sys.stderr)
    return program


def trees(directory, count):
    """Returns a repository, a working tree of it, and a working tree of the same skills without their descriptions."""
    made = [os.path.join(directory, f"{name}-{count}") for name in ("repository", "valid", "faulty")]
    if not os.path.exists(f"{made[-1]}/complete"):
        for path in made:
            shutil.rmtree(path, ignore_errors=True)
        with tempfile.TemporaryDirectory() as faulty:
            write(made[0], skills(count))
            write(faulty, without_description(skills(count)))
            subprocess.run(["git", "-C", made[0], "repack", "-adq"], check=True)
            for repository, path in zip((made[0], faulty), made[1:]):
                subprocess.run(["git", "clone", "--quiet", repository, path], check=True)
        open(f"{made[-1]}/complete", "w", encoding="ascii").close()
    return made


def report(command, directory, row, limit):
    """Returns the exit status, the number of findings, and the skills whose missing description is reported."""
    path = os.path.join(directory, "output")
    with open(path, "wb") as file:
        status = once(command, output=file, limit=limit).status
    # In another process: the peak memory of this one is the least that is measured for the programs that it starts.
    with ProcessPoolExecutor(1) as worker:
        return status, *worker.submit(found, path, row).result()


def found(path, row):
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return len(re.findall(row["finding"], text)), set(re.findall(row["fault"], text))


def main():
    program, directory = (os.path.abspath(path) for path in sys.argv[1:3])
    count, runs, limit = (int(word) for word in [*sys.argv[3:], *("1000", "5", "60")[len(sys.argv) - 3 :]])
    empty = os.path.join(directory, "empty")
    os.makedirs(empty, exist_ok=True)
    with open(f"{HERE}/peers.toml", "rb") as file:
        data = tomllib.load(file)
    version = subprocess.run([program, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    ours = data["skilltree"] | {"name": "skilltree", "version": version}
    programs = {"skilltree": program} | {peer["name"]: installed(peer, directory) for peer in data["peer"]}
    repository, valid, faulty = trees(directory, count)
    names = set(os.listdir(f"{valid}/{SKILLS}"))

    cells = {"git": ["`git cat-file --batch`", "every Markdown file", "", ""]}
    commands, expected = {"git": ["git", "-C", repository, "cat-file", "--batch"]}, {}
    for row in [ours, *data["peer"]]:
        name = row["name"]

        def command(tree):
            places = {"tree": tree, "skills": f"{tree}/{SKILLS}", "empty": empty}
            return [programs[name], *(word.format_map(places) for word in row["command"][1:])]

        status, _, reported = report(command(faulty), directory, row, limit)
        expected[name], findings, _ = report(command(valid), directory, row, limit)
        cells[name] = [f"{name} {row['version']}", row["reads"], f"{len(names & reported):,}", f"{findings:,}"]
        if KILLED in (status, expected[name]):
            cells[name][2:] = ["", "", f"more than {limit} s"]
        elif names <= reported:
            commands[name] = command(valid)
        else:
            cells[name].append("not timed")
    texts = commit_texts(repository)
    blobs = os.path.join(directory, "blobs")
    with open(blobs, "w", encoding="ascii") as file:
        file.writelines(identifier + "\n" for identifier, _ in texts)
    rounds = in_turns(commands, runs, blobs, expected)

    print(f"\n| {count:,} skills, {len(texts):,} Markdown files | reads | faults | findings | CPU | of skilltree | wall | peak memory |")
    print("|---|---|---|---|---|---|---|---|")
    for name, row in cells.items():
        if name in rounds:
            each = rounds[name]
            row.append(f"{median(each, 'cpu') * 1e3:,.0f} ms")
            row.append(f"{ratio(each, rounds['skilltree'], 'cpu'):.2f}")
            row.append(f"{median(each, 'wall') * 1e3:,.0f} ms")
            row.append(f"{peak(each) / 1e6:.0f} MB")
        print("| " + " | ".join([*row, "", "", ""][:8]) + " |")


if __name__ == "__main__":
    main()
