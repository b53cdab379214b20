"""Deep Agents: one turn of its coding agent with a model that answers nothing."""

import re

from .base import Listing, Program, Pypi, Seen, Skill


class DeepAgents(Program):
    id = "deepagents"
    package = Pypi("deepagents-code")
    sees = ("fate", "name", "description", "reported")
    roots = (".agents/skills", ".claude/skills", ".deepagents/skills")
    asks_model = True
    models = {"default": ""}

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        faults = re.findall(r"(/\S+/SKILL\.md)", answer["log"])
        return Seen([skill for skill in self.shown(bench, answer) if skill.path], {bench.named(path): "log" for path in faults})

    def shown(self, bench, answer):
        """Returns the skills of the list, of which the prompt must have each."""
        for skill in answer["skills"]:
            assert f"- **{skill['name']}**: {skill['description']}" in answer["prompt"], skill
        return [Skill(skill["name"], skill["description"], bench.named(skill["path"])) for skill in answer["skills"]]

    def listing(self, bench, model):
        answer, _ = bench.script(self, bench.cwd)
        entries = [(skill.name, skill.description) for skill in self.shown(bench, answer) if skill.path]
        return Listing(entries, answer["prompt"])
