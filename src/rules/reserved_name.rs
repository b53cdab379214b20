//! A name that some runtime or system keeps for itself.

use crate::name;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "reserved-name",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a name is reserved by a runtime or a system",
    why: "AMACS leaves a skill named `core` out of its list, Codex never resolves a mention such as `$path`, and Windows opens a device by a name such as `aux`",
    explanation: include_str!("reserved_name.md"),
    check: Check::Skill(check),
};

/// Names that Codex takes for variables where they are mentioned as `$name` (core-skills `injection.rs`).
const VARIABLES: [&str; 11] =
    ["home", "lang", "path", "pwd", "shell", "temp", "term", "tmp", "tmpdir", "user", "xdg_config_home"];

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name") else { return };
    let lower = name.value.to_ascii_lowercase();
    let fact = if lower == "core" {
        "AMACS has a skill of that name in every prompt and lists no other".to_owned()
    } else if VARIABLES.contains(&lower.as_str()) {
        format!("Codex takes `${}` for a variable, so no text can mention the skill", name.value)
    } else if name::is_device(name.value) && !skill.directory.eq_ignore_ascii_case(name.value.as_bytes()) {
        // A directory of that name is another finding, and a worse one.
        "it is a device on Windows, where no directory can be called so".to_owned()
    } else {
        return;
    };
    let shown = text::shortened(name.value, 64);
    sink.report(name.place, format!("the name `{shown}` is reserved: {fact}"))
        .help("say what it is about: two words are enough, and rename the directory to match");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profiles;

    #[test]
    fn the_names_are_those_of_the_profiles() {
        let profiles = Profiles::default();
        let loads = |id| &profiles.find(id).expect("it is built in").loads;
        let mut variables = loads("codex").mentions.unreachable.clone();
        variables.sort();
        assert_eq!(variables, VARIABLES);
        assert_eq!(loads("amacs").identity.reserved, ["core"]);
    }
}
