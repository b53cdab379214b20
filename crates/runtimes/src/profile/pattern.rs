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

impl Pattern {
    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the words of an expression that is a choice between whole words: `\A(?:bash|zsh)\z`. Empty for any other.
    pub fn words(&self) -> Vec<&str> {
        let inside = self.source.strip_prefix("(?i)").unwrap_or(&self.source);
        let inside = inside.strip_prefix(r"\A(?:").and_then(|rest| rest.strip_suffix(r")\z")).unwrap_or_default();
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
