//! JSON with one member of the file per line, and one item of its lists and mappings per line: short, and stable in a diff.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use skilltree_skills::json::Plain;

/// The depth whose items are on separate lines: the members of the file, and their items.
const SEPARATE: usize = 2;

#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the current container has an item.
    has_items: bool,
}

impl Lines {
    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_items = false;
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_items && self.depth < SEPARATE {
            self.feed(writer)?;
        }
        self.has_items = true;
        writer.write_all(bracket)
    }

    fn item<W: Write + ?Sized>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        self.has_items = true;
        if !is_first {
            writer.write_all(b",")?;
        }
        if self.depth <= SEPARATE { self.feed(writer) } else { Ok(()) }
    }

    fn feed<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        writer.write_all(&b"    "[..2 * self.depth.min(SEPARATE)])
    }
}

impl Formatter for Lines {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

/// Serializes a file, with a final newline.
pub(super) fn to_vec(file: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Plain(Lines::default()));
    file.serialize(&mut serializer).expect("texts, numbers and maps with text keys are JSON");
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn puts_items_of_members_on_lines() {
        let value = json!({"a": [], "b": [{"c": [1, 2], "d": {}}, 3], "e": {"f": {"g": [4]}}, "h": {}});
        let text = String::from_utf8(to_vec(&value)).unwrap();
        assert_eq!(
            text,
            "{\n  \"a\": [],\n  \"b\": [\n    {\"c\": [1,2],\"d\": {}},\n    3\n  ],\n  \"e\": {\n    \"f\": {\"g\": [4]}\n  },\n  \"h\": {}\n}\n"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
