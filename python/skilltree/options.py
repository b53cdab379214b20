"""The options that all functions share, and what excludes each other."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Union

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Budget:
    """Limits of a prompt block, and of each skill in it. A limit that is None is the profile's.

    Tokens are estimated as one per four characters (code points).
    """

    skills: Optional[int] = None
    bytes: Optional[int] = None
    chars: Optional[int] = None
    tokens: Optional[int] = None
    each_bytes: Optional[int] = None
    each_chars: Optional[int] = None
    each_tokens: Optional[int] = None


@dataclass(frozen=True)
class Reading:
    """What to read, and how to check it. Each field is the option of the same name of `skilltree check`."""

    #: The commit, tag, branch or tree to read. The default is the working tree, and HEAD in a bare repository.
    revision: Optional[str] = None
    #: Reads the index: what the next commit will contain.
    staged: bool = False
    #: Reads the working tree, and fails in a bare repository.
    worktree: bool = False
    #: A configuration file that replaces skilltree.toml.
    config: Optional[PathLike] = None
    #: The revision that the configuration is read from, instead of the one that is checked.
    config_from: Optional[str] = None
    #: Reads no configuration at all.
    no_config: bool = False
    #: A policy that the configuration may only add to and tighten.
    policy: Optional[PathLike] = None
    #: The skills directories, each a glob, or `GLOB=PROFILE`; empty means to search for them.
    roots: Sequence[str] = field(default_factory=list)
    #: The profile whose skills directories are read, for a prompt block.
    profile: Optional[str] = None
    #: Severities of rules, each as `RULE=SEVERITY`.
    rules: Sequence[str] = field(default_factory=list)
    #: Runtimes that the skills must work in, by the ids of their profiles.
    targets: Sequence[str] = field(default_factory=list)
    #: Names the affected runtimes outside the scope too; forecasts every known runtime.
    all_runtimes: bool = False
    #: Runs preview rules too.
    preview: bool = False
    #: The day that counts as today (YYYY-MM-DD), instead of the day of the commit.
    today: Optional[str] = None
    #: The revision to compare with: findings that its merge base has too are existing.
    base: Optional[str] = None
    #: The home directory, to read the user's and the system's skills too.
    home: Optional[PathLike] = None
    #: More skills directories outside the repository.
    external: Sequence[PathLike] = field(default_factory=list)

    def __post_init__(self) -> None:
        at_most_one(revision=self.revision, staged=self.staged, worktree=self.worktree)
        for name in ("roots", "rules", "targets", "external"):
            if isinstance(getattr(self, name), (str, bytes)):
                raise TypeError(f"{name} must be a list of strings, not a string")


def at_most_one(**options: Any) -> None:
    """Raises ValueError if more than one of the options is set."""
    given = [name for name, value in options.items() if value is not None and value is not False]
    if len(given) > 1:
        raise ValueError(f"{' and '.join(given)} exclude each other")


def reading(options: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the options with every key. An unknown one is a TypeError."""
    return vars(Reading(**options))


def budget(limits: Optional[Budget]) -> Dict[str, Any]:
    """Returns the limits with every key."""
    return asdict(limits or Budget())


def names(skills: Optional[Sequence[str]]) -> Optional[List[str]]:
    """Returns the names as a list. A string is not a list of names."""
    if isinstance(skills, str):
        raise TypeError("skills must be a list of names, not a string")
    return None if skills is None else list(skills)
