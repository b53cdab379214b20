//! A name outside the grammar of the open standard.

use crate::characters;
use crate::limits;
use crate::name;
use crate::quote;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "malformed-name",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a name is not lower-case words joined by single hyphens",
    why: "the open standard allows small letters, digits and single hyphens; Roo Code drops a skill with any other name, Copilot CLI with most, and agents cannot mention it everywhere",
    explanation: include_str!("malformed_name.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name").filter(|name| !name.value.is_empty()) else { return };
    if name::is_well_formed(name.value) {
        return;
    }
    let finding = sink.report(name.place, format!("the name has {}", joined(&offences(name.value))));
    for (character, alike) in characters::foreign(name.value).into_iter().take(SHOWN) {
        if alike.is_some() {
            finding.note(characters::described(character, alike));
        }
    }
    let slug = name::slug(name.value);
    let directory = facts.directory_name(skill);
    finding.help(help(name.value, directory, slug.as_deref(), facts.is_named_by_directory(skill)));
    let better = directory.map(str::to_owned).or(slug).filter(|better| facts.is_right_name(skill, better));
    // Where the directory wants what no skill can be called, no edit of the file makes the two agree.
    if let Some(better) = better.filter(|better| !limits::over(facts.limits.name_chars, better.len())) {
        finding.unsafe_edit(name.place, quote::name(&better));
    }
}

/// Characters that are named one by one.
const SHOWN: usize = 5;

/// What to call it: what the directory is called, or the nearest name.
fn help(name: &str, directory: Option<&str>, slug: Option<&str>, by_directory: bool) -> String {
    let shown = |name| text::shortened(name, 64);
    match (directory, slug) {
        (Some(directory), Some(slug)) if !name::is_kin(directory, name) => {
            format!("name it `{}`, as its directory is, or both `{}`", shown(directory), shown(slug))
        }
        (Some(directory), _) => format!("name it `{}`, as its directory is", shown(directory)),
        (None, Some(slug)) if by_directory => format!("name it `{}`, and the directory too", shown(slug)),
        (None, Some(slug)) => format!("name it `{}`", shown(slug)),
        (None, None) => "use words of `a` to `z` and `0` to `9`, joined by single hyphens".to_owned(),
    }
}

/// What is wrong with a name, each kind of offence once.
fn offences(name: &str) -> Vec<String> {
    let mut offences = Vec::new();
    if name.contains(|c: char| c.is_ascii_uppercase()) {
        offences.push("capital letters".to_owned());
    }
    if name.contains(' ') {
        offences.push("spaces".to_owned());
    }
    let mut others: Vec<char> = Vec::new();
    for character in name.chars().filter(|&c| c != '-' && c != ' ' && !c.is_ascii_alphanumeric()) {
        if others.len() <= SHOWN && !others.contains(&character) {
            others.push(character);
        }
    }
    offences.extend(others.iter().take(SHOWN).map(|&character| shown(character)));
    if others.len() > SHOWN {
        offences.push("other characters".to_owned());
    }
    if name.starts_with('-') {
        offences.push("a hyphen in front".to_owned());
    }
    if name.ends_with('-') {
        offences.push("a hyphen at the end".to_owned());
    }
    if name.contains("--") {
        offences.push("two hyphens in a row".to_owned());
    }
    offences
}

/// A character in backticks; one that shows nothing by itself by its number.
fn shown(character: char) -> String {
    if character.is_ascii_graphic() || character.is_alphanumeric() {
        format!("`{character}`")
    } else {
        format!("U+{:04X}", u32::from(character))
    }
}

/// `a, b and c`.
fn joined(words: &[String]) -> String {
    match words {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => words.concat(),
    }
}
