"""CAMEL: SkillToolkit of its package, its two base classes replaced by empty ones."""

from .base import Program, Pypi, Seen, Skill


class Camel(Program):
    id = "camel"
    package = Pypi("camel-ai")
    sees = ("fate", "name", "description", "reported")
    roots = (".agents/skills", ".camel/skills")

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        listed = [Skill(skill["name"], skill["description"], bench.named(skill["path"])) for skill in answer["skills"]]
        return Seen(listed, {bench.named(path): "log" for path in answer["logged"]})
