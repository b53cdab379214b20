#!/usr/bin/env python3
"""compare.py DIRECTORY PROGRAM ACT NODE_MODULES: runs the Action with `act` and with run_steps.py, and compares what each did.

`act` is a runner of GitHub's workflows by other authors: https://nektosact.com. It parses the workflow and action.yml, evaluates the
expressions, and reads files and commands of steps with its own code. Each event of events.py starts a workflow in both. Equal must be:
the exit status, the outputs, the annotations and other lines of the log, the summary, the Actions that were used, the SARIF, the prompt
block, and the comments. Actions on GitHub are replaced: see `stand_ins`. Needs PyYAML, Node and the packages of .ci/tools/package.json.
"""
import copy
import difflib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import events
from events import ROOT
from github_api import serve
from run_steps import ACTION, Run, git

OURS = "skilltree-dev/skilltree@COMMIT"
USES = re.compile(r"uses: *([\w.-]+/[\w.-]+)(/[\w./-]+)?@([0-9a-f]{40})")
# The steps of the Action that use other Actions.
USING = {step["name"] for step in ACTION["runs"]["steps"] if "uses" in step}
# What `act` cannot show, in every event.
LIMITS = {
    "the status of a job is 0 or 1": "the status of the failed step is in the log, and is compared instead",
    "steps write to a terminal": "standard output and standard error are one stream: NO_COLOR is set, and lines are compared without their order",
    "the last lines of a step that fails can be lost": "BASH_ENV lets bash wait before it fails",
    "a step can end with an empty line": "empty lines are not compared",
    "`on` has no filters": "`branches`, `permissions`, `concurrency` and `timeout-minutes` have no effect: the event decides what runs",
    "GITHUB_REF and GITHUB_SHA are guessed": "`act` knows no merge group, and takes the commit of its directory: the event sets both",
}


def main():
    directory, program, act, modules = (Path(argument).resolve() for argument in sys.argv[1:])
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory / "home"), "NO_COLOR": "1", "PROGRAM": str(program), "NODE_MODULES": str(modules)}
    os.environ.clear()
    os.environ.update(environment)
    history = events.History(directory / "history")
    shipped = shipped_workflow(directory, program)
    action = action_files(directory / "action")
    found = [*events.pull_requests(history), *events.pushes(history, shipped), *events.others(history, shipped), events.own(directory / "own")]
    found += events.released(directory / "releases", history, program, action)
    bench = Bench(program, act, stand_ins(directory / "stand-ins"))
    different = 0
    for number, event in enumerate(found):
        event.repository, event.action = event.repository or history.directory, event.action or action
        start = time.monotonic()
        problems = bench.compare(event, directory / f"event-{number}")
        print("RED" if problems else "ok ", f"{time.monotonic() - start:4.1f} s ", event.what)
        print("".join(problems), end="")
        different += bool(problems)
    validate(act)
    for limit, consequence in LIMITS.items():
        print(f"limit of act: {limit}: {consequence}")
    print(f"{len(found)} events, {different} of them different")
    sys.exit(different > 0)


class Bench:
    def __init__(self, program, act, stand_ins):
        self.program, self.act, self.stand_ins = program, act, stand_ins

    def compare(self, event, directory):
        directory.mkdir()
        text = event.workflow.read_text(encoding="utf-8") if event.workflow else generated(event)
        expected = self.with_act(event, directory / "act", text)
        got = self.with_run_steps(event, directory / "steps", text)
        problems = differences(expected, got)
        verdict = {"status": expected["outputs"].get("exit-code") or str(expected["status"]), "base": expected["outputs"].get("base", "")}
        return problems + differences(verdict, {"status": str(event.status), "base": event.base or ""})

    def with_act(self, event, directory, workflow):
        """Runs the workflow with `act`. Returns what it did, from its log and from what the stand-ins kept."""
        for name in ("records", "empty"):
            (directory / name).mkdir(parents=True)
        (directory / "workflow.yml").write_text(workflow, encoding="utf-8")
        (directory / "event.json").write_text(json.dumps(event.payload), encoding="utf-8")
        state = copy.deepcopy(event.state or {})
        with serve(state) as api:
            variables = {"GITHUB_REPOSITORY": "team/skills", "GITHUB_REF": event.ref, "SHA_REF": event.commit, "GITHUB_API_URL": api}
            command = [self.act, event.name, "--job", event.job, "--directory", directory / "empty", "--workflows", directory / "workflow.yml"]
            command += ["--eventpath", directory / "event.json", "--platform", "ubuntu-latest=-self-hosted", "--json", "--no-cache-server"]
            command += ["--no-skip-checkout", "--pull=false", "--action-cache-path", directory / "cache", "--secret", "GITHUB_TOKEN=TOKEN"]
            command += [f"--env={name}={value}" for name, value in variables.items()]
            command += [f"--local-repository={name}={path}" for name, path in {**self.stand_ins, OURS: event.action}.items()]
            environment = os.environ | {"REPOSITORY": event.repository.as_uri(), "RECORDS": str(directory / "records"), "BASH_ENV": str(HERE / "wait.sh")}
            done = subprocess.run(command, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        (directory / "log").write_text(done.stdout + done.stderr, encoding="utf-8")
        logged = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        ours = [entry for entry in logged if entry.get("step", "").startswith((OURS, "./")) and entry.get("stage") == "Main"]
        own = [entry for entry in ours if len(entry["stepID"]) == 2]
        whole = [entry for entry in ours if len(entry["stepID"]) == 1]
        failed = [re.fullmatch(r"exit status (\d+)", entry["msg"]) for entry in whole if entry["level"] == "error"]
        lines = [entry.get("raw", entry["msg"]) for entry in own if "raw_output" in entry or "raw" in entry]
        seen = {
            "status": int(failed[-1][1]) if failed else 0,
            "job": done.returncode,
            "outputs": {entry["name"]: entry["arg"] for entry in whole if entry.get("command") == "set-output"},
            "lines": lines,
            "summary": "".join(entry["content"] for entry in own if entry.get("command") == "summary"),
            "used": sorted(USING & {entry["msg"].removeprefix("⭐ Run Main ") for entry in own}),
            "sarif": contents(directory / "records" / "sarif"),
            "prompt": contents(directory / "records" / "prompt"),
            "state": state,
        }
        return plain(seen, [(rf"{directory}/cache/[0-9a-f]{{16}}/tmp", "RUNNER_TEMP"), (rf"{directory}/cache/[0-9a-f]{{16}}/hostexecutor", "WORKSPACE")])

    def with_run_steps(self, event, directory, workflow):
        """Runs the steps of action.yml with run_steps.py. Returns what they did."""
        runner, workspace, state = directory / "runner", directory / "workspace", directory / "state.json"
        for path in (runner / "skilltree" / "bin", runner / "user", workspace):
            path.mkdir(parents=True)
        if "releases" not in event.inputs:
            (runner / "skilltree" / "bin" / "skilltree").symlink_to(self.program)
        state.write_text(json.dumps(event.state or {}), encoding="utf-8")
        steps = yaml.safe_load(workflow)["jobs"][event.job]["steps"]
        check_out(event, workspace, next(step for step in steps if step.get("uses", "").startswith("actions/checkout@")).get("with", {}))
        given = next(step for step in steps if step.get("uses") in (OURS, "./")).get("with", {})
        inputs = {name.replace("-", "_"): filled(value, event.values) for name, value in given.items()}
        head = event.payload.get("pull_request", {}).get("head", {}).get("repo", {}).get("full_name", "")
        github = {"ref": event.ref, "event.pull_request.head.repo.full_name": head}
        with redirect_stdout(io.StringIO()):
            run = Run(runner, workspace, event.name, event.payload, event.commit, state, github, event.action, **inputs)
        uploads, kept = "Upload the findings to code scanning" in run.used, "Upload the prompt block" in run.used
        seen = {
            "status": run.status,
            "job": min(run.status, 1),
            "outputs": run.outputs,
            "lines": (run.printed + run.errors).splitlines(),
            "summary": run.summary,
            "used": sorted(run.used),
            "sarif": contents(Path(run.outputs["sarif-file"])) if uploads else {},
            "prompt": contents(Path(run.outputs["prompt-directory"])) if kept else {},
            "state": json.loads(state.read_text(encoding="utf-8")),
        }
        return plain(seen, [(str(runner), "RUNNER_TEMP"), (str(workspace), "WORKSPACE")])


def generated(event):
    """Returns a workflow with the inputs of the event. JSON is YAML."""
    steps = [{"uses": checkout_action(), "with": event.checkout}, {"uses": OURS, "with": event.inputs}]
    return json.dumps({"name": "Skills", "on": [event.name], "jobs": {event.job: {"runs-on": "ubuntu-latest", "steps": steps}}})


def checkout_action():
    return next("".join(match.groups("")[:2]) + f"@{match[3]}" for match in USES.finditer(events.EXAMPLE.read_text(encoding="utf-8")))


def check_out(event, workspace, inputs):
    variables = {"FETCH_DEPTH": str(inputs.get("fetch-depth", 1)), "REF": inputs.get("ref", ""), "INTO": inputs.get("path", "")}
    variables |= {"REPOSITORY": event.repository.as_uri(), "GITHUB_REF": event.ref, "GITHUB_SHA": event.commit}
    subprocess.run([HERE / "checkout"], cwd=workspace, env=os.environ | variables, check=True)
    if event.name == "workflow_run":
        git(workspace, "fetch", "--quiet", "--no-tags", "origin", event.payload["workflow_run"]["head_sha"])


def filled(value, values):
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values[match[1]], text)


def shipped_workflow(directory, program):
    """Returns the workflow that `skilltree init --workflow` writes."""
    (directory / "new").mkdir()
    git(directory / "new", "init", "--quiet")
    subprocess.run([program, "init", "--workflow"], cwd=directory / "new", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return directory / "new" / ".github" / "workflows" / "skills.yml"


def action_files(directory):
    """Copies the files of the Action that it reads, and returns their directory."""
    events.copy_files(directory, "action.yml", ".ci/action", "Cargo.toml", "Cargo.lock", "crates", "src")
    return directory


def stand_ins(directory):
    """Writes what replaces the Actions on GitHub. Returns the directory of each `OWNER/NAME@COMMIT` that the workflows use."""
    keep = 'cp -R "$FROM" "$RECORDS/$NAME"'
    bash = {
        "actions/checkout": (f'"{HERE}/checkout"', {"FETCH_DEPTH": "${{ inputs.fetch-depth || 1 }}", "REF": "${{ inputs.ref }}", "INTO": "${{ inputs.path }}"}),
        "actions/cache": ('mkdir -p "$INTO"; ln -s "$PROGRAM" "$INTO"; echo cache-hit=true >> "$GITHUB_OUTPUT"', {"INTO": "${{ inputs.path }}"}),
        "actions/upload-artifact": (keep, {"FROM": "${{ inputs.path }}", "NAME": "prompt"}),
        "github/codeql-action/upload-sarif": (keep, {"FROM": "${{ inputs.sarif_file }}", "NAME": "sarif"}),
    }
    inputs = {name: {} for name in ("fetch-depth", "ref", "path", "sarif_file", "script", "github-token")}
    outputs = {"cache-hit": {"value": "${{ steps.run.outputs.cache-hit }}"}}
    for name, (run, variables) in bash.items():
        steps = [{"id": "run", "shell": "bash", "run": run, "env": variables}]
        stand_in(directory / name, inputs=inputs, outputs=outputs, runs={"using": "composite", "steps": steps})
    inputs["github-token"] = {"default": "${{ github.token }}"}
    stand_in(directory / "actions/github-script", inputs=inputs, runs={"using": "node20", "main": "github_script.mjs"})
    shutil.copy2(HERE / "github_script.mjs", directory / "actions/github-script")
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "action.yml", events.EXAMPLE, events.COMMENT, events.OWN)]
    used = {(match[1], match[3]) for text in texts for match in USES.finditer(text)}
    return {f"{name}@{commit}": directory / name for name, commit in sorted(used) if (directory / name).exists()}


def stand_in(directory, **members):
    directory.mkdir(parents=True)
    (directory / "action.yml").write_text(json.dumps({"name": "Stand-in", "description": "Replaces an Action", **members}), encoding="utf-8")


def contents(path):
    """Returns the text of a file, or of each file in a directory."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {str(file.relative_to(path)): file.read_text(encoding="utf-8") for file in files}


def plain(seen, names):
    """Returns what a runner did, without the names of its directories, and without the order of its lines."""
    text = json.dumps(seen)
    for pattern, name in names:
        text = re.sub(pattern, name, text)
    seen = json.loads(text)
    lines = [line.rstrip() for line in seen["lines"] if line.strip()]
    return seen | {"lines": sorted(lines), "annotations": [line for line in lines if re.match("::(error|warning|notice)[ :]", line)]}


def differences(expected, got):
    """Returns what differs, with the lines of `act` first."""
    found = []
    for part in expected:
        if expected[part] != got[part]:
            texts = [json.dumps(side[part], indent=1, sort_keys=True, ensure_ascii=False).splitlines(keepends=True) for side in (expected, got)]
            found += [f"    {part}:\n", *(f"      {line.rstrip()[:400]}\n" for line in difflib.unified_diff(*texts, "act", "run_steps.py", n=0))]
    return found


def validate(act):
    """Fails if `act` rejects one of the project's workflows."""
    for workflow in sorted([*ROOT.glob(".github/workflows/*.yml"), *ROOT.glob("examples/workflows/*.yml")]):
        done = subprocess.run([act, "--validate", "--strict", "--workflows", workflow], text=True, capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{workflow}: {done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
