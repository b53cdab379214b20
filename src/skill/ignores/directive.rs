//! What a comment says to skilltree: `skilltree: ignore[RULE, RULE] until=YYYY-MM-DD REASON`.

use std::ops::Range;

use super::Flaw;
use crate::date;
use crate::text::shortened;

/// What every such comment begins with.
pub(super) const MARK: &str = "skilltree:";

/// Code points of a reason that are kept: it is shown in one line.
const REASON_CHARS: usize = 500;
/// Code points of a word that a message quotes.
const WORD_CHARS: usize = 40;

/// An ignore as it is written. Ranges are of the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// What stands between the brackets.
    pub(super) brackets: Range<usize>,
    /// The rules named there.
    pub(super) rules: Vec<Range<usize>>,
    /// The last day on which it holds, as days since 1970-01-01.
    pub(super) until: Option<i64>,
    /// Why; empty when nothing is said.
    pub(super) reason: String,
    /// Why it means nothing.
    pub(super) flaw: Option<Flaw>,
}

/// Reads the text of a comment without its marks; `None` when it says nothing to skilltree.
pub(super) fn parse(text: &str) -> Option<Directive> {
    let said = text.trim_start().strip_prefix(MARK)?.trim_start();
    let flawed = |flaw| Some(Directive { flaw: Some(flaw), ..Directive::default() });
    let Some(behind) = said.strip_prefix("ignore").filter(|behind| !behind.starts_with(char::is_alphanumeric)) else {
        let word = said.split([' ', '\t', '[', '\n', '\r']).next().unwrap_or_default();
        return flawed(Flaw::UnknownWord(shortened(word, WORD_CHARS).into_owned()));
    };
    let Some((inside, rest)) = behind.strip_prefix('[').and_then(|behind| behind.split_once(']')) else {
        return flawed(Flaw::NoBrackets);
    };
    let start = offset(text, inside);
    let named = inside.split(',').map(str::trim).filter(|rule| !rule.is_empty());
    let rules: Vec<_> = named.map(|rule| offset(text, rule)..offset(text, rule) + rule.len()).collect();
    let mut directive = Directive { brackets: start..start + inside.len(), rules, ..Directive::default() };
    if directive.rules.is_empty() {
        directive.flaw = Some(Flaw::NoRule);
    }
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    if let Some(position) = words.iter().position(|word| word.starts_with("until=")) {
        let day = words.remove(position).trim_start_matches("until=");
        directive.until = date::parse(day);
        if directive.until.is_none() {
            directive.flaw = Some(Flaw::NoDate(shortened(day, WORD_CHARS).into_owned()));
        }
    }
    let reason = words.join(" ");
    let reason = reason.trim_start_matches([':', '-', '–', '—', ' ']);
    directive.reason = shortened(reason, REASON_CHARS).into_owned();
    Some(directive)
}

/// What stands behind the brackets of such a comment, its reason among it; `None` when the text is no ignore.
pub(in crate::skill) fn behind_brackets(text: &str) -> Option<&str> {
    let said = text.trim_start().strip_prefix(MARK)?.trim_start();
    said.strip_prefix("ignore[")?.split_once(']').map(|(_, behind)| behind)
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules, the day and the reason, or the flaw.
    fn said(text: &str) -> String {
        let Some(directive) = parse(text) else { return "nothing".into() };
        if let Some(flaw) = directive.flaw {
            return format!("{flaw:?}");
        }
        let rules: Vec<&str> = directive.rules.iter().map(|rule| &text[rule.clone()]).collect();
        let until = directive.until.map(date::written).unwrap_or_default();
        format!("{}|{until}|{}", rules.join(" "), directive.reason)
    }

    #[test]
    fn a_directive_names_rules_and_says_why() {
        let cases = [
            (" skilltree: ignore[empty-body] filled in on install", "empty-body||filled in on install"),
            ("skilltree:ignore[a,b , c]", "a b c||"),
            ("skilltree: ignore[a] until=2027-01-01 see the tracker", "a|2027-01-01|see the tracker"),
            ("skilltree: ignore[a] -- vendored, until=2027-01-01", "a|2027-01-01|vendored,"),
            ("\n  skilltree: ignore[a]: one\n  two ", "a||one two"),
            ("skilltree: ignore[a] [b] c", "a||[b] c"),
            ("skilltree: ignore[] r", "NoRule"),
            ("skilltree: ignore[ , ] r", "NoRule"),
            ("skilltree: ignore", "NoBrackets"),
            ("skilltree: ignore empty-body", "NoBrackets"),
            ("skilltree: ignore[empty-body", "NoBrackets"),
            ("skilltree: ignore[a] until=soon", "NoDate(\"soon\")"),
            ("skilltree: ignore[a] until=2027-02-29 r", "NoDate(\"2027-02-29\")"),
            ("skilltree: disable[a] r", "UnknownWord(\"disable\")"),
            ("skilltree: ignored[a] r", "UnknownWord(\"ignored\")"),
            ("skilltree:", "UnknownWord(\"\")"),
            ("about skilltree: ignore[a]", "nothing"),
            ("noqa", "nothing"),
        ];
        for (text, expected) in cases {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
