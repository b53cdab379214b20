"""Measures `skilltree lsp`: `python3 benches/language_server.py PROGRAM [CHANGES]`.

Prints one table: the time from a change to its diagnostics without the delay of the server (150 ms), for repositories of 20, 300 and
3,000 skills, and the resident memory. With CHANGES, it also makes that many changes in the smallest repository and prints how much
the memory grew.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DELAY = 0.150
ROUNDS = 15


def skill(name: str) -> str:
    """Returns a SKILL.md of about 4 KB."""
    body = "".join(f"{number}. Read section {number} before you go on to the next one.\n" for number in range(60))
    return f"---\nname: {name}\ndescription: Does {name}. Use when {name} is wanted.\n---\n# {name}\n\n{body}"


def repository(directory: Path, skills: int) -> None:
    subprocess.run(["git", "init", "--quiet", directory], check=True)
    for number in range(skills):
        place = directory / f".claude/skills/skill-{number}"
        (place / "references").mkdir(parents=True)
        (place / "SKILL.md").write_text(skill(f"skill-{number}") + "\nSee [more](references/more.md).\n")
        (place / "references/more.md").write_text("# More\n\n" + "A line of a reference file.\n" * 140)
    subprocess.run(["git", "-C", directory, "add", "--all"], check=True)


class Client:
    """Talks to a server over its standard streams."""

    def __init__(self, program: str, directory: Path):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        watch = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
        folders = [{"uri": directory.as_uri(), "name": "bench"}]
        self.send("initialize", {"capabilities": watch, "workspaceFolders": folders}, identifier=1)
        self.send("initialized", {})

    def send(self, method: str, params: object, identifier: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if identifier is not None:
            message["id"] = identifier
        text = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def receive(self) -> dict:
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def wait(self, uri: str, version: int) -> None:
        """Waits for the diagnostics of a version."""
        while True:
            message = self.receive()
            params = message.get("params") or {}
            if message.get("method") == "textDocument/publishDiagnostics":
                if params["uri"] == uri and params.get("version") == version:
                    return

    def memory(self) -> float:
        """Returns the resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


def change(client: Client, uri: str, version: int, text: str) -> float:
    """Makes a change, and returns the seconds to its diagnostics."""
    document = {"uri": uri, "version": version}
    begin = time.perf_counter()
    client.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
    client.wait(uri, version)
    return time.perf_counter() - begin


def opened(program: str, directory: Path) -> tuple[Client, str, float]:
    client = Client(program, directory)
    path = directory / ".claude/skills/skill-7/SKILL.md"
    uri = path.as_uri()
    item = {"uri": uri, "languageId": "skill", "version": 1, "text": path.read_text()}
    begin = time.perf_counter()
    client.send("textDocument/didOpen", {"textDocument": item})
    client.wait(uri, 1)
    return client, uri, time.perf_counter() - begin


def main() -> None:
    program, changes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print("| skills | open | change, median | change, slowest | memory |")
    print("|---|---|---|---|---|")
    for skills in (20, 300, 3000):
        with tempfile.TemporaryDirectory() as directory:
            top = Path(directory).resolve()
            repository(top, skills)
            time.sleep(0.2)
            client, uri, first = opened(program, top)
            # The name of another skill: a finding in two files.
            texts = [skill("skill-7") + "More.\n" * number for number in range(ROUNDS)]
            texts[3::4] = [skill("skill-8") + "More.\n" * number for number in range(len(texts[3::4]))]
            times = [change(client, uri, number + 2, text) - DELAY for number, text in enumerate(texts)]
            median, slowest = statistics.median(times) * 1000, max(times) * 1000
            print(f"| {skills:,} | {first * 1000:.0f} ms | {median:.1f} ms | {slowest:.1f} ms | {client.memory():.0f} MB |", flush=True)
            if changes and skills == 20:
                grown(client, uri, changes)
            client.process.kill()
            client.process.wait()


def grown(client: Client, uri: str, changes: int) -> None:
    """Makes many changes; each tenth is waited for."""
    before = client.memory()
    for version in range(100, 100 + changes):
        text = skill("skill-7") + f"{version}\n"
        document = {"uri": uri, "version": version}
        client.send("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        if version % 100 == 0:
            client.wait(uri, version)
    print(f"memory before and after {changes:,} changes: {before:.0f} MB, {client.memory():.0f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
