"""The tables of a fleet: their columns, and the rows of one repository."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List

from . import _native

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    #: "text", "integer", "number" or "boolean".
    kind: str
    nullable: bool


#: The columns of each table, in their order: skills, findings, forecast, references, runs.
TABLES: Dict[str, List[Column]] = {
    table: [Column(*column) for column in columns] for table, columns in _native.tables()
}


@dataclass(frozen=True)
class Rows:
    """The rows of one repository."""

    #: The values of each column, of each table.
    tables: Dict[str, Dict[str, List[Any]]]

    @property
    def is_read(self) -> bool:
        """Whether the repository was read, or has no commit."""
        return self.tables["runs"]["status"][0] != "failed"

    def rows(self, table: str) -> List[Dict[str, Any]]:
        """One dictionary per row of a table."""
        columns = self.tables[table]
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def arrow(self) -> Dict[str, "pyarrow.RecordBatch"]:
        """An Arrow record batch of each table. Needs pyarrow, which the extra `fleet` installs."""
        import pyarrow

        return {
            table: pyarrow.RecordBatch.from_pydict(columns, schema=arrow_schema(table))
            for table, columns in self.tables.items()
        }


def in_order(tables: Dict[str, Dict[str, List[Any]]]) -> Dict[str, Dict[str, List[Any]]]:
    """The tables and their columns in the order of TABLES. The native module sorts them by name."""
    return {table: {each.name: tables[table][each.name] for each in columns} for table, columns in TABLES.items()}


def lossless(name: str) -> str:
    """Returns a name as the program writes it: a byte that is not UTF-8, which `os.fsdecode` keeps, becomes `\\xff`."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def rows_of_failure(repository: str, error: str) -> Rows:
    """The rows of a repository that cannot be read: one, in the table `runs`, that says why."""
    tables: Dict[str, Dict[str, List[Any]]] = {
        table: {column.name: [] for column in columns} for table, columns in TABLES.items()
    }
    run: Dict[str, Any] = {column.name: None for column in TABLES["runs"]}
    run.update(repository=repository, version=_native.__version__, status="failed", seconds=0.0, error=error)
    tables["runs"] = {name: [value] for name, value in run.items()}
    return Rows(tables)


def arrow_schema(table: str) -> "pyarrow.Schema":
    """The Arrow schema of a table."""
    import pyarrow

    kinds = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    return pyarrow.schema([pyarrow.field(each.name, kinds[each.kind], each.nullable) for each in TABLES[table]])
