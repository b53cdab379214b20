//! Every rule: docs/rules.md for people, and JSON for programs.

use std::io::{self, Write};

use serde::Serialize;

use super::{Explanation, Part, Shown};
use crate::profile::Said;
use crate::render::{rule_url, write_pretty};
use crate::rule::{Defaults, Group, Rule};
use crate::rules;

/// The name of the schema.
const SCHEMA: &str = "skilltree/rules/v1";

const LEAD: &str = "\
# Rules

<!-- Generated from the pages in src/rules. To write it anew: SNAPSHOTS=overwrite cargo test --test generated -->

**error**: some runtime that people use loses the skill, or the repository's own cap is broken; the skill stays out of
the prompt. **warning**: a runtime shows or reads it wrongly. **note**: advice. **off**: must be asked for.
A rule marked *unusable* keeps its skill out of a prompt at any level.
A level is set in `[rules]` of skilltree.toml, for some paths in `[[override]]`, for one run by `--rule ID=LEVEL`; a single
finding is left out by [an ignore](ignores.md). Which rules are judged hangs on the [edition](policy.md).
";

/// docs/rules.md: the rules by chapter, each with the way to its page.
pub fn reference() -> String {
    let mut text = LEAD.to_owned();
    for (title, rules) in chapters() {
        text.push_str(&format!("\n## {title}\n\n| rule | level | fires when |\n|---|---|---|\n"));
        for rule in rules {
            let (id, level, summary) = (rule.id, rule.usual_level().name(), rule.summary);
            let unusable = if rule.unusable { ", unusable" } else { "" };
            let preview = if rule.is_preview() { ", in preview" } else { "" };
            text.push_str(&format!("| [{id}](rules/{id}.md) | {level}{unusable}{preview} | {summary} |\n"));
        }
    }
    text
}

/// The rules by chapter, in the order of the chapters, then by id.
pub fn chapters() -> impl Iterator<Item = (&'static str, Vec<&'static Rule>)> {
    let of = |group| rules::ALL.iter().copied().filter(|rule| rule.group == group).collect::<Vec<_>>();
    Group::TITLES.iter().map(move |&(group, title)| (title, of(group))).filter(|(_, rules)| !rules.is_empty())
}

#[derive(Serialize)]
struct Catalogue<'a> {
    schema: &'static str,
    version: &'static str,
    edition: &'static str,
    rules: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
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
    fate: &'static str,
    reason: Option<&'a str>,
    told: Option<&'static str>,
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

/// Writes explanations by schema/rules.json.
///
/// # Errors
/// What the writer fails with.
pub fn write_json(explanations: &[Explanation], out: &mut dyn Write) -> io::Result<()> {
    let catalogue = Catalogue {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        edition: Defaults::default().edition.0,
        rules: explanations.iter().map(entry).collect(),
    };
    write_pretty(&catalogue, out)
}

fn entry(explanation: &Explanation) -> Entry<'_> {
    let rule = explanation.rule;
    let runtimes = explanation.losses.iter().map(|loss| Runtime {
        profile: &loss.profile,
        title: &loss.title,
        fate: loss.fate.word(),
        reason: loss.reason.as_deref(),
        told: loss.said.map(Said::word),
    });
    Entry {
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
