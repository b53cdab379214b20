//! A SKILL.md directly in a root instead of a skill directory.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog;
use skilltree_runtimes::forecast::{Reason, SkippedDirectory};
use skilltree_skills::name;
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::Body;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "skill-file-in-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a SKILL.md is directly in a skills directory",
    why: "a SKILL.md outside a skill directory can stay unread, or hide every skill below it",
    explanation: include_str!("skill_file_in_root.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::SkippedDirectory(SkippedDirectory::InRoot))),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    let is_file = !matches!(file.body, Body::Directory | Body::Special);
    // In a package, runtimes take it for a skill. Another rule says what it hides.
    if facts.scope.is_packaged(skill.root) {
        return;
    }
    let root = facts.root(skill);
    if skill.depth > 0
        || catalog::is_repository(skill, root)
        || !is_file
        || text::file_name(file.path.as_bstr()) != "SKILL.md"
    {
        return;
    }
    let root = text::lossless(root.shown_path());
    let name = skill.name().filter(|name| name::is_well_formed(name)).unwrap_or("NAME");
    sink.report(
        Place::whole(skill.file),
        format!("the file is directly in the skills directory `{root}`, not in a skill directory"),
    )
    .note("runtimes disagree: they skip the file, load it, or load it and nothing below it")
    .help(match root.as_str() {
        "." => format!("move it to `{name}/SKILL.md`"),
        root => format!("move it to `{root}/{name}/SKILL.md`"),
    });
}
