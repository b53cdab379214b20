//! Reports a SKILL.md that is a directory, a pipe, a socket or a device.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::{Body, Resolution};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "not-a-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "SKILL.md is a directory",
    why: "a directory cannot be read as a skill, so the instructions in it are lost",
    explanation: include_str!("not_a_skill_file.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    let name = text::lossless(text::file_name(file.path.as_bstr()));
    let message = match &file.body {
        Body::Directory => format!("`{name}` is a directory, not a file"),
        Body::Special => format!("`{name}` is a pipe, a socket or a device, not a file"),
        Body::Symlink { resolution: Resolution::Directory(target), .. } => {
            format!(
                "`{name}` is a symbolic link to the directory `{}`, not to a file",
                text::lossless(target.as_bstr())
            )
        }
        _ => return,
    };
    sink.report(Place::whole(skill.file), message)
        .help("write the skill into a regular file with that name, and put other files next to it");
}
