"""`report`: a self-contained HTML page. Every number comes from a query that is shown with it."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import Any, List, Optional, Sequence

from .queries import Query, QueryError, answer, connect, duplicates, load, shown, unread

#: The queries that ask the tables of an earlier run.
TREND = "trend"

STYLE = """
:root { color-scheme: light dark; --back: #ffffff; --card: #f6f7f9; --line: #d5d9e0; --text: #1a1d23; --soft: #505866; --link: #0a58ad; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171c; --card: #1d2128; --line: #39404b; --text: #e7eaef; --soft: #a9b1be; --link: #85b9f5; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.75rem; border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
a, summary { color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--card); overflow-wrap: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { font: 0.85rem/1.5 ui-monospace, monospace; margin: 0.5rem 0; padding: 0.5rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 4px; }
p { color: var(--soft); }
"""


def write(tables: Path, before: Optional[Path], out: Path) -> None:
    """Writes the report of tables, with the trend since those of an earlier run."""
    text = Path(__file__).with_name("queries.toml").read_text(encoding="utf-8")
    queries = [query for query in load(text, "queries.toml") if before or not query.name.startswith(TREND)]
    with connect(tables, before) as connection:
        notes = [line for line in (unread(connection), *duplicates(connection, tables)) if line]
        sections = [_section(query, *answer(connection, query)) for query in queries]
    try:
        out.write_text(_page(queries, sections, notes), encoding="utf-8")
    except OSError as error:
        raise QueryError(f"`{out}` cannot be written: {error}") from error
    for line in notes:
        print(f"warning: {shown(line)}", file=sys.stderr)
    print(f"wrote {shown(out)}", file=sys.stderr)


def _page(queries: List[Query], sections: List[str], notes: List[str]) -> str:
    warnings = "".join(f"<p><strong>{escape(shown(line))}</strong></p>\n" for line in notes)
    links = "".join(f'<li><a href="#{escape(query.name)}">{escape(query.title)}</a></li>' for query in queries)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Skills of all repositories</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<header>\n<h1>Skills of all repositories</h1>\n{warnings}<nav aria-label="Sections"><ul>{links}</ul></nav>\n</header>\n'
        f"<main>\n{''.join(sections)}</main>\n</body>\n</html>\n"
    )


def _section(query: Query, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    numeric = [any(isinstance(row[at], (int, float)) for row in rows) for at in range(len(columns))]
    kind = [' class="number"' if number else "" for number in numeric]
    head = "".join(f'<th scope="col"{kind[at]}>{escape(column.replace("_", " "))}</th>' for at, column in enumerate(columns))
    body = "".join(
        "<tr>" + "".join(f"<td{kind[at]}>{escape(shown(value))}</td>" for at, value in enumerate(row)) + "</tr>\n" for row in rows
    )
    title, sql = escape(query.title), escape(query.sql)
    table = (
        f'<div class="wide" role="region" tabindex="0" aria-label="{title}"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>"
    )
    found = table if rows else "<p>No rows.</p>"
    return (
        f'<section id="{escape(query.name)}">\n<h2>{title}</h2>\n{found}\n'
        f'<details><summary>Query: {title}</summary><pre tabindex="0">{sql}</pre></details>\n</section>\n'
    )
