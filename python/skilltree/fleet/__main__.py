"""The commands `report` and `check`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import List, Optional

from . import check, report
from .queries import QueryError, shown


def main(words: Optional[List[str]] = None) -> int:
    """Runs a command and returns its exit status: 0, 1 for violations, 2 if it failed."""
    parser = argparse.ArgumentParser(prog="python -m skilltree.fleet", description="Questions about the tables of a fleet.")
    commands = parser.add_subparsers(dest="command", required=True)
    reporting = commands.add_parser("report", help="write an HTML report")
    reporting.add_argument("tables", metavar="DIR", type=Path, help="the tables; 'DIR/*' for those of several runs")
    reporting.add_argument("--before", metavar="DIR", type=Path, help="the tables of an earlier run, for the trend")
    reporting.add_argument("--out", metavar="FILE", type=Path, default=Path("fleet.html"), help="the report; default: fleet.html")
    checking = commands.add_parser("check", help="run the queries of a policy; each row that comes back is a violation")
    checking.add_argument("tables", metavar="DIR", type=Path, help="the tables; 'DIR/*' for those of several runs")
    checking.add_argument("--policy", metavar="FILE", type=Path, required=True, help="a TOML file of named queries")
    checking.add_argument("--allow-failed", action="store_true", help="check the tables although repositories were not read")
    arguments = parser.parse_args(words)
    try:
        if arguments.command == "report":
            report.write(arguments.tables, arguments.before, arguments.out)
            return 0
        return check.run(arguments.tables, arguments.policy, sys.stdout, arguments.allow_failed)
    except QueryError as error:
        print(f"error: {shown(error)}", file=sys.stderr)
    except ModuleNotFoundError as error:
        print(f"error: {error.name} is missing: run `pip install 'skilltree-lint[fleet]'`", file=sys.stderr)
    except OSError as error:
        place = f"`{shown(error.filename)}` cannot be read" if error.filename else "the output cannot be written"
        print(f"error: {place}: {error.strerror}", file=sys.stderr)
        # The interpreter writes the rest when it exits, and fails again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 2


if __name__ == "__main__":
    # Texts of repositories must not fail in a terminal with another encoding.
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
