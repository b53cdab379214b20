"""Gemini CLI: the SkillManager of its core package."""

from .base import Npm, Program, Seen, Skill


class GeminiCli(Program):
    id = "gemini-cli"
    package = Npm("@google/gemini-cli-core")
    roots = (".agents/skills", ".gemini/skills")
    sees = ("fate", "name", "description")
    repeat = 20  # it searches directories concurrently: the order of the list is chance

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        return Seen([Skill(skill["name"], skill["description"], bench.named(skill["path"])) for skill in answer])
