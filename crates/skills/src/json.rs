//! JSON that is safe to display: hidden characters and the `#` of workflow commands are written as `\uXXXX`, which JSON
//! parsers decode.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::characters;

/// Writes a value in one line.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_value<T: Serialize + ?Sized, W: Write + ?Sized>(value: &T, out: &mut W) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Plain(CompactFormatter))).map_err(io::Error::from)
}

/// Writes a value in indented lines, with a trailing newline.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_pretty<T: Serialize + ?Sized>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, Plain(PrettyFormatter::new())))?;
    writeln!(out)
}

/// Returns the offsets of the second `#` of each `##word[`.
pub fn command_marks(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    text.windows(2).enumerate().filter(|(_, pair)| *pair == b"##").map(|(at, _)| at + 1).filter(|&at| {
        let word = text[at + 1..].iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        text.get(at + 1 + word) == Some(&b'[')
    })
}

/// JSON formatter that escapes hidden characters and delegates the layout.
pub struct Plain<F>(pub F);

impl<F: Formatter> Formatter for Plain<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'#') {
            return self.0.write_string_fragment(out, fragment);
        }
        let mut commands = command_marks(fragment.as_bytes()).peekable();
        let mut copied = 0;
        for (at, character) in fragment.char_indices() {
            let is_command = commands.next_if_eq(&at).is_some();
            if !is_command && characters::is_plain(character) {
                continue;
            }
            self.0.write_string_fragment(out, &fragment[copied..at])?;
            copied = at + character.len_utf8();
            let mut units = [0; 2];
            character.encode_utf16(&mut units).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))?;
        }
        self.0.write_string_fragment(out, &fragment[copied..])
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
