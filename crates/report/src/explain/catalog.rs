//! All rules, by chapter and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::{Explanation, Part, Shown};
use crate::render::{rule_url, write_pretty};
use skilltree_lint::rule::{Defaults, Group, Rule};
use skilltree_lint::rules;
use skilltree_runtimes::profile::Reported;

/// Name of the schema.
const SCHEMA: &str = "skilltree/rules/v1";

/// Returns the rules by chapter, in chapter order, then by id.
pub fn chapters() -> impl Iterator<Item = (&'static str, Vec<&'static Rule>)> {
    let of = |group| rules::ALL.iter().copied().filter(|rule| rule.group == group).collect::<Vec<_>>();
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
    id: &'static str,
    chapter: &'static str,
    level: &'static str,
    since: Option<&'static str>,
    unusable: bool,
    edit: Option<&'static str>,
    summary: &'static str,
    why: &'static str,
    description: &'static str,
    details: &'static str,
    runtimes: Vec<Runtime<'a>>,
    examples: Vec<Example<'a>>,
    instead: Vec<Example<'a>>,
    more: Vec<More>,
    evidence: &'static str,
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
    title: &'static str,
    files: Vec<File>,
    findings: &'a [String],
}

#[derive(Serialize)]
struct File {
    path: &'static str,
    language: &'static str,
    words: Vec<&'static str>,
    text: &'static str,
}

#[derive(Serialize)]
struct More {
    heading: &'static str,
    text: &'static str,
}

/// Writes explanations as JSON by schema/rules.json.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(explanations: &[Explanation], out: &mut dyn Write) -> io::Result<()> {
    let list = RuleList {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        edition: Defaults::default().edition.0,
        rules: explanations.iter().map(entry).collect(),
    };
    write_pretty(&list, out)
}

fn entry(explanation: &Explanation) -> RuleEntry<'_> {
    let rule = explanation.rule;
    let runtimes = explanation.losses.iter().map(|loss| Runtime {
        profile: &loss.profile,
        title: &loss.title,
        outcome: loss.outcome.word(),
        reason: loss.reason.as_deref(),
        reported: loss.reported.map(Reported::word),
    });
    RuleEntry {
        id: rule.id,
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
        summary: rule.summary,
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

fn example(shown: &Shown) -> Example<'_> {
    let files = shown.parts.iter().filter_map(|part| match part {
        Part::File { language, path, words, text } => Some(File { path, language, words: words.clone(), text }),
        Part::Words(_) | Part::Today(_) => None,
    });
    Example { title: shown.title, files: files.collect(), findings: &shown.lines }
}
