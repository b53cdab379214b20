//! Answers to the queries of the repository's rules, found while the text is at hand.

use std::collections::BTreeSet;

use bstr::BStr;
use pulldown_cmark::Parser;

use super::headings::{Collector, OPTIONS};
use super::{Marks, Skill};
use crate::queries::{Queries, Query};
use skilltree_front_matter::text::{FileId, Place, shortened};

/// Maximum length of a match in a message, in code points.
const SHOWN: usize = 60;

/// Maximum size of a text that is searched (ours: 1 MiB, four times the default limit of a SKILL.md, which a repository can raise).
const TEXT_BYTES: usize = 1 << 20;

/// What one rule of the repository found in a file of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The number of the rule.
    pub query: usize,
    /// Forbidden text.
    pub forbidden: Marks<String>,
    /// Whether the required text is missing.
    pub lacks_text: bool,
    /// Required headings that are missing.
    pub lacks_headings: Vec<String>,
    /// Whether the text is longer than the limit, so that nothing was searched.
    pub is_too_long: bool,
}

/// Answers the queries about the text of a skill that was just parsed.
pub fn answer(skill: &mut Skill, bytes: &[u8], queries: &Queries) {
    if let Some(body) = &skill.body {
        let asked = queries.about_text().filter(|(_, query)| query.searches(None) || !query.headings.is_empty());
        skill.answers = find(skill.file, bytes, Some(body.start as usize), asked);
    }
}

/// Answers the queries about a reference file, whose path is from the directory of its skill.
pub(crate) fn answers_of_reference(file: FileId, path: &BStr, bytes: &[u8], queries: &Queries) -> Vec<Answer> {
    find(file, bytes, None, queries.about_text().filter(|(_, query)| query.searches(Some(path))))
}

/// Answers queries about a file: those about headings only if it has a body, which begins at an offset. A query without anything
/// to report has no answer.
fn find<'q>(
    file: FileId,
    bytes: &[u8],
    body: Option<usize>,
    queries: impl Iterator<Item = (usize, &'q Query)>,
) -> Vec<Answer> {
    if bytes.len() > TEXT_BYTES {
        return queries.map(|(query, _)| Answer { query, is_too_long: true, ..Answer::default() }).collect();
    }
    let mut queries = queries.peekable();
    if queries.peek().is_none() {
        return Vec::new();
    }
    let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut headings = None;
    let mut answers = Vec::new();
    for (number, query) in queries {
        let is_searched = body.is_none() || query.searches(None);
        let required = query.required.as_ref().filter(|_| is_searched);
        let answer = Answer {
            query: number,
            forbidden: if is_searched { forbidden(file, text, query) } else { Marks::default() },
            lacks_text: required.is_some_and(|pattern| !pattern.0.is_match(text)),
            lacks_headings: body
                .map(|start| missing(query, &mut headings, text.get(start..).unwrap_or_default()))
                .unwrap_or_default(),
            is_too_long: false,
        };
        if answer.forbidden.count > 0 || answer.lacks_text || !answer.lacks_headings.is_empty() {
            answers.push(answer);
        }
    }
    answers
}

/// Returns the forbidden patterns and words in a text.
fn forbidden(file: FileId, text: &str, query: &Query) -> Marks<String> {
    let mut marks = Marks::default();
    let patterns = query.forbidden.iter().flat_map(|pattern| pattern.0.find_iter(text).map(|found| found.range()));
    let words = query.words.iter().flat_map(|words| words.find_iter(text));
    for range in patterns.chain(words) {
        let found = &text[range.clone()];
        marks.push(shortened(found, SHOWN).into_owned(), Place::new(file, range), found);
    }
    marks
}

fn missing(query: &Query, known: &mut Option<BTreeSet<String>>, body: &str) -> Vec<String> {
    if query.headings.is_empty() {
        return Vec::new();
    }
    let known = known.get_or_insert_with(|| headings(body));
    query.headings.iter().filter(|heading| !known.contains(&compared(heading))).cloned().collect()
}

/// Returns the headings of a body, of any level, as they are compared.
fn headings(body: &str) -> BTreeSet<String> {
    let mut collector = Collector::default();
    let found = Parser::new_ext(body, OPTIONS).filter_map(|event| collector.read(&event));
    found.map(|heading| compared(&heading)).collect()
}

/// Returns a heading as it is compared: in lowercase, with single spaces, without a colon at the end.
fn compared(heading: &str) -> String {
    let words: Vec<&str> = heading.split_whitespace().collect();
    words.join(" ").trim_end_matches(':').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_headings_of_every_kind_outside_code() {
        let body = "# One\n\nTwo *b*\n=====\n\n### `c`  Three:\n\n```\n# no\n```\n\n    # no\n\n> ## Quoted\n\n<!-- # no -->\n#no\n";
        let known: Vec<String> = headings(body).into_iter().collect();
        assert_eq!(known, ["c three", "one", "quoted", "two b"]);
        assert_eq!(compared("  When   to Use: "), "when to use");
    }
}
