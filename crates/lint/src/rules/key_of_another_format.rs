//! Reports keys that belong to another format, and that no runtime in scope reads.

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, listed};
use skilltree_front_matter::{Node, NodeKind, text};
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::keys::DISABLE_MODEL_INVOCATION;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "key-of-another-format",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a key belongs to another format",
    why: "the runtimes that read the skill ignore the key, so what it restricts or allows does not happen",
    explanation: include_str!("key_of_another_format.md"),
    check: Check::Skill(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Keys of agents, commands, rules of editors and skills of one program: what they belong to, and the key of a skill for the same
/// purpose, if there is one.
const KEYS: [(&str, &str, &str); 13] = [
    ("tools", "a subagent", "allowed-tools"),
    ("globs", "a rule of an editor", "paths"),
    ("glob", "a rule of an editor", "paths"),
    ("path_patterns", "a rule of an editor", "paths"),
    ("file_patterns", "a rule of an editor", "paths"),
    ("applyTo", "an instruction file", "paths"),
    ("triggers", "a microagent", "description"),
    ("allow_implicit_invocation", "`agents/openai.yaml`", DISABLE_MODEL_INVOCATION),
    ("auto_invoke", "a command", DISABLE_MODEL_INVOCATION),
    ("autoInvoke", "a command", DISABLE_MODEL_INVOCATION),
    ("auto-invoke", "a command", DISABLE_MODEL_INVOCATION),
    ("hooks", "a skill of another program", ""),
    ("disallowed-tools", "a skill of another program", ""),
];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    check_inner(skill, facts, sink);
    let named = |key: &str| KEYS.iter().find(|(known, ..)| *known == key);
    for (field, &(key, format, counterpart)) in
        skill.fields().filter_map(|field| Some((field, named(&field.key.value)?)))
    {
        let is_runtime = |profile: &&Profile| profile.kind == Kind::Runtime;
        let in_scope: Vec<&Profile> = facts.scope.of(skill.root).filter(is_runtime).collect();
        // A skill with both keys is written for two runtimes.
        let has_counterpart = !matches!(counterpart, "" | "description") && skill.field(counterpart).is_some();
        let is_written = counterpart.is_empty() || has_words(&field.value);
        if has_counterpart || !is_written || in_scope.iter().any(|profile| reads(profile, key)) {
            continue;
        }
        let knows = |profile: &&&Profile| {
            (counterpart.is_empty() || reads(profile, counterpart)) && !profile.loads.keys.known.is_empty()
        };
        let mut knowing: Vec<&Profile> = in_scope.iter().filter(knows).copied().collect();
        if knowing.is_empty() {
            continue;
        }
        knowing.sort_by_key(|profile| profile.usage_rank);
        let names: Vec<&str> = knowing.iter().map(|profile| profile.actor()).collect();
        let message = format!("the key `{key}` of {format} has no effect in {}", listed(&names));
        let is_true = field.value.scalar().is_none_or(|text| text.trim().eq_ignore_ascii_case("true"));
        let finding = sink.report(field.key.place, message).help(help(key, counterpart, is_true, &field.value));
        if matches!(counterpart, "" | "description") || !facts.scope.is_explicit() {
            finding.at_most(Level::Note);
        }
    }
}

/// Words for `true` that no YAML 1.2 parser takes for it, or that are quoted.
const TRUE: [&str; 5] = ["1", "on", "true", "y", "yes"];

/// Reports keys with which a program hides a skill below `metadata`, if they are not there, or not `true`.
fn check_inner(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let profiles = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    let keys =
        |profile: &'_ Profile| Some(profile.loads.keys.unlists.as_deref()?.strip_prefix("metadata.")?.to_owned());
    for (profile, key) in profiles.filter_map(|profile| Some((profile, keys(profile)?))) {
        if let Some(field) = skill.field(&key).filter(|field| field.value.scalar() == Some("true")) {
            let message = format!("`{key}` at the top of the front matter hides nothing from {}", profile.actor());
            sink.report(field.key.place, message).help("move it below `metadata`").at_most(Level::Note);
        }
        let Some(NodeKind::Map(inner)) = skill.field("metadata").map(|field| &field.value.kind) else { continue };
        let is_word =
            |node: &Node| node.scalar().is_some_and(|text| TRUE.iter().any(|word| word.eq_ignore_ascii_case(text)));
        let written = inner.iter().find(|field| field.key.value == key && is_word(&field.value));
        let path = format!("metadata.{key}");
        let hides = |node| profile.loads.keys.hiding(|known| (known == path).then_some(node)).is_some();
        if let Some(field) = written.filter(|field| !hides(&field.value)) {
            let message = format!("`{path}` hides nothing from {}: it is not `true`", profile.actor());
            let finding = sink.report(field.value.place, message).at_most(Level::Note);
            finding.help("write `true`").unsafe_edit(field.value.place, "true");
        }
    }
}

/// Returns whether a value is a text or a list of texts. Other values, such as definitions of tools, have no counterpart.
fn has_words(node: &Node) -> bool {
    match &node.kind {
        NodeKind::List(items) => items.iter().all(|item| item.scalar().is_some()),
        _ => node.scalar().is_some(),
    }
}

/// Returns whether a runtime reads a key.
fn reads(profile: &Profile, key: &str) -> bool {
    let loads = &profile.loads;
    loads.keys.known.iter().any(|known| known == key)
        || loads.fields.contains_key(key)
        || loads.listing.shown.iter().any(|shown| shown == key)
        || loads.keys.unlists.as_deref() == Some(key)
        || loads.keys.unlists_until.as_ref().is_some_and(|until| until.key == key)
}

fn help(key: &str, counterpart: &str, is_true: bool, value: &Node) -> String {
    match counterpart {
        // Some runtimes drop a skill whose paths are no list.
        "paths" if value.scalar().is_some() => {
            let words = value.scalar().unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
            let items: Vec<String> = words.map(|word| format!("\"{}\"", text::shortened(word, 64))).collect();
            format!("replace it with `paths: [{}]`", items.join(", "))
        }
        "" => format!("remove it, or move the skill to a directory of a runtime that reads `{key}`"),
        "description" => format!("write the words of `{key}` into `description`, and remove the key"),
        DISABLE_MODEL_INVOCATION if is_true => "remove it: a model may start any skill".to_owned(),
        DISABLE_MODEL_INVOCATION => format!("replace it with `{counterpart}: true`"),
        _ => format!("rename it to `{counterpart}`"),
    }
}
