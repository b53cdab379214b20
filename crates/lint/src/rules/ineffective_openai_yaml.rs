//! Reports the parts of `agents/openai.yaml` that have no effect.

use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Reads, Rule, Sink, listed};
use skilltree_front_matter::text;
use skilltree_front_matter::{Node, NodeKind};
use skilltree_runtimes::agent_file::{self, Expected, Flaw, FlawKind, IMPLICIT};
use skilltree_runtimes::forecast::fault_words;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::fields::AgentFileRule;
use skilltree_skills::skill::{AGENT_FILE, AgentFile, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ineffective-openai-yaml",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a part of `agents/openai.yaml` has no effect",
    why: "a runtime silently ignores the key or the whole file, so the model can start a skill that only a person may start",
    explanation: include_str!("ineffective_openai_yaml.md"),
    check: Check::Skill(check),
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

/// Maximum number of quoted characters.
const QUOTED: usize = 64;

/// The section that some keys are missing.
const POLICY: &str = "policy";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(file) = &skill.references.agent_file else { return };
    let readers = readers(skill, facts);
    if readers.is_empty() {
        return;
    }
    for flaw in agent_file::flaws(file) {
        report(file, &flaw, &readers, sink);
    }
}

/// Returns the runtimes that read the file: those in scope, else every known one, because the file is written for them.
fn readers<'a>(skill: &Skill, facts: &Facts<'a>) -> Vec<&'a Profile> {
    let reads = |profile: &&Profile| profile.loads.keys.agent_file.is_some();
    let mut readers: Vec<&Profile> = facts.scope.of(skill.root).filter(reads).collect();
    if readers.is_empty() && !facts.scope.is_explicit() {
        readers = facts.profiles.ids().filter_map(|id| facts.profiles.find(id)).filter(reads).collect();
    }
    readers.sort_by_key(|profile| profile.usage_rank);
    readers
}

fn report(file: &AgentFile, flaw: &Flaw, readers: &[&Profile], sink: &mut Sink) {
    let path = text::shortened(&flaw.path, QUOTED);
    let ignoring: Vec<&str> = readers
        .iter()
        .filter(|profile| profile.loads.keys.agent_file == Some(AgentFileRule::IgnoresInvalid))
        .map(|profile| profile.actor())
        .collect();
    let ignored = match ignoring.as_slice() {
        _ if !flaw.what.discards_file() => String::new(),
        [] => ", so the policy is invalid".to_owned(),
        [one] => format!(", so {one} ignores the whole file"),
        more => format!(", so {} ignore the whole file", listed(more)),
    };
    let message = match flaw.what {
        FlawKind::Yaml(fault) => format!("`{AGENT_FILE}` does not parse: {}{ignored}", fault_words(fault)),
        FlawKind::Type { found, .. } if path.is_empty() => format!("`{AGENT_FILE}` is {found}{ignored}"),
        FlawKind::Type { found, .. } => format!("`{path}` is {found}{ignored}"),
        FlawKind::Value(_) => format!("`{path}` has an unknown value{ignored}"),
        FlawKind::Key(_) => format!("the key `{path}` has no effect"),
    };
    let finding = sink.report(flaw.place, message);
    match flaw.what {
        FlawKind::Yaml(_) => {
            finding.help("write it as a mapping of `interface`, `dependencies` and `policy`, in valid YAML");
        }
        FlawKind::Type { expected, .. } => help_type(file, flaw, expected, finding),
        FlawKind::Value(words) => {
            finding.help(format!("use one of {}, or remove it", listed(&quoted(words))));
        }
        FlawKind::Key(known) => help_key(file, flaw, known, finding),
    }
}

/// Offers a value of the expected type.
fn help_type(file: &AgentFile, flaw: &Flaw, expected: Expected, finding: &mut Finding) {
    let value = agent_file::value(file, &flaw.path);
    let key = flaw.path.rsplit('.').next().unwrap_or_default();
    let meant = value.filter(|_| expected == Expected::Boolean).and_then(meant_truth);
    match meant {
        Some(meant) => finding.help(format!("write `{key}: {meant}`")).edit(flaw.place, meant),
        None if flaw.path.is_empty() => {
            finding.help("write it as a mapping of `interface`, `dependencies` and `policy`")
        }
        None => finding.help(format!("write `{key}` as {}", expected.noun())),
    };
}

/// Returns the boolean that a text or a number stands for.
fn meant_truth(node: &Node) -> Option<&'static str> {
    let NodeKind::Scalar { text, .. } = &node.kind else { return None };
    let is = |words: &[&str]| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    if is(&["true", "yes", "on", "1"]) {
        Some("true")
    } else if is(&["false", "no", "off", "0"]) {
        Some("false")
    } else {
        None
    }
}

/// Offers the key that was meant. An unknown key alone loses little, unless it was meant to keep the skill from the model.
fn help_key(file: &AgentFile, flaw: &Flaw, known: &[&'static str], finding: &mut Finding) {
    let key = flaw.path.rsplit('.').next().unwrap_or_default();
    let of_policy = IMPLICIT.rsplit('.').next().unwrap_or_default();
    let is_of_policy = |key: &str| text::nearest(key, [of_policy]).is_some();
    if !flaw.path.contains('.') && is_of_policy(key) {
        finding.help(format!("indent it below `{POLICY}:`, as `{of_policy}`"));
        if agent_file::value(file, POLICY).is_none() {
            finding.unsafe_edit(flaw.place, format!("{POLICY}:\n  {of_policy}"));
        }
        return;
    }
    if let Some(section) = agent_file::section_of(key).filter(|_| !flaw.path.contains('.')) {
        finding.at_most(Level::Note).help(format!("indent it below `{section}:`"));
        return;
    }
    let has = |known: &&&str| {
        let path = flaw.path.rsplit_once('.').map_or((*known).to_string(), |(above, _)| format!("{above}.{known}"));
        agent_file::value(file, &path).is_none()
    };
    match text::nearest(key, known.iter().filter(has).copied()) {
        Some(meant) => {
            finding.help(format!("rename it to `{meant}`")).unsafe_edit(flaw.place, meant);
        }
        None => {
            finding.at_most(Level::Note).help(format!("remove it; the known keys here are {}", listed(&quoted(known))));
        }
    }
}

fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("`{word}`")).collect()
}
