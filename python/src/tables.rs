//! Rows of a repository as columns.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use skilltree::{Kind, Row, Rows, Table, Value};

/// Columns by name, of each table by name.
pub(crate) type Columns = BTreeMap<&'static str, BTreeMap<&'static str, Vec<Cell>>>;

/// A table, and each column with its type and whether a value can be missing.
pub(crate) type Definition = (&'static str, Vec<(&'static str, &'static str, bool)>);

#[derive(Clone, IntoPyObject)]
pub(crate) enum Cell {
    Text(String),
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Null(Option<bool>),
}

impl From<&Value> for Cell {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null(None),
            Value::Text(text) => Self::Text(text.to_string()),
            Value::Integer(number) => Self::Integer(*number),
            Value::Number(number) => Self::Number(*number),
            Value::Boolean(value) => Self::Boolean(*value),
        }
    }
}

/// Returns the columns of the rows.
pub(crate) fn columns(rows: &Rows) -> Columns {
    let column = |rows: &[Row], number: usize| rows.iter().map(|row| Cell::from(&row[number])).collect();
    let columns = |table: Table| {
        let named = table.columns().iter().enumerate();
        named.map(|(number, known)| (known.name, column(rows.table(table), number))).collect()
    };
    Table::ALL.into_iter().map(|table| (table.name(), columns(table))).collect()
}

/// Returns the definitions of the tables.
pub(crate) fn definitions() -> Vec<Definition> {
    let kind = |kind: Kind| match kind {
        Kind::Text => "text",
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::Boolean => "boolean",
    };
    let columns =
        |table: Table| table.columns().iter().map(|column| (column.name, kind(column.kind), column.nullable)).collect();
    Table::ALL.into_iter().map(|table| (table.name(), columns(table))).collect()
}
