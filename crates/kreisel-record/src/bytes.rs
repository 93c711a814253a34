//! Reading little-endian numbers from a slice, never beyond its end.

use crate::error::RecordError;

/// What is left of some bytes, and what they are.
pub(crate) struct Reader<'a> {
    what: &'static str,
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(what: &'static str, bytes: &'a [u8]) -> Self {
        Self { what, left: bytes }
    }

    /// The next `n` bytes.
    pub(crate) fn take(&mut self, n: usize) -> Result<&'a [u8], RecordError> {
        let (taken, left) = self.left.split_at_checked(n).ok_or_else(|| self.malformed("it ends too early"))?;
        self.left = left;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let (taken, left) = self.left.split_first_chunk().ok_or_else(|| self.malformed("it ends too early"))?;
        self.left = left;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, RecordError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, RecordError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, RecordError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn f64(&mut self) -> Result<f64, RecordError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), RecordError> {
        if self.left.is_empty() { Ok(()) } else { Err(self.malformed("bytes are left over")) }
    }

    pub(crate) fn malformed(&self, reason: &str) -> RecordError {
        RecordError::malformed(self.what, reason)
    }
}
