"""Grok Build: `grok inspect --json`, without the question whether to trust the directory."""

import json

from .base import Npm, Program, Seen, Skill

UNPACK = "const [from, to] = process.argv.slice(1), fs = require('fs'), zlib = require('zlib');\
fs.writeFileSync(to, zlib.brotliDecompressSync(fs.readFileSync(from)), { mode: 0o755 })"


class Grok(Program):
    id = "grok"
    package = Npm("@xai-official/grok-{platform}")
    sees = ("fate", "name", "description")
    roots = (".agents/skills", ".grok/skills")
    variables = {"GROK_FOLDER_TRUST": 0}

    def skills(self, bench):
        out, _ = bench.run(self, [self.binary(bench), "inspect", "--json"])
        listed = [
            Skill(skill["name"], skill.get("description"), bench.named(skill["source"].get("path", "")))
            for skill in json.loads(out)["skills"]
        ]
        return Seen([skill for skill in listed if skill.path])

    def binary(self, bench):
        """Returns the program, which its install script would have unpacked."""
        binary = self.home(bench) / "bin" / "grok"
        if not binary.exists():
            bench.run(self, [bench.node(self.node), "-e", UNPACK, f"{binary}.br", binary])
        return binary
