//! The directories that the targets of a file start from, and what is known about a target without reading.

use bstr::{BStr, BString, ByteSlice};

use super::target::{self, LinkTarget};
use super::variables::Variable;
use crate::manifest;
use crate::roots;
use crate::skill::links::{End, To};
use crate::skill::paths::{self, is_markdown, is_template};
use crate::snapshot::{File, Names};
use skilltree_front_matter::text::{self, FileId};

/// The directories that the links of a file start from, and the names that resolve them.
pub(super) struct Bases<'a> {
    file: FileId,
    names: Names<'a>,
    /// The directories that targets start from: the one that contains the text first.
    starts: Vec<&'a BStr>,
    /// The directories of the skill: the real one, and the one that lists it if they differ.
    inside: [&'a BStr; 2],
    /// Which targets are probably examples.
    examples: Examples,
}

/// Beginnings of words for the work on skills: `create-skill` is about skills, and `pdf-skill` is not.
const WORK: [&str; 28] = [
    "add", "author", "build", "creat", "develop", "edit", "evaluat", "find", "generat", "improv", "install", "learn",
    "lint", "make", "manag", "meta", "new", "optimi", "packag", "publish", "refactor", "refin", "review", "scaffold",
    "test", "updat", "validat", "writ",
];

/// The directories of a skill that the specification names.
const OF_SKILL: [&str; 3] = ["assets", "references", "scripts"];

/// Number of directories around that of a skill of which each may be that of its plugin (ours: 5).
const AROUND: usize = 5;

/// Which targets of a file are probably examples, and are not checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Examples {
    /// None: the file is a SKILL.md.
    None,
    /// Single words without an extension, such as `[text](link)`: the file is a reference file.
    Words,
    /// All that do not begin with `../`: the file is a template, and its links are for the files that are made from it.
    Siblings,
}

impl Examples {
    fn contains(self, target: &BStr) -> bool {
        match self {
            Self::None => false,
            Self::Words => target.find_byteset(b"./").is_none(),
            Self::Siblings => !target.starts_with(b"../"),
        }
    }
}

impl<'a> Bases<'a> {
    /// Returns the bases for a skill's file.
    pub(super) fn new(id: FileId, file: &'a File, names: Names<'a>) -> Self {
        let inside = directories(file);
        Self { file: id, names, starts: inside.to_vec(), inside, examples: Examples::None }
    }

    /// Returns the bases for a reference file of the skill with this SKILL.md.
    pub(super) fn of_reference(id: FileId, file: &'a File, skill: &'a File, names: Names<'a>) -> Self {
        let inside = directories(skill);
        let below = file.path.strip_prefix(inside[1].as_bytes()).unwrap_or_default();
        let examples = if is_template(below.as_bstr()) { Examples::Siblings } else { Examples::Words };
        Self { file: id, names, starts: [directories(file), inside].concat(), inside, examples }
    }

    /// Returns the section that an unescaped target names in a Markdown file that exists, or that may exist outside the skills
    /// directories.
    pub(super) fn section<'t>(&self, target: &'t str) -> Option<Section<'t>> {
        let (path, fragment) = target.split_once('#')?;
        if !target::is_section(fragment) || self.examples == Examples::Siblings {
            return None;
        }
        if path.is_empty() {
            return Some(Section { fragment, paths: Vec::new() });
        }
        let LinkTarget::Local(path) = target::classify(path) else { return None };
        let paths = self.starts.iter().filter_map(|directory| paths::resolve(directory, path.as_bstr()));
        let paths: Vec<BString> =
            paths.filter(|path| is_markdown(path.as_bstr()) && target::is_sane(path.as_bstr())).collect();
        let known: Vec<BString> = paths.iter().filter(|path| self.names.has(path.as_bstr())).cloned().collect();
        let paths = if known.is_empty() { paths } else { known };
        (!paths.is_empty()).then_some(Section { fragment, paths })
    }

    /// Returns the paths at which a path of the skill may exist, if its first directory is in the skill and none of them is known:
    /// from the directory of the file, that of the skill, and every directory above it.
    pub(super) fn missing(&self, written: &str) -> Option<Vec<BString>> {
        let (first, _) = written.split_once('/')?;
        let at = |directory: &BStr, path: &str| paths::resolve(directory, path.into());
        let is_own =
            self.inside.iter().filter_map(|inside| at(inside, first)).any(|path| self.names.has(path.as_bstr()));
        if !is_own || self.examples == Examples::Siblings {
            return None;
        }
        let mut directories = self.starts.clone();
        for inside in self.inside {
            let mut above = inside;
            while !above.is_empty() {
                above = text::parent(above);
                directories.push(above);
            }
        }
        self.unknown(directories.into_iter().filter_map(|directory| at(directory, written)).collect())
    }

    /// Returns the paths of a file below a variable if none of them is known: that of the skill, that of its plugin, which is known only
    /// above a path that leads back into the skill, or that of its project, in which only scripts are not made later.
    pub(super) fn missing_at(&self, variable: Variable, written: &str) -> Option<Vec<BString>> {
        let of_plugin = |inside: &BStr| {
            let (skills, rest) = written.split_once('/')?;
            let (name, path) = rest.split_once('/')?;
            inside.ends_with(format!("/{skills}/{name}").as_bytes()).then_some(path)
        };
        let paths: Vec<BString> = match variable {
            Variable::Skill => self.inside.iter().filter_map(|inside| paths::resolve(inside, written.into())).collect(),
            Variable::Plugin => {
                self.inside.iter().filter_map(|inside| paths::resolve(inside, of_plugin(inside)?.into())).collect()
            }
            Variable::Project if paths::is_script_file(written) => {
                let projects = self.inside.iter().filter_map(|inside| project(inside));
                projects
                    .flat_map(|project| [project, BStr::new("")])
                    .filter_map(|at| paths::resolve(at, written.into()))
                    .collect()
            }
            Variable::Project | Variable::Home => Vec::new(),
        };
        if paths.is_empty() || self.examples == Examples::Siblings { None } else { self.unknown(paths) }
    }

    /// Returns whether a path from the directory of the skill names a file of it.
    pub(super) fn is_own(&self, path: &str) -> bool {
        self.inside
            .iter()
            .filter_map(|inside| paths::resolve(inside, path.into()))
            .any(|path| self.names.has(path.as_bstr()))
    }

    /// Returns the paths at which a file may be that a command of the body needs: below a variable, or where the command runs, which is the
    /// project; none if the skill is not that of a project. `None` if one is known to exist, or if it cannot be told.
    pub(super) fn needed(&self, variable: Option<Variable>, path: &str, is_own: bool) -> Option<Vec<BString>> {
        let resolve = |at: &BStr| paths::resolve(at, path.into());
        let found: Vec<BString> = match variable {
            Some(Variable::Skill) => self.inside.iter().filter_map(|inside| resolve(inside)).collect(),
            // Which directory around the skill is that of the plugin is not known here.
            Some(Variable::Plugin) => above(self.inside[0]).skip(1).take(AROUND).filter_map(resolve).collect(),
            Some(Variable::Home) => return None,
            Some(Variable::Project) | None => {
                let projects = self.inside.iter().filter_map(|inside| project(inside));
                projects.flat_map(|project| [project, BStr::new("")]).filter_map(resolve).collect()
            }
        };
        if found.is_empty() && !is_own { None } else { self.unknown(found) }
    }

    /// Returns where a path below the directory of the skill leads; `None` if it stays in it.
    pub(super) fn below_skill(&self, written: &str) -> Option<To> {
        let is_own = |path: &BString| self.inside.iter().any(|inside| roots::is_within(path.as_bstr(), inside));
        match paths::resolve(self.inside[0], written.into()) {
            None => Some(To::Outside),
            Some(path) if target::is_sane(path.as_bstr()) && !is_own(&path) => Some(To::Path(path)),
            Some(_) => None,
        }
    }

    /// Returns the paths outside the skill at which a path with `..` may be.
    pub(super) fn climbing(&self, written: &str) -> Option<To> {
        let is_own = |path: &BString| self.inside.iter().any(|inside| roots::is_within(path.as_bstr(), inside));
        let paths = self.starts.iter().filter_map(|directory| paths::resolve(directory, written.into()));
        let mut paths: Vec<BString> = paths.filter(|path| target::is_sane(path.as_bstr())).collect();
        paths.sort();
        paths.dedup();
        let is_found = self.examples == Examples::Siblings || paths.is_empty() || paths.iter().any(is_own);
        (!is_found).then_some(To::Unknown(paths))
    }

    /// Returns the paths around the skill at which a path as in a skill may be, the nearest first, if the skill has no such file itself.
    pub(super) fn around(&self, written: &str) -> Option<To> {
        let (first, _) = written.split_once('/')?;
        if !OF_SKILL.contains(&first) || self.examples == Examples::Siblings {
            return None;
        }
        let mut own = self.starts.iter().filter_map(|directory| paths::resolve(directory, written.into()));
        if own.any(|path| self.names.has(path.as_bstr())) {
            return None;
        }
        let paths = above(self.inside[0]).skip(1).take(AROUND).filter_map(|at| paths::resolve(at, written.into()));
        let paths: Vec<BString> = paths.filter(|path| target::is_sane(path.as_bstr())).collect();
        (!paths.is_empty()).then_some(To::Around(paths))
    }

    /// Returns the rest of a path below a skills directory, from the top or from a home directory, if it names a file of the skill:
    /// `.claude/skills/pdf/scripts/x.py` or `skills/pdf/scripts/x.py` in `skills/pdf`.
    pub(super) fn installed(&self, written: &str) -> Option<To> {
        // Most paths have another beginning.
        if self.examples == Examples::Siblings || !(written.starts_with('.') || written.starts_with("skills/")) {
            return None;
        }
        let at = written.find("skills/")?;
        let (name, rest) = written[at..].strip_prefix("skills/")?.split_once('/')?;
        let inside = self.inside[0];
        let is_skills = at == 0 || written[..at].ends_with('/');
        if !is_skills || text::file_name(inside) != name {
            return None;
        }
        let path = paths::resolve(inside, rest.into()).filter(|path| self.names.has(path.as_bstr()))?;
        roots::is_within(path.as_bstr(), inside).then(|| To::Own(rest.to_owned()))
    }

    /// Returns the paths at which a command of a plugin may be: of the plugin around the skill, or of one next to it.
    pub(super) fn commands(&self, plugin: &str, name: &str) -> Vec<BString> {
        let file = format!("commands/{}.md", name.replace(':', "/"));
        let around = self.inside.into_iter().flat_map(|inside| above(inside).take(AROUND));
        let paths = around.flat_map(|around| {
            let next = manifest::join(around, plugin);
            [manifest::join(around, &file), manifest::join(next.as_bstr(), &file)]
        });
        let mut paths: Vec<BString> = paths.filter(|path| target::is_sane(path.as_bstr())).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Returns some paths, sorted, if none of them is known to exist.
    fn unknown(&self, mut paths: Vec<BString>) -> Option<Vec<BString>> {
        paths.sort();
        paths.dedup();
        let is_known = |path: &BString| self.names.has(path.as_bstr()) || !target::is_sane(path.as_bstr());
        (!paths.iter().any(is_known)).then_some(paths)
    }

    /// Returns the first existing path of a target, and whether there is one; `None` if it is no path of the repository.
    pub(super) fn first(&self, target: LinkTarget) -> Option<(BString, bool)> {
        let LinkTarget::Local(written) = target else { return None };
        let paths = self.starts.iter().filter_map(|directory| paths::resolve(directory, written.as_bstr()));
        let paths: Vec<BString> = paths.filter(|path| target::is_sane(path.as_bstr())).collect();
        let existing = paths.iter().find(|path| self.names.has(path.as_bstr()));
        Some((existing.or(paths.first())?.clone(), existing.is_some()))
    }

    /// Returns the script of the skill at a path, from the directory of the file or of the skill.
    pub(super) fn script(&self, written: &str) -> Option<BString> {
        let paths = self.starts.iter().filter_map(|directory| paths::resolve(directory, written.into()));
        let is_own = |path: &BString| self.inside.iter().any(|inside| roots::is_within(path.as_bstr(), inside));
        paths.into_iter().find(|path| is_own(path) && self.names.has(path.as_bstr()))
    }

    /// Returns whether the skill is about skills: its paths are examples. `pdf-skill` is about PDF files.
    pub(super) fn is_about_skills(&self) -> bool {
        self.inside.iter().any(|inside| {
            let name = text::file_name(inside);
            // Most names do not have the word.
            if !name.contains_str("skill") {
                return false;
            }
            let subject = name.strip_suffix(b"-skill").or_else(|| name.strip_suffix(b"_skill"));
            let is_suffix = subject.is_some_and(|subject| {
                let mut words = subject.split(|byte| b"-_".contains(byte));
                let is_work = |word: &[u8]| WORK.iter().any(|work| word.starts_with(work.as_bytes()));
                !subject.contains_str("skill") && !words.any(is_work)
            });
            !is_suffix
        })
    }

    /// Returns the file.
    pub(super) fn file(&self) -> FileId {
        self.file
    }

    /// Returns the path of a target that may start at the top of the repository, where the agents of a project do. A single name does not.
    fn at_top(&self, written: &BStr) -> Option<BString> {
        let is_of_project = self.inside.iter().any(|inside| inside.starts_with(b"."));
        let is_path = !written.starts_with(b".") && written.contains(&b'/');
        paths::resolve("".into(), written).filter(|path| is_of_project && is_path && target::is_sane(path.as_bstr()))
    }

    /// Classifies a target.
    pub(super) fn end(&self, target: LinkTarget) -> Leads {
        let path = match target {
            LinkTarget::Other => return Leads::Resolved,
            LinkTarget::Machine => return Leads::Unresolved(End::Machine),
            LinkTarget::Local(path) if self.examples.contains(path.as_bstr()) => return Leads::Resolved,
            LinkTarget::Local(path) => path,
        };
        let (mut paths, mut is_deep): (Vec<BString>, bool) = (Vec::new(), false);
        for directory in &self.starts {
            let Some(path) = paths::resolve(directory, path.as_bstr()) else { continue };
            if !target::is_sane(path.as_bstr()) {
                is_deep = true;
            } else if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let inside = |path: &BString| self.inside.iter().any(|directory| roots::is_within(path.as_bstr(), directory));
        let leaves = !paths.iter().any(inside);
        paths.extend(self.at_top(path.as_bstr()).filter(|_| !leaves));
        let there = paths.iter().find(|path| self.names.has(path.as_bstr()));
        match (paths.is_empty(), there, leaves) {
            (true, ..) if is_deep => Leads::Unresolved(End::Nothing),
            (true, ..) => Leads::Unresolved(End::Outside),
            (_, Some(_), false) => Leads::Resolved,
            (_, Some(path), true) => Leads::Outside(path.clone()),
            (_, None, leaves) => Leads::Unresolved(End::Unknown { paths, leaves }),
        }
    }
}

/// The section that a target names.
pub(super) struct Section<'t> {
    /// The text after `#`.
    pub(super) fragment: &'t str,
    /// The files that the target may name; empty for a target in the same file.
    pub(super) paths: Vec<BString>,
}

/// Returns the directory that contains the text of a file, and the one that lists it: a different one if the file is a link.
fn directories(file: &File) -> [&BStr; 2] {
    [text::parent(file.shown_path().as_bstr()), text::parent(file.path.as_bstr())]
}

/// Returns a directory and those around it, the nearest first; the last is the top.
fn above(directory: &BStr) -> impl Iterator<Item = &BStr> {
    std::iter::successors(Some(directory), |at| (!at.is_empty()).then(|| text::parent(at)))
}

/// Returns the directory of the project whose `.claude/skills` has a skill.
fn project(skill: &BStr) -> Option<&BStr> {
    let at = skill.find(".claude/skills/").filter(|&at| at == 0 || skill[at - 1] == b'/')?;
    Some(skill[..at.saturating_sub(1)].as_bstr())
}

/// What is known about a target.
pub(super) enum Leads {
    /// It exists in the skill's directory, or is not checked.
    Resolved,
    /// It is at this path outside the skill's directory.
    Outside(BString),
    /// Not known yet.
    Unresolved(End),
}
