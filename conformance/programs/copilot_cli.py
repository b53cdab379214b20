"""Copilot CLI: `copilot skill list --json`, and the request that it sends to a model server."""

import html
import json
import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill


class CopilotCli(Program):
    id = "copilot-cli"
    package = Npm("@github/copilot")
    roots = (".agents/skills", ".github/skills", ".claude/skills")
    budget = True
    models = {"default": "gpt-5"}
    variables = {"COPILOT_AUTO_UPDATE": "false"}

    def command(self, bench):
        return bench.directory(self) / "node_modules/.bin/copilot"

    def skills(self, bench):
        out, err = bench.run(self, [self.command(bench), "skill", "list", "--json"])
        faults = re.findall(r"(?m)^\s*• (.*?/SKILL\.md): ", err)
        listed = [
            Skill(skill["name"], skill["description"], bench.named(f"{skill['path']}/SKILL.md"))
            for skill in json.loads(out)
            if bench.named(skill["path"])
        ]
        return Seen(listed, {path if not path.startswith("/") else bench.named(path): "error" for path in faults})

    def listing(self, bench, model):
        with MockModel() as mock:
            variables = {
                "COPILOT_ALLOW_ALL": "true",
                "COPILOT_MODEL": model,
                "COPILOT_OFFLINE": "true",
                "COPILOT_PROVIDER_BASE_URL": f"{mock.address}/v1",
                "COPILOT_PROVIDER_TYPE": "openai",
            }
            bench.run(self, [self.command(bench), "-p", "hi", "--disable-client-telemetry"], **variables)
            texts = [text for text in mock.texts() if "<available_skills>" in text]
        if not texts:
            raise RuntimeError("no request to the model has a list of skills")
        text = texts[0][texts[0].index("<available_skills>") :]
        pattern = r"(?s)<name>(.*?)</name>\s*<description>(.*?)</description>"
        entries = [(html.unescape(name), html.unescape(about)) for name, about in re.findall(pattern, text)]
        # Skills that do not fit are named in one line after the entries.
        for names in re.findall(r"\(invoke by name\): (.*)", text):
            names = re.sub(r"\.\.\. and \d+ more$", "", names.rstrip("."))
            entries += [(html.unescape(name.strip()), None) for name in names.split(", ")]
        return Listing(entries, text)
