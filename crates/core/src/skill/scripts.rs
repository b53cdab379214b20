//! Scripts that the texts of a skill run.

use bstr::ByteSlice;

use crate::text::{FileId, Place};

/// A script that a text of the skill runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its file.
    pub file: FileId,
    /// Its bytes.
    pub bytes: u32,
    /// Its first line, if that names an interpreter.
    pub shebang: Shebang,
    /// The first command that waits for input.
    pub waits: Option<Place>,
}

/// The first line of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shebang {
    /// It names no interpreter.
    Missing,
    /// It names an interpreter.
    Present,
    /// It ends with CRLF, so that the name of the interpreter ends with a carriage return.
    CarriageReturn,
}

/// Words of scripts that find out whether a terminal is there, or take the answer from an option.
const GUARDS: [&str; 6] = ["isatty", "interactive", "--no-input", "--yes", "[ -t", "[[ -t"];

/// Parses a script.
pub(crate) fn parse(file: FileId, is_python: bool, bytes: &[u8]) -> Script {
    let first = bytes.split_str("\n").next().unwrap_or_default();
    let shebang = match first.starts_with(b"#!") {
        false => Shebang::Missing,
        true if first.ends_with(b"\r") => Shebang::CarriageReturn,
        true => Shebang::Present,
    };
    let is_guarded = GUARDS.iter().any(|guard| bytes.contains_str(guard));
    let waits = if is_guarded { None } else { waits(is_python, bytes) };
    let waits = waits.map(|(start, end)| Place::new(file, start..end));
    Script { file, bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX), shebang, waits }
}

/// Returns the range of the first command that waits for input, outside comments and documentation strings.
fn waits(is_python: bool, bytes: &[u8]) -> Option<(usize, usize)> {
    let mut start = 0;
    let mut is_text = false;
    for line in bytes.lines_with_terminator() {
        let code = line.trim_ascii_start();
        let quotes = line.find_iter("\"\"\"").count() + line.find_iter("'''").count();
        let is_code = !is_text && quotes == 0 && !code.starts_with(b"#");
        is_text ^= is_python && quotes % 2 == 1;
        let found = match is_python {
            true => call_of_input(line),
            false => command_of_read(line),
        };
        if let Some((from, to)) = found.filter(|_| is_code) {
            return Some((start + from, start + to));
        }
        start += line.len();
    }
    None
}

/// Finds `input(` of Python, as a statement or as a value.
fn call_of_input(line: &[u8]) -> Option<(usize, usize)> {
    let code = line.trim_ascii_start();
    let offset = line.len() - code.len();
    let value = code.find("= input(").map(|at| at + 2).or_else(|| code.starts_with(b"input(").then_some(0))?;
    Some((offset + value, offset + value + "input(".len()))
}

/// Finds `read -p` of a shell at the start of a command.
fn command_of_read(line: &[u8]) -> Option<(usize, usize)> {
    let code = line.trim_ascii_start();
    let options = code.strip_prefix(b"read -")?;
    let has_prompt = options.split(u8::is_ascii_whitespace).take(3).any(|word| {
        let letters = word.strip_prefix(b"-").unwrap_or(word);
        letters.len() <= 4 && letters.contains(&b'p') && letters.iter().all(u8::is_ascii_alphabetic)
    });
    let is_piped = code.contains_str("<");
    let offset = line.len() - code.len();
    (has_prompt && !is_piped).then(|| (offset, offset + "read".len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits_at(is_python: bool, text: &str) -> Option<String> {
        parse(FileId(0), is_python, text.as_bytes()).waits.map(|place| text[place.range()].to_owned())
    }

    #[test]
    fn finds_commands_that_wait() {
        for (is_python, text, expected) in [
            (false, "#!/bin/sh\nread -p 'Name: ' n\n", Some("read")),
            (false, "  read -rp \"Name\" n\n", Some("read")),
            (false, "read -r -p 'Name' n\n", Some("read")),
            (false, "while read -r line; do\n", None),
            (false, "read -r line\n# read -p x\n", None),
            (false, "read -p x n < file\n", None),
            (false, "[ -t 0 ] && true\nread -p x n\n", None),
            (true, "name = input('Name: ')\n", Some("input(")),
            (true, "if x:\n    input(\"Press a key\")\n", Some("input(")),
            (true, "def input(x):\n    self.input(y)\n", None),
            (true, "\"\"\"\nx = input(1)\n\"\"\"\n", None),
            (true, "import sys\nif sys.stdin.isatty():\n    x = input()\n", None),
        ] {
            assert_eq!(waits_at(is_python, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn reads_shebangs() {
        for (text, expected) in [
            ("#!/bin/sh\n", Shebang::Present),
            ("#!/bin/sh", Shebang::Present),
            ("#!/bin/sh\r\ntrue\r\n", Shebang::CarriageReturn),
            ("true\n#!/bin/sh\n", Shebang::Missing),
            ("", Shebang::Missing),
        ] {
            assert_eq!(parse(FileId(0), false, text.as_bytes()).shebang, expected, "{text:?}");
        }
    }
}
