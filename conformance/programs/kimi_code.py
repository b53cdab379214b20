"""Kimi Code: the list of skills is read from the request that it sends to the model."""

import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill


class KimiCode(Program):
    id = "kimi-code"
    package = Npm("@moonshot-ai/kimi-code")
    roots = (".agents/skills", ".kimi-code/skills")
    asks_model = True
    models = {"default": "gpt-4o"}
    sees = ("fate", "name", "description")

    def skills(self, bench):
        return self.turn(bench, self.models["default"])[0]

    def listing(self, bench, model):
        seen, text = self.turn(bench, model)
        return Listing([(skill.name, skill.description) for skill in seen.skills], text)

    def turn(self, bench, model):
        with MockModel() as mock:
            variables = {
                "KIMI_MODEL_NAME": model,
                "KIMI_MODEL_API_KEY": "dummy",
                "KIMI_MODEL_PROVIDER_TYPE": "openai",
                "KIMI_MODEL_BASE_URL": f"{mock.address}/v1",
            }
            out, err = bench.run(self, [bench.node(self.node), self.home(bench) / "dist/main.mjs", "-p", "hi"], **variables)
            texts = [text for text in mock.texts() if "## Available skills" in text]
        if not texts:
            raise RuntimeError(f"no request to the model has a list of skills: {(err or out)[-400:]}")
        text = texts[0][texts[0].index("## Available skills") :]
        return Seen([Skill(name, about or None, bench.named(path)) for name, about, path in entries(text)]), text


def entries(text):
    """Returns (name, description, path) of each entry; a description may have several lines."""
    pattern = r"(?s)(?:^|\n)- (.+?): (.*?)(?:\n  When to use: [^\n]*)?\n  Path: ([^\n]+)"
    return re.findall(pattern, text)
