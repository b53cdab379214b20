"""Copilot Chat in VS Code: the parser of prompt files, from a package that contains the modules of VS Code."""

import re

from .base import Npm, Program, Seen, Skill


class VsCodeCopilot(Program):
    id = "vscode-copilot"
    package = Npm("@codingame/monaco-vscode-api", needs=())
    roots = (".github/skills",)
    sees = ("fate", "hidden", "name", "description")
    layout = False

    def product(self, bench):
        text = (self.home(bench) / "vscode/src/vs/platform/product/common/product.js").read_text()
        return re.search(r"version: '([^']+)'", text)[1]

    def skills(self, bench):
        answer, _ = bench.script(self, bench.repo / self.roots[0])
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"]) for skill in answer
        ]
        return Seen(listed)
