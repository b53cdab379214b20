"""Named queries, and the tables that they ask."""

from __future__ import annotations

import glob
import os
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any, List, Optional, Tuple

from ..tables import TABLES

#: The types of the columns in DuckDB.
TYPES = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}


class QueryError(Exception):
    """Tables, a file of queries or a query cannot be used."""


@dataclass(frozen=True)
class Query:
    """A query with its name."""

    name: str
    title: str
    sql: str


def load(text: str, source: str) -> List[Query]:
    """Reads the queries of a TOML file: a table `[queries.NAME]` each, with `title` and `sql`."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise QueryError(f"{source}: {error}") from error
    named = document.pop("queries", {})
    for key in document:
        raise QueryError(f"{source}: unknown key `{key}`; write a table `[queries.NAME]` with `title` and `sql`")
    for name, query in named.items() if isinstance(named, dict) else [("queries", None)]:
        if not isinstance(query, dict) or not all(isinstance(query.get(key), str) for key in ("title", "sql")):
            raise QueryError(f"{source}: `{name}` needs the strings `title` and `sql`")
        for key in query.keys() - {"title", "sql"}:
            raise QueryError(f"{source}: unknown key `{key}` in `{name}`; a query has `title` and `sql`")
    if not named:
        raise QueryError(f"{source}: there is no query; write a table `[queries.NAME]` with `title` and `sql`")
    return [Query(name, query["title"], query["sql"].strip()) for name, query in named.items()]


def shares(named: Path) -> List[str]:
    """Returns the directory that has tables, or those that a pattern names. One without tables is an error."""
    found = [str(named)] if named.is_dir() else sorted(glob.glob(str(named)))
    for directory in found or [str(named)]:
        if _parts(directory, "runs") is None:
            raise QueryError(f"`{directory}` has no tables: run `skilltree fleet --repos DIR --out {directory}` first")
    return found


def connect(tables: Path, before: Optional[Path] = None) -> Any:
    """Opens tables as views of DuckDB, and those of an earlier run as views of the schema `before`. Queries can read nothing else."""
    import duckdb

    connection = duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False, "python_enable_replacements": False}
    )
    allowed = []
    for schema, named in (("main", tables), ("before", before)):
        if named is not None:
            directories = shares(named)
            allowed += [os.path.abspath(directory) for directory in directories]
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            for table in TABLES:
                selects = [_select(connection, directory, table) for directory in directories]
                # `references` is a word of SQL.
                connection.execute(f'CREATE VIEW {schema}."{table}" AS {" UNION ALL ".join(selects)}')
    # DuckDB compares the pattern of a view with these, so each is allowed as a pattern too.
    connection.execute("SET allowed_directories = ?", [[*allowed, *map(glob.escape, allowed)]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


def unread(connection: Any) -> str:
    """Returns a line if repositories were not read, otherwise nothing. Tables without a repository are an error."""
    counts = Query("runs", "", "SELECT count(*), count(*) FILTER (WHERE status = 'failed') FROM runs")
    total, failed = answer(connection, counts)[1][0]
    if total == 0:
        raise QueryError("the tables list no repositories")
    return f"{failed:,} of {total:,} repositories could not be read: their skills are not in the tables" if failed else ""


def duplicates(connection: Any, tables: Path) -> List[str]:
    """Returns a line for each group of shares that list the same repositories."""
    directories = shares(tables)
    selects = [_select(connection, directory, "runs") for directory in directories]
    runs = [f"SELECT repository, {at} AS share FROM ({select})" for at, select in enumerate(selects)]
    groups = Query("runs", "", f"""
        SELECT shares, count(*), min(repository)
        FROM (
            SELECT repository, list(DISTINCT share ORDER BY share) AS shares
            FROM ({" UNION ALL ".join(runs)}) GROUP BY repository HAVING count(*) > 1
        )
        GROUP BY shares ORDER BY shares""")
    return [
        f"{count:,} repositories are listed more than once, for example `{example}`, in " + " and ".join(f"`{directories[at]}`" for at in found)
        for found, count, example in answer(connection, groups)[1]
    ]


def _parts(directory: str, table: str) -> Optional[str]:
    """Returns the pattern of the parts of a table, or None if there is no part."""
    for suffix in ("parquet", "jsonl"):
        pattern = os.path.join(glob.escape(os.path.abspath(directory)), table, f"*.{suffix}")
        if any(glob.iglob(pattern)):
            return pattern
    return None


def _select(connection: Any, directory: str, table: str) -> str:
    import duckdb

    columns = TABLES[table]
    parts = _parts(directory, table)
    if parts is None:
        nothing = ", ".join(f'NULL::{TYPES[column.kind]} AS "{column.name}"' for column in columns)
        return f"SELECT {nothing} WHERE false"
    files = parts.replace("'", "''")
    types = ", ".join(f"'{column.name}': '{TYPES[column.kind]}'" for column in columns)
    json = f"read_json('{files}', format = 'newline_delimited', columns = {{{types}}})"
    names = ", ".join(f'"{column.name}"' for column in columns)
    select = f"SELECT {names} FROM " + (json if files.endswith("jsonl") else f"read_parquet('{files}')")
    try:
        connection.execute(f"{select} LIMIT 0")
    except duckdb.Error as error:
        raise QueryError(f"the table `{table}` of `{directory}` cannot be read: {reason(error)}") from error
    return select


def answer(connection: Any, query: Query) -> Tuple[List[str], List[Tuple[Any, ...]]]:
    """Returns the names of the columns and the rows of a query."""
    import duckdb

    try:
        # `query` takes exactly one SELECT. It also refuses a COPY or an INSERT in the WITH clause of one.
        result = connection.execute("SELECT * FROM query(?)", [query.sql])
        return [column[0] for column in result.description], result.fetchall()
    except duckdb.Error as error:
        raise QueryError(f"the query `{query.name}` failed: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Returns the message of DuckDB in one line, without the excerpt of the query."""
    return str(error).split("\n\n")[0].replace("\n", " ")


def shown(value: Any) -> str:
    """Returns a value as text. Control, format and separator characters are escaped: they could change what is displayed."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    hidden = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
    return "".join(
        f"\\u{{{ord(character):x}}}" if unicodedata.category(character) in hidden else character for character in str(value)
    )
