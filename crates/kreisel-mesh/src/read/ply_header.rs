//! The header of PLY: how the values are written, and which elements with which properties follow.

use super::text::{Lines, Words, shown};
use crate::error::Problem;

/// How the values of a PLY file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As text.
    Text,
    /// Binary, least significant byte first.
    Little,
    /// Binary, most significant byte first.
    Big,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Signed byte.
    I8,
    /// Byte.
    U8,
    /// Two bytes, signed.
    I16,
    /// Two bytes.
    U16,
    /// Four bytes, signed.
    I32,
    /// Four bytes.
    U32,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

/// A property: one number, or a list whose length has a type of its own.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Type of the length if it is a list.
    pub length: Option<Scalar>,
    /// Type of the number or numbers.
    pub scalar: Scalar,
}

/// A table of the file.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name, such as `vertex`.
    pub name: String,
    /// Number of rows.
    pub count: u64,
    /// Columns.
    pub properties: Vec<Property>,
}

/// The header.
#[derive(Clone, Debug)]
pub struct Header {
    /// How values are written.
    pub encoding: Encoding,
    /// The tables in their order.
    pub elements: Vec<Element>,
    /// Where the values begin.
    pub body: usize,
    /// Lines of the header.
    pub lines: usize,
}

impl Scalar {
    /// Bytes of one number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn named(word: &[u8]) -> Option<Self> {
        match word {
            b"char" | b"int8" => Some(Self::I8),
            b"uchar" | b"uint8" => Some(Self::U8),
            b"short" | b"int16" => Some(Self::I16),
            b"ushort" | b"uint16" => Some(Self::U16),
            b"int" | b"int32" => Some(Self::I32),
            b"uint" | b"uint32" => Some(Self::U32),
            b"float" | b"float32" => Some(Self::F32),
            b"double" | b"float64" => Some(Self::F64),
            _ => None,
        }
    }
}

/// Reads the header.
pub fn read(bytes: &[u8]) -> Result<Header, Problem> {
    let mut header = Header { encoding: Encoding::Text, elements: Vec::new(), body: 0, lines: 0 };
    let mut encoding = None;
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        header.body += line.len() + 1;
        header.lines = lines.number;
        let fail = |reason: String| Problem::syntax(format!("line {} of the header", lines.number), reason);
        let mut words = Words::new(line);
        match words.next() {
            Some(b"format") => encoding = Some(named_encoding(words.next().unwrap_or_default()).map_err(fail)?),
            Some(b"element") => header.elements.push(element(words).map_err(fail)?),
            Some(b"property") => {
                let property = property(words).map_err(fail)?;
                let element = header.elements.last_mut();
                element
                    .ok_or_else(|| fail("a property before the first element".to_string()))?
                    .properties
                    .push(property);
            }
            Some(b"end_header") => {
                header.encoding = encoding.ok_or_else(|| fail("the header names no format".to_string()))?;
                return Ok(header);
            }
            None | Some(b"ply" | b"comment" | b"obj_info") => {}
            Some(word) => return Err(fail(format!("`{}` is no word of a PLY header", shown(word)))),
        }
    }
    Err(Problem::Truncated {
        what: "a header that ends with `end_header`".to_string(),
        found: format!("{} lines", header.lines),
    })
}

fn named_encoding(word: &[u8]) -> Result<Encoding, String> {
    match word {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::Little),
        b"binary_big_endian" => Ok(Encoding::Big),
        _ => Err(format!("`{}` is no format of PLY", shown(word))),
    }
}

fn element(mut words: Words) -> Result<Element, String> {
    let name = words.next().ok_or("an element without a name")?;
    let count = words.next().and_then(|w| std::str::from_utf8(w).ok()).and_then(|w| w.parse().ok());
    let count = count.ok_or_else(|| format!("element `{}` has no number of rows", shown(name)))?;
    Ok(Element { name: String::from_utf8_lossy(name).into_owned(), count, properties: Vec::new() })
}

fn property(mut words: Words) -> Result<Property, String> {
    let first = words.next().unwrap_or_default();
    let length = if first == b"list" { Some(scalar(words.next())?) } else { None };
    let scalar = if length.is_some() { scalar(words.next())? } else { scalar(Some(first))? };
    let name = words.next().ok_or("a property without a name")?;
    Ok(Property { name: String::from_utf8_lossy(name).into_owned(), length, scalar })
}

fn scalar(word: Option<&[u8]>) -> Result<Scalar, String> {
    let word = word.unwrap_or_default();
    Scalar::named(word).ok_or_else(|| format!("`{}` is no type of PLY", shown(word)))
}
