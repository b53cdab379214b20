"""Runs the tests that docs/dev/seeds.md names: with the program they pass, and with one that does nothing they fail.

usage: python3 .ci/checks/requirement_tests.py   (after `cargo test --no-run`)

A test that passes with a program that does nothing does not show what its row says. Tests inside the library, rule pages and tests
in other languages are not run here: `cargo test` and `.ci/run designs more-designs` run them.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# Tests that call no program: they read the repository itself, or call the library.
WITHOUT_PROGRAM = {
    "documentation_explains_layout_compatibility_and_authoring",
    "profiles_match_observed_cases",
    "renderings_contain_bytes_of_designs",
    "skill_content_stays_inside_its_part_of_block",
}


def named():
    """Returns the rows of each test of tests/it."""
    found = {}
    for row in (TOP / "docs/dev/seeds.md").read_text().splitlines():
        match = re.match(r"\| ([A-Z]\d+) \| .* \| `tests/it/([\w/]+)\.rs::(\w+)` \|$", row)
        if match:
            row_id, module, test = match.groups()
            found.setdefault(f"{module.replace('/', '::')}::{test}", []).append(row_id)
    return found


def executables():
    """Returns the program, and the program of its tests."""
    words = ["cargo", "test", "--locked", "--no-run", "--message-format=json", "--test", "it"]
    messages = map(json.loads, subprocess.run(words, cwd=TOP, check=True, capture_output=True, text=True).stdout.splitlines())
    built = {(m["target"]["name"], *m["target"]["kind"]): m.get("executable") for m in messages if m["reason"] == "compiler-artifact"}
    return pathlib.Path(built["skilltree", "bin"]), built["it", "test"]


def results(executable, tests):
    run = subprocess.run([executable, "--exact", *tests], cwd=TOP, capture_output=True, text=True)
    return dict(re.findall(r"^test (\S+) \.\.\. (ok|FAILED)$", run.stdout, re.M))


def main():
    rows = named()
    program, tests = executables()
    kept = program.with_suffix(".kept")
    passed = results(tests, rows)
    wrong = [f"{rows[name]}: {name} does not pass" for name in rows if passed.get(name) != "ok"]
    shutil.copy2(program, kept)
    try:
        program.unlink()
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
        asked = [name for name in rows if name.rsplit("::")[-1] not in WITHOUT_PROGRAM]
        failed = results(tests, asked)
        wrong += [f"{rows[name]}: {name} passes without the program" for name in asked if failed.get(name) != "FAILED"]
    finally:
        kept.replace(program)
    count = len(rows)
    print("\n".join(wrong) or f"{count} tests of docs/dev/seeds.md pass with the program and fail without it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
