#!/usr/bin/env python3
"""precision.py PROGRAM REPOSITORY [ROOT]: precision at 5 of each matcher: the share of wanted skills among the first five for a task.

tasks.json has the tasks and the wanted skills, which were chosen before the first measurement. REPOSITORY is a git
repository, bare or not, with their corpus below ROOT
(`.agent/skills`).
Python's standard library only.
"""
import json
import os
import subprocess
import sys

MATCHERS = ["tags", "bm25"]


def taken(program, repository, root, matcher, task):
    command = [program, "prompt", "--rev", "HEAD", "--profile", "swarm", "--root", root, "--matcher", matcher,
               "--budget-chars", "10000000", "--format", "json", "--task", task]
    run = subprocess.run(command, cwd=repository, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if run.returncode != 0:
        sys.exit(f"{matcher}: exit status {run.returncode}: {run.stderr.decode(errors='replace')[-500:]}")
    return [skill["name"] for skill in json.loads(run.stdout)["skills"]]


def main():
    if len(sys.argv) < 3 or not os.path.isdir(sys.argv[2]):
        print("SKIPPED: name the program and a repository with the corpus: precision.py PROGRAM REPOSITORY", file=sys.stderr)
        return
    program, repository, root = os.path.abspath(sys.argv[1]), sys.argv[2], (sys.argv[3:] + [".agent/skills"])[0]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tasks.json"), encoding="utf-8") as file:
        tasks = json.load(file)
    sums = dict.fromkeys(MATCHERS, 0)
    print("| task | " + " | ".join(MATCHERS) + " |\n|---|" + "---:|" * len(MATCHERS))
    for entry in tasks:
        cells = []
        for matcher in MATCHERS:
            names = taken(program, repository, root, matcher, entry["task"])
            good = sum(name in entry["wanted"] for name in names)
            sums[matcher] += good
            cells.append(f"{good} of {len(names)}")
            if "-v" in sys.argv or os.environ.get("VERBOSE"):
                print(f"  {matcher}: {' '.join(names)}", file=sys.stderr)
        print(f"| {entry['task']} | " + " | ".join(cells) + " |")
    shares = [f"{sums[matcher] / (5 * len(tasks)):.2f}" for matcher in MATCHERS]
    print("| precision of the best five | " + " | ".join(shares) + " |")


main()
