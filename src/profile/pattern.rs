//! A regular expression of a profile: compiled when it is first asked for, because most runs ask for few profiles.

use std::sync::{Arc, OnceLock};

use regex::Regex;
use serde::Deserialize;

/// A regular expression in the syntax of the `regex` crate, which takes time linear in the text whatever is written.
/// Clones share what is compiled.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct Pattern {
    source: String,
    compiled: Arc<OnceLock<Option<Regex>>>,
}

/// The size of a compiled expression: a repository may bring its own, and nobody needs more (the crate's default: 10 MiB).
const COMPILED_BYTES: usize = 1 << 20;

impl Pattern {
    /// The expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The expression, ready to be used; `None` when it is malformed.
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
