//! Reports placeholders of a body that stay text in a runtime in scope.

use bstr::ByteSlice;

use super::{acting, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Rule, Sink, Text, listed};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope;
use skilltree_skills::keys;
use skilltree_skills::skill::{CommandForm, Placeholder, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unexpanded-placeholder",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope does not replace a placeholder of the body",
    why: "the model reads the placeholder, and in a command it is empty",
    explanation: include_str!("unexpanded_placeholder.md"),
    check: Check::Text(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// The cell of a profile that is known to replace none.
const CELL: &str = "expands";
/// The arguments: a model that reads this word usually takes the request in its place.
const ARGUMENTS: &str = "$ARGUMENTS";
/// The directory of the skill.
const DIRECTORY: &str = "${CLAUDE_SKILL_DIR}";
/// The directory of the plugin: it exists only if the skill is part of one.
const PLUGIN: &str = "${CLAUDE_PLUGIN_ROOT}";
/// Other words for the directory of the skill, which no runtime replaces in a command that it runs.
const DIRECTORIES: [&str; 8] = [
    "{baseDir}",
    "{skill-dir}",
    "{skill_dir}",
    "{skillDir}",
    "{SKILL_DIR}",
    "$SKILL_DIR",
    "${SKILL_DIR}",
    "$CLAUDE_SKILL_DIR",
];
/// Start of the names that are about the skill. Runtimes know few of them.
const ABOUT_SKILL: &str = "${CLAUDE_SKILL";
/// The edit for a path that begins with the directory.
const RELATIVE: &str = "remove it and the `/` after it: paths start at the directory of the skill";
/// The edit for a path that begins with the directory of a plugin.
const FROM_SKILL: &str = "write the path from the directory of the skill";
/// Placeholders that are replaced in the text of an agent of a plugin. In that of a project, none is.
const OF_AGENTS: [&str; 3] = [PLUGIN, "${CLAUDE_PLUGIN_DATA}", "${CLAUDE_PROJECT_DIR}"];
/// Parts of the names of skills that explain placeholders.
const TOPICS: [&str; 4] = ["skill", "plugin", "hook", "command"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let is_reported = check_commands(skill, facts, sink);
    let placeholders = skill.body.iter().flat_map(|body| &body.placeholders);
    let placeholders = placeholders.filter(|one| !is_reported || in_braces(&one.text).is_none());
    // The directory of an agent has the name of all.
    let name = facts.text.is_agent().then(|| text::file_name(facts.file(skill.file).path.as_ref()));
    let name = name.unwrap_or(skill.directory.as_ref());
    let is_about = |word: &str| name.contains_str(word);
    if TOPICS.into_iter().any(is_about) {
        return;
    }
    for placeholder in placeholders {
        let text = placeholder.text.as_str();
        let keeping = acting::runtimes(skill, facts, |profile| {
            keeps(profile, text, facts) && is_known(text, profile, skill, facts)
        });
        let is_open =
            !facts.scope.is_explicit() && facts.scope.of(skill.root).any(|profile| replaces(profile, text, facts));
        // Whether the others are in use is unknown.
        if !keeping.is_empty() && !is_open {
            let is_plugin =
                facts.text.is_of_plugin() || !keeping.iter().any(|profile| scope::reads(profile, facts.root(skill)));
            report(placeholder, &keeping, is_plugin, facts, sink);
        }
    }
}

/// Returns the variable in braces, for one without them.
fn in_braces(variable: &str) -> Option<String> {
    let name = variable.strip_prefix('$').filter(|name| name.starts_with("CLAUDE_"))?;
    Some(format!("${{{name}}}"))
}

/// Returns the directory that a variable misspells.
fn misspelled(variable: &str) -> Option<&'static str> {
    [DIRECTORY, PLUGIN].into_iter().find(|known| variable != *known && keys::is_slip(variable, known))
}

/// Reports commands that a runtime runs with a word for the directory of the skill that is not the one it replaces. Returns whether there are
/// some.
fn check_commands(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) -> bool {
    let marks = skill.body.iter().flat_map(|body| &body.commands.first);
    let run = marks.filter(|mark| matches!(mark.value.form, CommandForm::Span | CommandForm::Block));
    let mut wrong = run.filter_map(|mark| Some((mark, unset(&mark.value.text)?))).peekable();
    if wrong.peek().is_none() {
        return false;
    }
    let knows = |profile: &Profile, word: &str| profile.loads.expands.iter().any(|known| known == word);
    let running = acting::runtimes(skill, facts, |profile| {
        profile.loads.commands.is_some()
            && knows(profile, DIRECTORY)
            && !DIRECTORIES.iter().any(|word| knows(profile, word))
    });
    if running.is_empty() {
        return false;
    }
    let verb = if running.len() == 1 { "runs" } else { "run" };
    let names = listed(&acting::names(&running));
    let occurrences = wrong.map(|(mark, word)| {
        let message = format!("nothing replaces `{word}` in a command that {names} {verb}");
        Occurrence::of(mark, &message).with_help(format!("write `{}`", facts.text.directory()))
    });
    several::report(sink, occurrences);
    true
}

/// Returns the word for the directory of the skill at the start of a path of a command, unless the command sets it.
fn unset(command: &str) -> Option<&'static str> {
    DIRECTORIES.into_iter().find(|word| {
        let name = word.trim_matches(['$', '{', '}']);
        let is_path =
            |(at, _): (usize, &str)| command[at + word.len()..].starts_with('/') && !command[..at].ends_with('$');
        let is_used = |(at, _): (usize, &str)| command[..at].ends_with(['$', '{']);
        command.match_indices(word).any(is_path) && command.match_indices(name).all(is_used)
    })
}

/// Returns whether a runtime replaces a placeholder. A command has no directory of a skill.
fn replaces(profile: &Profile, placeholder: &str, facts: &Facts<'_>) -> bool {
    if facts.text.is_agent() {
        return facts.text == Text::PluginAgent && OF_AGENTS.contains(&placeholder);
    }
    let has_meaning = facts.text == Text::Skill || placeholder != DIRECTORY;
    has_meaning && profile.loads.expands.iter().any(|known| known == placeholder)
}

/// Returns whether a runtime is known to leave a placeholder as it is.
fn keeps(profile: &Profile, placeholder: &str, facts: &Facts<'_>) -> bool {
    let is_without = profile.loads.without.iter().any(|cell| cell == CELL);
    is_without || (!profile.loads.expands.is_empty() && !replaces(profile, placeholder, facts))
}

/// Returns whether a placeholder has a meaning that is known. A skill that a runtime finds by itself is not part of a plugin there.
fn is_known(placeholder: &str, profile: &Profile, skill: &Skill, facts: &Facts<'_>) -> bool {
    match placeholder {
        PLUGIN => !facts.text.is_of_plugin() && scope::reads(profile, facts.root(skill)),
        _ => {
            let ids = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
            placeholder.starts_with(ABOUT_SKILL)
                || in_braces(placeholder).is_some()
                || misspelled(placeholder).is_some()
                || ids.into_iter().any(|known| known.loads.expands.iter().any(|known| known == placeholder))
        }
    }
}

fn report(placeholder: &Placeholder, keeping: &[&Profile], is_plugin: bool, facts: &Facts<'_>, sink: &mut Sink) {
    let text = text::shortened(&placeholder.text, 64);
    let message = format!("`{text}` stays text in {}", listed(&acting::names(keeping)));
    let replace = |name: &str| keeping.iter().all(|profile| replaces(profile, name, facts));
    let meant = in_braces(&placeholder.text).or_else(|| misspelled(&placeholder.text).map(str::to_owned));
    let is_replaced =
        |name: &str| keeping.iter().any(|profile| replaces(profile, name, facts)) || name == PLUGIN && is_plugin;
    let help = match meant.as_deref().unwrap_or(&placeholder.text) {
        name if meant.is_some() && is_replaced(name) => format!("write `{name}`"),
        name if facts.text == Text::Agent && (name.contains("_DIR") || name.contains("_ROOT")) => {
            "write the path from the top of the project: nothing is replaced in an agent of a project".to_owned()
        }
        ARGUMENTS => "refer to the request of the user in words".to_owned(),
        name if facts.text != Text::Skill && (name == PLUGIN || name.starts_with(ABOUT_SKILL)) => {
            format!("write `{}`", facts.text.directory())
        }
        DIRECTORY => RELATIVE.to_owned(),
        name if replace(DIRECTORY) && (name == PLUGIN || name.starts_with(ABOUT_SKILL)) => {
            format!("write `{DIRECTORY}`, the directory of the skill, or a path relative to it")
        }
        // The path of a plugin has the directory of the skill in it.
        PLUGIN => FROM_SKILL.to_owned(),
        name if name.starts_with(ABOUT_SKILL) => RELATIVE.to_owned(),
        _ => "remove the placeholder".to_owned(),
    };
    let occurrences = several::of_marks(&placeholder.marks, |()| message.clone()).into_iter();
    let finding = several::report(sink, occurrences.map(|occurrence| occurrence.with_help(&help)));
    if let Some(finding) = finding.filter(|_| placeholder.text == ARGUMENTS) {
        finding.at_most(Level::Note);
    }
}
