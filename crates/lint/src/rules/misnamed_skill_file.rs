//! Reports skill files that are not named SKILL.md.

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, shell_word};
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::snapshot::{Body, File, Role};
use skilltree_skills::{manifest, roots};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misnamed-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a skill file is not named exactly SKILL.md",
    why: "runtimes look for exactly `SKILL.md`, so the skill does not load",
    explanation: include_str!("misnamed_skill_file.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| matches!(reason, Reason::FileName)),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in catalog.skills() {
        let file = catalog.file(skill.file);
        if catalog::is_misnamed(file) && !matches!(file.body, Body::Directory | Body::Special) {
            report(skill.file, file, sink.about(Subject::Skill(id)));
        }
    }
    for (id, file) in unread(catalog) {
        report(id, file, sink.about(file.root.map_or(Subject::Tree, Subject::Root)));
    }
}

fn report(id: FileId, file: &File, sink: &mut Sink) {
    let path = file.path.as_bstr();
    let name = text::lossless(text::file_name(path));
    let finding = sink.report(Place::whole(id), format!("the file is named `{name}`, not `SKILL.md`"));
    if is_data(text::file_name(path)) {
        finding.help("write the skill into `SKILL.md`, with its name and its description as front matter");
        finding.at_most(Level::Warning);
    } else {
        let target = manifest::join(text::parent(path), "SKILL.md");
        let [from, to] = [path, target.as_bstr()].map(text::lossless);
        finding.help(format!("rename it: `git mv {} {}`", shell_word(&from), shell_word(&to)));
    }
}

/// Returns the files that are probably skills under another name: directly in a directory of a skills directory that has no SKILL.md.
pub(super) fn unread(catalog: &Catalog) -> impl Iterator<Item = (FileId, &File)> {
    let files = catalog::sorted(&catalog.parsed.files);
    catalog.files().filter(move |(id, file)| {
        let path = file.path.as_bstr();
        let (name, directory) = (text::file_name(path), text::parent(path));
        let is_used = file.role == Role::Other && (roots::is_other_name(name) || is_data(name));
        let root = file.root.map(|root| catalog.root(root).path.as_bstr());
        let is_direct = || root == Some(text::parent(directory));
        let is_lost = || {
            let mut below = below(files, directory);
            if is_data(name) {
                return below.all(|(inside, other)| other.role != Role::Skill && !inside.ends_with(b".md"));
            }
            roots::misnamed(below.map(|(inside, _)| inside).filter(|inside| !inside.contains(&b'/'))).is_some()
        };
        catalog.parsed.misnamed.binary_search(id).is_ok() || is_used && is_direct() && is_lost()
    })
}

/// Returns whether a file has the name of a description of a skill as data.
fn is_data(name: &BStr) -> bool {
    name == "skill.json"
}

/// Returns the files below a directory, with their paths from there.
fn below<'f>(files: &'f [File], directory: &BStr) -> impl Iterator<Item = (&'f BStr, &'f File)> {
    let prefix = [directory.as_bytes(), b"/"].concat();
    let first = files.partition_point(|file| file.path.as_slice() < prefix.as_slice());
    files[first..].iter().map_while(move |file| Some((file.path.strip_prefix(prefix.as_slice())?.as_bstr(), file)))
}
