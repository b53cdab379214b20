"""Kimi CLI: the functions of its package that find skills and write them into the system prompt."""

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
        answer, _ = bench.script(self, bench.cwd)
        entries = {(skill["name"], skill["description"]): entry(skill) for skill in answer["skills"]}
        shown = [pair for pair, text in entries.items() if text in answer["prompt"]]
        shown.sort(key=lambda pair: answer["prompt"].index(entries[pair]))
        # The paths of the bundled skills depend on where the program is installed.
        return Listing(shown, answer["prompt"].replace(str(self.home(bench).resolve()), "/site"))


def entry(skill):
    """Returns the lines that the prompt has for a skill."""
    return f"- {skill['name']}\n  - Path: {skill['path']}\n  - Description: {skill['description']}"
