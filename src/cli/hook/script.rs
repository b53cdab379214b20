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
    let program = text.lines().find_map(|line| line.strip_prefix("program=")).unwrap_or_default();
    let run = format!("\nexec \"$program\" hook run {} \"$@\"", name.as_str());
    let words = text.split_once(&run).map_or("", |(_, words)| words.strip_suffix('\n').unwrap_or(words));
    let templates = [(TEMPLATE, words), (FIRST_TEMPLATE, "")];
    let is_filled = |(template, words): &(&str, &str)| filled(template, name, program, words) == text;
    match templates.iter().any(is_filled) && unquoted(program).is_some_and(|words| words.len() == 1) && is_words(words)
    {
        true => Known::Written(words.to_owned()),
        false => Known::Edited,
    }
}

/// Returns whether a hook of another program or a person runs skilltree: a line that is no comment has the command.
pub(super) fn runs(name: HookName, bytes: &[u8]) -> bool {
    let command = format!("hook run {}", name.as_str());
    let is_run = |line: &[u8]| !line.trim_start().starts_with(b"#") && line.contains_str(&command);
    bytes.lines().any(|line| line.contains_str("skilltree") && is_run(line))
}

/// Returns whether [`words`] can write a text. Anything else was added by hand.
fn is_words(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(" -- ").is_some_and(|words| unquoted(words).is_some())
}

/// Returns words as they were before [`quoted`]; `None` if it did not write the text.
fn unquoted(text: &str) -> Option<Vec<String>> {
    let (mut rest, mut words) = (text, Vec::new());
    loop {
        rest = rest.strip_prefix('\'')?;
        let mut word = String::new();
        loop {
            let (part, after) = rest.split_once('\'')?;
            word.push_str(part);
            match after.strip_prefix(r"\''") {
                Some(after) => (word, rest) = (word + "'", after),
                None => {
                    rest = after;
                    break;
                }
            }
        }
        words.push(word);
        match rest.strip_prefix(' ') {
            Some(next) => rest = next,
            None => return rest.is_empty().then_some(words),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_what_it_writes() {
        let options = ["--fail-on", "it's", "a\nb", "", "'", "-- 'x'"].map(OsString::from);
        for name in HookName::ALL {
            for words in [String::new(), words(&options).unwrap_or_default(), words(&options[..1]).unwrap_or_default()]
            {
                let text = script(name, &words);
                assert_eq!(recognize(name, text.as_bytes()), Known::Written(words), "{text}");
            }
            let first = filled(FIRST_TEMPLATE, name, "'/usr/bin/it'\\''s'", "");
            assert_eq!(recognize(name, first.as_bytes()), Known::Written(String::new()));
        }
        assert_eq!(unquoted("'a'\\''b' ''"), Some(vec!["a'b".to_owned(), String::new()]));
    }

    #[test]
    fn recognizes_every_edit() {
        for name in HookName::ALL {
            for words in ["", " -- '--fail-on' 'warning'"] {
                let text = script(name, words);
                let run = format!("hook run {} \"$@\"", name.as_str());
                let edits = [
                    format!("{text}my-check || exit 1\n"),
                    format!("{text}my-check"),
                    format!("{text}# A comment.\n"),
                    format!("{text}\n"),
                    text.trim_end().to_owned(),
                    text.replacen('\n', "\nmy-check\n", 1),
                    text.replace("exec ", "my-check\nexec "),
                    text.replace("exec ", ""),
                    text.replace(&run, &format!("{run} --all")),
                    text.replace(&run, &format!("{run} -- --all")),
                    text.replace(&run, &format!("{run} -- '--all'; my-check")),
                    text.replace(&run, &format!("{run} -- '--all'\nmy-check")),
                    text.replace(&run, &format!("{run} # A comment.")),
                    text.replace("program='", "program='x'; my-check '"),
                    text.replace("program='", "program=$HOME'"),
                    text.replace('\n', "\r\n"),
                ];
                for edited in edits {
                    assert_eq!(recognize(name, edited.as_bytes()), Known::Edited, "{edited}");
                }
            }
        }
    }
}
