#!/usr/bin/env python3
"""run_steps.py DIRECTORY [PROGRAM]: runs the steps of action.yml in order, like a GitHub runner.

DIRECTORY is the runner's temporary directory. Needs PyYAML and Node. Steps of actions/github-script run against the pull request
of pull_request.mjs; other Actions are printed with their inputs. With PROGRAM, the cache has PROGRAM, so nothing is built.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GOOD = "---\nname: good\ndescription: Does a thing. Use when a thing is to be done.\n---\nDo the thing.\n"
BAD = "no front matter\n"
NULL = "0" * 40
# Where Rust is, though the runner has another home.
TOOLCHAIN = {"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"}


def renamed(skill, name):
    return skill.replace("good", name).replace("a thing", f"a {name} thing")


class Run:
    """One use of the Action: its inputs, the outputs of its steps, and their summary and annotations."""

    # The values of GitHub's contexts, of a pull request from a branch of the same repository.
    PULL_REQUEST = {
        "github.event_name": "pull_request", "github.ref": "refs/pull/1/merge", "github.repository": "team/skills",
        "github.event.pull_request.head.repo.full_name": "team/skills", "github.token": "TOKEN", "runner.os": "Linux", "runner.arch": "X64",
    }

    def __init__(self, runner, repository, event="schedule", payload=None, sha="", state=None, github=None, action=ROOT, **inputs):
        self.runner, self.repository, self.state, self.event, self.sha, self.action = runner, repository, state, event, sha, action
        self.payload = payload or {}
        self.values = self.PULL_REQUEST | {"github.event_name": event} | {f"github.{name}": value for name, value in (github or {}).items()}
        self.values |= {f"inputs.{name}": self.fill(str(entry["default"])) for name, entry in ACTION["inputs"].items()}
        self.values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        unknown = [name for name in self.values if name.startswith("inputs.") and name[7:] not in ACTION["inputs"]]
        assert not unknown, unknown
        self.printed, self.errors, self.summary, self.status, self.used = "", "", "", 0, []
        for step in ACTION["runs"]["steps"]:
            if self.status == 0 and self.holds(step.get("if", "True")):
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
        if "uses" not in step:
            return self.bash(step)
        self.used.append(step["name"])
        values = {name: self.fill(value) for name, value in step["with"].items()}
        if step["uses"].startswith("actions/github-script@"):
            environment = os.environ | {name: self.fill(value) for name, value in step["env"].items()}
            command = ["node", ROOT / ".ci" / "action" / "pull_request.mjs", self.state]
            # The script is code of the Action alone: an input inside it would be run.
            assert values["script"] == step["with"]["script"] and values["github-token"] == "TOKEN", step["name"]
            done = subprocess.run(command, input=values["script"], env=environment, text=True, stdout=subprocess.PIPE)
            self.printed += done.stdout
            self.status = done.returncode
        elif step["uses"].startswith("actions/cache@"):
            program = self.runner / "skilltree" / "bin" / "skilltree"
            self.values[f"steps.{step['id']}.outputs.cache-hit"] = "true" if len(sys.argv) > 2 and program.exists() else "false"
            assert values["path"] == str(program.parent), values
        else:
            print("   would use", step["uses"].split("@")[0], values)

    def bash(self, step):
        with tempfile.TemporaryDirectory() as files:
            output, summary, event = Path(files, "output"), Path(files, "summary"), Path(files, "event.json")
            output.touch()
            summary.touch()
            event.write_text(json.dumps(self.payload), encoding="utf-8")
            environment = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_"))}
            environment |= {name: self.fill(value) for name, value in step.get("env", {}).items()}
            environment |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_EVENT_PATH": str(event)}
            environment |= {"GITHUB_EVENT_NAME": self.event, "GITHUB_SHA": self.sha, "GITHUB_REPOSITORY": "team/skills"}
            environment |= {"GITHUB_SERVER_URL": "https://github.com"}
            environment |= {"GITHUB_ACTION_PATH": str(self.action), "RUNNER_TEMP": str(self.runner), "GITHUB_ACTIONS": "true"}
            environment |= {"RUNNER_TOOL_CACHE": str(self.runner / "tools"), "HOME": str(self.runner / "user")}
            environment |= {name: os.environ.get(name, str(Path.home() / directory)) for name, directory in TOOLCHAIN.items()}
            command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
            pipe = subprocess.PIPE
            done = subprocess.run(command, cwd=self.repository, env=environment, text=True, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL)
            self.printed += done.stdout
            self.errors += done.stderr
            self.summary += summary.read_text(encoding="utf-8")
            self.status = done.returncode
            for line in output.read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition("=")
                self.values[f"steps.{step['id']}.outputs.{name}"] = value

    def says(self, text):
        return text in self.printed or text in self.errors


def git(directory, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    somebody = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid"]
    command = ["git", *somebody, "-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false", *map(str, arguments)]
    return subprocess.run(command, cwd=directory, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def commit(directory, **skills):
    for name, content in skills.items():
        file = directory / ".agent" / "skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--allow-empty", "--message", "Skills")
    return git(directory, "rev-parse", "HEAD")


def repository(directory, **skills):
    directory.mkdir()
    git(directory, "init", "--quiet")
    commit(directory, **skills)
    return directory


def must(holds, what, run=None):
    print("ok " if holds else "RED", what)
    if not holds:
        if run is not None:
            print(run.printed, run.errors, run.outputs, sep="\n")
        sys.exit(1)


def basics(runner, scratch):
    clean = repository(scratch / "clean", good=GOOD)
    broken = repository(scratch / "broken", good=GOOD, bad=BAD)

    run = Run(runner, clean)
    must(run.status == 0 and run.outputs["exit-code"] == "0", "a clean repository passes", run)
    must(Path(run.outputs["sarif-file"]).stat().st_size > 0, "its SARIF is written")
    must(run.summary != "", "the summary of the job is written")
    must("good" in Path(run.outputs["prompt-directory"], "available-skills.md").read_text(encoding="utf-8"), "its block holds the skill")
    must(Path(run.outputs["prompt-statement"]).name == "statement.json", "the statement about it is an output")
    must("Comment on the pull request" not in run.used, "nothing is commented without being asked for")

    run = Run(runner, broken)
    must(run.status == 1 and run.outputs["exit-code"] == "1", "a broken skill fails the job, at its end", run)
    must("::error " in run.printed, "an annotation is printed")
    must("missing-front-matter" in Path(run.outputs["sarif-file"]).read_text(encoding="utf-8"), "its SARIF names the rule")
    must("missing-front-matter" in run.summary, "the summary names the rule")
    counts = {name: run.outputs[name] for name in ("skills", "errors", "warnings", "notes", "new", "existing", "fixed")}
    must(counts == dict(skills="2", errors="1", warnings="0", notes="0", new="1", existing="0", fixed="0"), "the counts are outputs", run)
    must(re.fullmatch(r"\d+\.\d+\.\d+", run.outputs["version"]), "the version is an output", run)
    files = {file.name for file in Path(run.outputs["prompt-directory"]).iterdir()}
    must({"available-skills.md", "skills.json", "comment.md"} <= files, "the block is built all the same, with a comment")

    (broken / "skilltree.toml").write_text('[rules]\nmissing-front-matter = "off"\n', encoding="utf-8")
    commit(broken)
    must(Run(runner, broken).status == 0, "a repository may switch a rule off")
    must(Run(runner, broken, config_from="HEAD^1").status == 1, "but not where the base decides")

    run = Run(runner, clean, revision='$(touch "$RUNNER_TEMP/pwned")')
    must(run.status == 2 and run.outputs["prompt-directory"] == "", "a revision that does not exist is status 2, without a block", run)
    must(not (runner / "pwned").exists(), "an input is never run")
    must("::error" in run.printed, "and an annotation says why", run)
    must("Upload the findings to code scanning" not in run.used, "and nothing is uploaded, which would close all alerts", run)


def inputs(runner, scratch):
    broken = repository(scratch / "inputs", good=GOOD, bad=BAD)
    team = broken / "team" / "tools" / "SKILL.md"
    team.parent.mkdir(parents=True)
    team.write_text(renamed(GOOD, "tools"), encoding="utf-8")
    commit(broken)

    run = Run(runner, broken, rules="  missing-front-matter=warning  \n# a comment\n\n")
    must(run.status == 0 and run.outputs["warnings"] == "1", "a rule that is lowered to a warning passes", run)
    run = Run(runner, broken, rules="description-without-trigger=error\nmissing-front-matter=off", roots="team")
    must(run.outputs["skills"] == "3", "`roots` adds a skills directory", run)
    block = Path(run.outputs["prompt-directory"], "available-skills.md").read_text(encoding="utf-8")
    must("tools" in block, "and its skill is in the block")
    index = json.loads(Path(run.outputs["prompt-directory"], "skills.json").read_text(encoding="utf-8"))
    must("--rule=missing-front-matter=off" in index["recipe"]["options"], "`rules` reach the block")
    run = Run(runner, broken, targets="claude-code\ncodex\n")
    must(run.status == 1 and run.says("Codex"), "`targets` are named", run)
    run = Run(runner, broken, targets="codexx")
    must(run.status == 2 and run.says("::error"), "an unknown target is status 2, with an annotation", run)
    must(Run(runner, broken, fail_on="never").status == 0, "`fail-on: never` passes")
    run = Run(runner, broken, rules="missing-front-matter=note", min_severity="warning")
    must(run.status == 0 and "missing-front-matter" not in run.printed, "`min-severity` hides a note", run)
    run = Run(runner, broken, annotations="false")
    must("::error " not in run.printed and run.says("error[missing-front-matter]"), "`annotations: false` prints findings only", run)
    must(Run(runner, broken, summary="false").summary == "", "`summary: false` writes no summary")
    must(Run(runner, broken, args="--exit-zero\n").status == 0, "`args` is added")
    must(Run(runner, broken, args="--exit-zero --color=always\n").status == 2, "and is not split")
    must(Run(runner, broken, prompt="false").outputs["prompt-directory"] == "", "`prompt: false` builds no block")
    run = Run(runner, broken, directory="nope")
    must(run.status == 2 and run.says("::error title=skilltree::the input directory is `nope`") and not run.used, "a directory that does not exist is one error", run)
    empty = repository(scratch / "empty")
    run = Run(runner, empty)
    must(run.status == 0 and run.outputs["prompt-directory"] == "", "a repository without skills passes, without a block", run)
    must(Run(runner, empty, error_on_empty="true").status == 1, "but not with `error-on-empty`")
    run = Run(runner, broken, sarif_category="linux")
    log = json.loads(Path(run.outputs["sarif-file"]).read_text(encoding="utf-8"))
    must(log["runs"][0]["automationDetails"]["id"] == "linux/", "`sarif-category` is the category of the file", run)

    for name, value in dict(upload_sarif="TRUE", prompt="yes", annotations="1", summary="", comment="on", suggestions="no", error_on_empty="x").items():
        run = Run(runner, broken, **{name: value})
        must(run.status == 2 and run.says(f"the input {name.replace('_', '-')} is `{value}`, expected true or false"), f"`{name}: {value}` is refused", run)
    for name, value in dict(fail_on="errors", min_severity="low", version="9.9.9", pull_request="1; x").items():
        run = Run(runner, broken, **{name: value})
        must(run.status == 2 and run.says("::error title=skilltree::the input"), f"`{name}: {value}` is refused", run)
    run = Run(runner, broken, fail_on="x\n::warning::%injected")
    commands = [line for line in run.printed.splitlines() if line.startswith("::")]
    must(run.status == 2 and len(commands) == 1, "an input cannot add a workflow command", run)
    run = Run(runner, broken, version=f"v{run_version(runner)}")
    must(run.status == 1, "the Action's own version is accepted", run)


def run_version(runner):
    return subprocess.run([runner / "skilltree" / "bin" / "skilltree", "--version"], text=True, stdout=subprocess.PIPE, check=True).stdout.split()[1]


def events(runner, scratch):
    directory = repository(scratch / "events", old=BAD, good=GOOD)
    base = git(directory, "rev-parse", "HEAD")
    git(directory, "checkout", "--quiet", "-b", "topic")
    head = commit(directory, more=renamed(GOOD, "more"))
    git(directory, "checkout", "--quiet", "--detach", "main")
    git(directory, "merge", "--quiet", "--no-ff", "--message", "Merge", "topic")
    merge = git(directory, "rev-parse", "HEAD")
    payload = {"pull_request": {"base": {"sha": base}}}

    run = Run(runner, directory, "pull_request", payload, sha=merge)
    must(run.status == 0 and run.outputs["existing"] == "1", "a pull request is not failed for what its base has", run)
    must(run.outputs["base"] == base and run.outputs["changed"] == "1", "the base and the changed skills are outputs", run)
    run = Run(runner, directory, "pull_request", payload, sha=merge, base="none")
    must(run.status == 1, "but with `base: none`", run)
    git(directory, "checkout", "--quiet", "topic")
    (directory / "skilltree.toml").write_text('[rules]\nmissing-front-matter = "off"\n', encoding="utf-8")
    loosened = commit(directory, worse=BAD)
    weak = dict(event="pull_request", payload=payload, sha=loosened)
    must(Run(runner, directory, **weak).status == 1, "a pull request cannot switch its own check off")
    must(Run(runner, directory, **weak, config_from="none").status == 0, "but where the workflow lets it")
    must(Run(runner, directory, **weak, config="skilltree.toml").status == 0, "or names a file")
    must(Run(runner, directory, "push", {"before": base, "ref": "refs/heads/topic"}, sha=loosened).status == 0, "and a push has its own configuration")
    git(directory, "reset", "--quiet", "--hard", head)
    git(directory, "checkout", "--quiet", "--detach", merge)
    run = Run(runner, directory, "merge_group", {"merge_group": {"base_sha": base}}, sha=merge)
    must(run.status == 0 and "Upload the findings to code scanning" not in run.used, "a merge queue neither, and uploads nothing", run)
    run = Run(runner, directory, "schedule", {"schedule": "0 0 * * 0"}, sha=merge)
    must(run.status == 1 and "Upload the findings to code scanning" in run.used, "a schedule has no base, so all findings count", run)

    shallow = scratch / "shallow"
    git(scratch, "clone", "--quiet", "--depth=1", "--branch=topic", directory.as_uri(), shallow)
    run = Run(runner, shallow, "pull_request", payload, sha=head)
    must(run.status == 2 and "::error" in run.printed and "fetch-depth" in run.printed, "a base that was not fetched cannot give the configuration", run)

    push = {"before": base, "ref": "refs/heads/topic", "repository": {"default_branch": "main"}}
    git(directory, "checkout", "--quiet", "topic")
    must(Run(runner, directory, "push", push, sha=head).status == 0, "a push is compared with the commit before")
    new = push | {"before": NULL}
    full = scratch / "full"
    git(scratch, "clone", "--quiet", "--branch=topic", directory, full)
    must(Run(runner, full, "push", new, sha=head).status == 0, "a new branch with the default branch")
    run = Run(runner, full, "push", push | {"before": "1" * 40}, sha=head)
    must(run.status == 0, "and so is a forced push, whose old commit is gone", run)
    first = {"before": NULL, "ref": "refs/heads/main", "repository": {"default_branch": "main"}}
    must(Run(runner, directory, "push", first, sha=head).status == 1, "the first push has no base, so all findings count")
    bad = commit(directory, worse=BAD)
    run = Run(runner, directory, "push", push | {"before": head}, sha=bad)
    must(run.status == 1 and run.outputs["new"] == "1" and run.outputs["existing"] == "1", "one new error is one new error", run)


def comments(runner, scratch):
    directory = repository(scratch / "comments", good=GOOD)
    base = git(directory, "rev-parse", "HEAD")
    git(directory, "checkout", "--quiet", "-b", "topic")
    fixable = "---\nname: fixable\ndescription: Does: a fixable thing. Use when something is fixable.\n---\nDo it.\n"
    head = commit(directory, fixable=fixable, bad=BAD)
    state = scratch / "state.json"
    patch = "@@ -0,0 +1,5 @@\n" + "".join(f"+{line}\n" for line in fixable.splitlines())
    files = [{"filename": ".agent/skills/fixable/SKILL.md", "patch": patch}]
    somebody = {"id": 1, "body": "A question", "user": {"type": "User"}}
    state.write_text(json.dumps({"comments": [somebody], "reviewComments": [], "files": files, "head": head}), encoding="utf-8")

    def run(**options):
        payload = {"pull_request": {"base": {"sha": base}}}
        # The head of the pull request is checked out, not its merge commit.
        done = Run(runner, directory, "pull_request", payload, sha=NULL, state=state, comment="true", suggestions="true", **options)
        return done, json.loads(state.read_text(encoding="utf-8"))

    git(directory, "checkout", "--quiet", "-b", "words", "main")
    (directory / "README").write_text("Words.\n", encoding="utf-8")
    commit(directory)
    done, now = run()
    must(now["comments"] == [somebody], "a change without news is not commented", done)
    git(directory, "checkout", "--quiet", "topic")
    done, now = run()
    must(len(now["comments"]) == 2 and "missing-front-matter" in now["comments"][1]["body"], "the summary is commented", done)
    marker, _, body = now["comments"][1]["body"].partition("\n")
    must(marker == "<!-- skilltree skilltree -->" and body == Path(done.outputs["summary-file"]).read_text(encoding="utf-8"), "as it is in the file")
    [suggestion] = now["reviewComments"]
    expected = "```suggestion\ndescription: \"Does: a fixable thing. Use when something is fixable.\"\n```"
    must((suggestion["line"], suggestion["body"]) == (3, expected), f"the safe fix is suggested: {suggestion}", done)
    again, later = run()
    must(later == now, "a second run changes nothing", again)
    git(directory, "rm", "--quiet", "-r", ".agent/skills/bad")
    commit(directory)
    done, now = run()
    must(len(now["comments"]) == 2 and "missing-front-matter" not in now["comments"][1]["body"], "a push updates the comment", done)

    done, now = run(sarif_category="other --> <b>")
    must(now["comments"][2]["body"].startswith("<!-- skilltree other%20--%3E%20%3Cb%3E -->\n"), "another job has a comment of its own", done)

    unmoved = json.loads(state.read_text(encoding="utf-8"))
    fork = {"event.pull_request.head.repo.full_name": "somebody/skills"}
    done, now = run(github=fork)
    must(now == unmoved and "Comment on the pull request" not in done.used, "a fork gets no comment, because its token cannot write", done)
    done = Run(runner, directory, "workflow_run", state=state, comment="true", suggestions="true", pull_request="1", prompt="false")
    now = json.loads(state.read_text(encoding="utf-8"))
    must(now["comments"] != unmoved["comments"] and now["reviewComments"] == unmoved["reviewComments"], "a workflow that may write comments on it", done)


def released(runner, scratch):
    """A release of this version, in a directory instead of on a server. Its program says that it was released."""
    program = runner / "skilltree" / "bin" / "skilltree"
    directory = repository(scratch / "released", good=GOOD)
    built = program.read_bytes()
    script = scratch / "program"
    script.write_text(f'#!/bin/sh\necho released >&2\nexec "{scratch}/built" "$@"\n', encoding="utf-8")
    (scratch / "built").write_bytes(built)
    for file in (script, scratch / "built"):
        file.chmod(0o755)
    machine = {"x86_64": "x86_64-unknown-linux-musl", "aarch64": "aarch64-unknown-linux-musl"}[os.uname().machine]
    releases = scratch / "releases" / f"v{run_version(runner)}"
    packed = subprocess.run([sys.executable, ROOT / ".ci" / "package" / "archive.py", script, machine, releases], text=True, stdout=subprocess.PIPE, check=True)
    action = scratch / "action"
    (action / ".ci" / "action").mkdir(parents=True)
    for name in ("Cargo.toml", "Cargo.lock", "crates", "src"):
        (action / name).symlink_to(ROOT / name)
    shutil.copy2(ROOT / ".ci" / "action" / "download", action / ".ci" / "action")
    table, tools = action / ".ci" / "action" / "checksums.txt", runner / "tools"
    address = (scratch / "releases").as_uri()

    def run(checksums=packed.stdout, releases=address):
        table.write_text(f"# A comment\n{checksums}", encoding="utf-8")
        return Run(runner, directory, action=action, releases=releases)

    done = run()
    must(done.status == 0 and done.says("released") and "Restore the program from the cache" not in done.used, "a released program is used", done)
    done = run(releases=(scratch / "nothing").as_uri())
    must(done.status == 0 and done.says("released") and not done.says("::warning"), "and kept in the tool cache", done)
    [cached] = tools.rglob("skilltree/*/*/skilltree")
    cached.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    done = run()
    must(done.status == 0 and done.says("released"), "a program that changed in the tool cache is downloaded again", done)
    for number, what in enumerate(("the program", "the archive")):
        shutil.rmtree(tools)
        lines = packed.stdout.splitlines(keepends=True)
        lines[number] = "0" * 64 + lines[number][64:]
        done = run("".join(lines))
        must(done.status == 2 and done.says("::error title=skilltree::the checksum of"), f"a wrong checksum of {what} fails the job", done)
    program.write_bytes(built)
    done = run(releases=(scratch / "nothing").as_uri())
    must(done.status == 0 and done.says("::warning") and not done.says("released"), "without a download, the program is built", done)
    done = run("")
    must(done.status == 0 and not done.says("::warning") and not done.says("released"), "and where the table is empty", done)


def container(runner, scratch):
    directory = repository(scratch / "container", good=GOOD)
    root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    subprocess.run([*root, "chown", "--recursive", "12345", directory], check=True)
    for time in ("the first", "the second"):
        run = Run(runner, directory)
        must(run.status == 0, f"a checkout of another user is read, {time} time", run)
    settings = (runner / "user" / ".gitconfig").read_text(encoding="utf-8")
    must(settings.count(str(directory)) == 1, "and trusted alone, once")
    subprocess.run([*root, "chown", "--recursive", str(os.geteuid()), directory], check=True)


def main():
    runner = Path(sys.argv[1]).resolve()
    home = runner / "skilltree"
    for directory in (home, runner / "user"):
        directory.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 2:
        (home / "bin").mkdir(exist_ok=True)
        shutil.copy2(sys.argv[2], home / "bin" / "skilltree")
    # The Action builds in a separate directory; here it reuses the target directory.
    target = home / "target"
    if not target.is_symlink():
        target.symlink_to(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        for part in (basics, inputs, events, comments, container):
            part(runner, scratch)
        # The cache has a script in place of the released program.
        if len(sys.argv) > 2:
            released(runner, scratch)


if __name__ == "__main__":
    main()
