//! Base64 of data URIs. (RFC 4648)

/// The bytes of a text in base64; nothing if it is none. White space and padding at the end are allowed.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut held) = (0u32, 0u32);
    for &symbol in text.iter().filter(|b| !b.is_ascii_whitespace() && **b != b'=') {
        bits = (bits << 6) | value(symbol)?;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}

fn value(symbol: u8) -> Option<u32> {
    let value = match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn words_with_and_without_padding_come_back() {
        assert_eq!(decode(b"S3JlaXNlbA==").unwrap(), b"Kreisel");
        assert_eq!(decode(b"S3JlaXNl\nbA").unwrap(), b"Kreisel");
        assert_eq!(decode(b"S3!"), None);
    }
}
