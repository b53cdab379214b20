#!/usr/bin/env python3
"""sarif.py PROGRAM: validates the SARIF output of PROGRAM against the SARIF 2.1.0 schema, and compares its fingerprints and its
category with those of the uploader of code scanning.

It checks this repository, and a scratch one whose skills and paths are as awkward as git allows. The schema is the copy in the
sources of serde-sarif. Needs jsonschema and Node.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parent.parent.parent
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
GOOD = b"---\nname: %s\ndescription: Does a thing. Use when a thing is to be done.\n---\nDo the thing.\n"
AWKWARD = {
    "bom": b"\xef\xbb\xbf" + GOOD % b"bom",
    "crlf": (GOOD % b"CRLF").replace(b"\n", b"\r\n"),
    "emoji": GOOD % "\U0001f600 é".encode(),
    "tab": b"---\nname: tab\n\tdescription: indented with a tab\n---\nText.\n",
    "first": GOOD % b"twice",
    "second": GOOD % b"twice",
    "100% #1": GOOD % b"percent",
    "line\nbreak": GOOD % b"line-break",
    "fine": GOOD % b"fine",
}


def schema():
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    manifest = next(p["manifest_path"] for p in json.loads(metadata)["packages"] if p["name"] == "serde-sarif")
    return json.loads((Path(manifest).parent / "src" / "schema.json").read_text(encoding="utf-8"))


def awkward_repository(directory):
    subprocess.run(["git", "init", "--quiet", directory], env=CLEAN, check=True)
    for name, content in AWKWARD.items():
        file = Path(directory, ".agent", "skills", name, "SKILL.md")
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    subprocess.run(["git", "-c", "core.autocrlf=false", "add", "--all"], cwd=directory, env=CLEAN, check=True)


def log_of(program, directory, status, *options):
    with tempfile.TemporaryDirectory() as out:
        file = Path(out, "skills.sarif")
        command = [program, "check", "--staged", "--format=concise", f"--output=sarif={file}", *options]
        done = subprocess.run(command, cwd=directory, env=CLEAN, check=False)
        if done.returncode != status:
            sys.exit(f"{directory}: exit status {done.returncode}, expected {status}")
        log = json.loads(file.read_text(encoding="utf-8"))
        if any(run["results"] for run in log["runs"]):
            uploader = ROOT / ".ci" / "checks" / "sarif_fingerprints.mjs"
            subprocess.run(["node", uploader, file, directory, "skills"], check=True)
        return log


def faults(log, validator):
    for error in validator.iter_errors(log):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
    for run in log["runs"]:
        rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
        for result in run["results"]:
            if result["ruleId"] not in rules:
                yield f"{result['ruleId']}: not in the table of rules"
            for location in result["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                if not re.fullmatch(r"(?!/)([A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", uri):
                    yield f"{result['ruleId']}: {uri!r} is no relative, percent-encoded path"


def main():
    program = os.path.abspath(sys.argv[1])
    validator = jsonschema.Draft7Validator(schema())
    found = 0
    with tempfile.TemporaryDirectory() as directory:
        awkward_repository(directory)
        category = "--sarif-category=skills"
        for place, status, *options in ((directory, 1), (directory, 1, category), (ROOT, 0)):
            log = log_of(program, place, status, *options)
            for fault in faults(log, validator):
                print(fault)
                found += 1
            print(f"{sum(len(run['results']) for run in log['runs'])} results validated")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
