#!/usr/bin/env python3
"""Draws mutants of each module group, runs the tests of the group, and fails if they catch less than 90 % of a draw.

    python3 .ci/checks/mutants.py                            # 300 mutants of each group
    python3 .ci/checks/mutants.py --count 50 --seed 7 rules  # 50 of one group
    python3 .ci/checks/mutants.py --list compare             # print the draw

`.cargo/mutants.toml` lists the mutants that no test can catch. The mutants are made in a copy of the tree, so you can keep working.
If cargo-mutants is missing, Cargo installs it into target/ci.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "27.1.0"
CAUGHT = 0.9
ROOT = Path(__file__).resolve().parent.parent.parent
CI_DIRECTORY = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "ci"
MUTANTS = CI_DIRECTORY / "mutants"
TREE = MUTANTS / "tree"
OUTCOMES = ("caught", "timeout", "missed", "unviable")


def module(crate, name):
    return [f"crates/{crate}/src/{name}.rs", f"crates/{crate}/src/{name}/**"]


# Sources, and suites of tests: a program with its own harness, modules of tests/it, or none for the unit tests of the package.
# A suite runs the mutants that the suites before it missed, so the fastest is first.
UNIT = []
HARNESSES = ("fixtures", "rules")
GROUPS = {
    "front-matter": (["crates/front-matter/src/**"], [UNIT, ["rules"], ["fixtures"], ["conformance", "fix"]]),
    "rules": (module("lint", "rules"), [["rules"], UNIT, ["fixtures"], ["conformance", "diff", "generated", "knowledge", "obstacles", "own_rules", "threads"]]),
    "compare": (module("lint", "compare"), [UNIT, ["compare", "diff", "review"]]),
    "select": (module("dispatch", "select"), [UNIT, ["catalog", "designs", "knowledge", "prompt", "threads"]]),
    "prompt": (
        module("dispatch", "prompt"),
        [UNIT, ["rules"], ["prompt"], ["fixtures"], ["catalog", "conformance", "designs", "diff", "knowledge", "template", "verify"]],
    ),
    "fix": (module("lint", "fix"), [UNIT, ["rules"], ["fixtures"], ["fix"]]),
    "forecast": (module("runtimes", "forecast"), [UNIT, ["conformance", "forecast", "runtimes"], ["rules"], ["fixtures"], ["compare", "render", "targets"]]),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"one of {', '.join(GROUPS)} (default: all)")
    parser.add_argument("--count", type=int, default=300, help="mutants to draw from each group (default: %(default)s)")
    parser.add_argument("--seed", default="19", help="seed of the draw (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the draw and run nothing")
    options = parser.parse_args()
    unknown = set(options.groups) - set(GROUPS)
    if unknown:
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    groups = options.groups or list(GROUPS)
    program = install()
    copy_tree()
    draws = {group: draw(program, group, options) for group in groups}
    if options.list:
        for group in groups:
            print(*(mutant["name"] for mutant in draws[group][1]), sep="\n")
        return 0
    rows = [(group, total, run(program, group, drawn)) for group, (total, drawn) in draws.items()]
    return report(rows, options.seed)


def install():
    """Returns the program. Installs it if it is missing or has another version."""
    program = CI_DIRECTORY / "cargo-mutants" / "bin" / "cargo-mutants"
    if program.exists():
        version = subprocess.run([program, "mutants", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
        if version.split()[-1] == VERSION:
            return program
    subprocess.run(["cargo", "install", "--locked", "--force", "--version", VERSION, "--root", program.parent.parent, "cargo-mutants"], check=True)
    return program


def copy_tree():
    """Updates the copy. A file that is equal keeps its time, so Cargo does not build it again."""
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    paths = {path for path in os.fsdecode(files.stdout).split("\0") if path and (ROOT / path).is_file()}
    for old in TREE.rglob("*"):
        if old.is_file() and old.relative_to(TREE).as_posix() not in paths:
            old.unlink()
    for path in paths:
        source, target = ROOT / path, TREE / path
        if not target.is_file() or source.read_bytes() != target.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)


def in_tree(command, **options):
    environment = os.environ | {"CARGO_TARGET_DIR": str(MUTANTS / "target"), "CARGO_INCREMENTAL": "1", "CARGO_PROFILE_DEV_DEBUG": "0"}
    return subprocess.run(command, cwd=TREE, env=environment, **options)


def mutants(program, *arguments, **options):
    return in_tree([program, "mutants", "--colors=never", *arguments], **options)


def draw(program, group, options):
    """Returns the number of mutants of a group, and those drawn."""
    files = [f"--file={source}" for source in GROUPS[group][0]]
    listed = mutants(program, "--workspace", "--list", "--json", *files, check=True, stdout=subprocess.PIPE)
    found = sorted(json.loads(listed.stdout), key=lambda mutant: mutant["name"])
    if not found:
        sys.exit(f"{group}: no mutants; do its sources exist?")
    return len(found), random.Random(f"{options.seed} {group}").sample(found, min(options.count, len(found)))


def diff(chosen):
    """Returns a diff that adds the first line of each mutant. cargo-mutants 27.1 filters deleted fields by a diff only, not by name."""
    lines = {}
    for mutant in chosen:
        lines.setdefault(mutant["file"], set()).add(mutant["span"]["start"]["line"])
    text = []
    for path, numbers in sorted(lines.items()):
        source = (TREE / path).read_text(encoding="utf-8").split("\n")
        text += [f"--- a/{path}", f"+++ b/{path}"]
        for count, number in enumerate(sorted(numbers)):
            text += [f"@@ -{number - count - 1},0 +{number},1 @@", f"+{source[number - 1]}"]
    return "\n".join(text) + "\n"


def run(program, group, drawn):
    """Returns the mutants of each outcome. A mutant is missed if every suite misses it."""
    outcomes = {outcome: [] for outcome in OUTCOMES}
    left = {mutant["name"]: mutant for mutant in drawn}
    for number, tests in enumerate(GROUPS[group][1]):
        if not left:
            break
        out = MUTANTS / f"{group}-{number}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        lines = out / "chosen.diff"
        lines.write_text(diff(left.values()), encoding="utf-8")
        chosen = [f"--re=^{re.escape(name)}$" for name in left]
        suite, filters = ["--cargo-arg=--lib"], []
        if tests:
            target = tests[0] if tests[0] in HARNESSES else "it"
            # libtest runs the tests whose name contains one of these.
            filters = ["--", *(f"{test}::" for test in tests)] if target == "it" else []
            # cargo-mutants would test the unchanged package of the mutants only, and these tests are in another package.
            suite = [f"--cargo-arg=--test={target}", "--test-workspace=true", "--baseline=skip"]
            in_tree(["cargo", "test", "--quiet", "--workspace", f"--test={target}", *filters], check=True)
        print(f"\n=== {group}: {len(chosen)} mutants, {' '.join(tests) or 'unit tests'}", flush=True)
        ended = mutants(
            program, "--workspace", "--in-place", "--no-shuffle", "--timeout=300",
            f"--output={out}", f"--in-diff={lines}", *suite, *chosen, "--", *filters,
        )
        # 2: a mutant was missed; 3: a test timed out.
        if ended.returncode not in (0, 2, 3):
            sys.exit(f"{group}: cargo-mutants failed with status {ended.returncode}; is the unchanged tree green?")
        for outcome in OUTCOMES:
            names = (out / "mutants.out" / f"{outcome}.txt").read_text(encoding="utf-8").splitlines()
            # Other fields on the same line were not drawn.
            outcomes[outcome] += [name for name in names if name in left and outcome != "missed"]
        left = {name: mutant for name, mutant in left.items() if not any(name in outcomes[outcome] for outcome in OUTCOMES)}
    return outcomes | {"missed": list(left)}


def report(rows, seed):
    """Prints the table and the survivors. Returns the exit status."""
    red = []
    print(f"\nseed {seed}\n\n| group | mutants | drawn | caught | missed | unviable | share |\n|---|---|---|---|---|---|---|")
    for group, total, outcomes in rows:
        count = {outcome: len(names) for outcome, names in outcomes.items()}
        # A mutant that never ends is noticed.
        caught = count["caught"] + count["timeout"]
        viable = caught + count["missed"]
        share = caught / viable if viable else 1
        if share < CAUGHT:
            red.append(group)
        drawn = viable + count["unviable"]
        print(f"| {group} | {total:,} | {drawn} | {caught} | {count['missed']} | {count['unviable']} | {share:.0%} |")
    for group, _, outcomes in rows:
        for name in outcomes["missed"]:
            print(f"missed in {group}: {name}")
    if red:
        print(f"less than {CAUGHT:.0%} caught: {', '.join(red)}")
    return int(bool(red))


if __name__ == "__main__":
    sys.exit(main())
