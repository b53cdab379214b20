//! Reports skill files that are not named SKILL.md.

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::snapshot::{Body, File, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misnamed-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a skill file is not named exactly SKILL.md",
    why: "a case-sensitive lookup does not find the file, so the skill does not load",
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
    sink.report(Place::whole(id), format!("the file is named `{name}`, not `SKILL.md`"))
        .help("rename it to `SKILL.md` with `git mv`");
}

/// Names that are used for SKILL.md by mistake, in lowercase.
const OTHER_NAMES: [&str; 6] = ["skill.markdown", "skill.md.md", "skill.md.txt", "skill.mdx", "skill.txt", "skills.md"];

/// Returns the files that are probably skills under another name: in a skill directory without a SKILL.md, and the only
/// text file of that directory.
pub(super) fn unread(catalog: &Catalog) -> impl Iterator<Item = (FileId, &File)> {
    let files = catalog::sorted(&catalog.parsed.files);
    catalog.files().filter(move |(_, file)| {
        let path = file.path.as_bstr();
        let (name, directory) = (text::file_name(path).to_ascii_lowercase(), text::parent(path));
        let is_used = file.role == Role::Other && OTHER_NAMES.iter().any(|other| other.as_bytes() == name);
        let root = file.root.map(|root| catalog.root(root).path.as_bstr());
        is_used && root == Some(text::parent(directory)) && is_alone(files, directory, path)
    })
}

/// Returns whether a directory has no other text file directly in it.
fn is_alone(files: &[File], directory: &BStr, path: &BStr) -> bool {
    let prefix = [directory.as_bytes(), b"/"].concat();
    let first = files.partition_point(|file| file.path.as_slice() < prefix.as_slice());
    let inside = files[first..].iter().map_while(|file| Some((file, file.path.strip_prefix(prefix.as_slice())?)));
    let is_text = |name: &[u8]| [&b".md"[..], b".mdx", b".txt", b".markdown"].iter().any(|end| name.ends_with(end));
    !inside
        .into_iter()
        .any(|(file, name)| file.path != path && !name.contains(&b'/') && is_text(&name.to_ascii_lowercase()))
}
