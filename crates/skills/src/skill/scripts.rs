//! Scripts that the texts of a skill run.

use std::cell::LazyCell;
use std::collections::HashMap;

use bstr::ByteSlice;

use super::Marks;
use super::body::conflicts;
use skilltree_front_matter::text::{self, FileId, Place};

/// A script that a text of the skill runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its file.
    pub file: FileId,
    /// Its bytes.
    pub bytes: u32,
    /// Its first line, if that names an interpreter.
    pub shebang: Shebang,
    /// Whether a shell runs it, by its extension, or without one by its first line.
    pub is_shell: bool,
    /// The first command that waits for input.
    pub waits: Option<Place>,
    /// Git conflict markers that begin a conflict, outside of heredocs and texts of several lines.
    pub conflicts: Marks<()>,
}

/// The first line of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shebang {
    /// It names no interpreter.
    Missing,
    /// It names an interpreter, or the file is a program that needs none.
    Present,
    /// It ends with CRLF, so that the name of the interpreter ends with a carriage return.
    CarriageReturn,
}

/// Language of a script, by the extension of its file, or without one by its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    /// Shell, or a language whose commands are not searched.
    Shell,
    /// Python.
    Python,
    /// JavaScript.
    JavaScript,
}

impl Language {
    /// Returns the language of a file.
    fn of(extension: Option<&[u8]>, first: &[u8]) -> Self {
        match extension {
            Some(b"py") => Self::Python,
            Some(b"js" | b"mjs" | b"cjs") => Self::JavaScript,
            None if first.starts_with(b"#!") && first.contains_str("python") => Self::Python,
            None if first.starts_with(b"#!") && first.contains_str("node") => Self::JavaScript,
            _ => Self::Shell,
        }
    }
}

/// Returns the extension of a file.
pub(crate) fn extension(path: &[u8]) -> Option<&[u8]> {
    text::file_name(path.as_bstr()).rsplit_once_str(".").map(|(_, extension)| extension)
}

/// Words of scripts that find out whether a terminal is there, or take the answer from an option.
const GUARDS: [&str; 7] = ["isatty", "isTTY", "interactive", "--no-input", "--yes", "[ -t", "[[ -t"];

/// Options that skip the prompt. Other programs have them too, so they count only where the script reads or documents them.
const OPTIONS: [&str; 2] = ["--auto", "--force"];

/// Maximum length of the rest of an option, in bytes.
const OPTION_BYTES: usize = 40;

/// Parses a script at a path.
pub(crate) fn parse(file: FileId, path: &[u8], bytes: &[u8]) -> Script {
    let first = bytes.split_str("\n").next().unwrap_or_default();
    let extension = extension(path);
    let language = Language::of(extension, first);
    let shebang = match first.starts_with(b"#!") {
        false if bytes.contains(&0) => Shebang::Present,
        false => Shebang::Missing,
        true if first.ends_with(b"\r") => Shebang::CarriageReturn,
        true => Shebang::Present,
    };
    let is_guarded = GUARDS.iter().any(|guard| bytes.contains_str(guard)) || has_option(bytes);
    let waits = if is_guarded { None } else { waits(language, bytes) };
    let waits = waits.map(|(start, end)| Place::new(file, start..end));
    let is_shell = match extension {
        Some(extension) => matches!(extension, b"sh" | b"bash" | b"zsh"),
        None => first.starts_with(b"#!") && first.trim_ascii_end().ends_with(b"sh"),
    };
    let conflicts = conflicts(file, language, bytes);
    Script { file, bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX), shebang, is_shell, waits, conflicts }
}

/// Returns the conflicts of a script.
fn conflicts(file: FileId, language: Language, bytes: &[u8]) -> Marks<()> {
    if !conflicts::may_be_in(bytes) {
        return Marks::default();
    }
    let code = code(language, bytes).filter(|line| line.is_code);
    let lines = code.filter_map(|line| Some((line.start, line.bytes.to_str().ok()?)));
    conflicts::of_lines(file, lines, |_, _| false)
}

/// Returns whether a script has an option of its own that skips the prompt: in a pattern of `case`, in quotes, after a
/// comparison, or in brackets as in a usage line.
fn has_option(bytes: &[u8]) -> bool {
    OPTIONS.iter().any(|option| {
        bytes.find_iter(option).any(|at| {
            let (before, after) = (&bytes[..at], &bytes[at + option.len()..]);
            let more = match *option {
                "--auto" if after.starts_with(b"-") => after,
                _ => b"",
            };
            let end = more
                .iter()
                .take(OPTION_BYTES)
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
                .count();
            let is_read = after.get(end).is_some_and(|next| b")|]\"'".contains(next));
            is_read || before.ends_with(b"= ") && after.get(end).is_none_or(u8::is_ascii_whitespace)
        })
    })
}

/// Returns the range of the first command that waits for input, outside comments, documentation strings and heredocs.
fn waits(language: Language, bytes: &[u8]) -> Option<(usize, usize)> {
    if language == Language::JavaScript && !bytes.contains_str("readline") && !bytes.contains_str("inquirer") {
        return None;
    }
    if language == Language::Python && bytes.lines().any(|line| line.starts_with(b"def input(")) {
        return None;
    }
    code(language, bytes).filter(|line| line.is_code).find_map(|line| {
        let (from, to) = match language {
            Language::Python => call_of_input(line.bytes),
            Language::JavaScript => call_of_question(line.bytes),
            Language::Shell => command_of_read(line.bytes),
        }?;
        Some((line.start + from, line.start + to))
    })
}

/// A line of a script.
struct Line<'t> {
    start: usize,
    bytes: &'t [u8],
    /// Whether it is outside comments, documentation strings and heredocs.
    is_code: bool,
}

/// Returns the lines of a script.
fn code(language: Language, bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let is_shell = language == Language::Shell;
    let mut next = 0;
    let mut is_text = false;
    // Offset of the last line with each text. Every line of a hostile script may look like the start of a heredoc.
    let last = LazyCell::new(|| {
        let lines = bytes.lines_with_terminator();
        let at = lines.scan(0, |at, line| Some((line.trim_ascii(), std::mem::replace(at, *at + line.len()))));
        at.collect::<HashMap<&[u8], usize>>()
    });
    let mut heredoc: Option<&[u8]> = None;
    bytes.lines_with_terminator().map(move |line| {
        let start = next;
        next += line.len();
        if let Some(end) = heredoc {
            heredoc = heredoc.filter(|_| line.trim_ascii() != end);
            return Line { start, bytes: line, is_code: false };
        }
        let code = line.trim_ascii_start();
        let quotes = match language {
            Language::JavaScript => line.find_iter("`").count(),
            _ => line.find_iter("\"\"\"").count() + line.find_iter("'''").count(),
        };
        let is_comment = match language {
            Language::JavaScript => code.starts_with(b"//") || code.starts_with(b"*") || code.starts_with(b"/*"),
            _ => code.starts_with(b"#"),
        };
        // A template literal in one line may be the question.
        let is_closed = quotes == 0 || language == Language::JavaScript && quotes % 2 == 0;
        let is_code = !is_text && is_closed && !is_comment;
        is_text ^= !is_shell && quotes % 2 == 1;
        // A shift looks the same, but has no end.
        let ends_later = |end: &&[u8]| last.get(end).is_some_and(|at| *at >= next);
        heredoc = if is_code && is_shell { heredoc_end(line).filter(ends_later) } else { None };
        Line { start, bytes: line, is_code }
    })
}

/// Returns the word that ends the heredoc that a line of a shell script starts.
fn heredoc_end(line: &[u8]) -> Option<&[u8]> {
    let (before, after) = line.split_once_str("<<")?;
    let word = after.strip_prefix(b"-").unwrap_or(after).trim_ascii_start();
    let word = word.strip_prefix(b"\\").unwrap_or(word).trim_start_with(|quote| matches!(quote, '"' | '\''));
    let length = word.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    // `<<<` is a here string.
    (length > 0 && !after.starts_with(b"<") && !before.ends_with(b"((")).then(|| &word[..length])
}

/// Finds `input(` of Python, as a statement or as a value.
fn call_of_input(line: &[u8]) -> Option<(usize, usize)> {
    let code = line.trim_ascii_start();
    let offset = line.len() - code.len();
    let value = code.find("= input(").map(|at| at + 2).or_else(|| code.starts_with(b"input(").then_some(0))?;
    Some((offset + value, offset + value + "input(".len()))
}

/// Finds a call of JavaScript that asks a question: of `readline`, `readline-sync` or `inquirer`.
fn call_of_question(line: &[u8]) -> Option<(usize, usize)> {
    let call = [".question(", "inquirer.prompt("].into_iter();
    call.filter_map(|call| line.find(call).map(|at| (at, at + call.len()))).min()
}

/// Finds `read -p` of a shell at the start of a command.
fn command_of_read(line: &[u8]) -> Option<(usize, usize)> {
    let code = line.trim_ascii_start();
    let options = code.strip_prefix(b"read -")?;
    let has_prompt = options.split(u8::is_ascii_whitespace).take(3).any(|word| {
        let letters = word.strip_prefix(b"-").unwrap_or(word);
        letters.len() <= 4 && letters.contains(&b'p') && letters.iter().all(u8::is_ascii_alphabetic)
    });
    let is_timeout = |word: &[u8]| {
        let letters =
            word.strip_prefix(b"-").map(|word| word.trim_end_with(|digit| digit.is_ascii_digit() || digit == '.'));
        letters.is_some_and(|letters| letters.ends_with(b"t") && letters.iter().all(u8::is_ascii_alphabetic))
    };
    let has_timeout = code.split(u8::is_ascii_whitespace).any(is_timeout);
    let is_piped = code.contains_str("<");
    let offset = line.len() - code.len();
    (has_prompt && !has_timeout && !is_piped).then(|| (offset, offset + "read".len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits_at(path: &str, text: &str) -> Option<String> {
        parse(FileId(0), path.as_bytes(), text.as_bytes()).waits.map(|place| text[place.range()].to_owned())
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
            (false, "read -t 10 -p x n\n", None),
            (false, "read -rt5 -p 'Go on?' n\n", None),
            (false, "read -p 'Go on?' -t 2.5 n || true\n", None),
            (false, "cat > x.sh <<'EOF'\nread -p x n\nEOF\n", None),
            (false, "cat <<-EOF | sh\n\tread -p x n\n\tEOF\nread -p y m\n", Some("read")),
            (false, "x=$((1 << n))\nread -p x n\n", Some("read")),
            (false, "cat <<< EOF\nread -p x n\nEOF\n", Some("read")),
            (false, "case $1 in --force) f=1;; esac\nread -p x n\n", None),
            (false, "if [ \"$1\" = --auto ]; then\n:\nfi\nread -p x n\n", None),
            (false, "echo 'Usage: x [--auto-approve]'\nread -p x n\n", None),
            (false, "git push --force\nread -p x n\n", Some("read")),
            (false, "git rebase '--autostash'\nread -p x n\n", Some("read")),
            (true, "p.add_argument('--force')\nx = input()\n", None),
            (true, "def input(x):\n    return x\ny = input(1)\n", None),
            (true, "class A:\n    def input(x):\n        y = input(1)\n", Some("input(")),
            (true, "name = input('Name: ')\n", Some("input(")),
            (true, "if x:\n    input(\"Press a key\")\n", Some("input(")),
            (true, "def input(x):\n    self.input(y)\n", None),
            (true, "\"\"\"\nx = input(1)\n\"\"\"\n", None),
            (true, "import sys\nif sys.stdin.isatty():\n    x = input()\n", None),
        ] {
            let path = if is_python { "a.py" } else { "a.sh" };
            assert_eq!(waits_at(path, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn finds_questions_of_javascript() {
        let interface = "const rl = require('readline').createInterface({ input: process.stdin });\n";
        for (text, expected) in [
            ("rl.question('Name: ', answer => use(answer));\n", Some(".question(")),
            ("const name = await rl.question(`Name of ${x}: `);\n", Some(".question(")),
            ("// rl.question('Name: ')\n", None),
            ("const usage = `\nrl.question('Name: ')\n`;\n", None),
            ("if (process.stdin.isTTY) rl.question('Name: ', use);\n", None),
            ("rl.on('line', use);\n", None),
        ] {
            let text = format!("{interface}{text}");
            assert_eq!(waits_at("a.mjs", &text).as_deref(), expected, "{text}");
        }
        assert_eq!(waits_at("a.js", "survey.question('Name')\n"), None);
    }

    #[test]
    fn first_line_is_the_language_of_a_script_without_an_extension() {
        for (first, wait) in [("", "read -p 'x' n"), ("#!/usr/bin/env python3", "x = input()")] {
            let text = format!("{first}\n{wait}\n");
            assert!(waits_at("bin.d/a", &text).is_some(), "{text}");
            assert_eq!(waits_at("a.rb", &text).is_some(), first.is_empty(), "{text}");
        }
        let parse = |path: &str, text: &[u8]| parse(FileId(0), path.as_bytes(), text);
        assert!(parse("a", b"#!/bin/bash\r\n").is_shell && !parse("a", b"#!/usr/bin/env python3\n").is_shell);
        assert_eq!(parse("a", b"\x7fELF\0").shebang, Shebang::Present);
    }

    #[test]
    fn finds_conflicts_in_code() {
        let conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n";
        let count = |path: &str, text: &str| parse(FileId(0), path.as_bytes(), text.as_bytes()).conflicts.count;
        assert_eq!(count("a.sh", &format!("#!/bin/sh\n{conflict}")), 1);
        assert_eq!(count("a.py", &format!("import os\r\n{}", conflict.replace('\n', "\r\n"))), 1);
        assert_eq!(count("a.sh", &format!("cat <<EOF\n{conflict}EOF\n")), 0);
        assert_eq!(count("a.py", &format!("x = \"\"\"\n{conflict}\"\"\"\n")), 0);
    }

    #[test]
    fn reads_hostile_scripts_in_linear_time() {
        let heredocs: String = (0..100_000).map(|number| format!("<<a{number}\n")).collect();
        for text in [heredocs, "--auto-".repeat(100_000), "read -p <<".repeat(100_000)] {
            waits_at("a.sh", &text);
            waits_at("a.py", &text);
            waits_at("a.js", &format!("readline{text}"));
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
            assert_eq!(parse(FileId(0), b"a.sh", text.as_bytes()).shebang, expected, "{text:?}");
        }
    }
}
