//! All rules, by chapter and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::{Explanation, Part, Shown};
use crate::render::{rule_url, write_pretty};
use skilltree_lint::rule::{Defaults, Group, RuleRef};
use skilltree_lint::rules;
use skilltree_runtimes::profile::Reported;

/// Name of the schema.
const SCHEMA: &str = "skilltree/rules/v1";

/// Returns the rules by chapter, in chapter order, then by id.
pub fn chapters() -> impl Iterator<Item = (&'static str, Vec<RuleRef>)> {
    let of =
        |group| rules::ALL.iter().copied().filter(|rule| rule.group == group).map(RuleRef::from).collect::<Vec<_>>();
    Group::TITLES.iter().map(move |&(group, title)| (title, of(group))).filter(|(_, rules)| !rules.is_empty())
}

#[derive(Serialize)]
struct RuleList<'a> {
    schema: &'static str,
    version: &'static str,
    edition: &'static str,
    rules: Vec<RuleEntry<'a>>,
}

#[derive(Serialize)]
struct RuleEntry<'a> {
    id: &'a str,
    chapter: &'static str,
    level: &'static str,
    since: Option<&'static str>,
    unusable: bool,
    edit: Option<&'static str>,
    summary: &'a str,
    why: &'a str,
    description: &'a str,
    details: &'a str,
    runtimes: Vec<Runtime<'a>>,
    examples: Vec<Example<'a>>,
    instead: Vec<Example<'a>>,
    more: Vec<More<'a>>,
    evidence: &'a str,
    url: String,
}

#[derive(Serialize)]
struct Runtime<'a> {
    profile: &'a str,
    title: &'a str,
    outcome: &'static str,
    reason: Option<&'a str>,
    reported: Option<&'static str>,
}

#[derive(Serialize)]
struct Example<'a> {
    title: &'a str,
    files: Vec<File<'a>>,
    findings: &'a [String],
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    language: &'a str,
    words: Vec<&'a str>,
    text: &'a str,
}

#[derive(Serialize)]
struct More<'a> {
    heading: &'a str,
    text: &'a str,
}

/// Writes explanations as JSON by schema/rules.json.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(explanations: &[Explanation<'_>], out: &mut dyn Write) -> io::Result<()> {
    let list = RuleList {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        edition: Defaults::default().edition.0,
        rules: explanations.iter().map(entry).collect(),
    };
    write_pretty(&list, out)
}

fn entry<'r>(explanation: &'r Explanation<'r>) -> RuleEntry<'r> {
    let rule = explanation.rule;
    let runtimes = explanation.losses.iter().map(|loss| Runtime {
        profile: &loss.profile,
        title: &loss.title,
        outcome: loss.outcome.word(),
        reason: loss.reason.as_deref(),
        reported: loss.reported.map(Reported::word),
    });
    RuleEntry {
        id: rule.id(),
        chapter: rule.group.title(),
        level: rule.usual_level().name(),
        since: (!rule.is_preview()).then_some(rule.since.0),
        unusable: rule.unusable,
        edit: match (explanation.offers.safe, explanation.offers.unsafe_edits) {
            (0, 0) => None,
            (_, 0) => Some("safe"),
            (0, _) => Some("unsafe"),
            (_, _) => Some("either"),
        },
        summary: rule.summary(),
        why: rule.why,
        description: explanation.lead,
        details: explanation.why,
        runtimes: runtimes.collect(),
        examples: explanation.fires.iter().map(example).collect(),
        instead: explanation.quiet.iter().map(example).collect(),
        more: explanation.more.iter().map(|more| More { heading: more.heading, text: more.text }).collect(),
        evidence: explanation.evidence,
        url: rule_url(rule),
    }
}

fn example<'r>(shown: &'r Shown<'r>) -> Example<'r> {
    let files = shown.parts.iter().filter_map(|part| match part {
        Part::File { language, path, words, text } => Some(File { path, language, words: words.clone(), text }),
        Part::Words(_) | Part::Today(_) => None,
    });
    Example { title: shown.title, files: files.collect(), findings: &shown.lines }
}
