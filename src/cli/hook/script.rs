//! The file of an installed hook: written from a template, and recognized by it.

use std::ffi::OsString;
use std::path::Path;

use bstr::ByteSlice;

use crate::cli::args::HookName;
use crate::cli::environment;

const TEMPLATE: &str = include_str!("../templates/hook.sh");
/// The template of 0.1.0. An unchanged hook that it wrote is updated, too.
const FIRST_TEMPLATE: &str = include_str!("../templates/hook-0.1.0.sh");
/// The line that marks hooks written by skilltree.
const MARK: &str = "# Written by `skilltree hook install`";
/// Bytes in which the mark is.
const MARK_BYTES: usize = 1_024;

/// What a hook file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Another program or a person wrote it.
    Foreign,
    /// skilltree wrote it, and it was changed since.
    Edited,
    /// skilltree wrote it, with these words after `hook run NAME`, quoted for the shell.
    Written(String),
}

/// Returns the script of a hook. It runs this program, or if that is gone, the one in PATH. `words` are quoted for the shell.
pub(super) fn script(name: HookName, words: &str) -> String {
    let program = environment::program();
    let program = program.as_deref().unwrap_or(Path::new("skilltree")).display().to_string();
    filled(TEMPLATE, name, &quoted(&program), words)
}

/// Recognizes the text of a hook file.
pub(super) fn recognize(name: HookName, bytes: &[u8]) -> Known {
    if bytes[..bytes.len().min(MARK_BYTES)].find(MARK).is_none() {
        return Known::Foreign;
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Known::Edited };
    let program = text.lines().find_map(|line| line.strip_prefix("program='")?.strip_suffix('\''));
    let program = program.map(|program| format!("'{program}'")).unwrap_or_default();
    let run = format!("\nexec \"$program\" hook run {} \"$@\"", name.as_str());
    let words = text.split_once(&run).map_or("", |(_, words)| words.strip_suffix('\n').unwrap_or(words));
    let templates = [(TEMPLATE, words), (FIRST_TEMPLATE, "")];
    if templates.iter().any(|(template, words)| filled(template, name, &program, words) == text) {
        return Known::Written(words.to_owned());
    }
    Known::Edited
}

/// Quotes options of `check` for the shell, as the words after `hook run NAME`; `None` if one of them is not UTF-8.
pub(super) fn words(options: &[OsString]) -> Option<String> {
    let quoted: Option<Vec<String>> = options.iter().map(|option| Some(quoted(option.to_str()?))).collect();
    Some(format!(" -- {}", quoted?.join(" ")))
}

fn filled(template: &str, name: HookName, program: &str, words: &str) -> String {
    let (start, rest) = template.split_once("PROGRAM").unwrap_or_default();
    let (middle, end) = rest.split_once("NAME").unwrap_or_default();
    format!("{start}{program}{middle}{}{}", name.as_str(), end.replace("OPTIONS", words))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
