"""What the engines share: the options, the list of repositories, and one repository as one nested row."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List, NoReturn, Optional

import pyarrow

import skilltree
from skilltree.fleet.places import PlaceError
from skilltree.tables import TABLES, Rows, arrow_schema, rows_of_failure

#: One row per repository, with the rows of each table as a list.
NESTED = pyarrow.schema([(table, pyarrow.list_(pyarrow.struct(list(arrow_schema(table))))) for table in TABLES])


def arguments(engine: str, words: Optional[List[str]] = None) -> argparse.Namespace:
    """Parses the command line of an engine."""
    parser = argparse.ArgumentParser(prog=f"python -m skilltree.fleet.{engine}", description=f"Writes the tables of a fleet on {engine}.")
    parser.add_argument("--repos", metavar="FILE|DIR|-", required=True, help="a file with one repository per line, or a directory of mirrors, on every worker")
    parser.add_argument("--out", metavar="URI", required=True, help="a new directory for the tables")
    parser.add_argument("--fetch", metavar="COMMAND", type=shlex.split, help="runs first for each repository, without a shell: {repository} is the line of the list, {directory} a new directory, which is read. Example: 'git clone --quiet --bare -- {repository} {directory}'")
    parser.add_argument("--seconds", type=float, default=60, help="the time limit of a repository; default: 60")
    parser.add_argument("--rev", metavar="REV", default="HEAD", help="the revision; default: HEAD")
    parser.add_argument("--batch", metavar="N", type=int, default=16, help="the repositories of a task; default: 16")
    options = parser.parse_args(words)
    if options.batch < 1 or not 0 < options.seconds < 1e9 or options.fetch == []:
        parser.error("--batch and --seconds must be positive, and --fetch a command")
    return options


def read(repository: str, path: str, options: argparse.Namespace) -> Rows:
    """Reads a repository, after it was fetched if there is a command for it. It never raises for a repository."""
    if options.fetch is None:
        return skilltree.rows(path, repository=repository, seconds=options.seconds, revision=options.rev)
    with tempfile.TemporaryDirectory(prefix="skilltree-") as above:
        directory = str(Path(above) / "repository")
        words = [word.replace("{repository}", path).replace("{directory}", directory) for word in options.fetch]
        try:
            # Its output can contain credentials: no row has it.
            status = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        except (OSError, ValueError) as error:
            return rows_of_failure(repository, f"the command of --fetch cannot be started: {getattr(error, 'strerror', error)}")
        if status != 0:
            return rows_of_failure(repository, f"the command of --fetch exited with status {status}")
        return skilltree.rows(directory, repository=repository, seconds=options.seconds, revision=options.rev)


def nested(names: List[str], paths: List[bytes], options: argparse.Namespace) -> pyarrow.Table:
    """Reads repositories, and returns one nested row for each."""
    read_rows = [read(name, os.fsdecode(path), options) for name, path in zip(names, paths)]
    return pyarrow.Table.from_pylist([{table: rows.rows(table) for table in TABLES} for rows in read_rows], schema=NESTED)


def exploded(batch: pyarrow.Table, table: str) -> pyarrow.Table:
    """Returns the rows of one table in nested rows."""
    rows = batch.column(table).combine_chunks().flatten()
    if isinstance(rows, pyarrow.ChunkedArray):
        rows = rows.combine_chunks()
    return pyarrow.Table.from_arrays(rows.flatten(), schema=arrow_schema(table))


def finish(statuses: Dict[Any, int]) -> int:
    """Prints how many repositories were read, and returns the exit status of `skilltree fleet`: 0 if all were, otherwise 2."""
    failed, total = statuses.get("failed", 0), sum(statuses.values())
    print(f"{total:,} repositories: {total - failed:,} read, {failed:,} failed", file=sys.stderr)
    return 2 if failed else 0


def start(main: Callable[[], int]) -> NoReturn:
    """Ends the process with the status of an engine, which is 2 if it failed."""
    try:
        status = main()
    except PlaceError as error:
        print(f"error: {error}", file=sys.stderr)
        status = 2
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        status = 2
    sys.exit(status)
