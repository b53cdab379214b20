"""Claude Code: the list of skills is read from the request that it sends to the model."""

import re

from harness.mock_model import MockModel

from .base import Listing, Npm, Program, Seen, Skill

UNLIMITED = 9_000_000  # characters: the budget removes no description
HEAD = "skills are available for use"


class ClaudeCode(Program):
    id = "claude-code"
    package = Npm("@anthropic-ai/claude-code-{platform}")
    roots = (".claude/skills",)
    asks_model = True
    budget = True
    models = {"200k": "claude-haiku-4-5", "1M": "claude-opus-5-5"}
    variables = {
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": 1,
        "DISABLE_AUTOUPDATER": 1,
        "DISABLE_ERROR_REPORTING": 1,
        "DISABLE_TELEMETRY": 1,
    }

    def skills(self, bench):
        text, log = self.turn(bench, None, SLASH_COMMAND_TOOL_CHAR_BUDGET=UNLIMITED)
        placed = self.placed(bench)
        listed = []
        for directory, label, about in entries(text):
            path = placed.pop(directory, None)
            if path or about.startswith(("Skill ", "In place ", "Pair ")):
                listed.append(Skill(directory, about, path, label=label))
        # What is loaded and not listed is kept from the model, such as a skill with `paths`.
        loaded = re.search(r"Loaded (\d+) unique skills", log)
        if loaded and int(loaded[1]) == len(listed) + len(placed):
            listed += [Skill(directory, None, path, hidden=True) for directory, path in placed.items()]
        faults = re.findall(r"\[skills\] (?:skipping|.*? in) (\S+/SKILL\.md):? ", log)
        faults += [f"{bench.place(self.roots[0])}/{name}/SKILL.md" for name in re.findall(r"Skill (\S+) has invalid ", log)]
        return Seen(listed, {bench.named(path): "log" for path in faults})

    def placed(self, bench):
        """Returns {directory: path} of the skills directly in a root; of two, the list does not say which it means."""
        found = {}
        for root in (f"~/{self.roots[0]}", self.roots[0]):
            for file in bench.place(root).glob("*/SKILL.md"):
                found[file.parent.name] = f"{root}/{file.parent.name}/SKILL.md"
        return found

    def listing(self, bench, model):
        text, _ = self.turn(bench, model)
        return Listing([(name, about or None) for name, _, about in entries(text)], text)

    def turn(self, bench, model, **variables):
        """Runs one turn and returns the list that the model got and the debug log."""
        log = bench.home / "debug.txt"
        with MockModel() as mock:
            command = [self.home(bench) / "claude", "-p", "hi", "--max-turns", "1", "--debug-file", log]
            command += ["--model", model] if model else []
            bench.run(self, command, ANTHROPIC_BASE_URL=mock.address, **variables)
            texts = [text[text.index(HEAD) :] for text in mock.texts() if HEAD in text]
        if not texts:
            raise RuntimeError("no request to the model has a list of skills")
        return texts[0], log.read_text(errors="replace") if log.exists() else ""


def entries(text):
    """Returns (directory, name or None, description) of each entry `- DIRECTORY (NAME): DESCRIPTION`."""
    found = []
    for line in text.split("\n")[1:]:
        entry = re.match(r"- (.+?)(?: \(([^)]*)\))?(?:: (.*))?$", line)
        if entry:
            found.append([entry[1], entry[2], entry[3] or ""])
        elif line == "" or "</system-reminder>" in line:
            if found:
                break
        elif found:
            found[-1][2] += "\n" + line
    return found
