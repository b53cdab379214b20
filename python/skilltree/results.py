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
