//! Paths as relative URIs.

use bstr::BStr;

/// Encodes a path as a relative reference (RFC 3986). All bytes except unreserved ones and `/` are percent-encoded, so
/// that no name is parsed as a scheme, a query or a fragment.
pub(in crate::render) fn encode(path: &BStr) -> String {
    let mut uri = String::with_capacity(path.len());
    for &byte in path.iter() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if uri.is_empty() { ".".into() } else { uri }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;

    #[test]
    fn encodes_all_but_unreserved_characters() {
        let cases: [(&[u8], &str); 5] = [
            (b".agent/skills/pdf/SKILL.md", ".agent/skills/pdf/SKILL.md"),
            (b"a b/c%20d/e#f?g", "a%20b/c%2520d/e%23f%3Fg"),
            (b"javascript:x/\n\\\xff", "javascript%3Ax/%0A%5C%FF"),
            ("é😀".as_bytes(), "%C3%A9%F0%9F%98%80"),
            (b"", "."),
        ];
        for (path, expected) in cases {
            assert_eq!(encode(path.as_bstr()), expected);
        }
    }
}
