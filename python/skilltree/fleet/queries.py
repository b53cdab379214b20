"""Named queries, and the tables that they ask."""

from __future__ import annotations

import glob
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
        named = tomllib.loads(text).get("queries", {})
    except tomllib.TOMLDecodeError as error:
        raise QueryError(f"{source}: {error}") from error
    for name, query in named.items() if isinstance(named, dict) else [("queries", None)]:
        if not isinstance(query, dict) or not all(isinstance(query.get(key), str) for key in ("title", "sql")):
            raise QueryError(f"{source}: `{name}` needs the strings `title` and `sql`")
    if not named:
        raise QueryError(f"{source}: there is no query; write a table `[queries.NAME]` with `title` and `sql`")
    return [Query(name, query["title"], query["sql"].strip()) for name, query in named.items()]


def connect(tables: Path, before: Optional[Path] = None) -> Any:
    """Opens tables as views of DuckDB, and those of an earlier run as views of the schema `before`."""
    import duckdb

    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    for schema, directory in (("main", tables), ("before", before)):
        if directory is not None:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            for table in TABLES:
                # `references` is a word of SQL.
                connection.execute(f'CREATE VIEW {schema}."{table}" AS {_select(directory, table)}')
    return connection


def _select(directory: Path, table: str) -> str:
    columns = TABLES[table]
    for suffix, reader in (("parquet", "read_parquet"), ("jsonl", "read_json")):
        files = str(directory / table / f"*.{suffix}")
        if any(glob.iglob(files)):
            files = files.replace("'", "''")
            types = ", ".join(f"'{column.name}': '{TYPES[column.kind]}'" for column in columns)
            more = f", format = 'newline_delimited', columns = {{{types}}}" if suffix == "jsonl" else ""
            names = ", ".join(f'"{column.name}"' for column in columns)
            return f"SELECT {names} FROM {reader}('{files}'{more})"
    if table == "runs":
        raise QueryError(f"{directory} has no tables: run `skilltree fleet --repos DIR --out {directory}` first")
    nothing = ", ".join(f'NULL::{TYPES[column.kind]} AS "{column.name}"' for column in columns)
    return f"SELECT {nothing} WHERE false"


def answer(connection: Any, query: Query) -> Tuple[List[str], List[Tuple[Any, ...]]]:
    """Returns the names of the columns and the rows of a query."""
    import duckdb

    try:
        result = connection.execute(query.sql)
        return [column[0] for column in result.description], result.fetchall()
    except duckdb.Error as error:
        raise QueryError(f"the query `{query.name}` failed: {shown(error)}") from error


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
