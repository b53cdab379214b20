//! The two formats of the files of a table.
#![allow(clippy::disallowed_methods, reason = "it reads what an earlier run wrote")]

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;
use skilltree_report::render;

use crate::parquet;
use crate::tables::{Kind, Row, Table, Value};

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, without Arrow.
    Parquet,
    /// JSON Lines.
    Jsonl,
}

impl Format {
    /// Returns the name, which is also the extension of the files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }

    /// Writes the rows of a table.
    pub fn write(self, table: Table, rows: &[&Row], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Parquet => out.write_all(&parquet::bytes(table, rows)?),
            Self::Jsonl => rows.iter().try_for_each(|row| {
                render::write_value(&object(table, row), out)?;
                writeln!(out)
            }),
        }
    }

    /// Returns whether a file ends as it was written, so that it was not cut.
    pub fn is_complete(self, path: &Path) -> bool {
        let end: &[u8] = match self {
            Self::Parquet => b"PAR1",
            Self::Jsonl => b"\n",
        };
        let last = || {
            let mut file = File::open(path)?;
            let mut last = vec![0; end.len()];
            file.seek(SeekFrom::End(-(end.len() as i64)))?;
            file.read_exact(&mut last)?;
            io::Result::Ok(last)
        };
        let is_empty = self == Self::Jsonl && path.metadata().is_ok_and(|file| file.len() == 0);
        is_empty || last().is_ok_and(|last| last == end)
    }

    /// Reads the rows of a table, or only those of one repository.
    ///
    /// # Errors
    /// When the file cannot be read, or does not have the columns of the table.
    pub fn read(self, table: Table, path: &Path, of: Option<&str>) -> io::Result<Vec<Row>> {
        let file = File::open(path)?;
        match self {
            Self::Parquet => parquet::rows(table, file, of),
            Self::Jsonl => lines(file, |name| of.is_none_or(|of| name == of)).map(|line| row(table, &line?)).collect(),
        }
    }

    /// Returns a file without the rows of some repositories.
    ///
    /// # Errors
    /// When the file cannot be read, or does not have the columns of the table.
    pub fn without(self, table: Table, path: &Path, removed: &BTreeSet<&str>) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        match self {
            Self::Parquet => parquet::without(table, file, removed),
            Self::Jsonl => {
                let lines = lines(file, |name| !removed.contains(name)).map(|line| Ok(line? + "\n"));
                Ok(lines.collect::<io::Result<String>>()?.into_bytes())
            }
        }
    }
}

/// Returns the lines of some repositories.
fn lines(file: File, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = io::Result<String>> {
    #[derive(Deserialize)]
    struct Start<'l> {
        #[serde(borrow)]
        repository: Cow<'l, str>,
    }
    let wanted = move |line: String| match serde_json::from_str::<Start<'_>>(&line) {
        Ok(start) => is_wanted(&start.repository).then_some(Ok(line)),
        Err(error) => Some(Err(error.into())),
    };
    BufReader::new(file).lines().filter_map(move |line| line.map_or_else(|error| Some(Err(error)), &wanted))
}

fn object(table: Table, row: &Row) -> serde_json::Map<String, Json> {
    let member = |(column, value): (&crate::tables::Column, &Value)| {
        let value = match value {
            Value::Null => Json::Null,
            Value::Text(text) => Json::from(&**text),
            Value::Integer(number) => Json::from(*number),
            Value::Number(number) => Json::from(*number),
            Value::Boolean(value) => Json::from(*value),
        };
        (column.name.to_owned(), value)
    };
    table.columns().iter().zip(row).map(member).collect()
}

fn row(table: Table, line: &str) -> io::Result<Row> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line)?;
    let value = |column: &crate::tables::Column| {
        let found = match (column.kind, object.get(column.name)?) {
            (_, Json::Null) if column.nullable => Value::Null,
            (Kind::Text, Json::String(text)) => Value::of(text),
            (Kind::Integer, Json::Number(number)) => Value::Integer(number.as_i64()?),
            (Kind::Number, Json::Number(number)) => Value::Number(number.as_f64()?),
            (Kind::Boolean, Json::Bool(value)) => Value::Boolean(*value),
            _ => return None,
        };
        Some(found)
    };
    let row: Option<Row> = table.columns().iter().map(value).collect();
    row.ok_or_else(|| io::Error::other("a line has other columns"))
}
