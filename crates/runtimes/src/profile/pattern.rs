//! Regular expression of a profile, compiled on first use, because most runs use few profiles.

use std::sync::{Arc, OnceLock};

use regex::Regex;
use serde::Deserialize;

/// Regular expression in the syntax of the `regex` crate, which matches in linear time. Clones share the compiled form.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct Pattern {
    source: String,
    compiled: Arc<OnceLock<Option<Regex>>>,
}

/// Size limit of a compiled expression in bytes (ours: 1 MiB; the crate's default is 10 MiB), because a repository may
/// bring its own.
const COMPILED_BYTES: usize = 1 << 20;

/// Expressions that match every plain name: compiling those of Unicode takes a sixth of the start of a check.
const NAMES: [&str; 10] = [
    r"^[a-z0-9]+(?:-[a-z0-9]+)*$",
    r"^[a-z0-9-]+$",
    r"^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$",
    r"^[a-zA-Z0-9][a-zA-Z0-9._:\-]*$",
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^[^/]*$",
    r"^[\p{L}\p{N}--[\p{Lu}\p{Lt}]]+(-[\p{L}\p{N}--[\p{Lu}\p{Lt}]]+)*$",
    r"\A[a-z0-9]+(?:-[a-z0-9]+)*\z",
    r"\A[a-z0-9]+(-[a-z0-9]+)*\z",
    r"\A[a-z0-9]+(-[a-z0-9]+)*\n?\z",
];

/// Expressions that match nothing in printable ASCII characters: compiling them takes a sixth of the start of a check, too.
const UNSEEN: [&str; 2] = [r"(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]", r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+"];

/// Returns whether a text is printable ASCII characters and spaces.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Returns whether a text is words of lowercase ASCII letters and digits, with one hyphen between two of them.
fn is_plain_name(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.split('-').all(is_word)
}

impl Pattern {
    /// Returns whether the expression matches a text. A malformed one matches none.
    pub fn is_match(&self, text: &str) -> bool {
        let is_one_of = |known: &[&str]| known.contains(&self.source.as_str());
        (is_one_of(&NAMES) && is_plain_name(text))
            || !(is_one_of(&UNSEEN) && is_printable(text)) && self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the words of an expression that is a choice between whole words: `\A(?:bash|zsh)\z`. After the words it may allow
    /// numbers, and around them white space. Empty for any other.
    pub fn words(&self) -> Vec<&str> {
        let inside = self.source.strip_prefix("(?i)").unwrap_or(&self.source);
        let inside = inside.strip_suffix(r"|\A[0-9]+\z").unwrap_or(inside);
        let starts = [r"\A(?:", r"^\s*(?:"].into_iter().zip([r")\z", r")\s*$"]);
        let inside = starts.filter_map(|(start, end)| inside.strip_prefix(start)?.strip_suffix(end)).next();
        let inside = inside.unwrap_or_default();
        let words: Vec<&str> = inside.split('|').collect();
        let is_word =
            |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if words.iter().all(is_word) { words } else { Vec::new() }
    }

    /// Returns the compiled expression; `None` if it is malformed.
    pub fn regex(&self) -> Option<&Regex> {
        let compile = || regex::RegexBuilder::new(&self.source).size_limit(COMPILED_BYTES).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

impl From<String> for Pattern {
    fn from(source: String) -> Self {
        Self { source, compiled: Arc::default() }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn expressions_of_names_match_plain_names() {
        let names = ["a", "0", "pdf", "pdf-tools", "a-1-b", "x9", &"n".repeat(300)];
        for source in NAMES {
            let regex = Regex::new(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            for name in names {
                assert!(is_plain_name(name) && regex.is_match(name), "{source} and {name}");
            }
        }
        assert!(["", "-a", "a-", "a--b", "A", "é", "a b", "a\n"].iter().all(|text| !is_plain_name(text)));
    }

    #[test]
    fn unseen_expressions_match_nothing_printable() {
        let printable: String = (' '..='~').collect();
        assert!(is_printable(&printable) && ["\n", "\u{7f}", "\u{9b}", "é"].iter().all(|text| !is_printable(text)));
        for source in UNSEEN {
            let regex = Regex::new(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert!(!regex.is_match(&printable), "{source}");
        }
    }

    #[test]
    fn knows_the_words_of_a_choice() {
        let words = |source: &str| Pattern::from(source.to_owned()).words().join(" ");
        for choice in [r"\A(?:a|b-2)\z", r"(?i)\A(?:a|b-2)\z", r"^\s*(?:a|b-2)\s*$", r"\A(?:a|b-2)\z|\A[0-9]+\z"] {
            assert_eq!(words(choice), "a b-2");
        }
        assert_eq!((words(r"\A(?:a|b.)\z"), words(r"\A[a-z]+\z")), (String::new(), String::new()));
    }

    #[test]
    fn a_profile_has_each_expression_of_names() {
        let profiles = Profiles::default();
        let mut all: Vec<_> = profiles.ids().filter_map(|id| profiles.find(id).cloned()).collect();
        let used: Vec<String> =
            all.iter_mut().flat_map(|profile| profile.patterns()).map(|it| it.source.clone()).collect();
        let unused: Vec<&str> =
            NAMES.into_iter().chain(UNSEEN).filter(|source| !used.iter().any(|used| used == source)).collect();
        assert_eq!(unused, [""; 0]);
    }
}
