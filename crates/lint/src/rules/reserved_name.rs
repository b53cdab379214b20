//! Names that a runtime or an operating system reserves.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::name;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "reserved-name",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a name is reserved by a runtime or an operating system",
    why: "a reserved name hides the skill from lists or mentions, or is not a valid directory name on Windows",
    explanation: include_str!("reserved_name.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

/// Names that Codex reads as environment variables in a mention such as `$path` (core-skills `injection.rs`).
const VARIABLES: [&str; 11] =
    ["home", "lang", "path", "pwd", "shell", "temp", "term", "tmp", "tmpdir", "user", "xdg_config_home"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name") else { return };
    let lower = name.value.to_ascii_lowercase();
    // The repository of the agent itself has the built-in skill.
    let is_its_own = facts.targets.iter().any(|target| target == "amacs");
    let fact = if lower == "core" && is_its_own {
        return;
    } else if lower == "core" {
        "it is the name of a built-in skill".to_owned()
    } else if VARIABLES.contains(&lower.as_str()) {
        format!("a mention `${}` is read as an environment variable", name.value)
    } else if name::is_device(name.value) && !skill.directory.eq_ignore_ascii_case(name.value.as_bytes()) {
        // `unsafe-path` reports a directory with such a name, with a higher severity.
        "it is a device on Windows, so no directory can have it".to_owned()
    } else {
        return;
    };
    let shown = text::shortened(name.value, 64);
    sink.report(name.place, format!("the name `{shown}` is reserved: {fact}"))
        .help("use a more specific name, such as two words, and rename the directory to match");
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::profile::Profiles;

    #[test]
    fn lists_the_same_names_as_the_profiles() {
        let profiles = Profiles::default();
        let loads = |id| &profiles.find(id).expect("it is built in").loads;
        let mut variables = loads("codex").mentions.unreachable.clone();
        variables.sort();
        assert_eq!(variables, VARIABLES);
        assert_eq!(loads("amacs").identity.reserved, ["core"]);
    }
}
