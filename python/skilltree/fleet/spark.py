"""The tables of a fleet on Apache Spark: `spark-submit .../skilltree/fleet/spark.py --repos DIR --out URI`, or `python -m skilltree.fleet.spark`.

Spark places the tasks, repeats those of a lost executor, and writes Parquet to any file system that Hadoop knows.
"""

from __future__ import annotations

from typing import Iterator

import pyarrow
from pyspark import StorageLevel
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions
from pyspark.sql.pandas.types import from_arrow_schema

# Not relative: spark-submit starts this file as a script.
from skilltree.fleet import engine, places
from skilltree.tables import TABLES


def main() -> int:
    """Writes the tables, and returns the exit status."""
    options = engine.arguments("spark")
    places.refuse_existing(options.out)
    repositories = places.repositories(options.repos)
    spark = SparkSession.builder.appName("skilltree-fleet").getOrCreate()

    def read(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for start in range(0, batch.num_rows, options.batch):
                part = batch.slice(start, options.batch)
                names, paths = part.column(0).to_pylist(), part.column(1).to_pylist()
                yield from engine.nested(names, paths, options).to_batches()

    partitions = -(-len(repositories) // options.batch)
    listed = spark.createDataFrame(
        spark.sparkContext.parallelize([(each["repository"], each["path"]) for each in repositories], partitions),
        "repository string, path binary",
    )
    # Read once: the tables come from the stored blocks.
    done = listed.mapInArrow(read, from_arrow_schema(engine.NESTED)).persist(StorageLevel.DISK_ONLY)
    for table in TABLES:
        rows = done.select(functions.explode(table).alias("row")).select("row.*")
        try:
            rows.write.mode("errorifexists").parquet(f"{options.out.rstrip('/')}/{table}")
        except AnalysisException as error:
            raise places.PlaceError(f"`{options.out}` cannot be written: {str(error).split('. ')[0]}") from error
    counts = done.select(functions.explode("runs.status").alias("status")).groupBy("status").count().collect()
    status = engine.finish({row["status"]: row["count"] for row in counts})
    spark.stop()
    return status


if __name__ == "__main__":
    engine.start(main)
