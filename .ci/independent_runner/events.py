"""The repository that the events are about, and the events: the members that GitHub documents for each, as far as runners read them."""
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci" / "action"))

from run_steps import BAD, GOOD, NULL, git, renamed

GONE = "1" * 40
EXAMPLE, COMMENT, OWN = ROOT / "examples/workflows/skills.yml", ROOT / "examples/workflows/comment.yml", ROOT / ".github/workflows/ci.yml"
OFF = '[rules]\nmissing-front-matter = "off"\n'
FIXABLE = "---\nname: fixable\ndescription: Does: a fixable thing. Use when something is fixable.\n---\nDo it.\n"


@dataclass
class Event:
    """An event, the workflow that it starts, and the exit status and the base that the check must have."""

    what: str
    name: str
    commit: str
    ref: str
    payload: dict
    status: int
    base: str | None = None
    # The workflow: a file, or the inputs of the checkout and of the Action.
    workflow: Path | None = None
    job: str = "skills"
    checkout: dict = field(default_factory=dict)
    inputs: dict = field(default_factory=dict)
    # What the expressions in the workflow's inputs are.
    values: dict = field(default_factory=dict)
    # The pull request, if it can be commented on.
    state: dict | None = None
    # Another repository than that of `History`, and other files of the Action.
    repository: Path | None = None
    action: Path | None = None


class History:
    """A repository with a branch per change, and a merge commit per pull request."""

    def __init__(self, directory):
        self.directory = directory
        directory.mkdir()
        git(directory, "init", "--quiet")
        git(directory, "config", "uploadpack.allowAnySHA1InWant", "true")
        self.base = self.commit("main", old=BAD, good=GOOD, files={"packages/a/README": "A package.\n"})
        self.more = self.branch("more", more=renamed(GOOD, "more"))
        self.worse = self.branch("worse", worse=BAD)
        self.weak = self.branch("weak", worse=BAD, files={"skilltree.toml": OFF})
        self.words = self.branch("words", files={"README": "Words.\n"})
        self.fixable = self.branch("fixable", fixable=FIXABLE, old=renamed(GOOD, "old"))
        self.later = self.commit("main", late=renamed(GOOD, "late"))
        git(directory, "tag", "v1", self.worse)
        git(directory, "branch", self.queue, self.merge("more"))

    @property
    def queue(self):
        return f"gh-readonly-queue/main/pr-1-{self.base}"

    def branch(self, name, **changes):
        git(self.directory, "branch", name, self.base)
        return self.commit(name, **changes)

    def commit(self, branch, files={}, **skills):
        if branch != git(self.directory, "symbolic-ref", "--short", "HEAD"):
            git(self.directory, "checkout", "--quiet", branch)
        for path, text in [*files.items(), *((f".agent/skills/{name}/SKILL.md", text) for name, text in skills.items())]:
            file = self.directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        git(self.directory, "add", "--all")
        git(self.directory, "commit", "--quiet", "--message", f"Change {branch}")
        return git(self.directory, "rev-parse", "HEAD")

    def merge(self, branch, into=None):
        """Returns the merge commit of a branch, which only the reference of a pull request would have."""
        parents = (into or self.base, branch)
        tree = git(self.directory, "merge-tree", "--write-tree", *parents)
        return git(self.directory, "commit-tree", tree, "-p", parents[0], "-p", branch, "-m", "Merge")


REPOSITORY = {"full_name": "team/skills", "name": "skills", "owner": {"login": "team"}, "default_branch": "main"}


def pull_request(history, branch, into=None, fork=False):
    """Returns the members of an event about pull request 1: its merge commit, reference and payload."""
    head = {"ref": branch, "sha": getattr(history, branch), "repo": {"full_name": "somebody/skills" if fork else "team/skills"}}
    pull = {"number": 1, "base": {"ref": "main", "sha": history.base, "repo": REPOSITORY}, "head": head}
    payload = {"action": "synchronize", "number": 1, "pull_request": pull, "repository": REPOSITORY}
    return dict(name="pull_request", commit=history.merge(branch, into), ref="refs/pull/1/merge", payload=payload)


def push(ref, before, after):
    payload = {"ref": ref, "before": before, "after": after, "deleted": False, "forced": before == GONE, "repository": REPOSITORY}
    return dict(name="push", commit=after, ref=ref, payload=payload)


def other(history, name, ref="refs/heads/main", commit=None, **members):
    return dict(name=name, commit=commit or history.later, ref=ref, payload=members | {"repository": REPOSITORY})


def state(history, branch, comments=(), patch=""):
    """Returns pull request 1 before the run."""
    files = [{"filename": f".agent/skills/{branch}/SKILL.md", "patch": patch}]
    return {"comments": list(comments), "reviewComments": [], "files": files, "head": getattr(history, branch)}


def pull_requests(history):
    base, all_history, own = history.base, {"fetch-depth": "0"}, {"comment": "true", "suggestions": "true"}
    patch = "@@ -0,0 +1,5 @@\n" + "".join(f"+{line}\n" for line in FIXABLE.splitlines())
    marked = {"id": 151, "body": "<!-- skilltree skilltree -->\nOld", "user": {"type": "Bot"}}
    many = [{"id": id, "body": "A question", "user": {"type": "User"}} for id in range(1, 151)] + [marked]

    def event(what, branch, status, base=base, into=None, fork=False, **rest):
        return Event(what, **pull_request(history, branch, into, fork), status=status, base=base, **rest)

    return [
        event("pull request, examples/workflows/skills.yml", "worse", 1, workflow=EXAMPLE, state=state(history, "worse")),
        event("pull request that has 151 comments", "worse", 1, workflow=EXAMPLE, state=state(history, "worse", many)),
        event("pull request with a safe fix", "fixable", 1, workflow=EXAMPLE, state=state(history, "fixable", patch=patch)),
        event("pull request without skills", "words", 0, workflow=EXAMPLE, state=state(history, "words")),
        event("pull request from a fork", "worse", 1, fork=True, workflow=EXAMPLE, state=state(history, "worse")),
        event("pull request, default fetch-depth", "more", 2, None),
        event("pull request, default fetch-depth, its own configuration", "more", 1, None, inputs={"config-from": "none"}),
        event("pull request, fetch-depth 2", "more", 0, checkout={"fetch-depth": "2"}),
        event("pull request, base: none", "more", 1, None, inputs={"base": "none"}),
        event("pull request whose base moved", "more", 0, history.later, into=history.later, checkout=all_history),
        event("pull request that weakens its check", "weak", 1, checkout=all_history),
        event("pull request that may weaken its check", "weak", 0, checkout=all_history, inputs={"config-from": "none"}),
        event("pull request, its head checked out", "more", 0, checkout=all_history | {"ref": history.more}, inputs=own, state=state(history, "more")),
        event("pull request, checkout with a path", "more", 0, checkout=all_history | {"path": "sub"}, inputs={"directory": "sub/packages/a"}),
    ]


def pushes(history, shipped):
    base, later, worse, all_history = history.base, history.later, history.worse, {"fetch-depth": "0"}
    return [
        Event("push, workflow of `init --workflow`", **push("refs/heads/main", base, later), status=0, base=base, workflow=shipped),
        Event("push of an error, fetch-depth 2", **push("refs/heads/worse", base, worse), status=1, base=base, checkout={"fetch-depth": "2"}),
        Event("push, default fetch-depth", **push("refs/heads/main", base, later), status=1),
        Event("new branch", **push("refs/heads/more", NULL, history.more), status=0, base=base, checkout=all_history),
        Event("new branch, default fetch-depth", **push("refs/heads/more", NULL, history.more), status=1),
        Event("first push", **push("refs/heads/main", NULL, later), status=1, checkout=all_history),
        Event("forced push of a branch", **push("refs/heads/worse", GONE, worse), status=1, base=base, checkout=all_history),
        Event("forced push of the default branch", **push("refs/heads/main", GONE, later), status=1, checkout=all_history),
        Event("tag", **push("refs/tags/v1", NULL, worse), status=1, base=base, checkout=all_history),
        Event("tag, default fetch-depth", **push("refs/tags/v1", NULL, worse), status=1),
    ]


def others(history, shipped):
    base, later, all_history = history.base, history.later, {"fetch-depth": "0"}
    merged = git(history.directory, "rev-parse", history.queue)
    group = {"head_sha": merged, "head_ref": f"refs/heads/{history.queue}", "base_sha": base, "base_ref": "refs/heads/main"}
    queue = other(history, "merge_group", group["head_ref"], merged, action="checks_requested", merge_group=group)
    target = pull_request(history, "worse") | dict(name="pull_request_target", commit=later, ref="refs/heads/main")
    head = dict(head_sha=history.worse, head_branch="worse", head_repository={"full_name": "somebody/skills", "owner": {"login": "somebody"}})
    ran = other(history, "workflow_run", action="completed", workflow_run={"event": "pull_request", **head})
    values = {"github.event.workflow_run.head_sha": history.worse, "steps.find.outputs.number": "1"}
    lists = {"roots": "# none\n .agent/skills \n", "rules": "missing-front-matter=warning\n\ndescription-too-long=off", "args": "--verbose\n--color=never"}
    return [
        Event("merge group, workflow of `init --workflow`", **queue, status=0, base=base, workflow=shipped),
        Event("merge group, default fetch-depth", **queue, status=1),
        Event("pull_request_target", **target, status=0, base=base, checkout=all_history),
        Event("pull_request_target, the head as `revision`", **target, status=1, base=base, checkout=all_history, inputs={"revision": history.worse}),
        Event("workflow_run, examples/workflows/comment.yml", **ran, status=0, base=base, workflow=COMMENT, job="comment", values=values, state=state(history, "worse")),
        Event("schedule", **other(history, "schedule", schedule="0 0 * * 0"), status=1),
        Event("workflow_dispatch", **other(history, "workflow_dispatch", inputs={}), status=1),
        Event("release", **other(history, "release", "refs/tags/v1", history.worse, action="published", release={"tag_name": "v1"}), status=1),
        Event("lists of inputs", **other(history, "workflow_dispatch"), status=0, inputs=lists),
        Event("inputs of all other kinds", **other(history, "workflow_dispatch"), status=0, inputs=kinds()),
        Event("directory that does not exist", **other(history, "workflow_dispatch"), status=2, inputs={"directory": "nope"}),
        Event("input that adds a command", **other(history, "workflow_dispatch"), status=2, inputs={"fail-on": "x\n::warning::%injected"}),
        Event("revision that is a command", **other(history, "workflow_dispatch"), status=2, inputs={"revision": '$(touch "$RUNNER_TEMP/pwned")'}),
    ]


def kinds():
    switches = {"annotations": "false", "summary": "false", "upload-sarif": "false", "error-on-empty": "true"}
    return switches | {"fail-on": "never", "min-severity": "warning", "targets": "codex\nclaude-code", "sarif-category": "linux", "prompt-artifact": "block"}


def own(directory):
    """The project's own workflow, on its own files. CI may have a clone without history, so the commits are made here."""
    copy_files(directory)
    git(directory, "init", "--quiet")
    git(directory, "add", "--all", "--force")
    commits = []
    for message in ("All", "Nothing"):
        git(directory, "commit", "--quiet", "--allow-empty", "--message", message)
        commits.append(git(directory, "rev-parse", "HEAD"))
    return Event("push, .github/workflows/ci.yml", **push("refs/heads/main", *commits), status=0, base=commits[0], workflow=OWN, job="action", repository=directory)


def released(directory, history, program, action):
    """The release of a program that prints a line first: the Action has its checksum, then another one."""
    directory.mkdir()
    script, machine, version = directory / "program", os.uname().machine, subprocess.check_output([program, "--version"], text=True).split()[1]
    script.write_text(f'#!/bin/sh\necho "the released program"\nexec "{program}" "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    pack = [sys.executable, ROOT / ".ci" / "package" / "archive.py", script, f"{machine}-unknown-linux-musl", directory / f"v{version}"]
    checksums, found = subprocess.check_output(pack, text=True), []
    for what, status, table in (("released program", 1, checksums), ("released program that changed", 2, re.sub("(?m)^.{64}", "0" * 64, checksums))):
        files = directory / what
        shutil.copytree(action, files)
        (files / ".ci" / "action" / "checksums.txt").write_text(table, encoding="utf-8")
        found.append(Event(what, **other(history, "workflow_dispatch"), status=status, inputs={"releases": directory.as_uri()}, action=files))
    return found


def copy_files(directory, *paths):
    """Copies the committed files of the project, or those below paths."""
    for name in git(ROOT, "ls-files", "-z", *paths).strip("\0").split("\0"):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, directory / name, follow_symlinks=False)
