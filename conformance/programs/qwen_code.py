"""Qwen Code: the SkillManager of its package, and the request that it sends to a model server."""

import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill


class QwenCode(Program):
    id = "qwen-code"
    package = Npm("@qwen-code/qwen-code")
    roots = (".agents/skills", ".qwen/skills")
    models = {"default": "gpt-4o"}

    def skills(self, bench):
        answer, _ = bench.script(self, bench.cwd)
        # The model is not shown the description of a hidden skill.
        listed = [
            Skill(skill["name"], None if skill["hidden"] else skill["description"], bench.named(skill["path"]), skill["hidden"])
            for skill in answer["skills"]
        ]
        return Seen([skill for skill in listed if skill.path], {bench.named(path): "log" for path in answer["faults"]})

    def listing(self, bench, model):
        with MockModel() as mock:
            variables = {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{mock.address}/v1", "OPENAI_MODEL": model}
            command = [bench.directory(self) / "node_modules/.bin/qwen", "--auth-type", "openai", "-p", "hi"]
            bench.run(self, command, **variables)
            texts = [text for text in mock.texts() if "<available_skills>\n" in text]
        text = texts[0][texts[0].index("<available_skills>\n") :]
        pattern = r"(?s)<name>\n(.*?)\n</name>\n<description>\n(.*?)(?: \((?:project|user|bundled)\))?\n</description>"
        return Listing([(name, about or None) for name, about in re.findall(pattern, text)], text)
