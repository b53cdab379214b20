//! The syntax of an ignore comment: `skilltree: ignore[RULE, RULE] until=YYYY-MM-DD REASON`.

use std::ops::Range;

use super::Flaw;
use crate::date;
use skilltree_front_matter::text::shortened;

/// The first word of every such comment. A colon follows it.
pub(super) const MARK: &str = "skilltree";

/// Commands of other linters that authors write after the first word and another character than a colon.
const COMMANDS: [&str; 3] = ["ignore", "disable", "noqa"];

/// Maximum code points of a reason: it is shown on one line.
const REASON_CHARS: usize = 500;
/// Maximum code points of a quoted word in a message.
const WORD_CHARS: usize = 40;

/// A parsed ignore. Ranges are relative to the text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// The text between the brackets.
    pub(super) brackets: Range<usize>,
    /// The rules named there.
    pub(super) rules: Vec<Range<usize>>,
    /// The last day on which it applies, as days since 1970-01-01.
    pub(super) until: Option<i64>,
    /// The reason; empty if none is given.
    pub(super) reason: String,
    /// Why it is invalid, if it is.
    pub(super) flaw: Option<Flaw>,
}

/// Parses the text of a comment without its delimiters; `None` if it is not addressed to skilltree.
pub(super) fn parse(text: &str) -> Option<Directive> {
    let flawed = |flaw| Some(Directive { flaw: Some(flaw), ..Directive::default() });
    let said = match said(text) {
        Some(said) => said,
        None if is_addressed(text) => return flawed(Flaw::NoColon),
        None => return None,
    };
    let Some(after) = said.strip_prefix("ignore").filter(|after| !after.starts_with(char::is_alphanumeric)) else {
        let word = said.split([' ', '\t', '[', '\n', '\r']).next().unwrap_or_default();
        return flawed(Flaw::UnknownWord(shortened(word, WORD_CHARS).into_owned()));
    };
    let Some((inside, rest)) = after.strip_prefix('[').and_then(|after| after.split_once(']')) else {
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

/// Returns whether a comment is meant for skilltree.
pub(super) fn is_addressed(text: &str) -> bool {
    let Some(after) = text.trim_start().strip_prefix(MARK) else { return false };
    let command = after.strip_prefix(['-', '_', ' ']).unwrap_or_default();
    let command = command.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    after.starts_with(':') || COMMANDS.contains(&command)
}

/// Returns the text after the mark and its colon.
fn said(text: &str) -> Option<&str> {
    Some(text.trim_start().strip_prefix(MARK)?.strip_prefix(':')?.trim_start())
}

/// Returns the text after the brackets, including the reason; `None` if the text is not an ignore.
pub(in crate::skill) fn after_brackets(text: &str) -> Option<&str> {
    said(text)?.strip_prefix("ignore[")?.split_once(']').map(|(_, after)| after)
}

/// Returns the offset of a subslice in its text.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the rules, the day and the reason, or the flaw.
    fn formatted(text: &str) -> String {
        let Some(directive) = parse(text) else { return "nothing".into() };
        if let Some(flaw) = directive.flaw {
            return format!("{flaw:?}");
        }
        let rules: Vec<&str> = directive.rules.iter().map(|rule| &text[rule.clone()]).collect();
        let until = directive.until.map(date::written).unwrap_or_default();
        format!("{}|{until}|{}", rules.join(" "), directive.reason)
    }

    #[test]
    fn parses_rules_dates_and_reasons() {
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
            ("skilltree-ignore: empty-body", "NoColon"),
            (" skilltree ignore[empty-body] r", "NoColon"),
            ("skilltree-disable", "NoColon"),
            ("skilltree ignores links", "nothing"),
            ("skilltree reads this file", "nothing"),
            ("noqa", "nothing"),
        ];
        for (text, expected) in cases {
            assert_eq!(formatted(text), expected, "{text}");
        }
    }
}
