//! Reports names that the Agent Skills specification does not allow.

use super::taken::Taken;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Spanned};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::characters;
use skilltree_skills::limits;
use skilltree_skills::name;
use skilltree_skills::quote;
use skilltree_skills::skill::{Skill, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "malformed-name",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a name is not lowercase words joined by single hyphens",
    why: "the Agent Skills specification allows lowercase letters, digits and single hyphens; other names fail validation",
    explanation: include_str!("malformed_name.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| reason.is_malformed("name") || reason.is_shown_differently("name")),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut taken = None;
    for (id, skill) in catalog.skills() {
        let Some(name) = skill.text("name").filter(|name| !name.value.is_empty()) else { continue };
        if name::is_well_formed(name.value) {
            continue;
        }
        sink.about(Subject::Skill(id));
        let finding = sink.report(name.place, format!("the name contains {}", text::joined(&errors(name.value))));
        for (character, alike) in characters::foreign(name.value).into_iter().take(SHOWN) {
            if alike.is_some() {
                finding.note(characters::described(character, alike));
            }
        }
        let taken = taken.get_or_insert_with(|| Taken::new(catalog));
        correct(skill, id, name, facts, taken, finding);
    }
}

/// Adds the nearest valid name to a finding, unless another skill has it.
fn correct(
    skill: &Skill,
    id: SkillId,
    name: Spanned<&str>,
    facts: &Facts<'_>,
    taken: &Taken<'_>,
    finding: &mut Finding,
) {
    let slug = name::slug(name.value);
    let directory = facts.directory_name(skill);
    let better = directory.map(str::to_owned).or_else(|| slug.clone());
    if let Some((better, holder)) = better.as_ref().and_then(|better| Some((better, taken.by(id, better)?))) {
        let shown = text::shortened(better, 64);
        finding.help(format!("rename it to a name that no other skill has; `{holder}` already uses `{shown}`"));
        return;
    }
    let slug = slug.filter(|slug| taken.by(id, slug).is_none());
    finding.help(help(name.value, directory, slug.as_deref(), facts.is_named_by_directory(skill)));
    // No edit of the file helps if the name of the directory is not a valid skill name.
    let better = better.filter(|better| facts.is_valid_name(skill, better));
    if let Some(better) = better.filter(|better| !limits::over(facts.limits.name_chars, better.len())) {
        finding.unsafe_edit(name.place, quote::name(&better));
    }
}

/// Cap on the characters in the message and in the notes.
const SHOWN: usize = 5;

/// Returns the help text, which suggests the name of the directory or the nearest valid name.
fn help(name: &str, directory: Option<&str>, slug: Option<&str>, by_directory: bool) -> String {
    let shown = |name| text::shortened(name, 64);
    match (directory, slug) {
        (Some(directory), Some(slug)) if !name::is_variant(directory, name) => {
            format!("rename it to `{}` like its directory, or rename both to `{}`", shown(directory), shown(slug))
        }
        (Some(directory), _) => format!("rename it to `{}` like its directory", shown(directory)),
        (None, Some(slug)) if by_directory => format!("rename it and its directory to `{}`", shown(slug)),
        (None, Some(slug)) => format!("rename it to `{}`", shown(slug)),
        (None, None) => "use words of `a` to `z` and `0` to `9`, joined by single hyphens".to_owned(),
    }
}

/// Lists the errors in a name, each kind once.
fn errors(name: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if name.contains(|c: char| c.is_ascii_uppercase()) {
        errors.push("uppercase letters".to_owned());
    }
    if name.contains(' ') {
        errors.push("spaces".to_owned());
    }
    let mut others: Vec<char> = Vec::new();
    for character in name.chars().filter(|&c| c != '-' && c != ' ' && !c.is_ascii_alphanumeric()) {
        if others.len() <= SHOWN && !others.contains(&character) {
            others.push(character);
        }
    }
    errors.extend(others.iter().take(SHOWN).map(|&character| shown(character)));
    if others.len() > SHOWN {
        errors.push("other characters".to_owned());
    }
    if name.starts_with('-') {
        errors.push("a leading hyphen".to_owned());
    }
    if name.ends_with('-') {
        errors.push("a trailing hyphen".to_owned());
    }
    if name.contains("--") {
        errors.push("consecutive hyphens".to_owned());
    }
    errors
}

/// Formats a character in backticks, or as `U+XXXX` if it is not visible.
fn shown(character: char) -> String {
    if character.is_ascii_graphic() || character.is_alphanumeric() {
        format!("`{character}`")
    } else {
        format!("U+{:04X}", u32::from(character))
    }
}
