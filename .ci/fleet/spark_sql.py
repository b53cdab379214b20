"""Runs the queries of the report and of the example policies in Spark SQL and in DuckDB, and compares their rows.

    spark_sql.py DIR BEFORE POLICY
"""
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from skilltree.fleet import queries
from skilltree.tables import TABLES

tables, before, policy = map(Path, sys.argv[1:4])
os.environ["PYSPARK_PYTHON"] = sys.executable
report = Path(queries.__file__).with_name("queries.toml")
named = [query for file in (report, policy) for query in queries.load(file.read_text(), str(file))]
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
spark.sql("CREATE DATABASE before")
for table in TABLES:
    spark.read.parquet(str(tables / table)).createOrReplaceTempView(table)
    spark.sql(f"CREATE TABLE before.`{table}` USING parquet LOCATION '{(before / table).resolve()}'")


def text(rows):
    """Returns the rows as text, sorted; numbers to the same digits."""
    shown = [[f"{value:.6g}" if isinstance(value, float) else str(value) for value in row] for row in rows]
    return sorted(shown)


failed = []
with queries.connect(tables, before) as connection:
    for query in named:
        _, expected = queries.answer(connection, query)
        try:
            found = spark.sql(query.sql).collect()
        except Exception as error:  # noqa: BLE001
            failed.append(query.name)
            print(f"{query.name}: {str(error).splitlines()[0]}")
            continue
        same = text(expected) == text(found)
        print(f"{query.name}: {len(expected)} rows, {'equal' if same else 'different'}")
        failed += [] if same else [query.name]
sys.exit(f"not the same in Spark SQL: {', '.join(failed)}" if failed else 0)
