"""`check`: policies across repositories, as queries whose rows are violations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

from .queries import QueryError, answer, connect, duplicates, load, shown, unread


def run(tables: Path, policy: Path, out: TextIO, allow_failed: bool = False) -> int:
    """Prints each violation in one line. Returns 2 if repositories were not read and that is not allowed, 1 for violations, otherwise 0."""
    try:
        queries = load(policy.read_text(encoding="utf-8"), str(policy))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"the policy `{policy}` cannot be read: {error}") from error
    violations = 0
    with connect(tables) as connection:
        failed = unread(connection)
        for line in duplicates(connection, tables):
            print(f"warning: {shown(line)}", file=sys.stderr)
        for query in queries:
            columns, rows = answer(connection, query)
            violations += len(rows)
            for row in rows:
                cells = ", ".join(f"{shown(column)}={shown(value)}" for column, value in zip(columns, row))
                print(f"{shown(query.name)}: {shown(query.title)}: {cells}", file=out)
    print(f"{violations:,} violations of {len(queries):,} queries", file=out, flush=True)
    if failed:
        print(f"{'warning' if allow_failed else 'error'}: {failed}", file=sys.stderr)
        if not allow_failed:
            print("  help: pass `--allow-failed` to check the others", file=sys.stderr)
    return 2 if failed and not allow_failed else 1 if violations else 0
