//! What a rule of the repository requires, as text for `explain`, SARIF and the summary.

use super::{Conditions, FileCondition, KeyCondition};
use skilltree_front_matter::text::{grouped, joined, shortened};
use skilltree_skills::markdown;

/// Maximum length of a summary, in code points.
const SUMMARY_CHARS: usize = 200;

/// Maximum number of words of a list that are named.
const NAMED: usize = 10;

/// Returns each condition as a fact about a good skill.
pub(super) fn conditions(conditions: &Conditions) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(condition) = &conditions.key {
        facts.extend(key(condition));
    }
    if !conditions.allowed_keys.is_empty() {
        facts.push(format!("has no other key than {}", named(&conditions.allowed_keys)));
    }
    let query = &conditions.query;
    if !query.headings.is_empty() {
        facts.push(format!("has the headings {}", named(&query.headings)));
    }
    let within = |article| query.texts.as_ref().map(|files| format!(" in {article} file {}", code(&files.pattern)));
    let text = |verb, pattern: &skilltree_skills::queries::Pattern, article| {
        format!("{verb} {}{}", code(pattern.0.as_str()), within(article).unwrap_or_default())
    };
    facts.extend(query.required.as_ref().map(|pattern| text("matches", pattern, "a")));
    facts.extend(query.forbidden.as_ref().map(|pattern| text("does not match", pattern, "any")));
    facts.extend(query.words.as_ref().map(|words| {
        let noun = if words.written.len() == 1 { "does not have the word" } else { "has none of the words" };
        format!("{noun} {}{}", named(&words.written), within("any").unwrap_or_default())
    }));
    if let (Some(files), Some(condition)) = (&query.files, &conditions.file) {
        facts.extend(file(&files.pattern, condition));
    }
    facts
}

fn key(condition: &KeyCondition) -> Vec<String> {
    let name = code(&condition.name);
    let mut facts = Vec::new();
    let mut add = |fact: String| facts.push(fact);
    if condition.required {
        add(format!("has the key {name}"));
    }
    if condition.forbidden {
        add(format!("does not have the key {name}"));
    }
    if let Some(kind) = condition.kind {
        add(format!("has {} in {name}", kind.described()));
    }
    if !condition.values.is_empty() {
        add(format!("has one of {} in {name}", named(&condition.values)));
    }
    if let Some(pattern) = &condition.pattern {
        add(format!("matches {} in {name}", code(pattern.0.as_str())));
    }
    if let Some(least) = condition.min_length {
        add(format!("has a length of at least {} in {name}", grouped(least)));
    }
    if let Some(most) = condition.max_length {
        add(format!("has a length of at most {} in {name}", grouped(most)));
    }
    facts
}

fn file(pattern: &str, condition: &FileCondition) -> Vec<String> {
    let pattern = code(pattern);
    let mut facts = Vec::new();
    if condition.required {
        facts.push(format!("has a file {pattern}"));
    }
    if condition.forbidden {
        facts.push(format!("has no file {pattern}"));
    }
    if let Some(most) = condition.max_bytes {
        facts.push(format!("has at most {} bytes in each file {pattern}", grouped(most)));
    }
    facts
}

/// Returns the summary of a rule without a message.
pub(super) fn summary(facts: &[String]) -> String {
    let fact = facts.first().map_or("", String::as_str);
    shortened(&format!("a skill {fact}"), SUMMARY_CHARS).into_owned()
}

/// Returns the page of a rule.
pub(super) fn page(id: &str, summary: &str, facts: &[String], help: Option<&str>) -> String {
    let prose = |text: &str| markdown::prose(text, markdown::code);
    let summary = {
        let mut characters = summary.chars();
        let first = characters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    };
    let mut page = format!("# {id}\n\n{}.\n\nA skill that meets this rule of the repository:\n\n", prose(&summary));
    for fact in facts {
        page.push_str(&format!("- {fact}\n"));
    }
    if let Some(help) = help {
        page.push_str(&format!("\n## Fix\n\n{}\n", prose(help)));
    }
    page
}

fn named(words: &[String]) -> String {
    let mut shown: Vec<String> = words.iter().take(NAMED).map(|word| code(word)).collect();
    if words.len() > NAMED {
        shown.push(format!("{} more", words.len() - NAMED));
    }
    joined(&shown)
}

fn code(text: &str) -> String {
    markdown::code(text)
}
