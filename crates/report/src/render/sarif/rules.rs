//! The SARIF driver and its rules. All rules are listed, even without findings, so that GitHub can explain and close
//! alerts.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_sarif::sarif;

use super::help;
use crate::render::rule_url;
use skilltree_lint::rule::{Group, Level, Rule, RuleRef};

/// Maximum length of a description that GitHub accepts, in code points.
const DESCRIPTION_CHARS: usize = 1_024;

/// Converts the tool and its rules.
pub(super) fn tool(rules: &[RuleRef]) -> sarif::Tool {
    let driver = sarif::ToolComponent::builder()
        .name("skilltree")
        .full_name(concat!("skilltree ", env!("CARGO_PKG_VERSION")))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .information_uri(env!("CARGO_PKG_REPOSITORY"))
        .rules(rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>())
        .build();
    sarif::Tool::builder().driver(driver).build()
}

fn descriptor(rule: &Rule) -> sarif::ReportingDescriptor {
    let (summary, why, url) = (sentence(rule.summary()), sentence(rule.why), rule_url(rule));
    let plain = |text: String| sarif::MultiformatMessageString::builder().text(text).build();
    let help = sarif::MultiformatMessageString::builder()
        .text(format!("{summary} {why} See {url} for examples and settings."))
        .markdown(help::markdown(rule))
        .build();
    sarif::ReportingDescriptor::builder()
        .id(rule.id())
        .name(pascal_case(rule.id()))
        .short_description(plain(summary.clone()))
        .full_description(plain(cut(format!("{summary} {why}"))))
        .help(help)
        .help_uri(url)
        .default_configuration(
            sarif::ReportingConfiguration::builder().level(Value::from(level(rule.usual_level()))).build(),
        )
        .properties(properties(rule))
        .build()
}

/// Returns the properties by which GitHub sorts and filters rules.
fn properties(rule: &Rule) -> sarif::PropertyBag {
    let severity = match rule.usual_level() {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note | Level::Off => "recommendation",
    };
    let mut properties = BTreeMap::from([
        ("precision".to_string(), Value::from(rule.precision.name())),
        ("problem.severity".to_string(), Value::from(severity)),
    ]);
    let mut tags = vec!["agent-skills".to_string(), rule.group.title().to_lowercase().replace(' ', "-")];
    if rule.group == Group::Security {
        // A severity score makes every alert of the rule a security alert, so only security rules have one.
        let score = match rule.usual_level() {
            Level::Error => "8.0",
            Level::Warning => "5.0",
            Level::Note | Level::Off => "3.0",
        };
        properties.insert("security-severity".into(), Value::from(score));
        tags.sort();
    }
    sarif::PropertyBag::builder().tags(tags).additional_properties(properties).build()
}

/// Returns the SARIF level.
pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Off => "none",
        other => other.name(),
    }
}

/// Converts `name-too-long` to `NameTooLong`.
fn pascal_case(id: &str) -> String {
    id.split(['-', '/']).map(capitalized).collect()
}

/// Formats a text as a sentence.
pub(super) fn sentence(words: &str) -> String {
    let words = words.trim();
    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
    capitalized(words) + stop
}

fn capitalized(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}

fn cut(text: String) -> String {
    match text.char_indices().nth(DESCRIPTION_CHARS) {
        Some(_) => text.chars().take(DESCRIPTION_CHARS - 2).chain("….".chars()).collect(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_ids_to_pascal_case() {
        assert_eq!(pascal_case("name-too-long"), "NameTooLong");
    }

    #[test]
    fn limits_descriptions_to_short_sentences() {
        assert_eq!(sentence("a name is longer than the limit"), "A name is longer than the limit.");
        assert_eq!(cut("a".repeat(1_025)).chars().count(), 1_024);
    }
}
