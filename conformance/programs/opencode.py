"""opencode: `opencode debug skill`, and its log."""

import json
import re

from .base import Npm, Program, Seen, Skill


class OpenCode(Program):
    id = "opencode"
    package = Npm("opencode-{platform}")
    sees = ("fate", "name", "description", "reported")
    binary = "bin/opencode"
    repeat = 6  # it reads files concurrently: which of two skills with the same name wins is chance
    repeat_pairs = 12
    repeat_chance = 60  # some pairs come out the same in nearly every start
    roots = (".agents/skills", ".claude/skills", ".opencode/skill", ".opencode/skills")

    def skills(self, bench):
        out, err = bench.run(self, [self.home(bench) / self.binary, "debug", "skill", "--print-logs"])
        faults = re.findall(r"skill=(\S+/SKILL\.md) error=", err)
        listed = [
            Skill(skill["name"], skill.get("description"), bench.named(skill["location"]))
            for skill in json.loads(out)
        ]
        return Seen([skill for skill in listed if skill.path], {bench.named(path): "log" for path in faults})
