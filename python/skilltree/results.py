"""Results of the functions: plain dataclasses, and rows for data frames."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class Finding:
    """A problem, with its place and its fix."""

    #: The id of the rule.
    rule: str
    #: "error", "warning" or "note".
    severity: str
    #: The path in the repository; bytes that are not UTF-8 are `\\xNN`.
    path: str
    #: The line, from 1.
    line: int
    #: The column in characters (code points), from 1.
    column: int
    #: The fact, in one line.
    message: str
    #: More about it, such as the runtimes that drop the skill.
    notes: List[str]
    #: The edit, as an imperative.
    help: Optional[str]
    #: "new" or "existing"; None without a base.
    state: Optional[str]
    #: The ids of the runtimes that drop or change the skill because of it.
    runtimes: List[str]


@dataclass(frozen=True)
class RunWarning:
    """A warning about a run: the result means less than it seems to."""

    message: str
    help: Optional[str]


@dataclass(frozen=True)
class Report:
    """The findings of a check."""

    #: The findings that count: neither ignored nor existing in the base. They are sorted by path and place.
    findings: List[Finding]
    #: The number of skills that were checked.
    skills: int
    #: Warnings about the run itself, such as a base that cannot be read.
    warnings: List[RunWarning]

    @property
    def errors(self) -> List[Finding]:
        """The findings with the severity "error"."""
        return [finding for finding in self.findings if finding.severity == "error"]

    def rows(self) -> List[Dict[str, Any]]:
        """One dictionary per finding, of values that JSON has."""
        return [asdict(finding) for finding in self.findings]

    def to_json(self) -> str:
        """The rows as JSON Lines."""
        return lines(self.rows())


@dataclass(frozen=True)
class SkillForecast:
    """What one runtime makes of one skill."""

    #: The path of its SKILL.md.
    path: str
    #: "loads", "changes", "drops", "unknown", or "not-read" if the runtime does not read the skills directory.
    outcome: str
    #: Why, unless it loads unchanged.
    reason: Optional[str]


@dataclass(frozen=True)
class Forecast:
    """What one runtime makes of each skill."""

    #: The id of the runtime's profile.
    runtime: str
    #: Every skill, sorted by path.
    skills: List[SkillForecast]

    def rows(self) -> List[Dict[str, Any]]:
        """One dictionary per skill, of values that JSON has."""
        return [{"runtime": self.runtime, **asdict(skill)} for skill in self.skills]


@dataclass(frozen=True)
class SkillState:
    """A skill as the model sees it."""

    #: The path of its SKILL.md.
    path: str
    #: Its name, or the name of its directory.
    name: str
    #: Its description.
    description: str
    #: The estimated tokens of its body.
    body_tokens: int


@dataclass(frozen=True)
class SkillChange:
    """A changed skill."""

    #: "added", "removed", "renamed", "rewritten" or "edited": the first of them that applies.
    kind: str
    #: The skill in the base; None if it was added.
    before: Optional[SkillState]
    #: The skill now; None if it was removed.
    after: Optional[SkillState]
    #: Whether the file of a removed skill is still there, but no longer checked: an `exclude`, a `[[root]]` or an ignore hides it.
    unchecked: bool


@dataclass(frozen=True)
class Authority:
    """What a skill or a package newly lets an agent do."""

    #: The name of the skill or of the package.
    name: str
    #: The path of the SKILL.md or of the manifest.
    path: str
    #: Each power, as it follows the name in a sentence: "may use `Bash(*)` without asking". Secrets are redacted.
    powers: List[str]


@dataclass(frozen=True)
class RuntimeChange:
    """What a runtime newly does with some skills."""

    #: The id of the runtime's profile.
    runtime: str
    #: "loads", "changes" or "drops". "loads" with the list entry "full": it did something worse before.
    outcome: str
    #: How much its list shows of them: "full", "shortened" or "omitted"; None if it drops them.
    in_list: Optional[str]
    #: The number of skills.
    count: int
    #: The paths of their SKILL.md files; empty if only their number is known.
    skills: List[str]


@dataclass(frozen=True)
class Diff:
    """What a change does for the model."""

    #: The change in one line.
    summary: str
    #: The changed skills: first added ones, then removed, renamed, rewritten and edited ones, each by path.
    skills: List[SkillChange]
    #: What the change newly lets an agent do: by skill, then by package.
    authority: List[Authority]
    #: What runtimes in scope newly do, by runtime.
    runtimes: List[RuntimeChange]
    #: The estimated tokens of the prompt block in the base.
    tokens_before: int
    #: The estimated tokens of the prompt block now.
    tokens: int
    #: The unified diff of the prompt blocks, which `git apply` reads; empty if they are equal.
    patch: bytes
    #: Warnings about the run itself, such as a base that does not exist yet.
    warnings: List[RunWarning]

    @property
    def added(self) -> List[SkillState]:
        """The skills that only the head has, by path."""
        return [change.after for change in self.skills if change.kind == "added" and change.after]

    @property
    def removed(self) -> List[SkillState]:
        """The skills that only the base has, by path."""
        return [change.before for change in self.skills if change.kind == "removed" and change.before]


@dataclass(frozen=True)
class Skipped:
    """A skill that errors keep out of a prompt block."""

    #: The path of its SKILL.md.
    path: str
    #: The ids of the rules that report the errors.
    rules: List[str]


@dataclass(frozen=True)
class Artifact:
    """The files that `skilltree prompt --out` writes."""

    #: The prompt block: available-skills.md.
    block: bytes
    #: The skills in the block, in their order: skills.json.
    index: Dict[str, Any]
    #: All skills that can be selected: catalog.json.
    catalog: Dict[str, Any]
    #: The comment about skipped skills; None if none was skipped.
    comment: Optional[bytes]
    #: The provenance of the block, as an in-toto statement.
    statement: Optional[Dict[str, Any]]
    #: The skills that errors keep out of the block.
    skipped: List[Skipped]

    @property
    def text(self) -> str:
        """The prompt block as text."""
        return self.block.decode()


def lines(rows: List[Dict[str, Any]]) -> str:
    """Returns rows as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
