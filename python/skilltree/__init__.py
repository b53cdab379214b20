"""Checks agent skills (SKILL.md files in Git) and builds the prompt block of the skills that pass.

The functions do what the commands of the program `skilltree` do, with the same configuration and the same findings:

    import skilltree

    report = skilltree.check(".", revision="HEAD")
    for finding in report.findings:
        print(f"{finding.path}:{finding.line}: {finding.message}")

They start no program and open no connection. Other Python threads run while they work. Each but `rows` raises `skilltree.Error`
where the program exits with status 2. The keyword arguments that all functions share are the fields of `skilltree.Reading`.
"""

from __future__ import annotations

import json
import os
from datetime import timedelta
from typing import Any, Dict, List, Optional, Sequence

from . import _native
from ._native import Error, __version__
from .options import Budget, PathLike, Reading, at_most_one, budget, names, reading
from .results import (
    Artifact,
    Authority,
    Diff,
    Finding,
    Forecast,
    Report,
    RuntimeChange,
    RunWarning,
    SkillChange,
    SkillForecast,
    SkillState,
    Skipped,
)
from .tables import TABLES, Rows, in_order, lossless

__all__ = [
    "Artifact",
    "Authority",
    "Budget",
    "Diff",
    "Error",
    "Finding",
    "Forecast",
    "Reading",
    "Report",
    "Rows",
    "RuntimeChange",
    "RunWarning",
    "SkillChange",
    "SkillForecast",
    "SkillState",
    "Skipped",
    "TABLES",
    "__version__",
    "catalog",
    "check",
    "diff",
    "forecast",
    "prompt",
    "rows",
]


def check(path: PathLike = ".", **options: Any) -> Report:
    """Checks the skills of the repository that contains `path`, as `skilltree check` does."""
    found = _native.check(path, reading(options))
    return Report(
        findings=[Finding(**finding) for finding in found["findings"]],
        skills=found["skills"],
        warnings=[RunWarning(**warning) for warning in found["warnings"]],
    )


def diff(path: PathLike = ".", **options: Any) -> Diff:
    """Compares the skills of the repository that contains `path` with those of a base, as `skilltree diff` does.

    base: the merge base with this revision; "HEAD" by default.
    revision: the state to compare; the default is the index, unlike the other functions.
    """
    found = _native.diff(path, reading(options))
    skills = [
        SkillChange(**{**change, "before": _state(change["before"]), "after": _state(change["after"])})
        for change in found["skills"]
    ]
    lists = {
        "skills": skills,
        "authority": [Authority(**each) for each in found["authority"]],
        "runtimes": [RuntimeChange(**each) for each in found["runtimes"]],
        "warnings": [RunWarning(**each) for each in found["warnings"]],
    }
    return Diff(**{**found, **lists})


def _state(state: Optional[Dict[str, Any]]) -> Optional[SkillState]:
    return None if state is None else SkillState(**state)


def forecast(path: PathLike = ".", **options: Any) -> List[Forecast]:
    """Forecasts which skills each runtime in scope loads, changes and drops, as `skilltree forecast` does."""
    forecasts = _native.forecast(path, reading(options))
    return [
        Forecast(runtime=each["runtime"], skills=[SkillForecast(**skill) for skill in each["skills"]])
        for each in forecasts
    ]


def prompt(
    path: PathLike = ".",
    *,
    task: Optional[str] = None,
    matcher: Optional[str] = None,
    top: Optional[int] = None,
    role: Optional[str] = None,
    task_id: Optional[str] = None,
    mention: Optional[str] = None,
    skills: Optional[Sequence[str]] = None,
    thread: Optional[str] = None,
    active_thread: bool = False,
    knowledge: bool = True,
    template: Optional[str] = None,
    messages: bool = False,
    bodies: bool = False,
    limits: Optional[Budget] = None,
    **options: Any,
) -> Artifact:
    """Builds the prompt block of the skills that pass, as `skilltree prompt` does.

    Select skills with one of these; without any, the block contains all accepted skills:
        task: the text of a task. `matcher` compares by "tags" or ranks by "bm25", by default by tags if a skill has some; `top` is
            the maximum number of skills;
            `role` omits skills that name other roles; `task_id` is the id of the task in the shared knowledge.
        mention: a text that mentions skills as `$NAME`, `@NAME` or `/NAME`.
        skills: names or directories of skills, in this order.
        thread, active_thread: the skills that .agent/threads.json binds to a thread.

    The other arguments:
        knowledge: False omits the shared knowledge.
        template: the path of a template in the repository.
        messages: builds one JSON message per skill, with its body, instead of a block.
        bodies: adds the bodies of all skills to the catalog.
        limits: limits of the block and of each skill.
    """
    at_most_one(task=task, mention=mention, skills=skills, thread=thread, active_thread=active_thread)
    if matcher not in (None, "tags", "bm25"):
        raise ValueError('matcher must be "tags" or "bm25"')
    if task is None and (matcher, top, role, task_id) != (None, None, None, None):
        raise ValueError("matcher, top, role and task_id need a task")
    selecting = {
        "task": task,
        "matcher": matcher,
        "top": top,
        "role": role,
        "task_id": task_id,
        "mention": mention,
        "skills": names(skills),
        "thread": thread,
        "active_thread": active_thread,
        "knowledge": knowledge,
        "template": template,
        "messages": messages,
        "bodies": bodies,
        "budget": budget(limits),
    }
    built = _native.prompt(path, reading(options), selecting)
    document = {name: built[name] and json.loads(built[name]) for name in ("index", "catalog", "statement")}
    return Artifact(
        block=built["block"],
        comment=built["comment"],
        skipped=[Skipped(**skill) for skill in built["skipped"]],
        **document,
    )


def catalog(path: PathLike = ".", *, bodies: bool = False, **options: Any) -> Dict[str, Any]:
    """Returns every skill that a dispatcher can select, as the document that `skilltree schema catalog` describes.

    `bodies` adds the bodies of the skills.
    """
    return prompt(path, bodies=bodies, **options).catalog


def rows(
    path: PathLike = ".",
    *,
    repository: Optional[str] = None,
    seconds: Optional[float] = None,
    **options: Any,
) -> Rows:
    """Reads a repository, or a bare mirror, and returns its rows in the tables of a fleet.

    It never raises for a repository that cannot be read: the table `runs` then says why.

    repository: its name in the rows; the default is `path`.
    seconds: the time limit; there is none by default.
    revision: "HEAD" by default, unlike the other functions.
    """
    limit = None if seconds is None else timedelta(seconds=seconds)
    name = os.fsdecode(path) if repository is None else repository
    return Rows(in_order(_native.rows(lossless(name), path, limit, reading(options))))
