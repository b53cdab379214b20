"""Questions about many repositories: the tables that `skilltree fleet` writes, in SQL.

    python -m skilltree.fleet report DIR        an HTML report
    python -m skilltree.fleet check DIR --policy FILE    fails if a query finds a violation
    python -m skilltree.fleet.ray               the tables, made on Ray
    python -m skilltree.fleet.spark             the tables, made on Apache Spark

`pip install 'skilltree-lint[fleet]'` installs what `report` and `check` need.
"""
