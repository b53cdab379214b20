"""pi: loadSkills and formatSkillsForPrompt of its package."""

import html
import re

from .base import Listing, Npm, Program, Seen, Skill


class Pi(Program):
    id = "pi"
    package = Npm(
        "@earendil-works/pi-coding-agent",
        needs=("cross-spawn", "hosted-git-info", "ignore", "minimatch", "proper-lockfile", "semver", "yaml"),
    )
    roots = (".agents/skills", ".pi/skills")
    models = {"default": ""}

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"])
            for skill in answer["skills"]
        ]
        return Seen(listed, {bench.named(fault["path"]): "warning" for fault in answer["faults"]})

    def listing(self, bench, model):
        prompt = bench.script(self, bench.cwd)[0]["prompt"]
        pattern = r"(?s)<name>(.*?)</name>\s*<description>(.*?)</description>"
        entries = [(html.unescape(name), html.unescape(about)) for name, about in re.findall(pattern, prompt)]
        return Listing(entries, prompt)
