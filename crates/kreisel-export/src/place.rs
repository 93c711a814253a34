//! Where an export goes: files that are whole or not there, and never in the place of somebody else's.

use crate::error::ExportError;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The word in every file that an export writes; by it a later export knows that it may be replaced.
pub const MARK: &str = "Kreisel";
/// How far from the beginning or the end of a file the mark is.
const REACH: u64 = 1 << 20;

/// Makes the directory if there is none.
pub fn make_directory(path: &Path) -> Result<(), ExportError> {
    std::fs::create_dir_all(path).map_err(ExportError::file(path))
}

/// Writes a file whole: under another name first, then renamed, so that nobody finds half of it.
pub fn write_file(
    path: &Path,
    contents: impl FnOnce(&mut BufWriter<File>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    refuse_foreign(path)?;
    let part = part_name(path);
    let written =
        write_part(&part, contents).and_then(|()| std::fs::rename(&part, path).map_err(ExportError::file(path)));
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Writes bytes as a whole file.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    write_file(path, |out| out.write_all(bytes).map_err(ExportError::file(path)))
}

fn write_part(
    part: &Path,
    contents: impl FnOnce(&mut BufWriter<File>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut out = BufWriter::new(File::create(part).map_err(ExportError::file(part))?);
    contents(&mut out)?;
    out.flush().map_err(ExportError::file(part))
}

fn part_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn refuse_foreign(path: &Path) -> Result<(), ExportError> {
    match is_ours(path) {
        Ok(true) => Ok(()),
        Ok(false) => Err(ExportError::Foreign { path: path.to_path_buf() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(ExportError::file(path)(error)),
    }
}

/// True if a file has the mark near its beginning or its end, is empty, or is a table whose first column is the time.
fn is_ours(path: &Path) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    (&mut file).take(REACH).read_to_end(&mut head)?;
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(REACH)))?;
    file.take(REACH).read_to_end(&mut tail)?;
    let marked = |bytes: &[u8]| bytes.windows(MARK.len()).any(|w| w == MARK.as_bytes());
    let is_table = path.extension().is_some_and(|e| e == "csv") && head.starts_with(b"time");
    Ok(length == 0 || is_table || marked(&head) || marked(&tail))
}

/// A name that is a file name everywhere: letters, digits, `-`, `_` and `.`, not empty, not hidden.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).take(80).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "unnamed".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ours_is_replaced_and_somebody_elses_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("thing.obj");
        write_bytes(&path, b"# Kreisel, first").unwrap();
        write_bytes(&path, b"# Kreisel, second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"# Kreisel, second");
        std::fs::write(&path, "v 0 0 0").unwrap();
        assert!(matches!(write_bytes(&path, b"# Kreisel"), Err(ExportError::Foreign { .. })));
        assert_eq!(std::fs::read(&path).unwrap(), b"v 0 0 0");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no half files are left");
    }

    #[test]
    fn names_become_file_names() {
        assert_eq!(file_name("a cow/of 600 kg"), "a-cow-of-600-kg");
        assert_eq!(file_name("../x"), "-x");
        assert_eq!(file_name(".."), "unnamed");
    }
}
