"""OpenHands: the functions of its SDK that load skills and write the prompt."""

import re

from .base import Program, Pypi, Seen, Skill


class OpenHands(Program):
    id = "openhands"
    package = Pypi("openhands-sdk", python=(3, 12))
    roots = (".agents/skills", ".openhands/skills", ".openhands/microagents")
    variables = {"OPENHANDS_SUPPRESS_BANNER": 1, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]), skill["hidden"])
            for skill in answer["skills"]
        ]
        faults = re.findall(r"Failed to load skill from (\S+\.md):", answer["log"])
        return Seen(listed, {bench.named(path): "log" for path in faults})

    def list(self, bench):
        return bench.script(self, bench.cwd)[0]["prompt"]
