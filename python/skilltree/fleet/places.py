"""The places of a run on an engine: the list of repositories, and where the tables are written."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Dict, List

from skilltree.tables import TABLES


class PlaceError(Exception):
    """A place cannot be used."""


def repositories(named: str) -> List[Dict[str, str]]:
    """Lists repositories as `skilltree fleet` does: a name for the rows, and where to read it."""
    directory = Path(named)
    if directory.is_dir():
        children = [child.name for child in directory.iterdir() if child.is_dir() and not child.name.startswith(".")]
        found = {name: str(directory.resolve() / name) for name in sorted(children)}
    else:
        text = sys.stdin.read() if named == "-" else directory.read_text(encoding="utf-8")
        found = {line: line for line in text.splitlines() if line.strip()}
    if not found:
        raise PlaceError(f"`{named}` lists no repositories")
    return [{"repository": name, "path": path} for name, path in found.items()]


def refuse_existing(out: str) -> None:
    """Refuses a local directory that has a table. The writers of the engines refuse those of other file systems."""
    local = re.sub("^(file|local):(//)?", "", out)
    for table in TABLES if "://" not in local else ():
        if os.path.lexists(os.path.join(local, table)):
            raise PlaceError(f"`{out}` already has a directory `{table}`: write to a new directory")
