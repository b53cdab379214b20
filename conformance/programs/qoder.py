"""Qoder CLI: `qodercli skills list`."""

import re

from .base import Npm, Program, Seen, Skill

ENTRY = r"""(?msx)
^(\S[^\n]*)\ \[(?:En|Dis)abled\]\n
\ \ Description:\ (.*?)\n
(?:\ \ When\ to\ use:\ .*?\n)?
(?:\ \ Model:\ +[^\n]*\n)?
(?:\ \ Tools:\ +[^\n]*\n)?
\ \ Location:\ +([^\n]+)$"""


class Qoder(Program):
    id = "qoder"
    package = Npm("@qoder-ai/qodercli", needs=())
    sees = ("fate", "name", "description")
    roots = (".agents/skills", ".qoder/skills")
    # Without these, a start waits 5 seconds for an account and 7 seconds for a telemetry server.
    variables = {"QODER_FEATURE_WORKFLOWS_DISABLE": 1, "OTEL_SDK_DISABLED": "true"}

    def skills(self, bench):
        out, _ = bench.run(self, [bench.node(self.node), self.home(bench) / "bundle/qodercli.js", "skills", "list"])
        listed = [Skill(name, about, bench.named(path)) for name, about, path in re.findall(ENTRY, out)]
        return Seen([skill for skill in listed if skill.path])
