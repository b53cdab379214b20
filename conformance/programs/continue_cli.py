"""Continue: the list of skills is read from the request that `cn` sends to the model."""

import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill

CONFIG = """name: conformance
version: 0.0.1
schema: v1
models:
  - {{name: mock, provider: openai, model: gpt-4o, apiKey: dummy, apiBase: {address}/v1}}
"""


class Continue(Program):
    id = "continue"
    repeat = 6  # it reads files concurrently: the order of the list is chance
    package = Npm("@continuedev/cli")
    roots = (".continue/skills", ".claude/skills")
    asks_model = True
    models = {"default": "gpt-4o"}
    knows_paths = False
    sees = ("fate", "name", "description")

    def skills(self, bench):
        return Seen([Skill(name, about) for name, about in self.listing(bench, None).entries])

    def listing(self, bench, model):
        with MockModel() as mock:
            config = bench.home / "config.yaml"
            config.write_text(CONFIG.format(address=mock.address))
            bench.run(self, [bench.node(self.node), self.home(bench) / "dist/cn.js", "--config", config, "-p", "hi"])
            tools = [tool["function"] for body in mock.requests for tool in body.get("tools") or ()]
        text = next(tool["description"] for tool in tools if tool["name"] == "Skills")
        return Listing(re.findall(r"(?s)\nname: (.*?)\ndescription: (.*?)\n(?=,\n|\Z)", text), text)
