//! Tables as Apache Parquet: a column of doubles or of words each, packed by Snappy.

use crate::error::ExportError;
use crate::place::{self, MARK};
use crate::tables::{Table, Values};
use parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Writes a table as `NAME.parquet` into a directory.
pub fn write(table: &Table, directory: &Path) -> Result<(), ExportError> {
    let path = directory.join(format!("{}.parquet", table.name));
    place::write_file(&path, |out| {
        write_table(table, out).map_err(|e| ExportError::Writer { path: path.clone(), reason: e.to_string() })
    })
}

fn write_table(table: &Table, out: impl Write + Send) -> Result<(), ParquetError> {
    let properties =
        WriterProperties::builder().set_created_by(MARK.into()).set_compression(Compression::SNAPPY).build();
    let mut file = SerializedFileWriter::new(out, schema(table)?, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (_, values) in &table.columns {
        if let Some(mut column) = group.next_column()? {
            write_column(&mut column, values)?;
            column.close()?;
        }
    }
    group.close()?;
    file.close().map(|_| ())
}

fn write_column(column: &mut SerializedColumnWriter, values: &Values) -> Result<(), ParquetError> {
    match values {
        Values::Numbers(numbers) => column.typed::<DoubleType>().write_batch(numbers, None, None),
        Values::Words(words) => {
            let words: Vec<ByteArray> = words.iter().map(|w| ByteArray::from(w.as_str())).collect();
            column.typed::<ByteArrayType>().write_batch(&words, None, None)
        }
    }
    .map(|_| ())
}

fn schema(table: &Table) -> Result<TypePtr, ParquetError> {
    let field = |(name, values): &(String, Values)| {
        let column = match values {
            Values::Numbers(_) => Type::primitive_type_builder(name, Physical::DOUBLE),
            Values::Words(_) => {
                Type::primitive_type_builder(name, Physical::BYTE_ARRAY).with_converted_type(ConvertedType::UTF8)
            }
        };
        column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    };
    let fields = table.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder(table.name).with_fields(fields).build().map(Arc::new)
}
