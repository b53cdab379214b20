"""Qoder CLI: `qodercli skills list`."""

import re

from .base import Npm, Program, Seen, Skill


class Qoder(Program):
    id = "qoder"
    package = Npm("@qoder-ai/qodercli", needs=())
    sees = ("fate", "name", "description")
    roots = (".agents/skills", ".qoder/skills")

    def skills(self, bench):
        out, _ = bench.run(self, [bench.node(self.node), self.home(bench) / "bundle/qodercli.js", "skills", "list"])
        pattern = r"(?ms)^(\S[^\n]*) \[(?:En|Dis)abled\]\n  Description: (.*?)\n(?:  Tools: [^\n]*\n)?  Location:    ([^\n]+)$"
        listed = [Skill(name, about, bench.named(path)) for name, about, path in re.findall(pattern, out)]
        return Seen([skill for skill in listed if skill.path])
