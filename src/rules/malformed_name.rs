//! A name outside the grammar of the open standard.

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

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name").filter(|name| !name.value.is_empty()) else { return };
    if name::is_well_formed(name.value) {
        return;
    }
    let finding = sink.report(name.place, format!("the name has {}", joined(&offences(name.value))));
    match nearest(name.value, skill) {
        Some(better) => {
            let directory =
                if skill.directory == better.as_str() { "as its directory is" } else { "and the directory too" };
            finding
                .help(format!("name it `{}`, {directory}", text::shortened(&better, 64)))
                .unsafe_edit(name.place, quote::name(&better))
        }
        None => finding.help("use words of `a` to `z` and `0` to `9`, joined by single hyphens"),
    };
}

/// The directory's name where it is the same words well formed, else the slug.
fn nearest(name: &str, skill: &Skill) -> Option<String> {
    let directory = std::str::from_utf8(&skill.directory).ok();
    let better = directory.filter(|directory| name::is_well_formed(directory) && name::is_kin(directory, name));
    better.map(str::to_owned).or_else(|| name::slug(name))
}

/// What is wrong with a name, each kind of offence once.
fn offences(name: &str) -> Vec<String> {
    /// Other characters that are named one by one.
    const SHOWN: usize = 5;
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
