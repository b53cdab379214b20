//! Parquet files of the tables, without Arrow.
//!
//! A file has groups of whole repositories. When rows are removed, the other groups are copied as they are.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::types::Type;

use crate::tables::{Column, Kind, Row, SCHEMA, Table, Value, repository};

/// The key of the schema's name in the metadata of a file.
const KEY: &str = "skilltree.schema";

/// The rows of a group with several repositories. Removing a repository encodes the others of its group again.
const GROUP_ROWS: usize = 1_024;

/// Returns a file with the rows of repositories, each of which is in one group.
pub fn bytes(table: Table, rows: &[&Row]) -> io::Result<Vec<u8>> {
    write(table, rows).map_err(io::Error::other)
}

/// Returns the rows of a file, or only those of one repository.
///
/// # Errors
/// When the file cannot be read, or has other columns than the table.
pub fn rows(table: Table, file: File, of: Option<&str>) -> io::Result<Vec<Row>> {
    read(table, file, of).map_err(io::Error::other)
}

/// Returns a file without the rows of some repositories.
///
/// # Errors
/// When the file cannot be read, or has other columns than the table.
pub fn without(table: Table, file: File, removed: &BTreeSet<&str>) -> io::Result<Vec<u8>> {
    copy(table, file, removed).map_err(io::Error::other)
}

fn write(table: Table, rows: &[&Row]) -> Result<Vec<u8>, ParquetError> {
    let mut writer = writer(table)?;
    groups(rows).try_for_each(|rows| write_group(&mut writer, table, rows))?;
    writer.into_inner()
}

fn copy(table: Table, file: File, removed: &BTreeSet<&str>) -> Result<Vec<u8>, ParquetError> {
    let (source, reader) = (file.try_clone()?, open(table, file)?);
    let mut writer = writer(table)?;
    for (number, found) in reader.metadata().row_groups().iter().enumerate() {
        if removed.iter().any(|name| may_contain(found, name)) {
            let rows = group(&reader, number)?;
            let rows: Vec<&Row> = rows.iter().filter(|row| !removed.contains(repository(row))).collect();
            groups(&rows).try_for_each(|rows| write_group(&mut writer, table, rows))?;
            continue;
        }
        let mut group = writer.next_row_group()?;
        for column in found.columns() {
            let closed = ColumnCloseResult {
                bytes_written: u64::try_from(column.compressed_size())?,
                rows_written: u64::try_from(found.num_rows())?,
                metadata: column.clone(),
                bloom_filter: None,
                column_index: None,
                offset_index: None,
            };
            group.append_column(&source, closed)?;
        }
        group.close()?;
    }
    writer.into_inner()
}

/// Returns whether a group may have rows of a repository, which is the first column.
fn may_contain(group: &RowGroupMetaData, repository: &str) -> bool {
    let statistics = group.columns().first().and_then(|column| column.statistics());
    let bounds = statistics.and_then(|found| Some((found.min_bytes_opt()?, found.max_bytes_opt()?)));
    bounds.is_none_or(|(min, max)| (min..=max).contains(&repository.as_bytes()))
}

/// Splits rows, which are in the order of their repositories, into groups.
fn groups<'r, 'v>(rows: &'r [&'v Row]) -> impl Iterator<Item = &'r [&'v Row]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut end = 0;
        for own in rest.chunk_by(|one, next| repository(one) == repository(next)) {
            if end > 0 && end + own.len() > GROUP_ROWS {
                break;
            }
            end += own.len();
        }
        let (group, after) = rest.split_at(end);
        rest = after;
        (end > 0).then_some(group)
    })
}

fn writer(table: Table) -> Result<SerializedFileWriter<Vec<u8>>, ParquetError> {
    let metadata = KeyValue::new(KEY.to_owned(), SCHEMA.to_owned());
    // A group has few pages: an index of them would be larger than what it saves.
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(vec![metadata]));
    SerializedFileWriter::new(Vec::new(), schema(table)?, Arc::new(properties.build()))
}

fn write_group(writer: &mut SerializedFileWriter<Vec<u8>>, table: Table, rows: &[&Row]) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (number, column) in table.columns().iter().enumerate() {
        let values = rows.iter().map(|row| &row[number]);
        let levels: Option<Vec<i16>> =
            column.nullable.then(|| values.clone().map(|value| i16::from(*value != Value::Null)).collect());
        let levels = levels.as_deref();
        match column.kind {
            Kind::Text => {
                let texts = values.filter_map(Value::text).map(|text| ByteArray::from(text.as_bytes().to_vec()));
                write_column::<ByteArrayType>(&mut group, &texts.collect::<Vec<_>>(), levels)?;
            }
            Kind::Integer => {
                let of = |value: &Value| if let Value::Integer(number) = value { Some(*number) } else { None };
                write_column::<Int64Type>(&mut group, &values.filter_map(of).collect::<Vec<_>>(), levels)?;
            }
            Kind::Number => {
                let of = |value: &Value| if let Value::Number(number) = value { Some(*number) } else { None };
                write_column::<DoubleType>(&mut group, &values.filter_map(of).collect::<Vec<_>>(), levels)?;
            }
            Kind::Boolean => {
                let of = |value: &Value| if let Value::Boolean(value) = value { Some(*value) } else { None };
                write_column::<BoolType>(&mut group, &values.filter_map(of).collect::<Vec<_>>(), levels)?;
            }
        }
    }
    group.close()?;
    Ok(())
}

fn write_column<D: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[D::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("too many columns".to_owned()))?;
    column.typed::<D>().write_batch(values, levels, None)?;
    column.close()
}

fn schema(table: Table) -> Result<Arc<Type>, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Integer => (Physical::INT64, None),
            Kind::Number => (Physical::DOUBLE, None),
            Kind::Boolean => (Physical::BOOLEAN, None),
        };
        let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = table.columns().iter().map(field).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder(table.name()).with_fields(fields).build()?))
}

fn read(table: Table, file: File, of: Option<&str>) -> Result<Vec<Row>, ParquetError> {
    let reader = open(table, file)?;
    let mut rows = Vec::new();
    for (number, found) in reader.metadata().row_groups().iter().enumerate() {
        if of.is_none_or(|name| may_contain(found, name)) {
            rows.extend(group(&reader, number)?);
        }
    }
    rows.retain(|row| of.is_none_or(|name| repository(row) == name));
    Ok(rows)
}

fn open(table: Table, file: File) -> Result<SerializedFileReader<File>, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let found = reader.metadata().file_metadata().schema_descr().root_schema_ptr();
    match *found == *schema(table)? {
        true => Ok(reader),
        false => Err(ParquetError::General("the file has other columns".to_owned())),
    }
}

/// Returns the rows of a group.
fn group(reader: &SerializedFileReader<File>, number: usize) -> Result<Vec<Row>, ParquetError> {
    let value = |field: &Field| match field {
        Field::Str(text) => Value::of(text),
        Field::Long(number) => Value::Integer(*number),
        Field::Double(number) => Value::Number(*number),
        Field::Bool(value) => Value::Boolean(*value),
        _ => Value::Null,
    };
    let group = reader.get_row_group(number)?;
    group.get_row_iter(None)?.map(|row| Ok(row?.get_column_iter().map(|(_, field)| value(field)).collect())).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Rows of the table `forecast`.
    fn forecasts(names: &[&str], count: usize) -> Vec<Row> {
        let row = |name: &str, number| {
            vec![
                Value::of(name),
                Value::of(format!("{name}/{number}")),
                Value::of("any"),
                Value::of("loads"),
                if number % 2 == 0 { Value::Null } else { Value::of("why") },
            ]
        };
        names.iter().flat_map(|name| (0..count).map(move |number| row(name, number))).collect()
    }

    fn encoded(rows: &[Row]) -> Vec<u8> {
        bytes(Table::Forecast, &rows.iter().collect::<Vec<_>>()).unwrap()
    }

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn number_of_groups(bytes: &[u8]) -> usize {
        open(Table::Forecast, file(bytes)).unwrap().metadata().num_row_groups()
    }

    #[test]
    fn copies_groups_of_other_repositories_without_decoding_them() {
        let all = forecasts(&["a", "b", "c"], GROUP_ROWS);
        let mut found = encoded(&all);
        let reader = open(Table::Forecast, file(&found)).unwrap();
        let damaged: Vec<(u64, u64)> =
            reader.metadata().row_group(2).columns().iter().map(|column| column.byte_range()).collect();
        for (start, length) in damaged {
            found[start as usize..(start + length) as usize].fill(0xff);
        }
        let all_of = |bytes: &[u8], name| rows(Table::Forecast, file(bytes), Some(name));
        assert!(rows(Table::Forecast, file(&found), None).is_err());
        let left = without(Table::Forecast, file(&found), &["a"].into()).unwrap();
        assert_eq!(all_of(&left, "b").unwrap(), all[GROUP_ROWS..2 * GROUP_ROWS]);
        assert!(all_of(&left, "c").is_err());
        assert_eq!(number_of_groups(&left), 2);
        assert!(
            without(Table::Forecast, file(&found), &["c"].into()).is_err(),
            "the rows of c are decoded to remove them"
        );
    }

    #[test]
    fn removes_repositories_from_a_group_with_others() {
        let found = encoded(&forecasts(&["a", "b", "c", "d", "e"], GROUP_ROWS / 4));
        assert_eq!(number_of_groups(&found), 2);
        for (removed, left) in [
            (&["b", "d"][..], &["a", "c", "e"][..]),
            (&["e"], &["a", "b", "c", "d"]),
            (&["bb", "f"], &["a", "b", "c", "d", "e"]),
            (&["a", "b", "c", "d", "e"], &[]),
        ] {
            let bytes = without(Table::Forecast, file(&found), &removed.iter().copied().collect()).unwrap();
            assert_eq!(
                rows(Table::Forecast, file(&bytes), None).unwrap(),
                forecasts(left, GROUP_ROWS / 4),
                "{removed:?}"
            );
        }
    }
}
