#!/usr/bin/env python3
"""Compares what two builds of skilltree report: rule, severity, place and exit status of every finding, and the prompt block.

    python3 benches/verdicts.py OLD NEW [REPOSITORY ...]

OLD and NEW are programs. Every case in fixtures/ is committed to a repository and checked as a tree and as a working tree; further
repositories (bare ones, for example of a corpus) are checked at HEAD, for every severity and with every default root and `**`.
Texts may differ; everything else is printed and exits with 1.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
AUTHOR = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "core.autocrlf=false"]


def run(program, directory, *arguments):
    done = subprocess.run([program, *arguments], cwd=directory, env=ENVIRONMENT, capture_output=True, check=False)
    return done.returncode, done.stdout


def verdict(program, directory, *arguments):
    """Returns everything that must not change: sorted findings, exit status, SARIF results, and the bytes of the prompt block."""
    status, out = run(program, directory, "check", "--format=json", *arguments)
    report = json.loads(out) if out else {}
    members = ("rule", "severity", "path", "range", "start", "end", "line", "column", "state", "fingerprint", "unusable", "edits")
    findings = [json.dumps({key: finding.get(key) for key in members}, sort_keys=True) for finding in report.get("findings", [])]
    _, out = run(program, directory, "check", "--format=sarif", *arguments)
    results = json.loads(out)["runs"][0]["results"] if out else []
    sarif = [json.dumps([r["ruleId"], r.get("level"), [p["physicalLocation"] for p in r["locations"]]]) for r in results]
    source = [argument for argument in arguments if argument.startswith(("--rev", "--worktree", "--root"))]
    _, block = run(program, directory, "prompt", *source)
    return {"status": status, "findings": sorted(findings), "sarif": sorted(sarif), "block": [block.decode("utf-8", "replace")]}


def differences(old, new, directory, *arguments):
    before, after = (verdict(program, directory, *arguments) for program in (old, new))
    count = len(before["findings"])
    found = []
    if before["status"] != after["status"]:
        found.append(f"exit status {before['status']} -> {after['status']}")
    for part in ("findings", "sarif", "block"):
        found += [f"- {line}" for line in before[part] if line not in after[part]]
        found += [f"+ {line}" for line in after[part] if line not in before[part]]
    return count, found


def committed(case, directory):
    shutil.copytree(case / "repo", directory, dirs_exist_ok=True, symlinks=True)
    for arguments in (["init", "--quiet"], ["add", "--all", "--force"], ["commit", "--quiet", "--message=case"]):
        subprocess.run(["git", *AUTHOR, *arguments], cwd=directory, env=ENVIRONMENT, check=True)


def main(old, new, *repositories):
    old, new = (str(pathlib.Path(program).resolve()) for program in (old, new))
    total = checked = differing = 0
    def compare(name, directory, *arguments):
        nonlocal total, checked, differing
        count, found = differences(old, new, directory, *arguments)
        total, checked, differing = total + count, checked + 1, differing + len(found)
        for line in found[:20]:
            print(f"{name} {' '.join(arguments)}: {line}")
    for case in sorted(case for case in FIXTURES.iterdir() if (case / "repo").is_dir()):
        with tempfile.TemporaryDirectory() as directory:
            committed(case, directory)
            for source in ("--rev=HEAD", "--worktree", "--staged"):
                compare(case.name, directory, source)
    for repository in repositories:
        compare(repository, repository, "--rev=HEAD")
        compare(repository, repository, "--rev=HEAD", "--root=**/skills")
    print(f"{checked} runs, {total} findings, {differing} differences")
    return 1 if differing else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
