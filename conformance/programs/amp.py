"""Amp: `amp skill list --json`, and its log."""

import json

from .base import Npm, Program, Seen, Skill


class Amp(Program):
    id = "amp"
    package = Npm("@ampcode/cli-{platform}")
    sees = ("fate", "name", "description", "reported")
    roots = (".agents/skills", ".claude/skills")
    order_decides = True  # its sort fails
    variables = {"AMP_API_KEY": "dummy", "AMP_SKIP_UPDATE_CHECK": 1}

    def skills(self, bench):
        # If a name is not text, it fails when it sorts the skills, and never ends.
        command = [self.home(bench) / "amp", "skill", "list", "--json"]
        out, _ = bench.run(self, command, hangs_after="TypeError")
        answer = json.loads(out)
        listed = [
            Skill(skill["name"], skill["description"], path(bench, skill["baseDir"] + "/SKILL.md"))
            for skill in answer["skills"]
        ]
        faults = {path(bench, fault["path"]): "error" for fault in answer.get("errors", ())}
        return Seen([skill for skill in listed if skill.path], faults)


def path(bench, url):
    return bench.named(url.removeprefix("file://"))
