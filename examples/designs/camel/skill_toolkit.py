"""CAMEL's skills design (phase 1) as a toolkit: metadata first, bodies on demand, nothing kept in memory.

Listing, reading and mentions are skilltree's. The cache per directory, and the message of a turn, are CAMEL's.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from typing import Any

from camel.messages import BaseMessage
from camel.toolkits import BaseToolkit, FunctionTool


@dataclass(frozen=True)
class SkillMetadata:
    name: str
    description: str
    short_description: str | None = None


@dataclass(frozen=True)
class SkillDocument:
    meta: SkillMetadata
    body: str


@dataclass(frozen=True)
class SkillError:
    source: str
    message: str


@dataclass(frozen=True)
class SkillLoadOutcome:
    skills: list[SkillMetadata] = field(default_factory=list)
    errors: list[SkillError] = field(default_factory=list)


class FilesystemSkillProvider:
    """Roots in order: .camel/skills, ~/.camel/skills, /etc/camel/skills, and the directories of the caller."""

    def __init__(self, external: list[str] | None = None, program: str | None = None):
        self.program = program or os.environ.get("SKILLTREE", "skilltree")
        self.source = ["--profile", "camel", "--user-roots"]
        self.source += [word for directory in external or [] for word in ("--external", directory)]
        self.outcomes: dict[str, SkillLoadOutcome] = {}

    def run(self, cwd: str, *words: str) -> str:
        command = [self.program, "--quiet", *words, *self.source]
        return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout

    def list(self, cwd: str) -> SkillLoadOutcome:
        if cwd not in self.outcomes:
            listing = json.loads(self.run(cwd, "list", "--format", "json"))
            self.outcomes[cwd] = SkillLoadOutcome(
                [SkillMetadata(s["name"], s["description"], s["short_description"]) for s in listing["skills"]],
                [SkillError(e["path"], e["message"]) for e in listing["errors"] if not e["path"].startswith("system:")],
            )
        return self.outcomes[cwd]

    def read(self, cwd: str, meta: SkillMetadata) -> SkillDocument:
        shown = json.loads(self.run(cwd, "show", meta.name, "--format", "json"))
        return SkillDocument(SkillMetadata(shown["name"], shown["description"], shown["short_description"]), shown["body"])

    def refresh(self, cwd: str) -> None:
        self.outcomes.pop(cwd, None)

    def build_messages(self, cwd: str, user_text: str) -> list[BaseMessage]:
        """Resolves mentions, and builds one user message per skill. A failure is a warning: the turn goes on without."""
        try:
            lines = self.run(cwd, "prompt", "--mention", user_text)
        except subprocess.CalledProcessError:
            return []
        messages = map(json.loads, lines.splitlines())
        return [
            BaseMessage.make_user_message("skills", message["content"], meta_dict=message["meta_dict"])
            for message in messages
        ]


class SkillToolkit(BaseToolkit):
    """The tools with which a model looks for skills and reads them."""

    def __init__(self, cwd: str, provider: FilesystemSkillProvider | None = None):
        super().__init__()
        self.cwd, self.provider = cwd, provider or FilesystemSkillProvider()

    def list_skills(self) -> list[dict[str, Any]]:
        """List the names and descriptions of the skills."""
        return [vars(skill) for skill in self.provider.list(self.cwd).skills]

    def load_skill(self, name: str) -> str:
        """Read the instructions of a skill.

        Args:
            name (str): The name of the skill.
        """
        known = {skill.name: skill for skill in self.provider.list(self.cwd).skills}
        return self.provider.read(self.cwd, known[name]).body if name in known else f"There is no skill {name}."

    def get_tools(self) -> list[FunctionTool]:
        return [FunctionTool(self.list_skills), FunctionTool(self.load_skill)]


def turn(history: list[BaseMessage], provider: FilesystemSkillProvider, cwd: str, user_text: str) -> list[BaseMessage]:
    """Returns the messages of one turn: those of the mentioned skills come before the user's."""
    user = BaseMessage.make_user_message("user", user_text)
    return [*history, *provider.build_messages(cwd, user_text), user]


def remembered(messages: list[BaseMessage]) -> list[BaseMessage]:
    """Returns the messages that memory keeps."""
    return [message for message in messages if not (message.meta_dict or {}).get("skill")]
