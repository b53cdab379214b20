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
