//! The fences of a rule's page as files. The info string of a fence is `LANGUAGE PATH WORD…`; a path with blanks or odd
//! characters stands in double quotes and is always escaped. The words:
//!
//! - `escaped`: `\u{..}`, `\xNN`, `\r`, `\n`, `\t`, `\0` and `\\` stand for what they say, and a backslash at the very
//!   end takes the last line's end away;
//! - `repeat=N`: the last line stands N times;
//! - `executable`, `link` (the content is the target), `submodule`, `directory`, `stage=2` (conflict stages).
#![allow(dead_code, reason = "each test file uses its own part")]

use bstr::{BStr, BString};
use skilltree::date;
use skilltree::rules::page::Fence;
use skilltree::source::{Content, Entry};

/// What the fences below one heading say.
#[derive(Debug, Default)]
pub(crate) struct Case {
    /// The files.
    pub(crate) files: Vec<Entry>,
    /// The fence `text finding`: what is found, a line each.
    pub(crate) findings: Option<String>,
    /// The fence `text today`: the day on which it is judged, as days since 1970-01-01.
    pub(crate) today: Option<i64>,
}

impl Case {
    /// Reads the fences of a section; text between them is for people.
    pub(crate) fn new(section: &str) -> Result<Self, String> {
        let mut case = Self::default();
        for (info, text) in fences(section) {
            match info.split_once(' ') {
                Some(("text", "finding")) => case.findings = Some(text),
                Some(("text", "today")) => {
                    case.today = Some(date::parse(text.trim()).ok_or(format!("no day: {text}"))?);
                }
                Some((_, file)) => case.files.push(entry(file, text)?),
                None => return Err(format!("a fence without a path: `{info}`")),
            }
        }
        if case.files.is_empty() { Err("no fence names a file".into()) } else { Ok(case) }
    }

    /// The bytes of a regular file.
    pub(crate) fn bytes(&self, path: &BStr) -> Option<&[u8]> {
        self.files.iter().filter(|entry| entry.path == path).find_map(|entry| match &entry.content {
            Content::File(bytes) | Content::Executable(bytes) => Some(bytes.as_slice()),
            _ => None,
        })
    }

    /// The bytes of a regular file, to be edited.
    pub(crate) fn bytes_mut(&mut self, path: &BStr) -> Option<&mut Vec<u8>> {
        self.files.iter_mut().filter(|entry| entry.path == path).find_map(|entry| match &mut entry.content {
            Content::File(bytes) | Content::Executable(bytes) => Some(bytes),
            _ => None,
        })
    }
}

/// The info strings and texts of the fences. A fence that is never closed holds the rest.
fn fences(section: &str) -> Vec<(String, String)> {
    let mut fences: Vec<(String, String)> = Vec::new();
    let mut fence = Fence::default();
    for line in section.split_inclusive('\n') {
        let was_open = fence.is_open();
        fence.holds(line);
        match fences.last_mut() {
            Some((_, text)) if was_open && fence.is_open() => text.push_str(line),
            _ if fence.is_open() => fences.push((line.trim_matches(['`', '\n']).to_owned(), String::new())),
            _ => {}
        }
    }
    fences
}

fn entry(file: &str, text: String) -> Result<Entry, String> {
    let (path, words) = match file.strip_prefix('"') {
        Some(quoted) => {
            let (path, words) = quoted.split_once('"').ok_or(format!("no closing quote: `{file}`"))?;
            (unescaped(path)?, words)
        }
        None => {
            let (path, words) = file.split_once(' ').unwrap_or((file, ""));
            (path.as_bytes().to_vec(), words)
        }
    };
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut bytes = if words.contains(&"escaped") { escaped_text(&text)? } else { text.clone().into_bytes() };
    let mut make: fn(Vec<u8>) -> Content = Content::File;
    for word in words {
        match word.split_once('=').unwrap_or((word, "")) {
            ("escaped", "") => {}
            ("repeat", times) => bytes = repeated(&bytes, times.parse().map_err(|_| format!("`{word}`: no number"))?),
            ("executable", "") => make = Content::Executable,
            ("link", "") => make = |target| Content::Link(BString::from(target.trim_ascii_end())),
            ("submodule", "") => make = |_| Content::Submodule,
            ("directory", "") => make = |_| Content::Directory,
            ("stage", _) => make = |_| Content::Unmerged,
            _ => return Err(format!("unknown word `{word}`; tests/pages/mod.rs lists them")),
        }
    }
    Ok(Entry { path: path.into(), content: make(bytes) })
}

fn repeated(bytes: &[u8], times: usize) -> Vec<u8> {
    let end = bytes.len().saturating_sub(1);
    let last = bytes[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    [&bytes[..last], &bytes[last..].repeat(times)].concat()
}

fn escaped_text(text: &str) -> Result<Vec<u8>, String> {
    let kept = match text.strip_suffix("\\\n") {
        Some(kept) if !kept.ends_with('\\') => kept,
        _ => text,
    };
    unescaped(kept)
}

fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let bad = || format!("unknown escape `\\{}`", escape.chars().take(8).collect::<String>());
        rest = escape.get(1..).ok_or_else(bad)?;
        match escape.as_bytes()[0] {
            b'r' => bytes.push(b'\r'),
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'0' => bytes.push(0),
            b'\\' => bytes.push(b'\\'),
            b'x' => {
                let digits = rest.get(..2).ok_or_else(bad)?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| bad())?);
                rest = &rest[2..];
            }
            b'u' => {
                let (digits, behind) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).ok_or_else(bad)?;
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(bad)?;
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = behind;
            }
            _ => return Err(bad()),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// What no page shows about its own reader.
pub(crate) fn check_reader() {
    let case = Case::new("Words.\n````markdown \"a\\u{9} b\" escaped executable\n```\\r\n\\xff\\u{feff}\\\n````\n")
        .expect("a case");
    let expected = Entry { path: "a\t b".into(), content: Content::Executable(b"```\r\n\xff\xef\xbb\xbf".to_vec()) };
    assert_eq!(case.files, [expected]);
    let case = Case::new("```text a repeat=3\nx\ny\n```\n```text b link\n../a\n```\n").expect("a case");
    assert_eq!(case.files[0].content, Content::File(b"x\ny\ny\ny\n".to_vec()));
    assert_eq!(case.files[1].content, Content::Link("../a".into()));
    assert!(Case::new("```text a sumbodule\n```").is_err());
    assert!(Case::new("```text a escaped\n\\q\n```").is_err());
}
