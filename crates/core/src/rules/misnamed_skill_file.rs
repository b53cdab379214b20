//! Reports skill files whose name differs from SKILL.md in letter case.

use bstr::ByteSlice;

use crate::catalog;
use crate::forecast::Reason;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::snapshot::Body;
use crate::text::{self, Place};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misnamed-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    faults: &[],
    summary: "a skill file is not named exactly SKILL.md",
    why: "a case-sensitive lookup does not find the file, so the skill does not load",
    explanation: include_str!("misnamed_skill_file.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::FileName)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    if !catalog::is_misnamed(file) || matches!(file.body, Body::Directory | Body::Special) {
        return;
    }
    let path = file.path.as_bstr();
    let (name, directory) = (text::lossless(text::file_name(path)), text::lossless(text::parent(path)));
    sink.report(Place::whole(skill.file), format!("the file is named `{name}`, not `SKILL.md`"))
        .help(format!("rename it: `git mv {directory}/{name} {directory}/SKILL.md`"));
}
