//! Reports files that were meant to be `agents/openai.yaml`.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{AGENT_FILE, Skill, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misplaced-openai-yaml",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a file is almost at `agents/openai.yaml`",
    why: "the runtime does not read it, so what it forbids stays allowed",
    explanation: include_str!("misplaced_openai_yaml.md"),
    check: Check::Catalog(check),
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

/// Directories, from that of the skill, where people put the file.
const DIRECTORIES: [&str; 3] = ["", "agent", "agents"];

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let by_directory: HashMap<&BStr, SkillId> =
        catalog.skills().map(|(id, _)| (text::parent(catalog.path(id)), id)).collect();
    for (number, file) in catalog.files().filter(|(_, file)| is_named(file.path.as_bstr())) {
        let path = file.path.as_bstr();
        let found = DIRECTORIES.iter().find_map(|directory| {
            let parent = text::parent(path);
            let above = match *directory {
                "" => Some(parent),
                name => (text::file_name(parent) == name).then(|| text::parent(parent)),
            };
            by_directory.get(above?).map(|id| (*id, above.unwrap_or_default()))
        });
        let Some((id, directory)) = found else {
            if path == AGENT_FILE {
                at_top(catalog, facts, Place::whole(number), sink);
            }
            continue;
        };
        let skill = catalog.skill(id);
        let inside = skilltree_skills::roots::relative(path, directory).unwrap_or(path);
        let is_right = inside == AGENT_FILE || skill.references.agent_file.is_some();
        let readers = acting::runtimes(skill, facts, |profile| profile.loads.keys.agent_file.is_some());
        if is_right || readers.is_empty() {
            continue;
        }
        let verb = if readers.len() == 1 { "does" } else { "do" };
        let message = format!("{} {verb} not read `{}`", listed(&acting::names(&readers)), text::lossless(inside));
        sink.about(Subject::Skill(id))
            .report(Place::whole(number), message)
            .help(format!("rename it to `{AGENT_FILE}`"));
    }
}

/// Reports the file at the top of a repository without a skill there.
fn at_top(catalog: &Catalog, facts: &Facts<'_>, place: Place, sink: &mut Sink) {
    let reads = |(_, skill): &(SkillId, &Skill)| {
        !acting::runtimes(skill, facts, |profile| profile.loads.keys.agent_file.is_some()).is_empty()
    };
    let Some((id, _)) = catalog.skills().find(reads) else { return };
    let directory = text::lossless(text::parent(catalog.path(id)));
    sink.about(Subject::Tree)
        .report(place, "no skill is in this directory, so nothing reads `agents/openai.yaml`")
        .at_most(Level::Note)
        .help(format!(
            "move it into the directory of its skill, such as `{}/{AGENT_FILE}`",
            text::shortened(&directory, 64)
        ));
}

/// Returns whether a file has the name, apart from letter case and ending.
fn is_named(path: &BStr) -> bool {
    let name = text::file_name(path);
    ["openai.yaml", "openai.yml"].iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}
