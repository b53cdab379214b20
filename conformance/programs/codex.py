"""Codex: the app server lists skills and errors; `debug prompt-input` prints what the model gets."""

import json
import re
import subprocess
import threading

from harness.bench import end

from .base import Listing, Npm, Program, Seen, Skill

HELLO = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "conformance", "version": "1"}}}


class Codex(Program):
    id = "codex"
    package = Npm("@openai/codex")
    roots = (".agents/skills", ".codex/skills")
    budget = True
    models = {"default": ""}

    def command(self, bench):
        return bench.directory(self) / "node_modules/.bin/codex"

    def skills(self, bench):
        ask = {"id": 2, "method": "skills/list", "params": {"cwds": [str(bench.cwd)], "forceReload": True}}
        answer = self.ask(bench, ask)["data"][0]
        listed = [
            Skill(skill["name"], skill["description"], bench.named(skill["path"]))
            for skill in answer["skills"]
            if skill["scope"] != "system"
        ]
        return Seen(listed, {bench.named(fault["path"]): "error" for fault in answer["errors"]})

    def ask(self, bench, question):
        """Sends one question to the app server: JSON lines over stdin and stdout."""
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        server = bench.start(self, [self.command(bench), "app-server"], **streams)
        alarm = threading.Timer(bench.timeout, end, [server])
        alarm.start()

        def send(message):
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()

        try:
            send(HELLO)
            for line in server.stdout:
                message = json.loads(line)
                if message.get("id") == 1:
                    send({"method": "initialized"})
                    send(question)
                if message.get("id") == 2:
                    return message["result"]
            raise RuntimeError("the app server ended without an answer")
        finally:
            alarm.cancel()
            end(server)

    def listing(self, bench, model):
        out, _ = bench.run(self, [self.command(bench), "debug", "prompt-input"])
        parts = [part["text"] for item in json.loads(out) for part in item.get("content") or () if "text" in part]
        text = next((part for part in parts if "<skills_instructions>" in part), "")
        entries = re.findall(r"(?m)^- ([^:\n]+):? ?(.*?) ?\(file: .*\)$", text)
        return Listing([(name, description or None) for name, description in entries], text)
