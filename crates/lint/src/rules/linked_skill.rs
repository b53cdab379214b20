//! Reports skills and skills directories that are symbolic links inside the repository.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::files::Follow;
use skilltree_skills::roots::{self, RootId};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, Mode, Resolution, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "linked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a skill or a skills directory is a symbolic link",
    why: "not every runtime follows a linked SKILL.md, and git on Windows may write a plain file instead of a link",
    explanation: include_str!("linked_skill.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| matches!(reason, Reason::Link)),
    ..Rule::DEFAULT
};

/// What is linked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A directory whose skill is checked where the link leads.
    Directory,
    /// A directory of a skill that another link leads to.
    Second,
    /// A SKILL.md.
    File,
}

/// A link to a skill.
struct Link {
    subject: Subject,
    /// Skills directory that contains the link.
    root: Option<RootId>,
    file: FileId,
    path: String,
    target: String,
}

/// Links of each directory, by kind.
type Links = BTreeMap<(BString, Kind), Vec<Link>>;

/// Places shown after the first.
const SHOWN: usize = 8;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut links = linked_directories(catalog, sink);
    for (id, skill) in catalog.skills() {
        let file = catalog.file(skill.file);
        if let (Mode::Link, Some(real)) = (file.mode, &file.through) {
            let directory = catalog.root(skill.root).path.clone();
            links.entry((directory, Kind::File)).or_default().push(Link {
                subject: Subject::Skill(id),
                root: Some(skill.root),
                file: skill.file,
                path: text::lossless(file.path.as_bstr()),
                target: text::lossless(real.as_bstr()),
            });
        }
    }
    for ((directory, kind), links) in links {
        report(&text::lossless(directory.as_bstr()), kind, &links, facts, sink);
    }
}

/// Reports the links of one kind in a directory as one finding.
fn report(directory: &str, kind: Kind, links: &[Link], facts: &Facts<'_>, sink: &mut Sink) {
    let Some((first, others)) = links.split_first() else { return };
    let (path, target, count) = (&first.path, &first.target, text::grouped(links.len()));
    let message = match (kind, others.is_empty()) {
        (Kind::Directory, true) => format!("`{path}` is a symbolic link; the skill is checked in `{target}`"),
        (Kind::Second, true) => {
            let target = if target.is_empty() { "." } else { target };
            format!("`{path}` is a second link to the skill in `{target}`, which is checked once")
        }
        (Kind::File, true) => format!("`{path}` is a symbolic link; it is checked as `{target}`"),
        (Kind::Directory, false) => {
            format!("{count} symbolic links in `{directory}` lead to skills, which are checked there")
        }
        (Kind::Second, false) => {
            format!(
                "{count} symbolic links in `{directory}` lead to skills that other links lead to; each is checked once"
            )
        }
        (Kind::File, false) => format!("{count} SKILL.md files in `{directory}` are symbolic links"),
    };
    let subject = if others.is_empty() { first.subject } else { first.root.map_or(Subject::Tree, Subject::Root) };
    let finding = sink.about(subject).report(Place::whole(first.file), message);
    for other in others.iter().take(SHOWN) {
        finding.related(Place::whole(other.file), format!("leads to `{}`", other.target));
    }
    if !others.is_empty() {
        finding.extent(links.len()).note(format!("the first leads to `{target}`"));
    }
    if kind == Kind::File {
        finding.help("link the skill directory instead");
    }
    let is_lost = kind == Kind::File && first.root.is_some_and(|root| loses_linked_files(root, facts));
    finding.at_most(if is_lost { Level::Warning } else { Level::Note });
}

/// Returns whether a widely used runtime in scope of a skills directory drops a SKILL.md that is a link. With targets,
/// `target-drops-skill` reports it.
fn loses_linked_files(root: RootId, facts: &Facts<'_>) -> bool {
    let drops = |profile: &Profile| matches!(profile.loads.links.file, Some(Follow::Ignored | Follow::Refused));
    !facts.scope.is_explicit() && facts.scope.of(root).any(|profile| profile.is_widely_used() && drops(profile))
}

/// Reports links in the path of a root, and returns those to skill directories, directly in a root.
fn linked_directories(catalog: &Catalog, sink: &mut Sink) -> Links {
    let links = catalog.files().filter_map(|(id, file)| match &file.body {
        Body::Symlink { resolution: Resolution::Directory(target), .. } => Some((id, file, target.as_bstr())),
        _ => None,
    });
    let links: Vec<_> = links.collect();
    let mut found = Links::new();
    if links.is_empty() {
        return found;
    }
    let skills = Skills::new(catalog);
    for (id, file, target) in links {
        let path = text::lossless(file.path.as_bstr());
        let real = text::lossless(target);
        match (file.role, file.root) {
            (Role::Root, Some(root)) => {
                let is_root = catalog.root(root).paths().any(|path| path == file.path);
                let what = if is_root { "the skills directory " } else { "" };
                sink.about(Subject::Root(root)).report(
                    Place::whole(id),
                    format!("{what}`{path}` is a symbolic link; its skills are checked in `{real}`"),
                );
            }
            (Role::Other, root) => {
                let below = skills.below(file.path.as_bstr()).map(|skill| (Kind::Directory, skill));
                let Some((kind, skill)) = below.or_else(|| Some((Kind::Second, skills.at(target)?))) else { continue };
                let directory = text::parent(file.path.as_bstr()).to_owned();
                let link = Link { subject: Subject::Skill(skill), root, file: id, path, target: real };
                found.entry((directory, kind)).or_default().push(link);
            }
            _ => {}
        }
    }
    found
}

/// Listed skills, indexed by path.
struct Skills<'a> {
    by_path: BTreeMap<&'a BStr, SkillId>,
    by_real_directory: BTreeMap<&'a BStr, SkillId>,
}

impl<'a> Skills<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let file = |skill: SkillId| catalog.file(catalog.skill(skill).file);
        let listed = || catalog.listed.iter().copied();
        Self {
            by_path: listed().map(|skill| (catalog.path(skill), skill)).collect(),
            by_real_directory: listed()
                .map(|skill| (text::parent(file(skill).shown_path().as_bstr()), skill))
                .collect(),
        }
    }

    /// Returns the first skill below a path.
    fn below(&self, path: &BStr) -> Option<SkillId> {
        let from = BString::from([path.as_bytes(), b"/"].concat());
        let (first, &skill) = self.by_path.range(from.as_bstr()..).next()?;
        roots::is_within(first, path).then_some(skill)
    }

    /// Returns the skill in a directory, which is given without links.
    fn at(&self, directory: &BStr) -> Option<SkillId> {
        self.by_real_directory.get(directory).copied()
    }
}
