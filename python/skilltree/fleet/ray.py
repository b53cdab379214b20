"""The tables of a fleet on Ray: `python -m skilltree.fleet.ray --repos DIR --out URI`.

Ray Data places the tasks, repeats those of a lost worker, limits what is in memory, and writes Parquet to any file system
that pyarrow knows. RAY_ADDRESS names a running cluster; without it, Ray starts on this machine.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pyarrow
import ray

from skilltree.tables import TABLES

from . import engine, places


def main() -> int:
    """Writes the tables, and returns the exit status."""
    options = engine.arguments("ray")
    places.refuse_existing(options.out)
    repositories = places.repositories(options.repos)
    ray.init(log_to_driver=False)

    def read(batch: pyarrow.Table) -> pyarrow.Table:
        return engine.nested(batch.column("repository").to_pylist(), batch.column("path").to_pylist(), options)

    blocks = -(-len(repositories) // options.batch)
    listed = ray.data.from_items(repositories, override_num_blocks=blocks)
    # Read once: the tables come from the stored blocks.
    done = listed.map_batches(read, batch_format="pyarrow", batch_size=None, num_cpus=1).materialize()
    for table in TABLES:
        rows = done.map_batches(partial(engine.exploded, table=table), batch_format="pyarrow", batch_size=None)
        try:
            # The default adds to the rows of an earlier run.
            rows.write_parquet(f"{options.out.rstrip('/')}/{table}", mode=ray.data.SaveMode.ERROR)
        except ValueError as error:
            raise places.PlaceError(f"`{options.out}` cannot be written: {str(error).split('. ')[0]}") from error
    statuses = Counter(run["status"] for row in done.select_columns(["runs"]).iter_rows() for run in row["runs"])
    return engine.finish(statuses)


if __name__ == "__main__":
    engine.start(main)
