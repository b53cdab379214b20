"""Droid: `droid exec` lists skills over JSON-RPC; the request to the model shows which of them it gets."""

import json
import re
import subprocess
import threading

from harness.bench import end
from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill

HEAD = "Available skills (invoke by exact name"
MODEL = {"model": "mock", "displayName": "mock", "apiKey": "dummy", "provider": "generic-chat-completion-api"}


class Droid(Program):
    id = "droid"
    package = Npm("@factory/cli-{platform}")
    roots = (".factory/skills", ".agents/skills")
    budget = True
    sees = ("fate", "hidden", "name", "description")
    models = {"default": "custom:mock"}
    variables = {"FACTORY_API_KEY": "fk-dummy", "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"}

    def skills(self, bench):
        listed = []
        for skill in self.ask(bench)["skills"]:
            path = bench.named(skill["filePath"])
            if path and skill["enabled"]:
                listed.append(Skill(skill["name"], skill["description"], path))
        return Seen(listed)

    def ask(self, bench):
        """Sends the question for skills: JSON lines over stdin and stdout."""
        command = [self.home(bench) / "bin/droid", "exec"]
        command += ["--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        server = bench.start(self, command, **streams)
        alarm = threading.Timer(bench.timeout, end, [server])
        alarm.start()

        def send(id, method, params):
            head = {"jsonrpc": "2.0", "factoryApiVersion": "1.0.0", "type": "request", "id": id}
            server.stdin.write(json.dumps(head | {"method": method, "params": params}).encode() + b"\n")
            server.stdin.flush()

        try:
            send("1", "droid.initialize_session", {"machineId": "mock", "cwd": str(bench.cwd)})
            for line in server.stdout:
                message = json.loads(line)
                if message.get("id") == "1":
                    send("2", "droid.list_skills", {})
                if message.get("id") == "2":
                    return message["result"]
            raise RuntimeError("droid ended without an answer")
        finally:
            alarm.cancel()
            end(server)

    def listing(self, bench, model):
        with MockModel() as mock:
            settings = bench.home / ".factory" / "settings.json"
            settings.parent.mkdir(exist_ok=True)
            settings.write_text(json.dumps({"customModels": [MODEL | {"baseUrl": f"{mock.address}/v1"}]}))
            bench.run(self, [self.home(bench) / "bin/droid", "exec", "-m", model, "hi"])
            texts = [text[text.index(HEAD) :] for text in mock.texts() if HEAD in text]
        if not texts:
            raise RuntimeError("no request to the model has a list of skills")
        text = texts[0].split("</system-reminder>")[0]
        # Without room for its description, a skill is a line with its name.
        return Listing(re.findall(r"(?m)^([^:\n]+)(?:: (.*))?$", text.partition("\n")[2]), text)
