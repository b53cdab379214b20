//! Transformations that runtimes apply to a text before they show it.

use std::borrow::Cow;

use crate::profile::fields::{FieldRule, Replaced, Whitespace};

/// Applies the runtime's whitespace, quote and character transformations to a value.
pub(super) fn transformed<'a>(text: Cow<'a, str>, rule: &FieldRule) -> Cow<'a, str> {
    let mut text = match rule.whitespace {
        Some(Whitespace::Kept) | None => text,
        Some(Whitespace::Trimmed) => part(text, str::trim),
        Some(Whitespace::FirstLine) => part(text, |text| text.lines().next().unwrap_or_default()),
        Some(Whitespace::Collapsed) => collapsed(text),
    };
    if !rule.stripped.is_empty() {
        text = part(text, |text| text.trim_matches(|character| rule.stripped.contains(character)));
    }
    if rule.lowercase {
        text = Cow::Owned(text.to_lowercase());
    }
    for Replaced { pattern, with } in &rule.replaced {
        if pattern.is_match(&text)
            && let Some(regex) = pattern.regex()
        {
            text = Cow::Owned(regex.replace_all(&text, with.as_str()).into_owned());
        }
    }
    text
}

/// Maps a text to a part of it, and borrows it if the text is borrowed.
fn part<'a>(text: Cow<'a, str>, of: impl Fn(&str) -> &str) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(of(text)),
        Cow::Owned(text) => Cow::Owned(of(&text).to_owned()),
    }
}

fn collapsed(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_odd = |character: char| character.is_whitespace() && character != ' ';
    let text = part(text, str::trim);
    if text.contains("  ") || text.contains(is_odd) {
        return Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    text
}

/// Returns the first paragraph of a body, without headings.
pub(super) fn first_paragraph(body: &str) -> String {
    let lines = body.lines().map(str::trim).skip_while(|line| line.is_empty() || line.starts_with('#'));
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the first line of a body that is not a heading.
pub(super) fn first_text_line(body: &str) -> &str {
    body.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

/// Returns the first line of a body, without the marks of a heading.
pub(super) fn first_line(body: &str) -> &str {
    let line = body.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let heading = line.trim_start_matches('#');
    // The pattern for a heading matches no CR.
    let is_heading = heading.starts_with(char::is_whitespace) && !line.contains('\r');
    if is_heading { heading.trim_start() } else { line }
}

/// Returns the first line of a body that is not a fence.
pub(super) fn first_line_as_written(body: &str) -> &str {
    body.lines().map(str::trim).find(|line| !matches!(*line, "" | "---")).unwrap_or_default()
}

/// Returns the first lines of a body without its headings, on one line.
pub(super) fn body_text(body: &str, most: usize) -> String {
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.take(most).collect::<Vec<_>>().join(" ")
}

/// Removes everything between angle brackets.
pub(super) fn without_tags(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let Some(close) = rest[open..].find('>') else { break };
        left.push_str(&rest[..open]);
        rest = &rest[open + close + 1..];
    }
    left.push_str(rest);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applies_whitespace_and_quote_rules() {
        let rule = |whitespace, stripped: &str| FieldRule {
            whitespace: Some(whitespace),
            stripped: stripped.to_owned(),
            ..FieldRule::default()
        };
        let shown = |text: &'static str, rule: &FieldRule| transformed(Cow::Borrowed(text), rule).into_owned();
        assert_eq!(shown(" a\n b ", &rule(Whitespace::Kept, "")), " a\n b ");
        assert_eq!(shown(" a\n b ", &rule(Whitespace::Trimmed, "")), "a\n b");
        assert_eq!(shown(" a\n b ", &rule(Whitespace::Collapsed, "")), "a b");
        assert_eq!(shown("a\nb", &rule(Whitespace::FirstLine, "")), "a");
        assert_eq!(shown(" \"a\" ", &rule(Whitespace::Trimmed, "'\"")), "a");
    }

    #[test]
    fn finds_first_paragraph_and_removes_tags() {
        assert_eq!(first_paragraph("\n# Title\n\nOne\ntwo.\n\nThree."), "One two.");
        assert_eq!(without_tags("Use <b>bold</b> if 1 < 2"), "Use bold if 1 < 2");
    }
}
