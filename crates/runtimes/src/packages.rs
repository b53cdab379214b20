//! Packages: what a runtime makes of the plugins, extensions and marketplaces in a tree, and which skills each of them gives it.
//!
//! The manifests and what their paths lead to are facts of the tree; a format says what its readers do with them.

mod check;
mod commands;
mod enabled;
mod fault;
mod find;
mod hooks;
mod install;
mod members;
mod names;
mod parts;
pub mod published;
mod servers;
mod shape;
mod view;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock, RwLock};

use bstr::{BStr, BString, ByteSlice};

pub use self::fault::{Costs, Fault, NoManifest, Wrong};
pub use self::hooks::HookFault;
pub(crate) use self::hooks::of_settings as hooks_of_settings;
pub use self::servers::{Flaw, ServerFault};
use crate::formats::{self, Format, Holds, OwnSkill, Package as Rule};
use crate::links::Links;
use crate::profile::files::Visit;
use crate::profile::identity::IdentityBy;
use crate::profile::{Handling, Loads, Verdict};
use skilltree_front_matter::text;
use skilltree_skills::roots::{self, RootId};
use skilltree_skills::skill::{Parsed, SkillId};

/// The packages that one runtime finds in a tree.
#[derive(Clone, Debug, Default)]
pub struct Packages {
    /// The packages, in the order of their manifests or entries.
    pub all: Vec<Package>,
    /// The packages of each skill by their number, each with the index of the skill among its skills; sorted.
    by_skill: Vec<(SkillId, usize, usize)>,
    /// Skills directories with a skill of a package.
    roots: Vec<bool>,
    /// The directories of packages that are made for the runtime alone, and that are installed as a whole.
    whole: BTreeSet<BString>,
    /// The directories of packages of which the runtime loads nothing.
    lost: BTreeSet<BString>,
}

/// A package as one runtime reads it.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its format.
    pub format: &'static Format,
    /// The format of the marketplace that lists it.
    pub listed_in: Option<&'static Format>,
    /// How its runtime reads the format.
    rule: &'static Rule,
    /// Its directory; empty for the top.
    pub directory: BString,
    /// How the runtime comes to it.
    pub way: Way,
    /// The manifest, by its number among all manifests.
    pub manifest: Option<usize>,
    /// Its name; `None` for that of the top directory, which a tree does not know.
    pub name: Option<String>,
    /// What is wrong with the manifest or the entry.
    pub faults: Vec<Fault>,
    /// The skills below the directories that it searches.
    pub skills: Vec<Member>,
    /// Markdown files in a searched directory itself that are skills of its runtime, by their numbers among [`Parsed::flat`].
    pub flat: Vec<usize>,
    /// Where it looks for skills.
    places: Vec<Place>,
    /// Whether it looks only in the directories that a key names, and not in the usual one.
    pub only_named: bool,
    /// Commands that take the place of a skill, by name, each with its file.
    commands: BTreeMap<BString, BString>,
    /// Whether only the first entry of a marketplace with a skill has it.
    is_once: bool,
    /// What the runtime does with its skills, and with one in a searched directory itself.
    loads: Arc<(Loads, Loads)>,
}

/// How a runtime comes to a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is given the directory, which has a manifest.
    Directory,
    /// It is given the directory, which has no manifest.
    Bare,
    /// A marketplace lists it: the number of the manifest, and the name of the entry.
    Entry(usize, String),
    /// It lies in a skills directory of the project.
    Project,
    /// The user has installed it.
    Installed,
    /// An installer searches the repository.
    Installer,
}

impl Way {
    /// Returns the word for it in data.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::Bare => "bare",
            Self::Entry(..) => "entry",
            Self::Project => "project",
            Self::Installed => "installed",
            Self::Installer => "installer",
        }
    }

    /// Returns the number of the manifest of the marketplace that lists the package.
    pub fn marketplace(&self) -> Option<usize> {
        if let Self::Entry(market, _) = self { Some(*market) } else { None }
    }
}

/// A skill below a directory that a package searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The skill.
    pub skill: SkillId,
    /// Why the package does not give it to the runtime.
    pub lost: Option<Lost>,
    /// Whether the skill is the SKILL.md of a searched directory or of the package itself.
    pub is_own: bool,
    /// The path of its directory through a link, if the package finds the skill only there.
    pub through: Option<BString>,
}

/// Why a package does not give a skill to the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// Nothing of the package loads.
    Package,
    /// The key that names directories hides this one.
    Replaced,
    /// A SKILL.md in the searched directory hides it.
    Hidden,
    /// It is deeper than the runtime searches.
    TooDeep(u32),
    /// It is in a directory whose name begins with a dot.
    Dotted,
    /// It is a SKILL.md in the searched directory itself.
    InRoot,
    /// It is a SKILL.md next to the manifest, which is not read.
    Own,
    /// The manifest names the file instead of its directory.
    File,
    /// Another entry of the marketplace has it.
    Elsewhere,
    /// A link to it leaves the package.
    Linked,
    /// A command of the package has its name.
    Command,
    /// It is in the directory of the package, but not where the package looks.
    Outside,
}

/// A directory of skills, or a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    directory: BString,
    /// Whether it is a skill.
    is_skill: bool,
    /// Why its skills are lost.
    lost: Option<Lost>,
}

/// The packages of a tree, by runtime: each is computed once.
#[derive(Debug, Default)]
pub struct Table {
    known: RwLock<BTreeMap<String, Arc<Packages>>>,
    published: OnceLock<Vec<bool>>,
    /// One skill of each directory, sorted by directory.
    order: OnceLock<Vec<SkillId>>,
    links: OnceLock<Links>,
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Table {
    /// Returns which skills directories are made for distribution.
    pub(crate) fn published(&self, parsed: &Parsed) -> &[bool] {
        self.published.get_or_init(|| published::of(parsed, self))
    }

    /// Returns the links that lead to skills.
    pub(crate) fn links(&self, parsed: &Parsed) -> &Links {
        self.links.get_or_init(|| Links::new(parsed))
    }

    /// Returns the packages that a runtime finds.
    pub(crate) fn of(&self, parsed: &Parsed, profile: &str, loads: &Loads) -> Arc<Packages> {
        if formats::of(profile).is_none() {
            return Arc::default();
        }
        if let Some(known) = self.known.read().ok().and_then(|known| known.get(profile).cloned()) {
            return known;
        }
        let order = self.order.get_or_init(|| members::order(parsed));
        let index = members::Index::new(parsed, order, self.links(parsed));
        let packages = Arc::new(Packages::new(parsed, index, profile, loads));
        if let Ok(mut known) = self.known.write() {
            known.insert(profile.to_owned(), Arc::clone(&packages));
        }
        packages
    }
}

impl Packages {
    fn new(parsed: &Parsed, index: members::Index<'_>, profile: &str, loads: &Loads) -> Self {
        let Some(readings) = formats::of(profile) else { return Self::default() };
        let mut all = find::all(parsed, index, (profile, loads), readings);
        if all.is_empty() {
            return Self::default();
        }
        let mut known: Vec<(&Rule, Arc<(Loads, Loads)>)> = Vec::new();
        let mut by_skill = Vec::new();
        let mut roots = vec![false; parsed.roots.len()];
        let mut once: BTreeMap<usize, BTreeSet<SkillId>> = BTreeMap::new();
        for (number, package) in all.iter_mut().enumerate() {
            package.skills = match package.way {
                Way::Installer => install::of(parsed, &index, package.rule),
                _ => members::of(parsed, &index, package, loads),
            };
            package.flat = members::flat(parsed, package);
            if let Way::Entry(market, _) = package.way
                && package.is_once
            {
                let taken = once.entry(market).or_default();
                let given = package.skills.iter_mut().filter(|member| member.lost.is_none());
                given
                    .filter(|member| !taken.insert(member.skill))
                    .for_each(|member| member.lost = Some(Lost::Elsewhere));
            }
            package.loads = match known.iter().find(|(rule, _)| std::ptr::eq(*rule, package.rule)) {
                Some((_, loads)) => Arc::clone(loads),
                None => {
                    let effective = Arc::new(effective(loads, package.rule));
                    known.push((package.rule, Arc::clone(&effective)));
                    effective
                }
            };
            for (position, member) in package.skills.iter().enumerate() {
                by_skill.push((member.skill, number, position));
                if package.is_declared() {
                    roots[parsed.skills[member.skill.index()].root.index()] = true;
                }
            }
        }
        by_skill.sort_unstable();
        let whole = all
            .iter()
            .filter(|package| package.is_whole_for(profile))
            .map(|package| package.directory.clone())
            .collect();
        let lost = all.iter().filter(|package| package.is_declared() && package.is_lost());
        let lost = lost.map(|package| package.directory.clone()).collect();
        Self { all, by_skill, roots, whole, lost }
    }

    /// Returns whether the runtime finds a skill of a skills directory in a package.
    pub fn reads(&self, root: RootId) -> bool {
        self.roots.get(root.index()).copied().unwrap_or_default()
    }

    /// Returns whether a path is in a package of which the runtime loads nothing.
    pub fn refuses(&self, path: &BStr) -> bool {
        roots::is_within_any(path, &self.lost)
    }

    /// Returns whether a path is in a package that is made for the runtime alone, and that is installed as a whole.
    pub fn is_inside(&self, path: &BStr) -> bool {
        roots::is_within_any(path, &self.whole)
    }

    /// Returns the packages of a skill by their number, each with the index of the skill among its skills.
    pub fn of_skill(&self, skill: SkillId) -> impl Iterator<Item = (usize, usize)> {
        let first = self.by_skill.partition_point(|(known, ..)| *known < skill);
        let found = self.by_skill[first..].iter().take_while(move |(known, ..)| *known == skill);
        found.map(|&(_, number, position)| (number, position))
    }
}

impl Package {
    /// Returns whether a manifest or a marketplace makes it a package.
    pub fn is_declared(&self) -> bool {
        self.way != Way::Bare
    }

    /// Returns whether it is the settings of a project, which nobody installs.
    pub fn is_settings(&self) -> bool {
        self.rule.settings
    }

    /// Returns whether its format, or that of the marketplace that lists it, was made for a runtime; also if for none.
    pub fn is_made_for(&self, profile: &str) -> bool {
        let mut formats = std::iter::once(self.format).chain(self.listed_in);
        formats.any(|format| format.owner.as_ref().is_none_or(|owner| owner == profile))
    }

    /// Returns whether its format, or that of the marketplace that lists it, was made for a runtime and for no other.
    pub fn is_owned_by(&self, profile: &str) -> bool {
        let mut formats = std::iter::once(self.format).chain(self.listed_in);
        formats.any(|format| format.owner.as_deref() == Some(profile))
    }

    /// Returns whether a runtime for which alone it is made installs it as a whole.
    pub fn is_whole_for(&self, profile: &str) -> bool {
        matches!(self.way, Way::Directory | Way::Entry(..)) && self.is_owned_by(profile)
    }

    /// Returns the name that the tools of one of its servers have for the model; `None` if the name of the package is not known.
    pub fn server_in_tools(&self, server: &str) -> Option<String> {
        Some(servers::name_in_tools(self.name.as_deref()?, server))
    }

    /// Returns whether nothing of it loads.
    pub fn is_lost(&self) -> bool {
        self.faults.iter().any(|fault| fault.costs == Costs::Package)
    }

    /// Returns whether its key names each skill, not directories of skills.
    pub fn names_each_skill(&self) -> bool {
        self.rule.holds == Holds::Skill
    }

    /// Returns whether its key names each SKILL.md.
    pub fn names_files(&self) -> bool {
        self.rule.holds == Holds::File
    }

    /// Returns the file of the command that takes the place of a skill in a directory of this name.
    pub fn command(&self, directory: &BStr) -> Option<&BStr> {
        self.commands.get(directory).map(|path| path.as_bstr())
    }

    /// Returns the key that names directories of skills.
    pub fn key(&self) -> Option<&str> {
        self.rule.key.as_deref()
    }

    /// Returns the directory to show: `.` for the top.
    pub fn shown_directory(&self) -> &BStr {
        if self.directory.is_empty() { BStr::new(".") } else { self.directory.as_bstr() }
    }

    /// Returns the name to show: that of the top directory is not in the tree.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or("DIRECTORY")
    }

    /// Returns what the runtime does with one of its skills.
    pub(crate) fn loads(&self, member: &Member) -> &Loads {
        if member.is_own { &self.loads.1 } else { &self.loads.0 }
    }

    /// Returns the fields without which the model is not offered a skill.
    pub(crate) fn needed(&self) -> &[String] {
        &self.rule.unlisted_without
    }
}

/// Returns what a runtime does with the skills of a package, and with one in a searched directory itself. The search decides about
/// places before.
fn effective(loads: &Loads, rule: &Rule) -> (Loads, Loads) {
    let mut others = loads.clone();
    others.depth = None;
    others.files.hidden = Some(Visit::Read);
    if let Some(links) = rule.links {
        let follow = Some(links.follow());
        (others.links.directory, others.links.file) = (follow, follow);
        others.links.escape = others.links.escape.and(follow);
    }
    for key in &rule.unlisted_without {
        // Nothing replaces the field, so that a missing one shows.
        let field = others.fields.entry(key.clone()).or_default();
        field.fallback = None;
    }
    if let Some(by) = rule.by {
        others.identity.by = Some(by);
    }
    if rule.strict {
        others.identity.differs_from_directory = Some(Verdict { handling: Handling::Drops, reported: None });
    }
    let mut own = others.clone();
    own.files.in_root = Some(Visit::Read);
    own.files.below_skill = Some(Visit::Read);
    // A runtime that takes a package for one skill names it by its field.
    if rule.own_skill != OwnSkill::Never {
        own.identity.by = Some(IdentityBy::NameElseDirectory);
    }
    (others, own)
}

/// Returns the last component of a directory; `None` for the top.
fn directory_name(directory: &BStr) -> Option<String> {
    (!directory.is_empty()).then(|| text::lossless(text::file_name(directory)))
}
