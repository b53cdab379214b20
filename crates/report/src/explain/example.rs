//! Examples on a rule's page, read as small repositories. A fence is a file, and its info string is `LANGUAGE PATH
//! WORD…`. A path with spaces or unusual characters is double-quoted and escaped. The words:
//!
//! - `escaped`: the text contains the escapes `\u{..}`, `\xNN`, `\r`, `\n`, `\t`, `\0` and `\\`, and a trailing
//!   backslash removes the last line ending;
//! - `repeat=N`: the last line is repeated to N lines;
//! - `executable`, `link` (the content is the target), `submodule`, `directory`, `stage=2` (conflict stages),
//!   `untracked` and `ignored` (files of a working tree), `before` (the file in the base).

use bstr::BStr;

use super::files;
use super::sections::{Fence, Section};
use skilltree_lint::config::CommandLine;
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::lint::Report;
use skilltree_lint::memory::{self, Files};
use skilltree_lint::rule::{Defaults, Level, Rule};
use skilltree_skills::date;
use skilltree_skills::source::{Content, Entry, Source};

/// A section of a page: a small repository and its expected findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example<'a> {
    /// Texts and fences in order.
    pub parts: Vec<Part<'a>>,
    /// Files.
    pub files: Vec<Entry>,
    /// Files of the base.
    pub before: Vec<Entry>,
    /// The fence `text finding`: expected findings, one per line.
    pub findings: Option<&'a str>,
    /// The fence `text today`: the day of the check, in days since 1970-01-01.
    pub today: Option<i64>,
    /// Mistakes in the section.
    pub mistakes: Vec<String>,
}

/// A part of an example as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text in Markdown.
    Words(&'a str),
    /// A file: language, path, words after the path, and text.
    File {
        /// Language of the fence.
        language: &'a str,
        /// Path.
        path: &'a str,
        /// Words after the path.
        words: Vec<&'a str>,
        /// Text as written.
        text: &'a str,
    },
    /// Day of the check.
    Today(&'a str),
}

/// An example with its report.
pub struct Linted {
    /// Source, to read texts again.
    pub source: Source,
    /// Report on the example.
    pub report: Report,
}

impl<'a> Example<'a> {
    /// Reads a section of a page.
    pub fn new(section: &Section<'a>) -> Self {
        let mut example = Self::default();
        for piece in pieces(section.text) {
            example.take(piece);
        }
        if example.files.is_empty() {
            example.mistakes.push("no fence names a file".into());
        }
        example
    }

    fn take(&mut self, piece: Piece<'a>) {
        let (info, text) = match piece {
            Piece::Words(words) => return self.parts.push(Part::Words(words)),
            Piece::Fence { info, text } => (info, text),
        };
        match info.split_once(' ') {
            Some(("text", "finding")) => self.findings = Some(text),
            Some(("text", "today")) => {
                self.today = date::parse(text.trim());
                self.parts.push(Part::Today(text.trim()));
                if self.today.is_none() {
                    self.mistakes.push(format!("not a date: {text}"));
                }
            }
            Some((language, file)) => match path_and_words(file) {
                Some((path, words)) => {
                    match files::entry(path, file.starts_with('"'), &words, text) {
                        Ok(entry) if words.contains(&"before") => self.before.push(entry),
                        Ok(entry) => self.files.push(entry),
                        Err(mistake) => self.mistakes.push(mistake),
                    }
                    self.parts.push(Part::File { language, path, words, text });
                }
                None => self.mistakes.push(format!("no closing quote: `{file}`")),
            },
            None => self.mistakes.push(format!("a fence without a path: `{info}`")),
        }
    }

    /// Returns the bytes of a regular file.
    pub fn bytes(&self, path: &BStr) -> Option<&[u8]> {
        self.files.iter().filter(|entry| entry.path == path).find_map(|entry| match &entry.content {
            Content::File(bytes) | Content::Executable(bytes) | Content::Untracked(bytes) | Content::Ignored(bytes) => {
                Some(bytes.as_slice())
            }
            _ => None,
        })
    }

    /// Returns the bytes of a regular file, to be edited.
    pub fn bytes_mut(&mut self, path: &BStr) -> Option<&mut Vec<u8>> {
        self.files.iter_mut().filter(|entry| entry.path == path).find_map(|entry| match &mut entry.content {
            Content::File(bytes) | Content::Executable(bytes) | Content::Untracked(bytes) | Content::Ignored(bytes) => {
                Some(bytes)
            }
            _ => None,
        })
    }

    /// Lints the example under its own configuration. A rule that is off or in preview is enabled. `None` if the
    /// configuration is malformed.
    pub fn lint(&self, rule: &Rule) -> Option<Linted> {
        let memory::Linted { source, report, .. } = self.under(rule).lint().ok()?;
        Some(Linted { report, source })
    }

    /// Returns the files of the example, and the options that enable a rule that is off or in preview.
    pub fn under(&self, rule: &Rule) -> Files {
        let is_off = Defaults::default().level(rule) == Level::Off;
        let level = if rule.is_preview() { rule.usual_level() } else { Level::Warning };
        let rules = if is_off { vec![format!("{}={}", rule.id(), level.name())] } else { Vec::new() };
        Files {
            head: self.files.clone(),
            base: self.before.clone(),
            today: self.today,
            overrides: CommandLine { rules, ..CommandLine::default() },
        }
    }
}

impl Linted {
    /// Returns the excerpts of the report.
    pub fn excerpts(&self) -> Excerpts {
        Excerpts::new(&self.report, |files| self.source.bodies(files)).unwrap_or_default()
    }
}

/// A piece of a section.
enum Piece<'a> {
    Words(&'a str),
    Fence { info: &'a str, text: &'a str },
}

/// Splits a section into texts and fences. An unclosed fence extends to the end.
fn pieces(section: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut fence = Fence::default();
    let mut info: Option<&str> = None;
    let (mut from, mut offset) = (0, 0);
    for line in section.split_inclusive('\n') {
        let (was_open, start) = (fence.is_open(), offset);
        offset += line.len();
        fence.holds(line);
        match (was_open, fence.is_open()) {
            (false, true) => {
                pieces.push(Piece::Words(section[from..start].trim_matches('\n')));
                info = Some(line.trim_matches(['`', '\n']));
                from = offset;
            }
            (true, false) => {
                pieces.extend(info.take().map(|info| Piece::Fence { info, text: &section[from..start] }));
                from = offset;
            }
            _ => {}
        }
    }
    pieces.push(match info {
        Some(info) => Piece::Fence { info, text: &section[from..] },
        None => Piece::Words(section[from..].trim_matches('\n')),
    });
    pieces.retain(|piece| !matches!(piece, Piece::Words("")));
    pieces
}

/// Returns the path of an info string without quotes, and the words after it.
fn path_and_words(file: &str) -> Option<(&str, Vec<&str>)> {
    let (path, words) = match file.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => file.split_once(' ').unwrap_or((file, "")),
    };
    Some((path, words.split_whitespace().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(text: &str) -> Example<'_> {
        Example::new(&Section { heading: "Fires", text })
    }

    #[test]
    fn reads_each_fence_as_a_file() {
        let text = "Words.\n````markdown \"a\\u{9} b\" escaped executable\n```\\r\n\\xff\\u{feff}\\\n````\nMore.\n";
        let read = example(text);
        let content = Content::Executable(b"```\r\n\xff\xef\xbb\xbf".to_vec());
        assert_eq!(read.files, [Entry { path: "a\t b".into(), content }]);
        assert_eq!(read.mistakes, [""; 0]);
        assert!(matches!(read.parts[..], [Part::Words("Words."), Part::File { .. }, Part::Words("More.")]));
        let read =
            example("```text a repeat=3\nx\ny\n```\n```text b link\n../a\n```\n```text finding\na:1:1: b\n```\n");
        assert_eq!(read.files[0].content, Content::File(b"x\ny\ny\ny\n".to_vec()));
        assert_eq!(read.files[1].content, Content::Link("../a".into()));
        assert_eq!(read.findings, Some("a:1:1: b\n"));
    }

    #[test]
    fn reports_mistakes_in_examples() {
        for text in [
            "```text a sumbodule\n```",
            "```text a escaped\n\\q\n```",
            "```text \"a\n```",
            "```text\n```",
            "Words.",
            "```text a\n```\n```text today\nsoon\n```",
        ] {
            assert_ne!(example(text).mistakes, [""; 0], "{text}");
        }
    }
}
