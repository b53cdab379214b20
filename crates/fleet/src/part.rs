//! Parts: the rows of some repositories, as one file in the directory of each table.
//!
//! The file in `runs` is renamed to its place last and removed first, so a part whose file is there is complete. When a repository is
//! read again, its rows are in a new part, and the other part is replaced by one of a later generation.

use std::path::{Path, PathBuf};

use crate::format::Format;
use crate::tables::{Row, Rows, Table, Value};

/// The name of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The number. Of two parts with rows of one repository, the one with the higher number counts.
    pub number: u32,
    /// The generation. Of two with one number, the higher one counts.
    pub generation: u32,
}

impl Part {
    /// Parses the name of a file.
    pub fn parse(name: &str, format: Format) -> Option<Self> {
        let (number, generation) =
            name.strip_prefix("part-")?.strip_suffix(format.name())?.strip_suffix('.')?.split_once('-')?;
        let part = Self { number: number.parse().ok()?, generation: generation.parse().ok()? };
        (part.name(format) == name).then_some(part)
    }

    fn name(self, format: Format) -> String {
        format!("part-{:06}-{:04}.{}", self.number, self.generation, format.name())
    }

    /// Returns the path of the file of a table.
    pub fn path(self, out: &Path, table: Table, format: Format) -> PathBuf {
        out.join(table.name()).join(self.name(format))
    }
}

/// The row of a repository in the table `runs`.
#[derive(Clone, Debug)]
pub struct Run {
    /// The part with its rows.
    pub part: Part,
    row: Row,
}

impl Run {
    /// Creates it from a row of the table `runs`.
    pub fn new(part: Part, row: Row) -> Self {
        Self { part, row }
    }

    fn text(&self, column: &str) -> Option<&str> {
        self.row.get(Table::Runs.position(column)).and_then(Value::text)
    }

    /// Returns the key of its rows; `None` for a repository that must be read again.
    pub fn key(&self) -> Option<&str> {
        self.text("key")
    }

    /// Returns the id of the commit that was read.
    pub fn commit(&self) -> Option<&str> {
        self.text("commit")
    }

    /// Returns whether a repository without skills has the same rows as before, apart from the seconds.
    pub fn is_same(&self, rows: &Rows) -> bool {
        let seconds = Table::Runs.position("seconds");
        let is_read = |status: Option<&str>| status == Some("read");
        let [row] = rows.table(Table::Runs) else { return false };
        let same = |(number, (one, other)): (usize, (&Value, &Value))| number == seconds || one == other;
        !is_read(self.text("status"))
            && !is_read(rows.run("status").text())
            && row.iter().zip(&self.row).enumerate().all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_own_names_only() {
        let part = Part { number: 12, generation: 3 };
        assert_eq!(part.name(Format::Parquet), "part-000012-0003.parquet");
        assert_eq!(Part::parse("part-000012-0003.parquet", Format::Parquet), Some(part));
        for foreign in
            ["part-000012-0003.jsonl", "part-12-3.parquet", "part-000012-0003.parquet~", ".part-000012-0003.parquet"]
        {
            assert_eq!(Part::parse(foreign, Format::Parquet), None, "{foreign}");
        }
    }
}
