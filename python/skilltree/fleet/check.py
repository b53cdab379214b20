"""`check`: policies across repositories, as queries whose rows are violations."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from .queries import QueryError, answer, connect, load, shown


def run(tables: Path, policy: Path, out: TextIO) -> int:
    """Prints each violation in one line, and returns 1 if there is one, otherwise 0."""
    try:
        queries = load(policy.read_text(encoding="utf-8"), str(policy))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"the policy `{policy}` cannot be read: {error}") from error
    violations = 0
    with connect(tables) as connection:
        for query in queries:
            columns, rows = answer(connection, query)
            violations += len(rows)
            for row in rows:
                cells = ", ".join(f"{shown(column)}={shown(value)}" for column, value in zip(columns, row))
                print(f"{shown(query.name)}: {shown(query.title)}: {cells}", file=out)
    print(f"{violations:,} violations of {len(queries):,} queries", file=out)
    return 1 if violations else 0
