//! Parquet files of the tables, without Arrow.

use std::fs::File;
use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::types::Type;

use crate::rows::tables::{Column, Kind, Row, SCHEMA, Table, Value};

/// The key of the schema's name in the metadata of a file.
const KEY: &str = "skilltree.schema";

/// Returns a file with one group of rows.
pub(super) fn bytes(table: Table, rows: &[&Row]) -> io::Result<Vec<u8>> {
    write(table, rows).map_err(io::Error::other)
}

/// Returns the rows of a file.
///
/// # Errors
/// When the file cannot be read, or has other columns than the table.
pub(super) fn rows(table: Table, file: File) -> io::Result<Vec<Row>> {
    read(table, file).map_err(io::Error::other)
}

fn write(table: Table, rows: &[&Row]) -> Result<Vec<u8>, ParquetError> {
    let metadata = KeyValue::new(KEY.to_owned(), SCHEMA.to_owned());
    let properties =
        WriterProperties::builder().set_compression(Compression::SNAPPY).set_key_value_metadata(Some(vec![metadata]));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema(table)?, Arc::new(properties.build()))?;
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
    writer.into_inner()
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

fn read(table: Table, file: File) -> Result<Vec<Row>, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let found = reader.metadata().file_metadata().schema_descr().root_schema_ptr();
    if *found != *schema(table)? {
        return Err(ParquetError::General("the file has other columns".to_owned()));
    }
    let rows = reader.get_row_iter(None)?;
    let value = |field: &Field| match field {
        Field::Str(text) => Value::of(text),
        Field::Long(number) => Value::Integer(*number),
        Field::Double(number) => Value::Number(*number),
        Field::Bool(value) => Value::Boolean(*value),
        _ => Value::Null,
    };
    rows.map(|row| Ok(row?.get_column_iter().map(|(_, field)| value(field)).collect())).collect()
}
