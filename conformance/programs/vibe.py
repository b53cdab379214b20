"""Mistral Vibe: the SkillManager of its package, in a trusted directory."""

from .base import Program, Pypi, Seen, Skill


class Vibe(Program):
    id = "vibe"
    package = Pypi("mistral-vibe", python=(3, 12))
    roots = (".agents/skills", ".vibe/skills")

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"])
            for skill in answer["skills"]
        ]
        return Seen(listed, {bench.named(path): "warning" for path in answer["faults"]})
