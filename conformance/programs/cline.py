"""Cline: the instruction service of @cline/core, the library that its command line program is made of."""

from .base import Npm, Program, Seen, Skill


class Cline(Program):
    id = "cline"
    package = Npm("@cline/core")
    sees = ("fate", "hidden", "name", "description")
    roots = (".agents/skills", ".cline/skills", ".clinerules/skills")

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        return Seen(
            [Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"]) for skill in answer]
        )
