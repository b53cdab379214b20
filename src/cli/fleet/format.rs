//! The two formats of the files of a table.
#![allow(clippy::disallowed_methods, reason = "it reads what an earlier run wrote")]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde_json::Value as Json;
use skilltree_core::render;

use super::parquet;
use crate::rows::tables::{Kind, Row, Table, Value};

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Parquet,
    Jsonl,
}

impl Format {
    /// Returns the name, which is also the extension of the files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }

    /// Writes the rows of a table.
    pub(super) fn write(self, table: Table, rows: &[&Row], out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Parquet => out.write_all(&parquet::bytes(table, rows)?),
            Self::Jsonl => rows.iter().try_for_each(|row| {
                render::write_value(&object(table, row), out)?;
                writeln!(out)
            }),
        }
    }

    /// Reads the rows of a table.
    ///
    /// # Errors
    /// When the file cannot be read, or does not have the columns of the table.
    pub(super) fn read(self, table: Table, path: &Path) -> io::Result<Vec<Row>> {
        let file = File::open(path)?;
        match self {
            Self::Parquet => parquet::rows(table, file),
            Self::Jsonl => BufReader::new(file).lines().map(|line| row(table, &line?)).collect(),
        }
    }
}

fn object(table: Table, row: &Row) -> serde_json::Map<String, Json> {
    let member = |(column, value): (&crate::rows::tables::Column, &Value)| {
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
    let value = |column: &crate::rows::tables::Column| {
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
