"""Letta Code: the list of skills is read from the request that it sends to the model."""

import json
import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill

PROVIDER = {
    "id": "local-provider-openai-compatible",
    "name": "openai-compatible",
    "provider_type": "openai-compatible",
    "provider_category": "byok",
    "auth": {"type": "api", "key": "dummy"},
    "created_at": "2026-01-01T00:00:00.000Z",
    "updated_at": "2026-01-01T00:00:00.000Z",
}


class Letta(Program):
    id = "letta"
    package = Npm("@letta-ai/letta-code", needs=("ws",))
    roots = (".agents/skills", ".skills")
    asks_model = True
    models = {"default": "openai-compatible/gpt-4o"}
    knows_paths = False
    sees = ("fate", "name", "description")

    def skills(self, bench):
        return Seen([Skill(name, about) for name, about in self.listing(bench, self.models["default"]).entries])

    def listing(self, bench, model):
        with MockModel() as mock:
            settings = bench.home / ".letta"
            providers = settings / "lc-local-backend" / "providers"
            providers.mkdir(parents=True)
            (settings / "settings.json").write_text('{"preferredBackendMode": "local"}')
            provider = PROVIDER | {"base_url": f"{mock.address}/v1"}
            accounts = {"version": 1, "providers": {"openai-compatible": provider}}
            (providers / "auth.json").write_text(json.dumps(accounts))
            command = [bench.node(self.node), self.home(bench) / "letta.js", "--backend", "local"]
            bench.run(self, [*command, "-m", model, "-p", "hi"])
            texts = [text for text in mock.texts() if "\n- `acquiring-skills`: " in text]
        if not texts:
            raise RuntimeError("no request to the model has a list of skills")
        block = texts[0].rpartition("<available_skills>\n")[2].partition("\n</available_skills>")[0]
        return Listing(re.findall(r"(?m)^- `(.*?)`(?:: (.*))?$", block), block)
