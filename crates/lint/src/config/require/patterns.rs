//! Regular expressions of the configuration. The crate matches in linear time; size limits keep each step cheap.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::plain;
use crate::config::faults::Faults;
use crate::config::table::At;
use skilltree_front_matter::text::grouped;
use skilltree_skills::queries::Pattern;
use skilltree_skills::queries::words::{self, Words};

/// Maximum length of a pattern in bytes.
const PATTERN_BYTES: usize = 1_000;

/// Maximum size of a compiled pattern in bytes (the default of the crate is 10 MiB).
const PROGRAM_BYTES: usize = 256 << 10;

/// Maximum size of the cache of a pattern in bytes.
const CACHE_BYTES: usize = 1 << 20;

/// A text in which a pattern without a character of its own, such as `\b`, matches nothing between two characters.
const SAMPLE: &str = "a b\n";

/// Compiles a pattern for the text of a skill. One that matches the empty text finds something everywhere.
pub(in crate::config) fn of_text(text: &At<&str>, faults: &mut Faults) -> Option<Pattern> {
    let pattern = of_value(text, faults)?;
    if ["", SAMPLE].iter().any(|text| pattern.0.find_iter(text).any(|found| found.is_empty())) {
        let message = "the pattern matches the empty text, so it matches everywhere";
        faults.invalid(
            text.range.clone(),
            message,
            "require at least one character, for example with `+` in place of `*`",
        );
        return None;
    }
    Some(pattern)
}

/// Compiles a pattern for a value.
pub(super) fn of_value(text: &At<&str>, faults: &mut Faults) -> Option<Pattern> {
    if text.value.is_empty() {
        faults.invalid(text.range.clone(), "the pattern is empty", "write a regular expression");
        return None;
    }
    if text.value.len() > PATTERN_BYTES {
        let message =
            format!("the pattern has {} bytes; the limit is {}", grouped(text.value.len()), grouped(PATTERN_BYTES));
        faults.invalid(text.range.clone(), message, "shorten it");
        return None;
    }
    plain(text, "pattern", faults)?;
    if !faults.counts(&text.range) {
        return None;
    }
    compiled(text.value, &text.range, faults)
}

/// Compiles words that must not appear.
pub(super) fn of_words(written: Vec<String>, range: &Range<usize>, faults: &mut Faults) -> Option<Words> {
    if written.is_empty() || !faults.counts(range) {
        return None;
    }
    let pattern = compiled(&words::pattern(&written), range, faults)?;
    Some(Words::new(written, pattern.0))
}

fn compiled(pattern: &str, range: &Range<usize>, faults: &mut Faults) -> Option<Pattern> {
    // A line ends before CRLF, too.
    let mut builder = RegexBuilder::new(pattern);
    let built: Result<Regex, regex::Error> =
        builder.crlf(true).size_limit(PROGRAM_BYTES).dfa_size_limit(CACHE_BYTES).build();
    let (message, help) = match built {
        Ok(regex) => return Some(Pattern(regex)),
        Err(regex::Error::CompiledTooBig(_)) => {
            let limit = PROGRAM_BYTES >> 10;
            let message = format!("the pattern needs more than {limit} KiB of memory");
            (message, "shorten it: write fewer or smaller repetitions")
        }
        Err(error) => {
            let text = error.to_string();
            let cause = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            (format!("the pattern is not a regular expression: {cause}"), "use the syntax of the Rust crate `regex`")
        }
    };
    faults.invalid(range.clone(), message, help);
    None
}
