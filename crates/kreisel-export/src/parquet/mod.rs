//! Tables as Apache Parquet: one row group, a page of plain values per column.
//!
//! Written by hand, because a table of doubles and words needs a hundred lines of the format and its library takes longer
//! to build than the engine.

mod thrift;

use crate::error::ExportError;
use crate::place::{self, MARK};
use crate::tables::{Table, Values};
use std::path::Path;
use thrift::Struct;

/// The first and the last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";
/// Physical types.
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
/// The only converted type: text.
const UTF8: i32 = 0;
/// Every value is there.
const REQUIRED: i32 = 0;
/// Encodings.
const PLAIN: i32 = 0;
const RUN_LENGTH: i32 = 3;
/// Not packed.
const UNCOMPRESSED: i32 = 0;
/// The kind of a page with values.
const DATA_PAGE: i32 = 0;

/// Writes a table as `NAME.parquet` into a directory.
pub fn write(table: &Table, directory: &Path) -> Result<(), ExportError> {
    place::write_bytes(&directory.join(format!("{}.parquet", table.name)), &encode(table)?)
}

/// The whole file.
fn encode(table: &Table) -> Result<Vec<u8>, ExportError> {
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for (name, values) in &table.columns {
        chunks.push(add_column(&mut file, name, values, table.rows())?);
    }
    let size = file.len() as i64 - MAGIC.len() as i64;
    let mut group = Struct::default();
    group.structs(1, &chunks).i64(2, size).i64(3, table.rows() as i64);
    let mut footer = Struct::default();
    footer.i32(1, 1).structs(2, &schema(table)).i64(3, table.rows() as i64).structs(4, &[group]).text(6, MARK);
    let footer = footer.bytes();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    Ok(file)
}

/// The group of columns, then the columns.
fn schema(table: &Table) -> Vec<Struct> {
    let mut root = Struct::default();
    root.text(4, table.name).i32(5, table.columns.len() as i32);
    let column = |(name, values): &(String, Values)| {
        let mut element = Struct::default();
        element.i32(1, physical(values)).i32(3, REQUIRED).text(4, name);
        if matches!(values, Values::Words(_)) {
            element.i32(6, UTF8);
        }
        element
    };
    std::iter::once(root).chain(table.columns.iter().map(column)).collect()
}

fn physical(values: &Values) -> i32 {
    match values {
        Values::Numbers(_) => DOUBLE,
        Values::Words(_) => BYTE_ARRAY,
    }
}

/// Appends the only page of a column, and returns what the footer says about it.
fn add_column(file: &mut Vec<u8>, name: &str, values: &Values, rows: usize) -> Result<Struct, ExportError> {
    let page = plain(values);
    let too_large = |_| ExportError::TooLarge { what: "a column", bytes: page.len() as u64 };
    let (size, count) = (i32::try_from(page.len()).map_err(too_large)?, i32::try_from(rows).map_err(too_large)?);
    let mut values_head = Struct::default();
    values_head.i32(1, count).i32(2, PLAIN).i32(3, RUN_LENGTH).i32(4, RUN_LENGTH);
    let mut head = Struct::default();
    head.i32(1, DATA_PAGE).i32(2, size).i32(3, size).inner(5, &values_head);
    let offset = file.len() as i64;
    file.extend(head.bytes());
    file.extend(&page);
    let length = file.len() as i64 - offset;
    let mut meta = Struct::default();
    meta.i32(1, physical(values)).i32s(2, &[PLAIN, RUN_LENGTH]).texts(3, &[name]).i32(4, UNCOMPRESSED);
    meta.i64(5, rows as i64).i64(6, length).i64(7, length).i64(9, offset);
    let mut chunk = Struct::default();
    chunk.i64(2, offset).inner(3, &meta);
    Ok(chunk)
}

/// Doubles as they are; words after their lengths.
fn plain(values: &Values) -> Vec<u8> {
    match values {
        Values::Numbers(numbers) => numbers.iter().flat_map(|a| a.to_le_bytes()).collect(),
        Values::Words(words) => {
            let word = |w: &String| [&(w.len() as u32).to_le_bytes(), w.as_bytes()].concat();
            words.iter().flat_map(word).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_ends_with_the_length_of_its_footer_and_holds_the_values_where_it_says() {
        let columns = vec![
            ("time".to_string(), Values::Numbers(vec![0.5, 1.5])),
            ("event".to_string(), Values::Words(vec!["touch".into(), "größer".into()])),
        ];
        let file = encode(&Table { name: "events", columns }).unwrap();
        let end = file.len();
        assert_eq!((&file[..4], &file[end - 4..]), (&MAGIC[..], &MAGIC[..]));
        let footer = u32::from_le_bytes(file[end - 8..end - 4].try_into().unwrap()) as usize;
        let data = &file[4..end - 8 - footer];
        let numbers = [0.5_f64.to_le_bytes(), 1.5_f64.to_le_bytes()].concat();
        assert!(data.windows(16).any(|w| w == numbers));
        assert!(data.ends_with(b"\x05\0\0\0touch\x08\0\0\0gr\xc3\xb6\xc3\x9fer"));
    }
}
