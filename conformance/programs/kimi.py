"""Kimi CLI: the functions of its package that find skills and write them into the system prompt."""

import re

from .base import Listing, Program, Pypi, Seen, Skill


class Kimi(Program):
    id = "kimi"
    package = Pypi("kimi-cli", python=(3, 12))
    roots = (".agents/skills", ".kimi/skills", ".claude/skills", ".codex/skills")
    models = {"default": ""}

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        listed = [Skill(skill["name"], skill["description"], bench.named(skill["path"])) for skill in answer["skills"]]
        return Seen([skill for skill in listed if skill.path], {bench.named(path): "log" for path in answer["logged"]})

    def listing(self, bench, model):
        prompt = bench.script(self, bench.cwd)[0]["prompt"]
        pattern = r"(?ms)^- ([^\n]*)\n  - Path: [^\n]*\n  - Description: (.*?)(?=\n- [^\n]*\n  - Path: |\n\n### |\Z)"
        return Listing(re.findall(pattern, prompt), prompt)
