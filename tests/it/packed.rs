//! Many small files in one file of text: the cases of `conformance` and the inputs of `fuzz`.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::fs;
use std::path::Path;

/// Reads the packed file at a path. Panics as [`read`] does, and if the file cannot be read.
pub(crate) fn load(path: &Path) -> Vec<(String, Vec<u8>)> {
    read(&fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Reads packed text: names, each with its exact bytes. `conformance/harness/packed.py` reads and writes the same format.
///
/// `=== NAME` begins a file, and each line up to the next name is a line of it. Text before the first name is a comment.
/// `\\`, `\t`, `\r`, `\s` (a space), `\xHH` (a byte) and `\u{HEX}` (a character) are escapes. A `\` at the end of a line
/// removes the line break.
///
/// Panics if an escape is unknown, two files have one name, or the text is not ASCII.
fn read(text: &str) -> Vec<(String, Vec<u8>)> {
    assert!(text.is_ascii(), "a packed file is ASCII");
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("=== ") {
            let name = name.trim_end_matches('\n');
            assert!(files.iter().all(|(known, _)| known != name), "two files are called {name}");
            files.push((name.to_owned(), Vec::new()));
        } else if let Some((_, bytes)) = files.last_mut() {
            decode(line, bytes);
        }
    }
    files
}

/// Appends the bytes of a line.
fn decode(line: &str, bytes: &mut Vec<u8>) {
    let mut parts = line.split('\\');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    while let Some(part) = parts.next() {
        let number = |digits| u32::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("not hexadecimal: {line}"));
        let rest = match part.as_bytes().first() {
            // A backslash divides nothing here: the next part is text.
            None => {
                bytes.push(b'\\');
                parts.next().unwrap_or_else(|| panic!("an escape ends: {line}"))
            }
            Some(b'\n') => "",
            Some(b't') => push(bytes, b'\t', part),
            Some(b'r') => push(bytes, b'\r', part),
            Some(b's') => push(bytes, b' ', part),
            Some(b'x') => {
                bytes.push(u8::try_from(number(&part[1..3])).expect("two digits are a byte"));
                &part[3..]
            }
            Some(b'u') => {
                let (digits, rest) = part[2..].split_once('}').expect("a character ends with a brace");
                let character = char::from_u32(number(digits)).expect("the number of a character");
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest
            }
            Some(_) => panic!("unknown escape: {line}"),
        };
        bytes.extend_from_slice(rest.as_bytes());
    }
}

/// Appends a byte, and returns the text after the letter that stands for it.
fn push<'t>(bytes: &mut Vec<u8>, byte: u8, part: &'t str) -> &'t str {
    bytes.push(byte);
    &part[1..]
}

#[cfg(test)]
mod tests {
    use super::read;

    /// Returns the packed text of files, as `packed.py` writes it.
    fn write(files: &[(String, Vec<u8>)]) -> String {
        files.iter().map(|(name, bytes)| format!("=== {name}\n{}", encode(bytes))).collect()
    }

    fn encode(bytes: &[u8]) -> String {
        let mut text = String::new();
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '\\' => text.push_str("\\\\"),
                    '\t' => text.push_str("\\t"),
                    '\r' => text.push_str("\\r"),
                    '\n' | ' '..='~' => text.push(character),
                    '\0'..='\x7f' => text.push_str(&format!("\\x{:02x}", u32::from(character))),
                    _ => text.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
                }
            }
            for byte in chunk.invalid() {
                text.push_str(&format!("\\x{byte:02x}"));
            }
        }
        let lines: Vec<String> = text.split('\n').map(safe).collect();
        let text = lines.join("\n");
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\\\n" }
    }

    /// Returns a line without a trailing space and without what begins a file.
    fn safe(line: &str) -> String {
        let line = line.strip_suffix(' ').map_or_else(|| line.to_owned(), |line| format!("{line}\\s"));
        if line.starts_with("=== ") { format!("\\x3d{}", &line[1..]) } else { line }
    }

    #[test]
    fn packed_bytes_are_read_back() {
        let all: Vec<u8> = (0..=255).collect();
        let cases: [&[u8]; 14] = [
            b"",
            b"\n",
            b"\n\n",
            b"a",
            b"a\n",
            b"a \n ",
            b"=== a\n=== \n===\n",
            b"\\x41\\\\n\\",
            b"\\\n",
            b"\r\n\t\r",
            "\u{feff}\u{e9}\u{202e}\u{1f4c4}".as_bytes(),
            b"\xed\xa0\x80\xf0\x9f",
            b"\0\x7f\x80\xff",
            &all,
        ];
        let files: Vec<(String, Vec<u8>)> =
            cases.iter().enumerate().map(|(number, bytes)| (number.to_string(), bytes.to_vec())).collect();
        let text = write(&files);
        assert!(text.lines().all(|line| !line.ends_with(' ') || line == "=== "), "{text}");
        assert_eq!(read(&text), files);
        assert_eq!(read(&format!("# comment\n\n{text}")), files);
    }

    #[test]
    fn escapes_are_bytes() {
        let read = |content: &str| read(&format!("=== a\n{content}")).remove(0).1;
        assert_eq!(read("x\\t\\r\\s\\x00\\\\t\\u{e9}\n"), "x\t\r \0\\t\u{e9}\n".as_bytes());
        assert_eq!(read("one\\\ntwo\\\n"), b"onetwo");
        assert_eq!(read("\\xff"), b"\xff");
    }

    #[test]
    #[should_panic(expected = "unknown escape")]
    fn unknown_escape_is_rejected() {
        let _files = read("=== a\n\\q\n");
    }

    #[test]
    #[should_panic(expected = "two files are called a")]
    fn repeated_name_is_rejected() {
        let _files = read("=== a\n=== a\n");
    }
}
