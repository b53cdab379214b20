#!/usr/bin/env python3
"""action.py DIRECTORY [PROGRAM]: runs the bash steps of action.yml in order, like a GitHub runner.

DIRECTORY is the runner's temporary directory. Steps that use other Actions are printed with their inputs. Needs PyYAML.
With PROGRAM, the build step is skipped and PROGRAM is used instead.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GOOD = "---\nname: good\ndescription: Does a thing. Use when a thing is to be done.\n---\nDo the thing.\n"


class Run:
    """One use of the Action: its inputs, the outputs of its steps, and their summary and annotations."""

    def __init__(self, runner, repository, **inputs):
        self.runner, self.repository = runner, repository
        self.values = {f"inputs.{name}": str(entry["default"]) for name, entry in ACTION["inputs"].items()}
        self.values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        self.values |= {"github.event_name": "pull_request", "github.ref": "refs/pull/1/merge"}
        self.printed, self.summary, self.status = "", "", 0
        for step in ACTION["runs"]["steps"]:
            if step.get("id") == "build" and len(sys.argv) > 2:
                self.values["steps.build.outputs.home"] = str(runner / "skilltree")
            elif self.status == 0 and self.holds(step.get("if", "True")):
                self.perform(step)
        self.outputs = {name: self.fill(entry["value"]) for name, entry in ACTION["outputs"].items()}

    def value(self, name):
        known = name in self.values or re.fullmatch(r"steps\.[a-z]+\.outputs\.[a-z-]+", name)
        return self.values.get(name, "") if known else sys.exit(f"action.yml names {name}, which nothing sets")

    def fill(self, text):
        return re.sub(r"\$\{\{ *([a-z._-]+) *\}\}", lambda match: self.value(match[1]), str(text))

    def holds(self, condition):
        """Evaluates the subset of GitHub expressions that action.yml uses."""
        python = re.sub(r"(?:inputs|steps|github)\.[a-z._-]+", lambda match: repr(self.value(match[0])), condition)
        python = python.replace("&&", "and").replace("||", "or").replace("!startsWith", "not startsWith")
        return eval(python, {"startsWith": lambda text, start: text.startswith(start)})

    def perform(self, step):
        if "uses" in step:
            print("   would use", step["uses"], {name: self.fill(value) for name, value in step["with"].items()})
            return
        with tempfile.TemporaryDirectory() as files:
            output, summary = Path(files, "output"), Path(files, "summary")
            output.touch()
            summary.touch()
            environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
            environment |= {name: self.fill(value) for name, value in step.get("env", {}).items()}
            environment |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
            environment |= {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.runner), "GITHUB_ACTIONS": "true"}
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=self.repository, env=environment, text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
            self.printed += done.stdout
            self.summary += summary.read_text(encoding="utf-8")
            self.status = done.returncode
            for line in output.read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition("=")
                self.values[f"steps.{step['id']}.outputs.{name}"] = value


def git(directory, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    somebody = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid"]
    subprocess.run(["git", *somebody, *arguments], cwd=directory, env=environment, check=True)


def commit(directory):
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "Skills")


def repository(directory, **skills):
    directory.mkdir()
    git(directory, "init", "--quiet")
    for name, content in skills.items():
        file = directory / ".agent" / "skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(content, encoding="utf-8")
    commit(directory)
    return directory


def must(holds, what):
    print("ok " if holds else "RED", what)
    if not holds:
        sys.exit(1)


def main():
    runner = Path(sys.argv[1]).resolve()
    home = runner / "skilltree"
    home.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 2:
        (home / "bin").mkdir(exist_ok=True)
        shutil.copy2(sys.argv[2], home / "bin" / "skilltree")
    # The Action builds in a separate directory; here it reuses the target directory.
    target = home / "target"
    if not target.is_symlink():
        target.symlink_to(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    with tempfile.TemporaryDirectory() as scratch:
        clean = repository(Path(scratch, "clean"), good=GOOD)
        broken = repository(Path(scratch, "broken"), good=GOOD, bad="no front matter\n")

        run = Run(runner, clean)
        must(run.status == 0 and run.outputs["exit-code"] == "0", "a clean repository passes")
        must(Path(run.outputs["sarif-file"]).stat().st_size > 0, "its SARIF is written")
        must(run.summary != "", "the summary of the job is written")
        must("good" in Path(run.outputs["prompt-directory"], "available-skills.md").read_text(encoding="utf-8"), "its block holds the skill")
        must(Path(run.outputs["prompt-statement"]).name == "statement.json", "the statement about it is an output")

        run = Run(runner, broken)
        must(run.status == 1 and run.outputs["exit-code"] == "1", "a broken skill fails the job, at its end")
        must("::error " in run.printed, "an annotation is printed")
        must("missing-front-matter" in Path(run.outputs["sarif-file"]).read_text(encoding="utf-8"), "its SARIF names the rule")
        must("missing-front-matter" in run.summary, "the summary names the rule")
        files = {file.name for file in Path(run.outputs["prompt-directory"]).iterdir()}
        must({"available-skills.md", "skills.json", "comment.md"} <= files, "the block is built all the same, with a comment")

        run = Run(runner, broken, rules="missing-front-matter=warning\n")
        must(run.status == 0, "a rule that is lowered to a warning passes")

        Path(broken, "skilltree.toml").write_text('[rules]\nmissing-front-matter = "off"\n', encoding="utf-8")
        commit(broken)
        must(Run(runner, broken).status == 0, "a repository may switch a rule off")
        must(Run(runner, broken, config_from="HEAD^1").status == 1, "but not where the base decides")

        run = Run(runner, clean, revision='$(touch "$RUNNER_TEMP/pwned")')
        must(run.status == 2 and run.outputs["prompt-directory"] == "", "a revision that does not exist is status 2, without a block")
        must(not (runner / "pwned").exists(), "an input is never run")


if __name__ == "__main__":
    main()
