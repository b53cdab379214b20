//! Reports a run that checks no skill although the repository has SKILL.md files.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use crate::rules::{flat_skill_file, no_skills_found, unchecked};
use skilltree_front_matter::text::{self, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{Body, Role};

/// Maximum number of further files that are shown.
const SHOWN: usize = 8;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "no-skills-checked",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "no skill is checked although there are skills",
    why: "a check that looks at nothing passes everything",
    explanation: include_str!("no_skills_checked.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Reports Markdown files that runtimes in scope load as skills.
fn report_flat(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let files = flat_skill_file::unchecked(catalog, facts);
    let Some(((first, file, readers), others)) = files.split_first() else { return };
    let skills = if others.is_empty() {
        "1 file is a skill".to_owned()
    } else {
        format!("{} files are skills", grouped(files.len()))
    };
    let message = format!("{skills} in {readers}, but none has a skill directory; nothing is checked");
    let finding = sink.about(Subject::Tree).report(Place::whole(*first), message).help(flat_skill_file::help(file));
    for (other, file, _) in others.iter().take(SHOWN) {
        finding.related(Place::whole(*other), flat_skill_file::help(file));
    }
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if catalog.parsed.skills.is_empty() {
        let is_packaged = catalog.parsed.roots.iter().all(|root| !root.configured) && unchecked::are_packaged(catalog);
        let finding = unchecked::report(catalog, facts, "in no skills directory; nothing is checked", false, sink);
        let finding = finding.map(|finding| match misspelled_root(catalog) {
            Some((path, meant)) => finding
                .note(format!("the root `{path}` does not exist"))
                .help(format!("write `path = \"{meant}\"` in `[[root]]`")),
            None => finding,
        });
        // Files that a program ships, and examples, are no skills of this repository.
        if let (Some(finding), true) = (finding, is_packaged) {
            finding.at_most(Level::Warning);
        }
        report_flat(catalog, facts, sink);
    }
}

/// Returns a configured root that does not exist, and the directory with skills that its path differs from in one letter.
fn misspelled_root(catalog: &Catalog) -> Option<(String, String)> {
    let roots = catalog.files().filter(|(_, file)| file.role == Role::Root && matches!(file.body, Body::Absent));
    let mut paths = roots.filter(|(_, file)| file.root.is_some_and(|root| catalog.root(root).configured));
    paths.find_map(|(_, file)| {
        let path = text::lossless(file.path.as_bstr());
        let meant = no_skills_found::moved(catalog, &path)?;
        Some((path, meant))
    })
}
