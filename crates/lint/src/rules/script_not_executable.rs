//! Reports commands that run a script which the system cannot execute.

use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_skills::skill::{Shebang, Skill};
use skilltree_skills::snapshot::Mode;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "script-not-executable",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a command runs a script that cannot be executed",
    why: "the command fails with an error, and the agent has to find out how to run the script",
    explanation: include_str!("script_not_executable.md"),
    check: Check::Skill(check),
    reads: Reads::Links,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let occurrence = |call: &skilltree_skills::skill::links::Call| {
        let scripts = skill.references.scripts.iter().map(|script| (script, facts.file(script.file)));
        let (script, file) = scripts.clone().find(|(_, file)| file.path == call.path)?;
        let path = text::lossless(file.path.as_ref());
        let (fact, help) = match script.shebang {
            // Other interpreters read lines that end with CRLF.
            Shebang::CarriageReturn if call.is_direct || script.is_shell => {
                ("has a first line that ends with CRLF", "save the script with LF line endings".to_owned())
            }
            _ if !call.is_direct => return None,
            _ if file.mode != Mode::Executable => {
                ("is not executable", format!("run `git update-index --chmod=+x {path}`"))
            }
            Shebang::Missing => (
                "has no first line that names an interpreter",
                "begin the script with a line such as `#!/bin/sh`".to_owned(),
            ),
            Shebang::Present | Shebang::CarriageReturn => return None,
        };
        let message = format!("`{}` {fact}", text::lossless(text::file_name(file.path.as_ref())));
        Some(Occurrence::new(call.place, message, text::file_name(file.path.as_ref())).with_help(help))
    };
    for (_, links) in skill.links() {
        several::report(sink, links.calls.iter().filter_map(occurrence));
    }
}
