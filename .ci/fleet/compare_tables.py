"""Compares the tables of two runs, sorted and without the seconds: compare_tables.py DIR DIR."""
import sys
from pathlib import Path

from skilltree.fleet.queries import connect
from skilltree.tables import TABLES

one, other = map(Path, sys.argv[1:3])
different = 0
with connect(one, other) as connection:
    for table, columns in TABLES.items():
        names = ", ".join(f'"{column.name}"' for column in columns if column.name != "seconds")
        count = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
        query = "SELECT count(*) FROM (SELECT {0} FROM {1} EXCEPT ALL SELECT {0} FROM {2})"
        missing = [connection.execute(query.format(names, *pair)).fetchone()[0] for pair in ((f'"{table}"', f'before."{table}"'), (f'before."{table}"', f'"{table}"'))]
        print(f"{table:10} {count:9,} rows, {missing[0]:,} and {missing[1]:,} different")
        different += sum(missing) + (count == 0)
sys.exit(1 if different else 0)
