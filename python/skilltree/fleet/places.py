"""The places of a run on an engine: the list of repositories, and where the tables are written."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Dict, List

from skilltree.tables import TABLES, lossless


class PlaceError(Exception):
    """A place cannot be used."""


def repositories(named: str) -> List[Dict[str, Any]]:
    """Lists repositories as `skilltree fleet` does: a name for the rows, and the bytes of the path, which can be other than UTF-8."""
    directory = Path(named)
    try:
        if directory.is_dir():
            found = _children(directory)
        else:
            # Not splitlines(): it also splits at characters that a name can have.
            text = sys.stdin.buffer.read() if named == "-" else directory.read_bytes()
            lines = text.replace(b"\r\n", b"\n").split(b"\n")
            found = {os.fsdecode(line): line for line in lines if line.strip(b" \t\r\f")}
    except OSError as error:
        raise PlaceError(f"the list `{named}` cannot be read: {error.strerror}") from error
    if not found:
        raise PlaceError(f"`{named}` lists no repositories")
    listed = {lossless(name): path for name, path in found.items()}
    if len(listed) < len(found):
        twice = next(lossless(name) for name, path in found.items() if listed[lossless(name)] != path)
        raise PlaceError(f"two repositories are called `{twice}` in the tables")
    return [{"repository": name, "path": path} for name, path in listed.items()]


def _children(directory: Path) -> Dict[str, bytes]:
    if (directory / "HEAD").exists() or (directory / ".git").exists():
        raise PlaceError(f"`{directory}` is a repository, not a directory of repositories")
    # A link that leads nowhere is a repository that cannot be read.
    children = [child.name for child in directory.iterdir() if child.is_dir() or (child.is_symlink() and not child.exists())]
    names = sorted((name for name in children if not name.startswith(".")), key=lossless)
    return {name: os.fsencode(directory.resolve() / name) for name in names}


def refuse_existing(out: str) -> None:
    """Refuses a local directory that has a table. The writers of the engines refuse those of other file systems."""
    local = re.sub("^(file|local):(//)?", "", out)
    for table in TABLES if "://" not in local else ():
        if os.path.lexists(os.path.join(local, table)):
            raise PlaceError(f"`{out}` already has a directory `{table}`: write to a new directory")
