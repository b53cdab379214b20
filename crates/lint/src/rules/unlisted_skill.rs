//! Reports skills that a list of skills lacks.

use std::collections::BTreeSet;

use bstr::ByteSlice;

use super::listed::{self, Named};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_front_matter::text::{Place, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unlisted-skill",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a file that lists the skills lacks one",
    why: "readers of the list, and programs that install from it, do not find the skill",
    explanation: include_str!("unlisted_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of a path in a message, in code points.
const SHOWN: usize = 80;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    listed::each(catalog, sink, |names, list, sink| {
        let file = shortened(&list.list.file, SHOWN);
        if list.entries.is_empty() && names.wanted(list).next().is_some() {
            let message = format!("the pattern matches nothing in `{file}`, so it lists no skill");
            sink.report(Place::whole(list.file), message)
                .help("correct `pattern` in `[[listing]]`, or list the skills");
            return;
        }
        let (mut listed, mut directories) = (BTreeSet::new(), BTreeSet::new());
        for named in list.entries.iter().filter_map(|entry| names.find(list, &entry.value)) {
            match named {
                Named::Skills(skills) => listed.extend(skills.iter().copied()),
                Named::Directory(directory) => drop(directories.insert(directory)),
            }
        }
        let is_below = |id: &SkillId| {
            let path = catalog.path(*id);
            path.find_iter("/").any(|end| directories.contains(path[..end].as_bstr()))
        };
        for id in names.wanted(list).filter(|id| !listed.contains(id) && !is_below(id)) {
            let skill = catalog.skill(id);
            let message = format!("`{file}` does not list the skill");
            let finding = sink.report(skill.name_place(), message).help(format!("add an entry to `{file}`"));
            if let Some(last) = list.entries.last() {
                finding.related(last.place, "last entry");
            }
        }
    });
}
