"""CAMEL's skills design (phase 1): metadata first, bodies on demand, nothing kept in memory.

Listing, reading and mentions are those of the Python module `skilltree`. The cache per directory, and the messages of a turn, are CAMEL's.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import skilltree
from camel.agents import ChatAgent
from camel.messages import BaseMessage
from camel.toolkits import BaseToolkit, FunctionTool

log = logging.getLogger(__name__)


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


class SkillProvider(Protocol):
    """What an agent needs: another provider may keep its skills elsewhere."""

    def list(self, cwd: str) -> SkillLoadOutcome: ...
    def read(self, cwd: str, meta: SkillMetadata) -> SkillDocument: ...
    def refresh(self, cwd: str) -> None: ...
    def build_messages(self, cwd: str, user_text: str) -> list[BaseMessage]: ...


class FilesystemSkillProvider:
    """Roots in order: .camel/skills, ~/.camel/skills, /etc/camel/skills, and the directories of the caller."""

    def __init__(self, external: list[str] | None = None):
        self.external = list(external or [])
        self.outcomes: dict[str, SkillLoadOutcome] = {}

    def options(self) -> dict[str, Any]:
        return {"profile": "camel", "home": Path.home(), "external": self.external}

    def list(self, cwd: str) -> SkillLoadOutcome:
        if cwd not in self.outcomes:
            catalog = skilltree.catalog(cwd, **self.options())
            invalid = [SkillError(s["body_path"], p["message"]) for s in catalog["skipped"] for p in s["problems"]]
            # Nobody here can fix the machine's directories.
            unread = [SkillError(e["source"], e["message"]) for e in catalog["errors"] if not e["source"].startswith("system:")]
            self.outcomes[cwd] = SkillLoadOutcome([metadata(skill) for skill in catalog["skills"]], invalid + unread)
            for error in self.outcomes[cwd].errors:
                log.warning("skill skipped: %s: %s", error.source, error.message)
        return self.outcomes[cwd]

    def read(self, cwd: str, meta: SkillMetadata) -> SkillDocument:
        skills = skilltree.catalog(cwd, bodies=True, **self.options())["skills"]
        for skill in skills:
            if skill["name"] == meta.name:
                return SkillDocument(metadata(skill), skill["body"]["text"])
        raise KeyError(meta.name)

    def refresh(self, cwd: str) -> None:
        self.outcomes.pop(cwd, None)

    def build_messages(self, cwd: str, user_text: str) -> list[BaseMessage]:
        """Resolves mentions, and builds one user message per skill. A failure is a warning: the turn goes on without."""
        try:
            built = skilltree.prompt(cwd, mention=user_text, messages=True, **self.options())
        except (skilltree.Error, OSError) as error:
            log.warning("no skills in this turn: %s", error)
            return []
        lost = [s for s in built.index["dropped"] if s["reason"] in ("cap", "budget", "wrapper", "unread")]
        for skill in lost:
            log.warning("skill %s left out: %s", skill["name"], skill["detail"])
        messages = map(json.loads, built.text.splitlines())
        return [
            BaseMessage.make_user_message("skills", message["content"], meta_dict=message["meta_dict"])
            for message in messages
        ]


def metadata(skill: dict[str, Any]) -> SkillMetadata:
    return SkillMetadata(skill["name"], skill["description"], skill["short_description"])


class SkilledAgent(ChatAgent):
    """Prepends the skills that a turn mentions to its user message. The model sees them, and memory does not."""

    def __init__(self, *arguments: Any, provider: SkillProvider, cwd: str, **options: Any):
        super().__init__(*arguments, **options)
        self.provider, self.cwd = provider, cwd
        self.skill_messages: list[Any] = []

    def _step_impl(self, input_message: BaseMessage | str, response_format: Any = None) -> Any:
        text = input_message if isinstance(input_message, str) else input_message.content
        messages = self.provider.build_messages(self.cwd, text)
        self.skill_messages = [message.to_openai_user_message() for message in messages]
        try:
            return super()._step_impl(input_message, response_format)
        finally:
            self.skill_messages = []

    def _get_context_with_summarization(self) -> Any:
        messages, tokens = super()._get_context_with_summarization()
        last = max((at for at, message in enumerate(messages) if message["role"] == "user"), default=len(messages))
        return [*messages[:last], *self.skill_messages, *messages[last:]], tokens


class SkillToolkit(BaseToolkit):
    """The tools with which a model looks for skills and reads them."""

    def __init__(self, cwd: str, provider: SkillProvider | None = None):
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
